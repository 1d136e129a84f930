import Lua
import Testing

@Suite struct TimeoutTests {
    @Test func `what is quick enough returns its results`() async throws {
        let results = try await ScriptHost().run("return task.timeout(60, function(a) return await(a), 2 end, 1)")
        #expect(results == [1, 2])
    }

    @Test func `what takes longer is cancelled, waited for, and raised as a timeout`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local ok, e = pcall(task.timeout, 0.01, function() local r <close> = test.open() test.gate 'never' end)
            return ok, e.kind, e.cause.kind
            """)
        #expect(results == [false, "timeout", "cancelled"])
        #expect(host.opened == 1 && host.closed == 1)
    }

    @Test func `a busy function is stopped too`() async throws {
        let results = try await ScriptHost().run("""
            local ok, e = pcall(task.timeout, 0.01, function() while true do end end)
            local again, why = pcall(task.timeout, 0.01, function() while true do pcall(function() while true do end end) end end)
            return ok, e.kind, again, why.kind
            """)
        #expect(results == [false, "timeout", false, "timeout"])
    }

    @Test func `its own error is passed on`() async throws {
        let results = try await ScriptHost().run("return pcall(task.timeout, 60, function() await() error('own', 0) end)")
        #expect(results == [false, "own"])
    }

    @Test func `timeouts nest, the shortest wins`() async throws {
        let results = try await ScriptHost().run("""
            local ok, e = pcall(task.timeout, 0.01, function() return task.timeout(60, function() test.gate 'never' end) end)
            local inner, why = pcall(task.timeout, 60, function() return task.timeout(0.01, function() test.gate 'never' end) end)
            return ok, e.kind, inner, why.kind
            """)
        #expect(results == [false, "timeout", false, "timeout"])
    }

    @Test func `cancelling the caller cancels the function`() async throws {
        let host = ScriptHost()
        let work = Task { try await host.run("task.timeout(600, function() local r <close> = test.open() test.gate 'g' end)") }
        await host.event("at g")
        work.cancel()
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        #expect(host.closed == 1)
    }

    @Test func `arguments are checked`() async throws {
        let results = try await ScriptHost().run("local ok, e = pcall(task.timeout, 'x', print) return ok, e.kind, e.message")
        #expect(results == [false, "invalid_argument", "argument 1 'seconds': number expected, got string"])
    }
}
