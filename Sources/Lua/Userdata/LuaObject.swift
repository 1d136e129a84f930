public import CLuaShim

/// A Swift class or actor whose objects scripts hold as userdata.
///
/// The script's variable is one owner among others: an activity that runs belongs to whoever runs
/// it, and goes on when the variable is collected. Arguments keep the object itself, not a borrow,
/// so that nothing dangles over an `await`.
public protocol LuaObject: AnyObject, LuaEncodable, LuaDecodable {
    static var luaClass: LuaClass<Self> { get }
}

extension LuaObject {
    public static var luaType: LuaType { .object(luaClass.name) }
    public static var luaMentions: [any LuaDescribed.Type] { [Self.self] }
    public static var luaTypeDescription: LuaTypeDescription? { luaClass.description }

    /// Identity of the class in a userdata: what the runtime knows it by.
    @inlinable
    static var luaIdentity: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(Self.self))) }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self {
        if let box = shim_box_of(lua.L, index, luaIdentity), let object = box.pointee.object {
            // The box was made for `Self`: its type is compared above, and only `encode` makes them.
            return Unmanaged<Self>.fromOpaque(object).takeUnretainedValue()
        }
        throw mismatch(lua, index)
    }

    @usableFromInline
    static func mismatch(_ lua: LuaContext, _ index: Int32) -> any Error {
        if shim_box_of(lua.L, index, luaIdentity) != nil {
            return LuaError(.closed, "the \(luaClass.name) was closed before", hint: "it cannot be used after close()")
        }
        return LuaMismatch(expected: luaType, at: index, in: lua)
    }

    public func encode(to lua: LuaContext) throws {
        try lua.reserve(8)
        let metatable = lua.metatable(of: Self.luaClass)
        shim_push_box(lua.L, Self.luaIdentity, Unmanaged.passRetained(self).toOpaque(), metatable)
    }
}

/// What scripts can do with the objects of a class.
///
/// ```swift
/// static let luaClass = LuaClass<Player>("Player", "Plays music.",
///     methods: [
///         Method("play", "Starts a track.", Argument("id", Int.self, "the track")) { player, id in try await player.play(id) },
///     ],
///     properties: [Property("volume", "0 to 100", get: \.volume, set: { $0.volume = $1 })])
/// ```
public struct LuaClass<Object: LuaObject>: Sendable {
    public let name: String
    public let text: String
    let methods: [Method<Object>]
    let properties: [Property<Object>]
    let metamethods: [Metamethod: Method<Object>]
    let close: (nonisolated(nonsending) @Sendable (Object) async throws -> Void)?

    /// - Parameters:
    ///   - metamethods: What operators do; the object is the left operand. With another value on
    ///     the left the script gets an error.
    ///   - close: Ends the object at the end of a `<close>` variable's block, and by `object:close()`
    ///     where no method of that name is declared. Later uses of it are errors.
    public init(
        _ name: String, _ text: String, methods: [Method<Object>] = [], properties: [Property<Object>] = [],
        metamethods: [Metamethod: Method<Object>] = [:],
        close: (nonisolated(nonsending) @Sendable (Object) async throws -> Void)? = nil
    ) {
        self.name = name
        self.text = text
        self.methods = methods
        self.properties = properties
        self.metamethods = metamethods
        self.close = close
    }

    public var description: LuaTypeDescription {
        var description = LuaTypeDescription(
            name: name, text: text,
            shape: .object(allMethods.map(\.methodDescription), properties: properties.map(\.description)))
        description.operators = Metamethod.allCases.compactMap { metamethod in
            metamethods[metamethod].map { .init(metamethod: metamethod, function: $0.function.methodDescription) }
        }
        return description
    }

    /// The declared methods, and `close` where the class can be closed.
    var allMethods: [Function] {
        var functions = methods.map(\.function)
        if close != nil, !functions.contains(where: { $0.name == "close" }) {
            functions.append(closeMethod)
        }
        return functions
    }

    /// `object:close()`.
    private var closeMethod: Function {
        var function = closeFunction(
            "Ends it; it cannot be used afterwards. A second time does nothing. A `<close>` variable does it at the end of its block.", arguments: [])
        function.isImplicit = true
        return function
    }

    /// What runs at the end of a `<close>` variable's block; Lua passes the error that ended it.
    var closeHandler: Function { closeFunction("", arguments: [FieldDescription("error", LuaType.any, "")], isHandler: true) }

    /// Clears the userdata first, so that nothing uses it while it is being closed, then ends the
    /// object.
    private func closeFunction(_ text: String, arguments: [FieldDescription], isHandler: Bool = false) -> Function {
        let close = close
        let signature = Signature([FieldDescription("self", Object.self, "")] + arguments, isMethod: true)
        return Function("close", text, signature, results: [], isAsync: true) { lua in
            guard let box = shim_box_of(lua.L, 1, Object.luaIdentity) else { throw signature.error(Object.mismatch(lua, 1), at: 1) }
            guard let pointer = box.pointee.object else { return 0 }
            let object = Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
            guard let close else { return 0 }
            let operation: LuaOperation = {
                try await close(object)
                return { _ in 0 }
            }
            var place: UnsafePointer<CChar>?
            let count: Int32
            if isHandler, !shim_can_await(lua.L, &place), let task = lua.host.current {
                // Closed it must be, also in the handlers of a coroutine that is closed or has
                // failed, where Lua cannot wait for it.
                task.closings.append(operation)
                count = 0
            } else {
                count = try lua.suspend("\(Object.luaClass.name):close", operation)
            }
            shim_box_clear(lua.L, box)
            return count
        }
    }
}

/// An operator that a class defines.
public enum Metamethod: String, Sendable, Hashable, CaseIterable {
    case add = "__add", sub = "__sub", mul = "__mul", div = "__div", mod = "__mod", pow = "__pow", unm = "__unm", idiv = "__idiv"
    case concat = "__concat", len = "__len", eq = "__eq", lt = "__lt", le = "__le", call = "__call", tostring = "__tostring"
    case pairs = "__pairs"
}

/// A property of a class: read, and written where it has a setter.
public struct Property<Object: LuaObject>: Sendable {
    let description: FieldDescription
    let getter: LuaBody
    let setter: LuaBody?

    @inlinable
    public init<Value: LuaEncodable>(_ name: String, _ text: String, get: @escaping @Sendable (Object) throws -> Value) {
        self.init(name, text, Value.self, getter: { lua in
            try get(try Object.decode(from: lua, at: 1)).encode(to: lua)
            return 1
        }, setter: nil)
    }

    @inlinable
    public init<Value: LuaConvertible>(
        _ name: String, _ text: String, get: @escaping @Sendable (Object) throws -> Value,
        set: @escaping @Sendable (Object, Value) throws -> Void
    ) {
        self.init(name, text, Value.self, getter: { lua in
            try get(try Object.decode(from: lua, at: 1)).encode(to: lua)
            return 1
        }, setter: { lua in
            let object = try Object.decode(from: lua, at: 1)
            do {
                try set(object, try Value.decode(from: lua, at: 2))
            } catch let mismatch as LuaMismatch {
                throw LuaError(.argument, "property '\(name)'\(mismatch.pathText): \(mismatch.problem)", hint: mismatch.hint)
            }
            return 0
        })
    }

    @usableFromInline
    init<Value: LuaDescribed>(_ name: String, _ text: String, _ type: Value.Type, getter: @escaping LuaBody, setter: LuaBody?) {
        var description = FieldDescription(name, Value.self, text)
        description.isWritable = setter != nil
        self.description = description
        self.getter = getter
        self.setter = setter
    }

    /// A property that pushes its value itself.
    init(raw name: String, _ text: String, _ type: LuaType, get: @escaping @Sendable (Object, LuaContext) throws -> Void) {
        description = FieldDescription(name, type, text)
        getter = { lua in
            try get(try Object.decode(from: lua, at: 1), lua)
            return 1
        }
        setter = nil
    }
}
