extension Catalog {
    /// An example of a function or method; a test runs it.
    public struct Example: Sendable, CustomStringConvertible {
        /// What it is an example of: `reviews.search`, `Player:play`.
        public let name: String
        /// As it was declared. Modules go by their short names in it.
        public let code: String
        /// The code with what it needs before it, on the same line: each module of the catalog in a
        /// local of its short name.
        public let script: String

        public var description: String { "\(name): \(code)" }
    }

    /// All examples, for a host's tests to run in a state with these modules.
    public var examples: [Example] {
        let locals = modules.filter { isLuaName($0.shortName) }.map { "local \($0.shortName) = require \(quoted($0.name)) " }.joined()
        func examples(of function: FunctionDescription, _ name: String) -> [Example] {
            function.examples.map { Example(name: name, code: $0, script: locals + $0) }
        }
        let ofFunctions = modules.flatMap { module in
            module.functions.flatMap { examples(of: $0.description, "\(module.shortName).\($0.name)") }
        }
        let ofMethods = typesOfModules.joined().flatMap { type in
            type.methods.flatMap { examples(of: $0, "\(type.name):\($0.name)") }
        }
        return ofFunctions + ofMethods
    }
}
