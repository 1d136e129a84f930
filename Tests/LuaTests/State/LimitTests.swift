import Lua
import Testing

@Suite struct LimitTests {
    static let memoryHogs = [
        "local t = {} for i = 1, 1e9 do t[i] = i end",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "local s = string.rep('x', 1e9)",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(print) end",
        "local t = {} for i = 1, 1e9 do t[i] = test.log end local function f() return f, t end t = {} for i = 1, 1e9 do t[i] = function() return i end end",
        "local s = test.big(200000000)",
        "local s = test.many(2000000)",
        "local t = {} for i = 1, 1e9 do t[i] = test.big(1000) end",
        "local s = ('x'):rep(1e6) local t = {} for i = 1, 1e9 do t[i] = s:gsub('x', 'yy') end",
        "local t = {} for i = 1, 1e6 do t[i] = 'abcdefgh' end return table.concat(t, (' '):rep(100))",
        "for i = 1, 1e9 do task.spawn(test.gate, 'never') end",
    ]

    @Test(.timeLimit(.minutes(1)), arguments: memoryHogs) func `memory is limited:`(_ script: String) async throws {
        let host = ScriptHost()
        let limit = 4 << 20
        let lua = try host.makeState(limits: LuaLimits(memory: limit))
        await #expect { _ = try await host.run(script, on: lua) } throws: { ($0 as? LuaError)?.kind == .memory }
        // The host's own pushes may overdraw, by less than a call's results.
        let peak = await lua.memory.peak
        #expect(peak < limit + limit / 2, "\(peak)")
        await lua.collectGarbage()
        #expect(await lua.memory.used < limit / 2)
        let alive: Int = try await lua.run("local t = {} for i = 1, 1000 do t[i] = ('x'):rep(i) end return #t")
        #expect(alive == 1000)
    }

    @Test func `a script can catch the lack of memory and go on`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(memory: 4 << 20))
        let results = try await host.run("""
            local ok, e = pcall(string.rep, 'x', 1e9)
            local again, why = pcall(test.big, 200000000)
            return ok, e, again, why.kind, await('goes on')
            """, on: lua)
        #expect(results == [false, "not enough memory", false, "memory", "goes on"])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do coroutine.wrap(function() for i = 1, 10000 do end end)() end",
        "while true do for i = 1, 50 do end await() end",
        "while true do task.spawn(function() for i = 1, 10000 do end end):await() end",
    ]) func `instructions are limited:`(_ script: String) async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(instructions: 100_000))
        await #expect { _ = try await host.run(script, on: lua) } throws: { ($0 as? LuaError)?.kind == .instructions }
        // Each run has a budget of its own.
        for _ in 0..<3 {
            let sum: Int = try await lua.run("local s = 0 for i = 1, 10000 do s = s + 1 end return s")
            #expect(sum == 10000)
        }
    }

    @Test func `runs at the same time do not use up each other's instructions`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(instructions: 1_000_000))
        let small = Task { try await host.run("test.gate 'g' for i = 1, 100000 do end return 'done'", on: lua) }
        await host.event("at g")
        await #expect { _ = try await host.run("while true do end", on: lua) } throws: { ($0 as? LuaError)?.kind == .instructions }
        host.open("g")
        #expect(try await small.value == ["done"])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [
        "while true do end",
        "while true do pcall(function() while true do end end) end",
        "test.gate 'never'",
        "while true do pcall(test.gate, 'never') end",
        "task.spawn(function() while true do end end):await()",
        "task.spawn(function() test.gate 'never' end) while true do end",
    ]) func `time is limited:`(_ script: String) async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(time: .milliseconds(50)))
        await #expect { _ = try await host.run(script, on: lua) } throws: { ($0 as? LuaError)?.kind == .timeout }
        let alive: Int = try await lua.run("return 1")
        #expect(alive == 1)
    }

    @Test func `the depth of calls is limited`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(callDepth: 100))
        let results = try await host.run("""
            local function deep(n) if n == 0 then return 0 end return 1 + deep(n - 1) end
            local function tail(n) if n == 0 then return 'end' end return tail(n - 1) end
            local ok, e = pcall(deep, 150)
            local inside, why = coroutine.resume(coroutine.create(deep), 150)
            return deep(50), tail(10000), ok, e:match('stack overflow'), inside, why:match('stack overflow'), coroutine.wrap(deep)(50)
            """, on: lua)
        #expect(results == [50, "end", false, "stack overflow", false, "stack overflow", 50])
    }
}
