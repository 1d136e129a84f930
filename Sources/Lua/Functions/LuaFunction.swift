import CLuaShim

/// A Lua function that Swift can keep and call, from any thread, as often as it likes.
///
/// Each call is a task of its own in the function's state: it may wait, and calls may overlap.
/// Called from within a host function, it is a child of the script that called that.
public struct LuaFunction: Sendable, Hashable {
    let reference: LuaReference
    private let state: StateBox

    /// Keeps the state alive.
    private struct StateBox: Sendable, Hashable {
        let state: LuaState
        static func == (a: StateBox, b: StateBox) -> Bool { a.state === b.state }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(state)) }
    }
}

extension LuaFunction {
    /// The function at `index` in the state of `lua`.
    init(at index: Int32, in lua: LuaContext) {
        reference = LuaReference(to: index, in: lua)
        state = StateBox(state: lua.host.state)
    }

    /// Calls the function and returns its first result.
    ///
    /// - Throws: ``LuaError``, with what the function raised.
    public func callAsFunction<each A: LuaEncodable, R: LuaDecodable>(_ arguments: repeat each A, as type: R.Type = R.self) async throws -> R {
        let reference = reference
        return try await state.state.start("callback", push: { lua in
            try reference.push(to: lua)
            var count: Int32 = 0
            for argument in repeat each arguments {
                try lua.reserve(4)
                try argument.encode(to: lua)
                count += 1
            }
            return count
        }, finish: { lua, count in try decodeFirst(type, lua, count) })
    }

    /// Calls the function and drops its results.
    public func callAsFunction<each A: LuaEncodable>(_ arguments: repeat each A) async throws {
        let _: LuaValue = try await callAsFunction(repeat each arguments, as: LuaValue.self)
    }
}

extension LuaFunction: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .function(arguments: [], results: [.any]) }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> LuaFunction {
        guard lua_type(lua.L, index) == LUA_TFUNCTION else { throw LuaMismatch(expected: luaType, at: index, in: lua) }
        return LuaFunction(at: index, in: lua)
    }

    public func encode(to lua: LuaContext) throws { try reference.push(to: lua) }
}

/// A Lua function of known argument and result types, as a Swift `async` closure.
///
/// `LuaCallback<Bool, String>` takes a string and returns a boolean.
public struct LuaCallback<Result: LuaDecodable, each Parameter: LuaEncodable>: Sendable {
    private let function: LuaFunction

    /// - Throws: ``LuaError``, also when the result is of another type.
    public func callAsFunction(_ arguments: repeat each Parameter) async throws -> Result {
        try await function(repeat each arguments, as: Result.self)
    }
}

extension LuaCallback: LuaDecodable {
    public static var luaType: LuaType {
        var arguments: [LuaType] = []
        for type in repeat (each Parameter).self { arguments.append(type.luaType) }
        return .function(arguments: arguments, results: [Result.luaType])
    }

    public static var luaMentions: [any LuaDescribed.Type] {
        var mentions: [any LuaDescribed.Type] = []
        for type in repeat (each Parameter).self { mentions += type.luaMentions }
        return mentions + Result.luaMentions
    }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> LuaCallback {
        LuaCallback(function: try LuaFunction.decode(from: lua, at: index))
    }
}
