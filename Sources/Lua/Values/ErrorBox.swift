import CLuaShim

/// A Swift error inside a Lua error object.
@usableFromInline
final class ErrorBox: Sendable {
    let original: any Error
    /// The function that threw, as scripts call it.
    let operation: String?

    init(_ original: any Error, operation: String? = nil) {
        self.original = original
        self.operation = operation
    }

    /// How scripts see it.
    @usableFromInline
    var error: LuaError { LuaError(original) }

    /// The box of the error object at `index`; nil when it is none.
    @usableFromInline
    static func at(_ index: Int32, in lua: LuaContext) -> ErrorBox? {
        shim_error_object(lua.L, index, nil).map { Unmanaged<ErrorBox>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whole, with the frames of the object at `index`.
    static func error(at index: Int32, in lua: LuaContext) -> LuaError? {
        var trace: UnsafePointer<shim_trace>?
        guard let object = shim_error_object(lua.L, index, &trace) else { return nil }
        var error = Unmanaged<ErrorBox>.fromOpaque(object).takeUnretainedValue().error
        if error.traceback == nil, let trace { error.traceback = LuaTraceback(trace) }
        return error
    }
}

extension LuaContext {
    /// Pushes what is to be raised for a Swift error: the script's own value when it was one of
    /// this state, else an error object.
    @usableFromInline
    func push(error: any Error, operation: String? = nil) {
        // A comparison of types first: the cast costs more than the whole rest of the raise.
        if type(of: error) == LuaError.self, let error = error as? LuaError, let reference = error.reference, reference.owner === host.releases {
            lua_rawgeti(L, shim_registry(), lua_Integer(reference.slot))
            if let traceback = error.traceback { join(traceback) }
            return
        }
        shim_push_error(L, Unmanaged.passRetained(ErrorBox(error, operation: operation)).toOpaque())
    }

    /// Lets the frames of a script's own value, which is raised again here, go on with those of the
    /// running task: the value itself has no place for them.
    private func join(_ traceback: LuaTraceback) {
        shim_join(L)
        var frames = traceback.frames[...]
        // Where the running task was spawned is told when the error leaves that.
        if let site = host.current?.spawnSite, !site.isEmpty, frames.suffix(site.count) == site[...] { frames = frames.dropLast(site.count) }
        for frame in frames {
            let kind = switch frame.kind {
            case .function: UInt8(ascii: "L")
            case .main: UInt8(ascii: "M")
            case .host: UInt8(ascii: "C")
            case .spawn: UInt8(ascii: "S")
            }
            shim_join_frame(L, CChar(kind), Int32(clamping: frame.line ?? -1), frame.source, frame.name)
        }
    }

    @usableFromInline
    func takeError() -> LuaError { takeError(status: LUA_ERRRUN) }

    /// Removes the error value on top and returns it as a Swift error.
    ///
    /// - Parameter status: How the call ended, as liblua reports it.
    @usableFromInline
    func takeError(status: Int32) -> LuaError {
        defer { pop() }
        if let error = ErrorBox.error(at: -1, in: self) { return error }
        if status == LUA_ERRMEM { return LuaError(.memory, "not enough memory") }
        _ = lua_checkstack(L, 10)
        shim_push_plain_text(L, -1)
        let text = borrowBytes(at: -1).map { String(decoding: $0, as: UTF8.self) } ?? "error"
        pop()
        // The shim raises this text when host code went over the limit; liblua raises the same one.
        if text == "not enough memory" || text.hasSuffix(": not enough memory") { return LuaError(.memory, "not enough memory") }
        if status == LUA_ERRSYNTAX {
            return LuaError(text.hasSuffix("<eof>") ? .incomplete : .syntax, text)
        }
        var error = LuaError(.runtime, text)
        if let raised = describedMessage(at: -1) { error.message = raised }
        error.value = (try? LuaValue.decode(from: self, at: -1)) ?? .string(text)
        error.reference = LuaReference(to: -1, in: self)
        return error
    }

    /// The text of a raised table that has `__tostring`, else nil.
    private func describedMessage(at index: Int32) -> String? {
        guard lua_type(L, index) == LUA_TTABLE || lua_type(L, index) == LUA_TUSERDATA,
            luaL_getmetafield(L, index, "__tostring") != LUA_TNIL
        else { return nil }
        pop()
        defer { pop() }
        guard shim_tostring(L, index) == LUA_OK else { return nil }
        return borrowBytes(at: -1).map { String(decoding: $0, as: UTF8.self) }
    }
}
