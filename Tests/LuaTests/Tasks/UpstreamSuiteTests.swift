import Foundation
import Lua
import Testing

/// Runs the test suite of Lua itself, where it is present: liblua's behaviour with our replacements in it.
@Suite(.serialized) struct UpstreamSuiteTests {
    static let files = [
        "coroutine", "calls", "closure", "constructs", "events", "goto", "locals", "math", "nextvar", "pm", "sort",
        "strings", "tpack", "utf8", "vararg", "errors", "bitwise", "bwcoercion", "literals",
    ]

    @Test(arguments: files) func `Lua's own tests pass`(_ name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["NIGHTJAR_LUA_TESTS"] else {
            print("skipped \(name).lua: NIGHTJAR_LUA_TESTS names no directory with the tests of Lua 5.4")
            return
        }
        let lua = try LuaState()
        do {
            // The variables that upstream's driver sets for a portable, quick run.
            _ = try await lua.run("_soft, _port, _nomsg, arg = true, true, true, { [0] = 'lua' } dofile(...)", arguments: [.string("\(directory)/\(name).lua")])
        } catch let error as LuaError {
            Issue.record("\(name).lua: \(error)\n\(error.traceback?.description ?? "")")
        }
    }
}
