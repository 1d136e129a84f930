import CLuaShim

/// What a host function is to Lua: decodes its arguments from the stack, works, pushes results.
/// Returns how many, or `SHIM_AWAIT` after it stored an operation.
public typealias LuaBody = @Sendable (LuaContext) throws -> Int32

/// What an awaited operation leaves for the coroutine: pushes the results, returns how many.
public typealias LuaDelivery = @Sendable (LuaContext) throws -> Int32

/// The asynchronous part of a host function. It begins on the state's thread.
public typealias LuaOperation = nonisolated(nonsending) @Sendable () async throws -> LuaDelivery

/// Keeps a body alive inside a Lua function.
final class FunctionBox: Sendable {
    let body: LuaBody
    let name: String

    init(_ name: String, _ body: @escaping LuaBody) {
        self.name = name
        self.body = body
    }
}

/// The entry of every host function.
private func enter(_ L: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    Unmanaged<FunctionBox>.fromOpaque(context!)._withUnsafeGuaranteedRef { box in
        let lua = LuaContext(L!)
        do {
            return try box.body(lua)
        } catch {
            _ = lua_checkstack(lua.L, 8)
            lua.push(error: error, operation: box.name)
            return Int32(SHIM_ERROR)
        }
    }
}

extension LuaContext {
    /// Pushes a Lua function that runs `body`.
    func push(function name: String, _ body: @escaping LuaBody) {
        shim_push_function(L, enter, Unmanaged.passRetained(FunctionBox(name, body)).toOpaque())
    }

    /// Pushes a getter in the form that classes keep them.
    func push(getter name: String, _ body: @escaping LuaBody) {
        shim_push_getter(L, enter, Unmanaged.passRetained(FunctionBox(name, body)).toOpaque())
    }

    /// Suspends the coroutine for `operation`. The caller returns what this returns.
    ///
    /// - Throws: ``LuaError`` of kind `cannot_await` where Lua cannot suspend.
    @usableFromInline
    func suspend(_ name: String, _ operation: @escaping LuaOperation) throws -> Int32 {
        var place: UnsafePointer<CChar>?
        guard shim_can_await(L, &place), let record = host.current else {
            throw LuaError(cannotAwait: name, in: place.map { String(cString: $0) })
        }
        record.operation = operation
        return Int32(SHIM_AWAIT)
    }
}

extension LuaError {
    init(cannotAwait name: String, in place: String?) {
        self.init(
            .cannotAwait, "\(name) has to wait, and Lua cannot suspend \(place.map { "inside \($0)" } ?? "here")",
            hint: "call it before, keep the result in a local, and use that here")
    }
}
