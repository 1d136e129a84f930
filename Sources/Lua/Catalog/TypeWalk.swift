/// Finds the named types that modules mention. Types may mention each other and themselves.
struct TypeWalk {
    private var seen: Set<ObjectIdentifier> = []
    private var names: Set<String> = []
    /// Names that a second type claimed.
    private(set) var contestedNames: [String] = []

    /// The types that `module` mentions and no module before it did, in the order of mention.
    mutating func collect(from module: Module) -> [LuaTypeDescription] {
        var found: [LuaTypeDescription] = []
        var waiting = module.mentions
        var next = 0
        while next < waiting.count {
            let type = waiting[next]
            next += 1
            guard seen.insert(ObjectIdentifier(type)).inserted, var description = type.luaTypeDescription else { continue }
            description.isOptions = type is any LuaOptions.Type
            waiting += description.mentions
            if names.insert(description.name).inserted {
                found.append(description)
            } else {
                contestedNames.append(description.name)
            }
        }
        return found
    }
}

extension Module {
    fileprivate var mentions: [any LuaDescribed.Type] {
        functions.flatMap(\.description.mentions) + constants.flatMap(\.mentions) + types.flatMap { $0.luaMentions }
    }
}

extension FunctionDescription {
    fileprivate var mentions: [any LuaDescribed.Type] { (arguments + results).flatMap(\.mentions) }
}

extension LuaTypeDescription {
    fileprivate var mentions: [any LuaDescribed.Type] { (methods + operators.map(\.function)).flatMap(\.mentions) + fields.flatMap(\.mentions) }
}
