import CLuaShim
import Synchronization

/// A Lua value that stays in its state; this is the token by which Swift finds it again.
///
/// It keeps the value alive. It may go to any thread and may be dropped on any thread; only its
/// state can use it. Two references are equal when they were made by the same decoding.
public final class LuaReference: Sendable {
    let slot: Int32
    let owner: ReleaseList

    /// A reference to the value at `index`.
    init(to index: Int32, in lua: LuaContext) {
        owner = lua.host.releases
        lua_pushvalue(lua.L, index)
        slot = luaL_ref(lua.L, shim_registry())
    }

    deinit { owner.add(slot) }

    /// Pushes the value.
    ///
    /// - Throws: ``LuaError`` of kind `conversion` when `lua` is another state's.
    func push(to lua: LuaContext) throws {
        guard lua.host.releases === owner else {
            throw LuaError(.conversion, "the value belongs to another Lua state", hint: "only plain data can go from one state to another")
        }
        lua_rawgeti(lua.L, shim_registry(), lua_Integer(slot))
    }
}

extension LuaReference: Hashable {
    public static func == (a: LuaReference, b: LuaReference) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LuaReference: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .any }
    public static func decode(from lua: LuaContext, at index: Int32) throws -> LuaReference {
        LuaReference(to: index, in: lua)
    }
    public func encode(to lua: LuaContext) throws { try push(to: lua) }
}

/// Registry slots whose references were dropped, on whatever thread, until their state frees them.
final class ReleaseList: Sendable {
    private let slots = Mutex<[Int32]>([])
    private let hasAny = Atomic<Bool>(false)

    func add(_ slot: Int32) {
        slots.withLock { $0.append(slot) }
        hasAny.store(true, ordering: .releasing)
    }

    /// Frees the collected slots. Called on the state's thread.
    func drain(_ L: OpaquePointer) {
        guard hasAny.exchange(false, ordering: .acquiring) else { return }
        let freed = slots.withLock { slots in
            defer { slots = [] }
            return slots
        }
        for slot in freed { luaL_unref(L, shim_registry(), slot) }
    }
}
