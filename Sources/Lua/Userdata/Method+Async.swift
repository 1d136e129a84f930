// Asynchronous methods, per number of arguments, as ``Function`` has them and for the same reason.

extension Method {
    /// An asynchronous method with one result.
    @inlinable
    public init<R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object) async throws -> R
    ) {
        self.init(Function(name, text, methodParameters(Object.self), returns, one: { call in try await body(call.object) }))
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<each R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object) async throws -> (repeat each R)
    ) {
        self.init(Function(name, text, methodParameters(Object.self), returns, several: { call in try await body(call.object) }))
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A) async throws -> R
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a), returns, one: { call in try await body(call.object, call.values) }))
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A) async throws -> (repeat each R)
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a), returns, several: { call in try await body(call.object, call.values) }))
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B) async throws -> R
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b), returns, one: { call in try await body(call.object, call.values.0, call.values.1) }))
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B) async throws -> (repeat each R)
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b), returns, several: { call in try await body(call.object, call.values.0, call.values.1) }))
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C) async throws -> R
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b, c), returns, one: { call in try await body(call.object, call.values.0, call.values.1, call.values.2) }))
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C) async throws -> (repeat each R)
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b, c), returns, several: { call in try await body(call.object, call.values.0, call.values.1, call.values.2) }))
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D) async throws -> R
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b, c, d), returns, one: { call in try await body(call.object, call.values.0, call.values.1, call.values.2, call.values.3) }))
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D) async throws -> (repeat each R)
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b, c, d), returns, several: { call in try await body(call.object, call.values.0, call.values.1, call.values.2, call.values.3) }))
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D, E) async throws -> R
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b, c, d, e), returns, one: { call in try await body(call.object, call.values.0, call.values.1, call.values.2, call.values.3, call.values.4) }))
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D, E) async throws -> (repeat each R)
    ) {
        self.init(Function(name, text, methodParameters(Object.self, a, b, c, d, e), returns, several: { call in try await body(call.object, call.values.0, call.values.1, call.values.2, call.values.3, call.values.4) }))
    }

}

/// The object and the arguments of one call of a method.
@usableFromInline
struct MethodCall<Object: LuaObject, Values: Sendable>: Sendable {
    @usableFromInline let object: Object
    @usableFromInline let values: Values

    @usableFromInline
    init(object: Object, values: Values) {
        self.object = object
        self.values = values
    }
}

@inlinable
func methodParameters<Object: LuaObject, each A: LuaDecodable>(
    _ type: Object.Type, _ arguments: repeat Argument<each A>
) -> Parameters<MethodCall<Object, (repeat each A)>> {
    let signature = makeMethodSignature(type, repeat each arguments)
    return Parameters(signature) { lua in
        try signature.checkCount(lua)
        let object = try decodeReceiver(type, from: lua, signature)
        var position: Int32 = 1
        return MethodCall(object: object, values: (repeat try decodeArgument((each A).self, from: lua, signature, &position)))
    }
}
