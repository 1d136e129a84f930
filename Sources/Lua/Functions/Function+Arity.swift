// One initialiser per number of arguments. Parameter packs would say this once, but their elements
// are not specialised: a call costs four times as much (Swift 6.3.1), and an asynchronous closure
// literal over a pack crashes the compiler. A synchronous function with one result, the commonest
// and quickest, decodes in place; the others share what is in `Function`.

extension Function {
    /// A synchronous function with one result.
    @inlinable
    public init<R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: @escaping @Sendable () throws -> R
    ) {
        let signature = Parameters().signature
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body().encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<each R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: @escaping @Sendable () throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(), returns, several: { _ in try body() })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable () async throws -> R
    ) {
        let signature = Parameters().signature
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            return try lua.suspend(name) {
                let result = try await body()
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<each R: LuaEncodable>(
        _ name: String, _ text: String, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable () async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(), returns, several: { _ in try await body() })
    }

    /// A synchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: @escaping @Sendable (A) throws -> R
    ) {
        let signature = Parameters(a).signature, a = a.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(read(a, lua, 1, signature)).encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: @escaping @Sendable (A) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a), returns, several: { values in try body(values) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A) async throws -> R
    ) {
        let signature = Parameters(a).signature, a = a.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            let a = try read(a, lua, 1, signature)
            return try lua.suspend(name) {
                let result = try await body(a)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a), returns, several: { values in try await body(values) })
    }

    /// A synchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: @escaping @Sendable (A, B) throws -> R
    ) {
        let signature = Parameters(a, b).signature, a = a.default, b = b.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(read(a, lua, 1, signature), read(b, lua, 2, signature)).encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: @escaping @Sendable (A, B) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b), returns, several: { values in try body(values.0, values.1) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B) async throws -> R
    ) {
        let signature = Parameters(a, b).signature, a = a.default, b = b.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            let a = try read(a, lua, 1, signature)
            let b = try read(b, lua, 2, signature)
            return try lua.suspend(name) {
                let result = try await body(a, b)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b), returns, several: { values in try await body(values.0, values.1) })
    }

    /// A synchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: @escaping @Sendable (A, B, C) throws -> R
    ) {
        let signature = Parameters(a, b, c).signature, a = a.default, b = b.default, c = c.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(read(a, lua, 1, signature), read(b, lua, 2, signature), read(c, lua, 3, signature)).encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: @escaping @Sendable (A, B, C) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c), returns, several: { values in try body(values.0, values.1, values.2) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C) async throws -> R
    ) {
        let signature = Parameters(a, b, c).signature, a = a.default, b = b.default, c = c.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            let a = try read(a, lua, 1, signature)
            let b = try read(b, lua, 2, signature)
            let c = try read(c, lua, 3, signature)
            return try lua.suspend(name) {
                let result = try await body(a, b, c)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c), returns, several: { values in try await body(values.0, values.1, values.2) })
    }

    /// A synchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: @escaping @Sendable (A, B, C, D) throws -> R
    ) {
        let signature = Parameters(a, b, c, d).signature, a = a.default, b = b.default, c = c.default, d = d.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(read(a, lua, 1, signature), read(b, lua, 2, signature), read(c, lua, 3, signature), read(d, lua, 4, signature)).encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: @escaping @Sendable (A, B, C, D) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d), returns, several: { values in try body(values.0, values.1, values.2, values.3) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D) async throws -> R
    ) {
        let signature = Parameters(a, b, c, d).signature, a = a.default, b = b.default, c = c.default, d = d.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            let a = try read(a, lua, 1, signature)
            let b = try read(b, lua, 2, signature)
            let c = try read(c, lua, 3, signature)
            let d = try read(d, lua, 4, signature)
            return try lua.suspend(name) {
                let result = try await body(a, b, c, d)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d), returns, several: { values in try await body(values.0, values.1, values.2, values.3) })
    }

    /// A synchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: @escaping @Sendable (A, B, C, D, E) throws -> R
    ) {
        let signature = Parameters(a, b, c, d, e).signature, a = a.default, b = b.default, c = c.default, d = d.default, e = e.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(read(a, lua, 1, signature), read(b, lua, 2, signature), read(c, lua, 3, signature), read(d, lua, 4, signature), read(e, lua, 5, signature)).encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: @escaping @Sendable (A, B, C, D, E) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d, e), returns, several: { values in try body(values.0, values.1, values.2, values.3, values.4) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E) async throws -> R
    ) {
        let signature = Parameters(a, b, c, d, e).signature, a = a.default, b = b.default, c = c.default, d = d.default, e = e.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            let a = try read(a, lua, 1, signature)
            let b = try read(b, lua, 2, signature)
            let c = try read(c, lua, 3, signature)
            let d = try read(d, lua, 4, signature)
            let e = try read(e, lua, 5, signature)
            return try lua.suspend(name) {
                let result = try await body(a, b, c, d, e)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d, e), returns, several: { values in try await body(values.0, values.1, values.2, values.3, values.4) })
    }

    /// A synchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>, returns: String = "",
        body: @escaping @Sendable (A, B, C, D, E, F) throws -> R
    ) {
        let signature = Parameters(a, b, c, d, e, f).signature, a = a.default, b = b.default, c = c.default, d = d.default, e = e.default, f = f.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            try body(read(a, lua, 1, signature), read(b, lua, 2, signature), read(c, lua, 3, signature), read(d, lua, 4, signature), read(e, lua, 5, signature), read(f, lua, 6, signature)).encode(to: lua)
            return 1
        }
    }

    /// A synchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>, returns: String = "",
        body: @escaping @Sendable (A, B, C, D, E, F) throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d, e, f), returns, several: { values in try body(values.0, values.1, values.2, values.3, values.4, values.5) })
    }

    /// An asynchronous function with one result.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E, F) async throws -> R
    ) {
        let signature = Parameters(a, b, c, d, e, f).signature, a = a.default, b = b.default, c = c.default, d = d.default, e = e.default, f = f.default
        self.init(name, text, signature, results: [describeResult(R.self, returns)], isAsync: true) { lua in
            try signature.checkCount(lua)
            let a = try read(a, lua, 1, signature)
            let b = try read(b, lua, 2, signature)
            let c = try read(c, lua, 3, signature)
            let d = try read(d, lua, 4, signature)
            let e = try read(e, lua, 5, signature)
            let f = try read(f, lua, 6, signature)
            return try lua.suspend(name) {
                let result = try await body(a, b, c, d, e, f)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        }
    }

    /// An asynchronous function with no result, or with several.
    @inlinable
    public init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>, returns: String = "",
        body: nonisolated(nonsending) @escaping @Sendable (A, B, C, D, E, F) async throws -> (repeat each R)
    ) {
        self.init(name, text, Parameters(a, b, c, d, e, f), returns, several: { values in try await body(values.0, values.1, values.2, values.3, values.4, values.5) })
    }

}

extension Parameters {
    @inlinable
    init() where Values == () {
        self.init([]) { _, _, _ in }
    }

    @inlinable
    init(_ a: Argument<Values>) where Values: LuaDecodable {
        let descriptions = [a.description], a = a.default
        self.init(descriptions) { lua, first, signature in try read(a, lua, first, signature) }
    }

    @inlinable
    init<A: LuaDecodable, B: LuaDecodable>(_ a: Argument<A>, _ b: Argument<B>) where Values == (A, B) {
        let descriptions = [a.description, b.description], a = a.default, b = b.default
        self.init(descriptions) { lua, first, signature in
            (try read(a, lua, first, signature), try read(b, lua, first &+ 1, signature))
        }
    }

    @inlinable
    init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable>(_ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>) where Values == (A, B, C) {
        let descriptions = [a.description, b.description, c.description], a = a.default, b = b.default, c = c.default
        self.init(descriptions) { lua, first, signature in
            (try read(a, lua, first, signature), try read(b, lua, first &+ 1, signature), try read(c, lua, first &+ 2, signature))
        }
    }

    @inlinable
    init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable>(_ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>) where Values == (A, B, C, D) {
        let descriptions = [a.description, b.description, c.description, d.description], a = a.default, b = b.default, c = c.default, d = d.default
        self.init(descriptions) { lua, first, signature in
            (try read(a, lua, first, signature), try read(b, lua, first &+ 1, signature), try read(c, lua, first &+ 2, signature), try read(d, lua, first &+ 3, signature))
        }
    }

    @inlinable
    init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable>(_ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>) where Values == (A, B, C, D, E) {
        let descriptions = [a.description, b.description, c.description, d.description, e.description], a = a.default, b = b.default, c = c.default, d = d.default, e = e.default
        self.init(descriptions) { lua, first, signature in
            (try read(a, lua, first, signature), try read(b, lua, first &+ 1, signature), try read(c, lua, first &+ 2, signature), try read(d, lua, first &+ 3, signature), try read(e, lua, first &+ 4, signature))
        }
    }

    @inlinable
    init<A: LuaDecodable, B: LuaDecodable, C: LuaDecodable, D: LuaDecodable, E: LuaDecodable, F: LuaDecodable>(_ a: Argument<A>, _ b: Argument<B>, _ c: Argument<C>, _ d: Argument<D>, _ e: Argument<E>, _ f: Argument<F>) where Values == (A, B, C, D, E, F) {
        let descriptions = [a.description, b.description, c.description, d.description, e.description, f.description], a = a.default, b = b.default, c = c.default, d = d.default, e = e.default, f = f.default
        self.init(descriptions) { lua, first, signature in
            (try read(a, lua, first, signature), try read(b, lua, first &+ 1, signature), try read(c, lua, first &+ 2, signature), try read(d, lua, first &+ 3, signature), try read(e, lua, first &+ 4, signature), try read(f, lua, first &+ 5, signature))
        }
    }

}
