/// A method of a class, declared like a ``Function``; the closure gets the object first.
public struct Method<Object: LuaObject>: Sendable {
    let function: Function

    @usableFromInline
    init(_ function: Function) { self.function = function }

    /// A synchronous method with one result.
    @inlinable
    public init<each A: LuaDecodable, R: LuaEncodable>(
        _ name: String, _ text: String, _ arguments: repeat Argument<each A>, returns: String = "",
        body: @escaping @Sendable (Object, repeat each A) throws -> R
    ) {
        let signature = makeMethodSignature(Object.self, repeat each arguments)
        self.init(Function(name, text, signature, results: [describeResult(R.self, returns)], isAsync: false) { lua in
            try signature.checkCount(lua)
            let object = try decodeReceiver(Object.self, from: lua, signature)
            var position: Int32 = 1
            try body(object, repeat try decodeArgument((each A).self, from: lua, signature, &position)).encode(to: lua)
            return 1
        })
    }

    /// A synchronous method with no result, or with several.
    @inlinable
    public init<each A: LuaDecodable, each R: LuaEncodable>(
        _ name: String, _ text: String, _ arguments: repeat Argument<each A>, returns: String = "",
        body: @escaping @Sendable (Object, repeat each A) throws -> (repeat each R)
    ) {
        let signature = makeMethodSignature(Object.self, repeat each arguments)
        let results = describeResults(repeat (each R).self, text: returns)
        self.init(Function(name, text, signature, results: results, isAsync: false) { lua in
            try signature.checkCount(lua)
            let object = try decodeReceiver(Object.self, from: lua, signature)
            var position: Int32 = 1
            let values = try body(object, repeat try decodeArgument((each A).self, from: lua, signature, &position))
            repeat try (each values).encode(to: lua)
            return Int32(truncatingIfNeeded: results.count)
        })
    }

    /// A method that works on the stack itself; the object is value 1.
    init(raw name: String, _ text: String, _ arguments: [FieldDescription], returns: [FieldDescription], isAsync: Bool = false, body: @escaping @Sendable (Object, LuaContext) throws -> Int32) {
        let receiver = receiverDescription(Object.self)
        let signature = Signature([receiver] + arguments, defaults: [nil] + arguments.map { _ in nil }, isMethod: true)
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
func makeMethodSignature<Object: LuaObject, each A: LuaDecodable>(_ type: Object.Type, _ arguments: repeat Argument<each A>) -> Signature {
    var descriptions = [receiverDescription(type)]
    var defaults: [(any Sendable)?] = [nil]
    for argument in repeat each arguments {
        descriptions.append(argument.description)
        defaults.append(argument.default)
    }
    return Signature(descriptions, defaults: defaults, isMethod: true)
}

@usableFromInline
func receiverDescription<Object: LuaObject>(_ type: Object.Type) -> FieldDescription {
    FieldDescription("self", Object.self, "")
}

@inlinable
func decodeReceiver<Object: LuaObject>(_ type: Object.Type, from lua: LuaContext, _ signature: Signature) throws -> Object {
    do {
        return try Object.decode(from: lua, at: 1)
    } catch {
        throw signature.error(error, at: 1)
    }
}
