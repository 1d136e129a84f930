import CLuaShim

/// The Swift side of one Lua universe. Belongs to its ``LuaState``; only the state's thread, or the
/// thread that sets it up or tears it down, touches it.
@usableFromInline
final class LuaHost {
    let shim: UnsafeMutablePointer<shim_state>
    @usableFromInline let L: OpaquePointer
    let configuration: LuaConfiguration
    let releases = ReleaseList()
    let stops = StopList()
    @usableFromInline var listMetatable: Int32 = 0
    /// The task that runs now.
    @exclusivity(unchecked) var current: TaskRecord?
    /// Metatables of the classes whose objects were handed out, as registry slots.
    var metatables: [ObjectIdentifier: Int32] = [:]
    /// Modules that are being loaded: who loads them, and what others wait for.
    var loading: [String: ModuleLoad] = [:]
    /// The state; nil only while it is set up.
    unowned(unsafe) var state: LuaState!

    init(_ configuration: LuaConfiguration) throws {
        self.configuration = configuration
        let libraries = configuration.libraries == .sandbox ? SHIM_LIB_SAFE : SHIM_LIB_TRUSTED
        callbacksPointer.initializeOnce()
        guard let shim = shim_state_new(nil, callbacksPointer.pointer, Int32(libraries), configuration.limits.memory ?? 0) else {
            throw LuaError(.memory, "not enough memory for a Lua state")
        }
        self.shim = shim
        L = shim.pointee.main
        shim.pointee.host = Unmanaged.passUnretained(self).toOpaque()
        let lua = LuaContext(L)
        listMetatable = makeListMetatable(lua)
        try Prelude.install(in: lua, configuration)
        apply(configuration.limits)
        try lua.settleMemory()
    }

    /// The state's tasks have all ended.
    deinit { shim_state_close(shim) }

    private func apply(_ limits: LuaLimits) {
        shim.pointee.limit = limits.memory ?? 0
        shim.pointee.call_depth = Int32(clamping: limits.callDepth ?? 0)
        shim.pointee.counts_instructions = limits.instructions != nil
    }

    private func makeListMetatable(_ lua: LuaContext) -> Int32 {
        lua_createtable(L, 0, 1)
        try? "list".encode(to: lua)
        lua_setfield(L, -2, "__name")
        return luaL_ref(L, shim_registry())
    }
}

/// The functions that C calls; one table for the life of the process.
private enum callbacksPointer {
    // Written once under `initializeOnce`, read-only afterwards.
    nonisolated(unsafe) static let pointer = UnsafeMutablePointer<shim_callbacks>.allocate(capacity: 1)

    private static let initialized: Void = pointer.initialize(
        to: shim_callbacks(
            deliver: deliverOutcome, push_stop: pushStop, release: releaseObject, push_error_text: pushErrorText,
            push_error_field: pushErrorField))

    static func initializeOnce() { _ = initialized }
}

private func host(_ pointer: UnsafeMutableRawPointer?) -> LuaHost {
    Unmanaged<LuaHost>.fromOpaque(pointer!).takeUnretainedValue()
}

/// `deliver`: the outcome of the awaited operation goes to the coroutine that awaited it.
private func deliverOutcome(_ L: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) -> Int32 {
    let lua = LuaContext(L!)
    guard let record = host(pointer).current, let outcome = record.takeOutcome() else {
        lua.push(error: LuaError(.runtime, "a suspended call was resumed without an outcome"))
        return Int32(SHIM_ERROR)
    }
    do {
        return try outcome.get()(lua)
    } catch {
        lua.push(error: error)
        return Int32(SHIM_ERROR)
    }
}

/// `push_stop`: why the task must end.
private func pushStop(_ L: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?, _ reason: Int32) {
    let host = host(pointer)
    LuaContext(L!).push(error: LuaError(stop: reason, limits: host.configuration.limits))
}

private func releaseObject(_ object: UnsafeMutableRawPointer?) {
    Unmanaged<AnyObject>.fromOpaque(object!).release()
}

extension LuaError {
    init(stop reason: Int32, limits: LuaLimits) {
        switch UInt32(bitPattern: reason) {
        case SHIM_STOP_INSTRUCTIONS.rawValue:
            self.init(.instructions, "the script used up its \(limits.instructions ?? 0) instructions")
        case SHIM_STOP_TIME.rawValue:
            self.init(.timeout, "the script reached its time limit of \(limits.time.map { "\($0)" } ?? "?")")
        case SHIM_STOP_CLOSED.rawValue:
            self.init(.cancelled, "the Lua state was closed")
        default:
            self.init(.cancelled, "the task was cancelled")
        }
    }
}
