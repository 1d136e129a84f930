import Lua
import Testing

@Suite struct RunTests {
    @Test func `a script returns its results`() async throws {
        let lua = try LuaState()
        let results = try await lua.run("return 1 + 1, 'two'")
        #expect(results == [2, "two"], "\(results)")
    }

    @Test func `tasks run and wait`() async throws {
        let lua = try LuaState()
        let results = try await lua.run("""
            local task = require "nightjar.task"
            local h = task.spawn(function(a) task.sleep(0.01) return a + 1 end, 41)
            assert(h.state == "loading")
            local v = h:await()
            local co = coroutine.wrap(function() task.sleep(0.001) coroutine.yield(1) task.sleep(0.001) return 2 end)
            return v, h.state, h.value, co(), co(), pcall(function() task.sleep(0.001) error("x", 0) end)
            """)
        #expect(results == [42, "loaded", 42, 1, 2, false, "x"], "\(results)")
    }

    @Test func `a busy script is cancelled`() async throws {
        let lua = try LuaState()
        let work = Task { try await lua.run("while true do pcall(function() while true do end end) end") }
        try await Task.sleep(for: .milliseconds(50))
        work.cancel()
        await #expect(throws: LuaError.self) { try await work.value }
    }
}
