// Swift 6.3 crashes on a closure literal whose type is `nonisolated(nonsending)` and takes a
// parameter pack, and a closure that hops to the common pool instead costs more than the whole call.
// So asynchronous functions are declared per number of arguments; the work is in one place below.

extension Function {
    /// An asynchronous function with one result.
    @inlinable
    public init<R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable () async throws -> R
    ) {
        self.init(name, text, parameters(), returns, one: { _ in try await body() })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<each R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable () async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(), returns, several: { _ in try await body() })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A) async throws -> R
    ) {
        self.init(name, text, parameters(a), returns, one: { values in try await body(values) })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A) async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(a), returns, several: { values in try await body(values) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B) async throws -> R
    ) {
        self.init(name, text, parameters(a, b), returns, one: { values in try await body(values.0, values.1) })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B) async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(a, b), returns, several: { values in try await body(values.0, values.1) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C) async throws -> R
    ) {
        self.init(name, text, parameters(a, b, c), returns, one: { values in try await body(values.0, values.1, values.2) })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C) async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(a, b, c), returns, several: { values in try await body(values.0, values.1, values.2) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D) async throws -> R
    ) {
        self.init(name, text, parameters(a, b, c, d), returns, one: { values in try await body(values.0, values.1, values.2, values.3) })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D) async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(a, b, c, d), returns, several: { values in try await body(values.0, values.1, values.2, values.3) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E) async throws -> R
    ) {
        self.init(name, text, parameters(a, b, c, d, e), returns, one: { values in try await body(values.0, values.1, values.2, values.3, values.4) })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E) async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(a, b, c, d, e), returns, several: { values in try await body(values.0, values.1, values.2, values.3, values.4) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E, F) async throws -> R
    ) {
        self.init(name, text, parameters(a, b, c, d, e, f), returns, one: { values in try await body(values.0, values.1, values.2, values.3, values.4, values.5) })
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E, F) async throws -> (repeat each R)
    ) {
        self.init(name, text, parameters(a, b, c, d, e, f), returns, several: { values in try await body(values.0, values.1, values.2, values.3, values.4, values.5) })
    }

    @inlinable
    init<Values: Sendable, R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        one body: nonisolated(nonsending) @escaping @Sendable (Values) async throws -> R
    ) {
        let decode = parameters.decode
        self.init(name, text, parameters.signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            let values = try decode(lua)
            return try lua.suspend(name) {
                let result = try await body(values)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    @inlinable
    init<Values: Sendable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        several body: nonisolated(nonsending) @escaping @Sendable (Values) async throws -> (repeat each R)
    ) {
        let decode = parameters.decode
        let results = describeResults(repeat (each R).self, text: returns)
        self.init(name, text, parameters.signature, results: results, isAsync: true) { lua in
            let values = try decode(lua)
            return try lua.suspend(name) {
                let result = try await body(values)
                return { lua in
                    repeat try (each result).encode(to: lua)
                    return Int32(truncatingIfNeeded: results.count)
                }
            }
        }
    }
}

/// The arguments of a function as one value: how they are described, how they are decoded.
@usableFromInline
struct Parameters<Values>: Sendable {
    @usableFromInline let signature: Signature
    @usableFromInline let decode: @Sendable (LuaContext) throws -> Values

    @usableFromInline
    init(_ signature: Signature, decode: @escaping @Sendable (LuaContext) throws -> Values) {
        self.signature = signature
        self.decode = decode
    }
}

@inlinable
func parameters<each A: LuaDecodable>(_ arguments: repeat Argument<each A>) -> Parameters<(repeat each A)> {
    let signature = makeSignature(repeat each arguments)
    return Parameters(signature) { lua in
        try signature.checkCount(lua)
        var position: Int32 = 0
        return (repeat try decodeArgument((each A).self, from: lua, signature, &position))
    }
}
