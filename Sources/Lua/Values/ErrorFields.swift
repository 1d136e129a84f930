import CLuaShim

/// `push_error_text`: what `tostring(e)` gives.
func pushErrorText(_ L: OpaquePointer?, _ index: Int32, _ object: UnsafeMutableRawPointer?) {
    let box = Unmanaged<ErrorBox>.fromOpaque(object!).takeUnretainedValue()
    pushText(box.error.text, to: LuaContext(L!))
}

/// `push_error_field`: what scripts read of an error object.
func pushErrorField(_ L: OpaquePointer?, _ key: Int32, _ object: UnsafeMutableRawPointer?) -> Int32 {
    let lua = LuaContext(L!)
    guard let bytes = lua.borrowBytes(at: key) else { return 0 }
    let error = Unmanaged<ErrorBox>.fromOpaque(object!).takeUnretainedValue().error
    switch String(decoding: bytes, as: UTF8.self) {
    case "kind": pushText(error.kind.rawValue, to: lua)
    case "message": pushText(error.message, to: lua)
    case "hint": if let hint = error.hint { pushText(hint, to: lua) } else { lua.pushNil() }
    case "cause": if let cause = error.cause { lua.push(error: cause) } else { lua.pushNil() }
    case "value": push(error.value, to: lua)
    case "traceback": pushText(ErrorBox.error(at: 1, in: lua)?.traceback?.description ?? "", to: lua)
    case let name:
        guard let value = error.details[name] else { return 0 }
        push(value, to: lua)
    }
    return 1
}

/// A text that is too long for what memory is left is cut short: these callbacks may not fail.
private func pushText(_ text: String, to lua: LuaContext) {
    do { try text.encode(to: lua) } catch { lua.pushNil() }
}

private func push(_ value: LuaValue?, to lua: LuaContext) {
    let top = lua.count
    do {
        try (value ?? .nil).encode(to: lua)
    } catch {
        lua_settop(lua.L, top)
        lua.pushNil()
    }
}
