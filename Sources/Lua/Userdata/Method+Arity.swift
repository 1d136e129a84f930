// One initialiser per number of arguments, as for ``Function``.

extension Method {
    /// A synchronous method with one result.
    @inlinable
    public init<R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: @escaping @Sendable (Object) throws -> R
    ) {
        let signature = Parameters().signature(of: Object.self)
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(decodeReceiver(Object.self, from: lua, signature)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<each R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: @escaping @Sendable (Object) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(), returns, several: { object, _ in try body(object) })
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object) async throws -> R
    ) {
        self.init(name, text, Parameters(), returns, one: { object, _ in try await body(object) })
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<each R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(), returns, several: { object, _ in try await body(object) })
    }

    /// A synchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: @escaping @Sendable (Object, A) throws -> R
    ) {
        let signature = Parameters(a).signature(of: Object.self), a = a.default
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(decodeReceiver(Object.self, from: lua, signature), read(a, lua, 2, signature)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: @escaping @Sendable (Object, A) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a), returns, several: { object, values in try body(object, values) })
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A) async throws -> R
    ) {
        self.init(name, text, Parameters(a), returns, one: { object, values in try await body(object, values) })
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a), returns, several: { object, values in try await body(object, values) })
    }

    /// A synchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: @escaping @Sendable (Object, A, B) throws -> R
    ) {
        let signature = Parameters(a, b).signature(of: Object.self), a = a.default, b = b.default
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(decodeReceiver(Object.self, from: lua, signature), read(a, lua, 2, signature), read(b, lua, 3, signature)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: @escaping @Sendable (Object, A, B) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b), returns, several: { object, values in try body(object, values.0, values.1) })
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B) async throws -> R
    ) {
        self.init(name, text, Parameters(a, b), returns, one: { object, values in try await body(object, values.0, values.1) })
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b), returns, several: { object, values in try await body(object, values.0, values.1) })
    }

    /// A synchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: @escaping @Sendable (Object, A, B, C) throws -> R
    ) {
        let signature = Parameters(a, b, c).signature(of: Object.self), a = a.default, b = b.default, c = c.default
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(decodeReceiver(Object.self, from: lua, signature), read(a, lua, 2, signature), read(b, lua, 3, signature), read(c, lua, 4, signature)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: @escaping @Sendable (Object, A, B, C) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c), returns, several: { object, values in try body(object, values.0, values.1, values.2) })
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C) async throws -> R
    ) {
        self.init(name, text, Parameters(a, b, c), returns, one: { object, values in try await body(object, values.0, values.1, values.2) })
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c), returns, several: { object, values in try await body(object, values.0, values.1, values.2) })
    }

    /// A synchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: @escaping @Sendable (Object, A, B, C, D) throws -> R
    ) {
        let signature = Parameters(a, b, c, d).signature(of: Object.self), a = a.default, b = b.default, c = c.default, d = d.default
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(decodeReceiver(Object.self, from: lua, signature), read(a, lua, 2, signature), read(b, lua, 3, signature), read(c, lua, 4, signature), read(d, lua, 5, signature)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: @escaping @Sendable (Object, A, B, C, D) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d), returns, several: { object, values in try body(object, values.0, values.1, values.2, values.3) })
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D) async throws -> R
    ) {
        self.init(name, text, Parameters(a, b, c, d), returns, one: { object, values in try await body(object, values.0, values.1, values.2, values.3) })
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d), returns, several: { object, values in try await body(object, values.0, values.1, values.2, values.3) })
    }

    /// A synchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: @escaping @Sendable (Object, A, B, C, D, E) throws -> R
    ) {
        let signature = Parameters(a, b, c, d, e).signature(of: Object.self), a = a.default, b = b.default, c = c.default, d = d.default, e = e.default
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(decodeReceiver(Object.self, from: lua, signature), read(a, lua, 2, signature), read(b, lua, 3, signature), read(c, lua, 4, signature), read(d, lua, 5, signature), read(e, lua, 6, signature)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: @escaping @Sendable (Object, A, B, C, D, E) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d, e), returns, several: { object, values in try body(object, values.0, values.1, values.2, values.3, values.4) })
    }

    /// An asynchronous method with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D, E) async throws -> R
    ) {
        self.init(name, text, Parameters(a, b, c, d, e), returns, one: { object, values in try await body(object, values.0, values.1, values.2, values.3, values.4) })
    }

    /// An asynchronous method with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (Object, A, B, C, D, E) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d, e), returns, several: { object, values in try await body(object, values.0, values.1, values.2, values.3, values.4) })
    }

}
