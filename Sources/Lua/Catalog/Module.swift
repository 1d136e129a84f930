import CLuaShim

/// A module of the host: what `require` gives scripts, declared once.
///
/// Argument checks, help, editor stubs, documents and completion all come from the declaration.
///
/// ```swift
/// Module("nightjar.reviews", "Albums and their reviews.") {
///     Function("search", "…", …) { … }
/// }
/// ```
///
/// Its table is built when a script first requires it, and is read-only.
public struct Module: Sendable {
    public let name: String
    public let text: String
    public let functions: [Function]
    public let constants: [Constant]
    /// Classes whose objects the module hands out, besides those its functions mention.
    let types: [any LuaDescribed.Type]

    public init(_ name: String, _ text: String, @ModuleBuilder _ members: () -> [ModuleMember]) {
        self.name = name
        self.text = text
        let members = members()
        functions = members.compactMap { member -> Function? in
            if case .function(let function) = member { function } else { nil }
        }
        constants = members.compactMap { member -> Constant? in
            if case .constant(let constant) = member { constant } else { nil }
        }
        types = members.flatMap { member -> [any LuaDescribed.Type] in
            if case .types(let types) = member { types } else { [] }
        }
    }

    /// The last word of the name: what scripts usually call the local.
    public var shortName: String { name.split(separator: ".").last.map(String.init) ?? name }

    /// Pushes the module's table.
    func push(to lua: LuaContext) throws {
        try lua.reserve(8)
        lua_getfield(lua.L, shim_registry(), Prelude.freeze)
        lua_createtable(lua.L, 0, Int32(functions.count + constants.count))
        for function in functions { lua.setFunction(function.name, function.body, named: "\(shortName).\(function.name)") }
        for constant in constants {
            try constant.value.encode(to: lua)
            lua_setfield(lua.L, -2, constant.name)
        }
        lua.pushText(name)
        guard shim_call(lua.L, 2, 1) == LUA_OK else { throw lua.takeError() }
    }
}

/// A value of a module that is no function.
public struct Constant: Sendable {
    public let name: String
    public let text: String
    public let type: LuaType
    let mentions: [any LuaDescribed.Type]
    let value: any LuaEncodable

    public init<Value: LuaEncodable>(_ name: String, _ text: String, _ value: Value) {
        self.name = name
        self.text = text
        self.value = value
        type = Value.luaType
        mentions = Value.luaMentions
    }
}

public enum ModuleMember: Sendable {
    case function(Function)
    case constant(Constant)
    case types([any LuaDescribed.Type])
}

@resultBuilder
public enum ModuleBuilder {
    public static func buildExpression(_ function: Function) -> [ModuleMember] { [.function(function)] }
    public static func buildExpression(_ constant: Constant) -> [ModuleMember] { [.constant(constant)] }
    public static func buildExpression<Value: LuaDescribed>(_ type: Value.Type) -> [ModuleMember] { [.types([type])] }
    public static func buildBlock(_ parts: [ModuleMember]...) -> [ModuleMember] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [ModuleMember]?) -> [ModuleMember] { part ?? [] }
    public static func buildEither(first: [ModuleMember]) -> [ModuleMember] { first }
    public static func buildEither(second: [ModuleMember]) -> [ModuleMember] { second }
    public static func buildArray(_ parts: [[ModuleMember]]) -> [ModuleMember] { parts.flatMap { $0 } }
}
