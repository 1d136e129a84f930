extension Catalog {
    /// Something the declarations leave unsaid, or say twice.
    public struct Gap: Sendable, Hashable, CustomStringConvertible {
        /// What it is about: `reviews.search`, `Album.title`.
        public let name: String
        /// What is missing: `argument 'limit' has no text`.
        public let problem: String

        public var description: String { "\(name): \(problem)" }
    }

    /// All gaps; a test of each catalog expects none.
    ///
    /// Everything needs a text: modules, functions, their arguments and results, constants, types,
    /// fields and properties. Functions and methods need an example. Names are unique where they
    /// are looked up, and every named type is known.
    public var undocumented: [Gap] {
        var gaps = Gaps(typeNames: Set(types.map(\.name)))
        gaps.addRepeated(modules.map(\.name), in: "the catalog", "module")
        gaps.addRepeated(modules.map(\.shortName), in: "the catalog", "short module name")
        for name in contestedTypeNames { gaps.add(name, "several types have this name") }
        for module in modules { gaps.add(module) }
        for type in typesOfModules.joined() { gaps.add(type) }
        return gaps.found
    }
}

private struct Gaps {
    let typeNames: Set<String>
    private(set) var found: [Catalog.Gap] = []

    init(typeNames: Set<String>) { self.typeNames = typeNames }

    mutating func add(_ name: String, _ problem: String) { found.append(Catalog.Gap(name: name, problem: problem)) }

    private mutating func addMissingText(_ text: String, of name: String, _ what: String? = nil) {
        if text.allSatisfy(\.isWhitespace) { add(name, what.map { "\($0) has no text" } ?? "no text") }
    }

    /// Reports each name that comes more than once, once.
    mutating func addRepeated(_ names: [String], in owner: String, _ what: String) {
        var seen: Set<String> = [], reported: Set<String> = []
        for name in names where !seen.insert(name).inserted && reported.insert(name).inserted {
            add(owner, "\(what) '\(name)' is declared more than once")
        }
    }

    mutating func add(_ module: Module) {
        addMissingText(module.text, of: module.name)
        addRepeated(module.functions.map(\.name) + module.constants.map(\.name), in: module.name, "member")
        for function in module.functions { add(function.description, named: "\(module.shortName).\(function.name)") }
        for constant in module.constants {
            let name = "\(module.shortName).\(constant.name)"
            addMissingText(constant.text, of: name)
            addUnknownNames(in: constant.type, of: name, "it")
        }
    }

    mutating func add(_ type: LuaTypeDescription) {
        addMissingText(type.text, of: type.name)
        addRepeated(type.methods.map(\.name) + type.fields.map(\.name), in: type.name, "member")
        addRepeated(type.values, in: type.name, "value")
        if case .choice(let values) = type.shape, values.isEmpty { add(type.name, "no values") }
        for field in type.fields {
            let name = "\(type.name).\(field.name)"
            addMissingText(field.text, of: name)
            addUnknownNames(in: field.type, of: name, "it")
        }
        for method in type.methods { add(method, named: "\(type.name):\(method.name)") }
        for item in type.operators {
            let name = "\(type.name) \(item.metamethod.rawValue)"
            addMissingText(item.function.text, of: name)
            for part in item.function.arguments + item.function.results { addUnknownNames(in: part.type, of: name, "a part") }
        }
    }

    private mutating func add(_ function: FunctionDescription, named name: String) {
        addMissingText(function.text, of: name)
        addRepeated(function.arguments.map(\.name), in: name, "argument")
        for argument in function.arguments {
            addMissingText(argument.text, of: name, "argument '\(argument.name)'")
            addUnknownNames(in: argument.type, of: name, "argument '\(argument.name)'")
        }
        // One text tells about all results of a function.
        if !function.results.isEmpty, function.results.allSatisfy({ $0.text.allSatisfy(\.isWhitespace) }) {
            add(name, "the result has no text")
        }
        for result in function.results { addUnknownNames(in: result.type, of: name, "the result") }
        if !function.isImplicit, function.examples.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) { add(name, "no example") }
    }

    private mutating func addUnknownNames(in type: LuaType, of name: String, _ what: String) {
        for unknown in type.names where !typeNames.contains(unknown) { add(name, "\(what) is of the unknown type '\(unknown)'") }
    }
}

extension LuaType {
    /// The named types in it.
    var names: [String] {
        switch self {
        case .any, .nil, .boolean, .integer, .number, .string, .table, .thread: []
        case .optional(let part), .list(let part), .variadic(let part): part.names
        case .map(let key, let value): key.names + value.names
        case .record(let name), .choice(let name), .object(let name): [name]
        case .function(let arguments, let results): (arguments + results).flatMap(\.names)
        case .union(let members): members.flatMap(\.names)
        }
    }
}
