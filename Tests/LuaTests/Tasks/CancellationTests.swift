import Foundation
@testable import Lua
import Synchronization
import Testing

/// A cancelled script ends, whatever it does.
@Suite struct CancellationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var testDescription: String { name }

        init(_ name: String, _ script: String) { (self.name, self.script) = (name, script) }
    }

    /// Scripts that log `started` and then never end by themselves.
    static let endless: [Case] = [
        Case("a loop", "log 'started' while true do end"),
        Case("pcall in a loop", "log 'started' while true do pcall(function() while true do end end) end"),
        Case("pcall of waits in a loop", "log 'started' while true do pcall(await) end"),
        Case("xpcall in a loop", "log 'started' while true do xpcall(function() while true do end end, function() while true do end end) end"),
        Case("coroutine.resume in a loop", "log 'started' while true do coroutine.resume(coroutine.create(function() while true do end end)) end"),
        Case("coroutine.wrap in pcall in a loop", "log 'started' while true do pcall(coroutine.wrap(function() while true do pcall(function() while true do end end) end end)) end"),
        Case("coroutines three deep", """
            local function nest(n)
              while true do
                if n == 0 then pcall(function() while true do end end) else coroutine.resume(coroutine.create(nest), n - 1) end
              end
            end
            log 'started' nest(3)
            """),
        Case("waits in coroutines three deep", """
            local function nest(n)
              while true do
                if n == 0 then pcall(await) else coroutine.resume(coroutine.create(nest), n - 1) end
              end
            end
            log 'started' nest(3)
            """),
        Case("endless recursion that is caught", "log 'started' while true do pcall(function() local function f() return 1 + f() end f() end) end"),
        Case("errors in message handlers", "log 'started' while true do xpcall(error, function(m) error(m) end) end"),
        Case("metamethods", "log 'started' local t = setmetatable({}, { __index = function() while true do end end }) while true do pcall(function() return t.x end) end"),
        Case("a comparator", "log 'started' while true do pcall(table.sort, { 1, 2, 3 }, function() while true do end end) end"),
        Case("a gsub callback", "log 'started' while true do pcall(string.gsub, 'x', 'x', function() while true do end end) end"),
        Case("a gate", "log 'started' while true do pcall(test.gate, 'never') end"),
        Case("a spawned loop", "task.spawn(function() log 'started' while true do end end) test.gate 'never'"),
        Case("a spawned loop with pcall, awaited", "task.spawn(function() log 'started' while true do pcall(function() while true do end end) end end):await()"),
        Case("spawning", "log 'started' while true do pcall(function() task.spawn(await):await() end) end"),
        Case("a channel", "local c = task.channel() log 'started' while true do pcall(c.receive, c) end"),
        Case("a long sleep", "log 'started' while true do pcall(task.sleep, 1000) end"),
        Case("string.find", "local s = ('a'):rep(60) log 'started' while true do s:find(('a*'):rep(40) .. 'b') end"),
        Case("string.match", "local s = ('a'):rep(60) log 'started' s:match(('a-'):rep(40) .. 'b')"),
        Case("string.gmatch", "local s = ('a'):rep(60) log 'started' for _ in s:gmatch(('a*'):rep(40) .. 'b') do end"),
        Case("string.gsub", "local s = ('a'):rep(60) log 'started' s:gsub(('a*'):rep(40) .. 'b', '')"),
        Case("string.rep", "log 'started' while true do ('x'):rep(200000000) end"),
        Case("table.concat", "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(100000) end log 'started' while true do table.concat(t, ' ') end"),
        Case("table.concat through a metatable", "local t = setmetatable({}, { __len = function() return math.maxinteger - 1 end, __index = function() return '' end }) log 'started' table.concat(t)"),
        Case("table.sort", "local t = {} for i = 1, 300000 do t[i] = i * 7919 % 300007 end log 'started' while true do table.sort(t, function(a, b) return a < b end) table.sort(t, function(a, b) return a > b end) end"),
        Case("table.sort without a comparator", "local t = {} for i = 1, 500000 do t[i] = i * 7919 % 500009 end log 'started' while true do table.sort(t) t = table.move(t, 1, #t, 1, {}) for i = 1, 1000 do t[i] = -i end end"),
        Case("table.move", "local t = setmetatable({}, { __index = function() return 1 end, __newindex = function() end }) log 'started' table.move(t, 1, math.maxinteger - 1, 2)"),
        Case("table.insert at the front", "local t = {} for i = 1, 200000 do t[i] = i end log 'started' while true do table.insert(t, 1, 0) end"),
        Case("table.remove at the front", "local t = {} log 'started' while true do for i = 1, 100000 do t[i] = i end while #t > 0 do table.remove(t, 1) end end"),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: endless) func `a cancelled script ends, busy with`(_ one: Case) async throws {
        let host = ScriptHost()
        let lua = try host.makeState()
        let work = Task { try await host.run(one.script, on: lua) }
        await host.event("started")
        // Now it is somewhere in the middle; once it has ended the state goes on.
        try await Task.sleep(for: .milliseconds(20))
        work.cancel()
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        let alive: String = try await lua.run("return 'alive'")
        #expect(alive == "alive")
    }

    @Test func `a script that is cancelled before it began does nothing`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState()
        let work = Task {
            await #expect(throws: CancellationError.self) { try await Task.sleep(for: .seconds(1000)) }
            return try await host.run("log 'ran'", on: lua)
        }
        work.cancel()
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        #expect(host.events == [])
    }

    @Test(.timeLimit(.minutes(1))) func `a blocking read ends`() async throws {
        let directory = try ModuleDirectory(["empty": ""])
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let host = ScriptHost()
        let lua = try host.makeState()
        // The stop comes at any moment around the beginning of the read.
        for round in 0..<60 {
            let work = Task { try await host.run("local f <close> = io.open('\(pipe)', 'r+') log 'reading \(round)' f:read() while true do pcall(f.read, f) end", on: lua) }
            await host.event("reading \(round)")
            for _ in 0..<(round * 20) { _ = host.begun }
            work.cancel()
            await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        }
    }

    // MARK: - What goes on after a cancel

    @Test func `nothing but handlers runs after the stop`() async throws {
        let host = ScriptHost()
        let work = Task {
            try await host.run("""
                local x <close> = setmetatable({}, { __close = function(_, e) log('closing: ' .. e.kind) log(tostring(pcall(await, 1))) end })
                pcall(function() pcall(test.gate, 'g') log 'not reached' end)
                log 'not reached'
                xpcall(test.gate, function() log 'not reached' end, 'g')
                log 'not reached'
                """)
        }
        await host.event("at g")
        work.cancel()
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        #expect(host.events == ["at g", "closing: cancelled", "true"])
    }

    @Test func `handlers wait undisturbed within the grace, in coroutines too`() async throws {
        let host = ScriptHost()
        let work = Task {
            try await host.run("""
                local function closer(name) return setmetatable({}, { __close = function()
                  await() local ok, e = pcall(test.gate, 'release') log(name .. ' ' .. tostring(ok)) end }) end
                local a <close> = closer 'outer'
                coroutine.wrap(function()
                  local b <close> = closer 'inner'
                  pcall(function() local c <close> = closer 'innermost' test.gate 'g' end)
                end)()
                """, on: try host.makeState(limits: LuaLimits(grace: .seconds(600))))
        }
        await host.event("at g")
        work.cancel()
        host.open("release")
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        let ended = host.events.filter { $0.hasSuffix("true") || $0.hasSuffix("false") }
        // The handler of the failed coroutine runs where Lua cannot wait: it ends with an error of its own.
        #expect(ended == ["innermost true", "outer true"])
    }

    @Test func `the grace ends: what a handler waits for is cancelled`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(grace: .milliseconds(50)))
        let work = Task {
            try await host.run("""
                local a <close> = setmetatable({}, { __close = function() log 'second' await() log 'not reached' end })
                local b <close> = setmetatable({}, { __close = function() pcall(test.gate, 'never') log 'not reached' end })
                test.gate 'g'
                """, on: lua)
        }
        await host.event("at g")
        work.cancel()
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        #expect(!host.events.contains("not reached"))
    }

    @Test(.timeLimit(.minutes(1))) func `the grace ends: a busy handler is stopped`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(grace: .milliseconds(50)))
        for body in ["while true do end", "while true do pcall(function() while true do end end) end", "while true do pcall(await) end", "('a'):rep(60):find(('a*'):rep(40) .. 'b')"] {
            let work = Task { try await host.run("local a <close> = setmetatable({}, { __close = function() \(body) end }) log '\(body.count)' test.gate 'g'", on: lua) }
            await host.event("\(body.count)")
            work.cancel()
            await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `the handlers of a failed coroutine can be stopped`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(grace: .milliseconds(10)))
        let bodies = [
            "pcall(coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() log 'a' while true do end end }) error 'x' end))",
            "local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() log 'b' while true do end end }) coroutine.yield() end) coroutine.resume(co) coroutine.close(co)",
        ]
        for (body, event) in zip(bodies, ["a", "b"]) {
            let work = Task { try await host.run(body + " log 'not reached'", on: lua) }
            await host.event(event)
            work.cancel()
            await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        }
        #expect(host.events == ["a", "b"])
    }

    @Test func `a second cancel ends the grace`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(grace: .seconds(600)))
        let results = try await host.run("""
            local h = task.spawn(function()
              local x <close> = setmetatable({}, { __close = function() log 'closing' test.gate 'never' log 'not reached' end })
              test.gate 'g'
            end)
            await() await() h:cancel() await() await() h:cancel()
            return pcall(h.await, h)
            """, on: lua)
        #expect(results.first == false)
        #expect(host.events == ["at g", "closing", "at never"])
    }

    @Test func `cancelAll stops every script, a second time their handlers`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(grace: .seconds(600)))
        let script = "local x <close> = setmetatable({}, { __close = function() log('closing ' .. ...) test.gate 'never' end }) log(...) "
        let works = ["test.gate 'g'", "test.gate 'g'", "while true do await() end"].enumerated().map { index, body in
            Task { try await host.run(script.replacing("log('closing ' .. ...)", with: "log 'closing \(index)'") + body, on: lua, arguments: [.string("script \(index)")]) }
        }
        for index in works.indices { await host.event("script \(index)") }
        lua.cancelAll()
        for index in works.indices { await host.event("closing \(index)") }
        lua.cancelAll()
        for work in works {
            await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled && ($0 as? LuaError)?.message == "the Lua state was closed" }
        }
        let alive: Int = try await lua.run("return 1")
        #expect(alive == 1)
    }

    @Test func `an end with an open child does not shorten the child's grace`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(limits: LuaLimits(grace: .seconds(600)))
        _ = try await host.run("""
            local h = task.spawn(function() local x <close> = setmetatable({}, { __close = function() await() await() await() log 'closed' end }) test.gate 'g' end)
            await() await() h:cancel() await()
            """, on: lua)
        #expect(host.events.last == "closed")
    }

    // MARK: - At every point

    static let scenario = """
        local function work(n) local r <close> = test.open() await() local s <close> = test.open() return await(n) end
        local a = work(1)
        local ok, e = pcall(function() local r <close> = test.open() await() error('own', 0) end)
        assert(not ok and e == 'own')
        local co = coroutine.wrap(function() for i = 1, 2 do coroutine.yield(work(i)) end end)
        a = a + co() + co()
        local h = task.spawn(work, 5)
        local all = task.all { function() return work(1) end, function() return work(2) end }
        a = a + all[1] + all[2] + h:await()
        local key = task.race { function() return work(1) end, function() test.gate 'never' end }
        do
          local group <close> = task.group { limit = 2 }
          for i = 1, 4 do group:spawn(work, i) end
        end
        local c = task.channel()
        task.spawn(function() local r <close> = test.open() for i = 1, 3 do c:send(work(i)) end c:close() end)
        for v in c do a = a + v end
        a = a + setmetatable({}, { __index = function(_, k) return work(1) end }).x
        task.timeout(1000, work, 1)
        return a, key
        """

    @Test(.timeLimit(.minutes(2))) func `cancelled at any wait, a script closes what it opened`() async throws {
        let whole = ScriptHost()
        let results = try await whole.run(Self.scenario)
        #expect(results == [19, 1])
        #expect(whole.opened == whole.closed)
        let waits = whole.begun
        #expect(waits > 30)
        var cancelled = 0
        for stop in 1...waits {
            let host = ScriptHost()
            let lua = try host.makeState(limits: LuaLimits(grace: .seconds(600)))
            let work = Mutex<Task<[LuaValue], any Error>?>(nil)
            host.onBegin { number in if number == stop { work.withLock { $0?.cancel() } } }
            let started = Task { try await host.run(Self.scenario, on: lua) }
            work.withLock { $0 = started }
            do {
                _ = try await started.value
            } catch let error as LuaError {
                #expect(error.kind == .cancelled, "at wait \(stop): \(error)")
                cancelled += 1
            }
            #expect(host.opened == host.closed, "at wait \(stop): \(host.opened) opened, \(host.closed) closed")
            #expect(lua.stops.count == 0)
        }
        #expect(cancelled > waits / 2, "\(cancelled) of \(waits)")
    }

    @Test func `objects are closed also where Lua cannot wait for it`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            local co = coroutine.create(function() local r <close> = test.open() coroutine.yield() end)
            coroutine.resume(co) coroutine.close(co)
            pcall(coroutine.wrap(function() local r <close> = test.open() error 'x' end))
            table.sort({ 1, 2 }, function() local r <close> = test.open() return false end)
            """)
        #expect(host.opened == 3 && host.closed == 3)
    }

    // MARK: - Late completions

    @Test func `an operation that ignores the cancel ends later and is forgotten`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState()
        let work = Task { try await host.run("local r <close> = test.open() pcall(test.stubborn, 's') log 'not reached'", on: lua) }
        await host.event("at s")
        work.cancel()
        // The state is not held up by it.
        #expect(try await host.run("return await(1)", on: lua) == [1])
        host.open("s")
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        #expect(host.events == ["at s", "past s"])
        #expect(host.opened == host.closed)
    }

    @Test func `a state that nobody holds ends once its last operation has`() async throws {
        let host = ScriptHost()
        let probe = Probe()
        let work: Task<[LuaValue], any Error>
        do {
            let lua = try host.makeState()
            probe.lua = lua
            work = Task { [lua] in try await host.run("test.stubborn 's'", on: lua) }
            await host.event("at s")
            lua.cancelAll()
        }
        host.open("s")
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        // The last job of the state may still be on its way out.
        for _ in 0..<1000 where probe.lua != nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(probe.lua == nil)
    }

    private final class Probe { weak var lua: LuaState? }
}
