public import CLuaShim

/// The stack of a coroutine, lent to a synchronous function for as long as it runs.
///
/// Values are encoded to it and decoded from it. It is not `Sendable` and must not outlive the
/// call: nothing of it survives an `await`. What has to, is a ``LuaValue`` or a ``LuaReference``.
@frozen
public struct LuaContext {
    @usableFromInline let L: OpaquePointer

    @inlinable
    init(_ pointer: OpaquePointer) { L = pointer }

    /// Makes room for `count` more values.
    ///
    /// - Throws: ``LuaError`` of kind `memory` when Lua's stack is at its end.
    @inlinable
    public func reserve(_ count: Int32) throws {
        if lua_checkstack(L, count) == 0 { throw LuaError(.memory, "stack overflow (too many values)") }
    }

    /// The number of values on the stack.
    @inlinable
    public var count: Int32 { lua_gettop(L) }

    /// The index counted from the bottom, which stays right while values are pushed.
    @inlinable
    public func absolute(_ index: Int32) -> Int32 { lua_absindex(L, index) }

    /// Removes the top `count` values.
    @inlinable
    public func pop(_ count: Int32 = 1) { shim_pop(L, count) }

    /// Pushes nil.
    @inlinable
    public func pushNil() { lua_pushnil(L) }

    /// Pushes a string of these bytes.
    ///
    /// - Throws: ``LuaError`` of kind `memory` when they exceed what is left of the state's limit.
    @inlinable
    public func push(bytes: UnsafeBufferPointer<UInt8>) throws {
        if bytes.count > 1024 { try checkMemory(for: bytes.count) }
        bytes.withMemoryRebound(to: CChar.self) { _ = lua_pushlstring(L, $0.baseAddress, $0.count) }
    }

    @usableFromInline
    func checkMemory(for bytes: Int) throws {
        if shim_memory_left(shim_state_of(L)) < bytes { throw LuaError(.memory, "not enough memory") }
    }

    /// Fails when host code has left the state over its limit. Between host code and Lua this is
    /// done by the shim; this is for host code that hands values over by itself.
    func settleMemory() throws {
        if shim_settle_memory(L) { throw LuaError(.memory, "not enough memory") }
    }

    /// The bytes of the string at `index`, valid while it stays on the stack; nil when it is none.
    @inlinable
    func borrowBytes(at index: Int32) -> UnsafeBufferPointer<UInt8>? {
        guard lua_type(L, index) == LUA_TSTRING else { return nil }
        var length = 0
        let start = lua_tolstring(L, index, &length)
        return UnsafeBufferPointer(start: UnsafeRawPointer(start)?.assumingMemoryBound(to: UInt8.self), count: length)
    }

    /// What a person calls the type of the value at `index`: `nil`, `integer`, `table`, a class.
    public func typeName(at index: Int32) -> String {
        switch lua_type(L, index) {
        case LUA_TNONE, LUA_TNIL: return "nil"
        case LUA_TBOOLEAN: return "boolean"
        case LUA_TNUMBER: return lua_isinteger(L, index) != 0 ? "integer" : "number"
        case LUA_TSTRING: return "string"
        case LUA_TTABLE: return "table"
        case LUA_TFUNCTION: return "function"
        case LUA_TTHREAD: return "thread"
        case LUA_TLIGHTUSERDATA: return lua_touserdata(L, index) == nil ? "null" : "userdata"
        default:
            let kind = luaL_getmetafield(L, index, "__name")
            guard kind != LUA_TNIL else { return "userdata" }
            defer { pop() }
            guard kind == LUA_TSTRING, let bytes = borrowBytes(at: -1) else { return "userdata" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The host object of the state this stack belongs to.
    @inlinable
    var host: LuaHost {
        // The host outlives its state: it closes it in its own end.
        Unmanaged<LuaHost>.fromOpaque(shim_state_of(L).pointee.host).takeUnretainedValue()
    }
}

@available(*, unavailable)
extension LuaContext: Sendable {}

extension LuaContext {
    /// Whether there is nil, or nothing, at `index`.
    @inlinable
    func isNil(at index: Int32) -> Bool { lua_type(L, index) <= LUA_TNIL }
}
