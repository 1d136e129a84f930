/// A method of a class, declared like a ``Function``; the closure gets the object first.
public struct Method<Object: LuaObject>: Sendable {
    let function: Function

    @usableFromInline
    init(_ function: Function) { self.function = function }

    @inlinable
    init<Values, each R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        several body: @escaping @Sendable (Object, Values) throws -> (repeat each R)
    ) {
        let signature = parameters.signature(of: Object.self), decode = parameters.decode
        let results = describeResults(repeat (each R).self, text: returns), count = Int32(results.count)
        self.init(Function(name, text, signature, results: results, isAsync: false) { lua in
            try signature.checkCount(lua)
            let object = try decodeReceiver(Object.self, from: lua, signature)
            let result = try body(object, decode(lua, 2, signature))
            repeat try (each result).encode(to: lua)
            return count
        })
    }

    @inlinable
    init<Values: Sendable, R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        one body: nonisolated(nonsending) @escaping @Sendable (Object, Values) async throws -> R
    ) {
        let signature = parameters.signature(of: Object.self), decode = parameters.decode
        let results = [describeResult(R.self, returns)]
        self.init(Function(name, text, signature, results: results, isAsync: true) { lua in
            try signature.checkCount(lua)
            let object = try decodeReceiver(Object.self, from: lua, signature)
            let values = try decode(lua, 2, signature)
            return try lua.suspend(name) {
                let result = try await body(object, values)
                return { lua in
                    try result.encode(to: lua)
                    return 1
                }
            }
        })
    }

    @inlinable
    init<Values: Sendable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ parameters: Parameters<Values>, _ returns: String,
        several body: nonisolated(nonsending) @escaping @Sendable (Object, Values) async throws -> (repeat each R)
    ) {
        let signature = parameters.signature(of: Object.self), decode = parameters.decode
        let results = describeResults(repeat (each R).self, text: returns), count = Int32(results.count)
        self.init(Function(name, text, signature, results: results, isAsync: true) { lua in
            try signature.checkCount(lua)
            let object = try decodeReceiver(Object.self, from: lua, signature)
            let values = try decode(lua, 2, signature)
            return try lua.suspend(name) {
                let result = try await body(object, values)
                return { lua in
                    repeat try (each result).encode(to: lua)
                    return count
                }
            }
        })
    }

    /// A method that works on the stack itself; the object is value 1.
    init(raw name: String, _ text: String, _ arguments: [FieldDescription], returns: [FieldDescription], isAsync: Bool = false, body: @escaping @Sendable (Object, LuaContext) throws -> Int32) {
        let signature = Signature([FieldDescription("self", Object.self, "")] + arguments, isMethod: true)
        self.init(Function(name, text, signature, results: returns, isAsync: isAsync) { lua in
            try signature.checkCount(lua)
            return try body(decodeReceiver(Object.self, from: lua, signature), lua)
        })
    }

    /// Says which errors scripts have to expect.
    public func raises(_ kinds: LuaError.Kind...) -> Method {
        var copy = function
        copy.errors += kinds
        return Method(copy)
    }

    /// Adds an example; tests run it.
    public func example(_ code: String) -> Method { Method(function.example(code)) }
}

@inlinable
func decodeReceiver<Object: LuaObject>(_ type: Object.Type, from lua: LuaContext, _ signature: Signature) throws -> Object {
    do {
        return try Object.decode(from: lua, at: 1)
    } catch {
        throw signature.error(error, at: 1)
    }
}
