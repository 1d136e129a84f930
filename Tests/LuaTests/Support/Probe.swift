import Lua

/// A state whose scripts find `members` in the global `probe`.
func makeProbe(_ configuration: LuaConfiguration = LuaConfiguration(), @ModuleBuilder _ members: () -> [ModuleMember]) throws -> LuaState {
    var configuration = configuration
    configuration.modules.append(Module("probe", "What a test looks at.", members))
    return try LuaState(configuration)
}

extension LuaState {
    /// Runs `script` with `probe` as a local.
    func probe(_ script: String, name: String = "=script", arguments: [LuaValue] = []) async throws -> [LuaValue] {
        try await run("local probe = require 'probe' " + script, name: name, arguments: arguments)
    }

    /// The message and the hint of the error that `call` raises; `no error` when it raises none.
    func complaint(_ call: String) async throws -> String {
        let results = try await probe("local ok, e = pcall(function() return \(call) end) "
            + "if ok then return 'no error' end "
            + "if type(e) == 'userdata' then return e.message .. (e.hint and ' | ' .. e.hint or '') end return tostring(e)")
        return results.first?.stringValue ?? "no text"
    }

    /// The error that ends `script`; nil when it ends well.
    func failure(_ script: String, name: String = "=script") async -> LuaError? {
        do {
            _ = try await probe(script, name: name)
            return nil
        } catch {
            return error as? LuaError
        }
    }
}

/// A function that returns its only argument.
func echo<Value: LuaConvertible>(_ name: String, _ type: Value.Type) -> Function {
    Function(name, "Returns what it gets.", Argument("value", Value.self, "the value")) { (value: Value) -> Value in value }
}
