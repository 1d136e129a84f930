/// A Swift function as scripts see it, declared once.
///
/// ```swift
/// Function("search", "Albums whose title or artist match the text.",
///          Argument("query", String.self, "words of title and artist"),
///          Argument("limit", Int.self, "at most so many", default: 20),
///          returns: "albums, best match first") { query, limit in
///     try await reviews.search(query, limit: limit)
/// }
/// ```
///
/// The number and the types of the closure's parameters are those of the arguments; the compiler
/// holds them against each other. What the closure returns becomes the results: a value, several
/// as a tuple, or nothing. Where the body is one arithmetic expression, state its type
/// (`{ a, b -> Int in a * 60 + b }`): the compiler is slow to find it. An `async` closure suspends the calling coroutine and frees the state.
public struct Function: Sendable {
    public let name: String
    public let text: String
    public let arguments: [FieldDescription]
    public let results: [FieldDescription]
    public let isAsync: Bool
    public internal(set) var errors: [LuaError.Kind] = []
    public internal(set) var examples: [String] = []
    /// Not declared, but there by something else's declaration: it needs no example of its own.
    var isImplicit = false
    let body: LuaBody

    @usableFromInline
    init(_ name: String, _ text: String, _ signature: Signature, results: [FieldDescription], isAsync: Bool, body: @escaping LuaBody) {
        self.name = name
        self.text = text
        arguments = signature.arguments
        self.results = results
        self.isAsync = isAsync
        self.body = body
    }

    @inlinable
    init<Values, each R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        several body: @escaping @Sendable (Values) throws -> (repeat each R)
    ) {
        let signature = parameters.signature, decode = parameters.decode
        let results = describeResults(repeat (each R).self, text: returns), count = Int32(results.count)
        self.init(name, text, signature, results: results, isAsync: false) { lua in
            try signature.checkCount(lua)
            let values = try body(decode(lua, 1, signature))
            repeat try (each values).encode(to: lua)
            return count
        }
    }

    @inlinable
    init<Values: Sendable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        several body: nonisolated(nonsending) @escaping @Sendable (Values) async throws -> (repeat each R)
    ) {
        let signature = parameters.signature, decode = parameters.decode
        let results = describeResults(repeat (each R).self, text: returns), count = Int32(results.count)
        self.init(name, text, signature, results: results, isAsync: true) { lua in
            try signature.checkCount(lua)
            let values = try decode(lua, 1, signature)
            return try lua.suspend(name) {
                let result = try await body(values)
                return { lua in
                    repeat try (each result).encode(to: lua)
                    return count
                }
            }
        }
    }

    /// A function that works on the stack itself, for what typed arguments cannot express.
    ///
    /// - Parameter body: Returns the number of results it pushed, or what ``LuaContext/suspend(_:_:)`` returned.
    init(raw name: String, _ text: String, _ arguments: [FieldDescription], returns: [FieldDescription], isAsync: Bool = false, body: @escaping LuaBody) {
        let signature = Signature(arguments)
        self.init(name, text, signature, results: returns, isAsync: isAsync) { lua in
            try signature.checkCount(lua)
            return try body(lua)
        }
    }

    /// Says which errors scripts have to expect.
    public func raises(_ kinds: LuaError.Kind...) -> Function {
        var copy = self
        copy.errors += kinds
        return copy
    }

    /// Adds an example; tests run it.
    public func example(_ code: String) -> Function {
        var copy = self
        copy.examples.append(code)
        return copy
    }

    /// What help and documents say.
    public var description: FunctionDescription { description(of: arguments) }

    /// What they say of a method: its first argument, the object, stands before the colon.
    var methodDescription: FunctionDescription { description(of: Array(arguments.dropFirst())) }

    private func description(of arguments: [FieldDescription]) -> FunctionDescription {
        FunctionDescription(
            name: name, text: text, arguments: arguments, results: results, isAsync: isAsync, errors: errors, examples: examples,
            isImplicit: isImplicit)
    }
}

/// The arguments of a function as one value: how they are described, how they are decoded.
@usableFromInline
struct Parameters<Values>: Sendable {
    /// Takes the stack, the index of the first argument, and what is said about them.
    @usableFromInline typealias Decode = @Sendable (LuaContext, Int32, Signature) throws -> Values

    @usableFromInline let descriptions: [FieldDescription]
    @usableFromInline let decode: Decode

    @usableFromInline
    init(_ descriptions: [FieldDescription], decode: @escaping Decode) {
        self.descriptions = descriptions
        self.decode = decode
    }

    @usableFromInline var signature: Signature { Signature(descriptions) }

    /// For methods: the object comes first.
    @usableFromInline
    func signature<Object: LuaObject>(of type: Object.Type) -> Signature {
        Signature([FieldDescription("self", type, "")] + descriptions, isMethod: true)
    }
}

@usableFromInline
func describeResult<R: LuaEncodable>(_ type: R.Type, _ text: String) -> FieldDescription {
    FieldDescription("", R.self, text)
}

@inlinable
func describeResults<each R: LuaEncodable>(_ types: repeat (each R).Type, text: String) -> [FieldDescription] {
    var results: [FieldDescription] = []
    for type in repeat each types { results.append(describeResult(type, results.isEmpty ? text : "")) }
    return results
}

/// A function without its body.
public struct FunctionDescription: Sendable {
    public let name: String
    public let text: String
    public let arguments: [FieldDescription]
    public let results: [FieldDescription]
    public let isAsync: Bool
    public let errors: [LuaError.Kind]
    public let examples: [String]
    /// Whether it comes with something else, as `close` does with a class that can be closed.
    public let isImplicit: Bool
}

/// A function by itself is a Lua function, for ``LuaState/setGlobal(_:to:)``.
extension Function: LuaEncodable {
    public static var luaType: LuaType { .function(arguments: [.variadic(.any)], results: [.variadic(.any)]) }

    public func encode(to lua: LuaContext) throws { lua.push(function: name, body) }
}
