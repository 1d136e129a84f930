import Lua
import Testing

@Suite struct SpawnTests {
    @Test func `spawned tasks run in order once the caller waits, deferred ones after them`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            log 'main'
            task.defer(function() log 'deferred 1' end)
            task.spawn(function() log 'spawned 1' await() log 'spawned 1 again' end)
            task.defer(function() log 'deferred 2' end)
            task.spawn(function() log 'spawned 2' end)
            log 'main still'
            test.gate 'end'
            """ + "log 'main ends'", on: nil, name: "=script", opening: "end", after: ["deferred 2", "spawned 1 again"])
        let events = host.events.filter { $0 != "at end" }
        #expect(Array(events.prefix(4)) == ["main", "main still", "spawned 1", "spawned 2"])
        #expect(Set(events) == ["main", "main still", "spawned 1", "spawned 2", "deferred 1", "deferred 2", "spawned 1 again", "main ends"])
        let order = { (event: String) in events.firstIndex(of: event)! }
        #expect(order("deferred 1") > order("spawned 2"))
        #expect(order("deferred 2") > order("deferred 1"))
    }

    @Test func `arguments and results go through, also nil`() async throws {
        let results = try await ScriptHost().run("""
            local h = task.spawn(function(...) await() return select('#', ...), ... end, 1, nil, 'x', nil)
            return h:await()
            """)
        #expect(results == [4, 1, nil, "x", nil])
    }

    @Test func `a handle shows state, value and error`() async throws {
        let results = try await ScriptHost().run("""
            local good, bad = task.spawn(function() await() return 'v', 2 end), task.spawn(function() await() error('e', 0) end)
            local before = { good.state, good.value, bad.state, bad.error }
            pcall(good.await, good) pcall(bad.await, bad)
            return before[1], good.state, good.value, good.error, bad.state, bad.value, bad.error
            """)
        #expect(results == ["loading", "loaded", "v", nil, "error", nil, "e"])
    }

    @Test func `a raised table arrives as itself`() async throws {
        let results = try await ScriptHost().run("""
            local t = { code = 5 }
            local h = task.spawn(function() await() error(t) end)
            local ok, e = pcall(h.await, h)
            return ok, e == t, h.error == t
            """)
        #expect(results == [false, true, true])
    }

    @Test func `many await one task, also after its end`() async throws {
        let results = try await ScriptHost().run("""
            local h = task.spawn(function() await() return 1, 2 end)
            local waiters, sum = {}, 0
            for i = 1, 10 do waiters[i] = task.spawn(function() local a, b = h:await() return a + b end) end
            for i = 1, 10 do sum = sum + waiters[i]:await() end
            local a, b = h:await()
            return sum, a, b, select('#', h:await())
            """)
        #expect(results == [30, 1, 2, 2])
    }

    @Test func `a task cannot await itself, nor the task that spawned it`() async throws {
        let results = try await ScriptHost().run("""
            local h, parent
            h = task.spawn(function() await() return select(2, pcall(h.await, h)).message end)
            parent = task.spawn(function()
              local child = task.spawn(function() await() return select(2, pcall(parent.await, parent)).message end)
              return child:await()
            end)
            return h:await(), parent:await()
            """)
        let text: LuaValue = "a task cannot wait for itself or for the task that spawned it"
        #expect(results == [text, text])
    }

    @Test func `tasks spawn tasks`() async throws {
        let results = try await ScriptHost().run("""
            local function tree(depth) if depth == 0 then return await(1) end
              local a, b = task.spawn(tree, depth - 1), task.spawn(tree, depth - 1)
              return a:await() + b:await()
            end
            return tree(7)
            """)
        #expect(results == [128])
    }

    @Test func `what is no function cannot be spawned; what can be called can`() async throws {
        let results = try await ScriptHost().run("""
            local ok, e = pcall(task.spawn, 5)
            return ok, e.kind, e.message, task.spawn(setmetatable({}, { __call = function(_, a) return a end }), 'called'):await()
            """)
        #expect(results == [false, "invalid_argument", "argument 1 'fn': function expected, got integer", "called"])
    }

    @Test func `a script that ends cancels its children and waits for their handlers`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            task.spawn(function()
              local x <close> = setmetatable({}, { __close = function() log 'closing' await() log 'closed' end })
              test.gate 'never'
              log 'not reached'
            end)
            task.spawn(function() local ok = pcall(test.gate, 'never') log 'not reached' end)
            await()
            return 'result'
            """)
        #expect(results == ["result"])
        #expect(host.events.filter { !$0.hasPrefix("at ") } == ["closing", "closed"])
        #expect(host.cancelled == 2)
    }

    @Test func `children of children end with the script`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            task.spawn(function() task.spawn(function() local r <close> = test.open() test.gate 'never' end) local r <close> = test.open() test.gate 'never' end)
            await() await() await()
            """)
        #expect(host.opened == host.closed)
        #expect(host.opened == 2)
    }

    @Test func `an error of a child that nobody awaits becomes the script's`() async throws {
        await #expect { _ = try await ScriptHost().run("local h = task.spawn(function() error('lost', 0) end) await() await()") } throws: {
            ($0 as? LuaError)?.value == "lost"
        }
        await #expect { _ = try await ScriptHost().run("task.spawn(function() task.spawn(function() error('deep', 0) end) await() end) await() await() await()") } throws: {
            ($0 as? LuaError)?.value == "deep"
        }
    }

    @Test func `an error of a child whose handle is gone reaches a parent that waits`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            task.spawn(function() error('lost', 0) end)
            return pcall(function() for _ = 1, 10 do collectgarbage() await() end end)
            """)
        #expect(results == [false, "lost"])
    }

    @Test func `an error that somebody has seen is nobody else's`() async throws {
        let results = try await ScriptHost().run("""
            local a, b = task.spawn(error, 'seen', 0), task.spawn(error, 'seen', 0)
            pcall(a.await, a)
            await()
            local _ = b.error
            return 'fine'
            """)
        #expect(results == ["fine"])
    }

    @Test func `cancelled children are no error`() async throws {
        let results = try await ScriptHost().run("""
            local a, b = task.spawn(test.gate, 'never'), task.spawn(test.gate, 'never')
            await()
            a:cancel() task.cancel(b)
            local ok, e = pcall(a.await, a)
            return ok, e.kind, a.state
            """)
        #expect(results == [false, "cancelled", "error"])
    }

    @Test func `tracebacks join the spawn site`() async throws {
        do {
            _ = try await ScriptHost().run("local function work() await() error('x', 0) end\nlocal h = task.spawn(work)\nh:await()")
            Issue.record("no error")
        } catch let error as LuaError {
            let text = error.traceback?.description ?? ""
            #expect(text.contains("script:1") && text.contains("script:2: spawned here"), "\(text)")
            #expect(!text.contains("nightjar"))
        }
    }

    @Test func `ten thousand tasks wait at once and all come back`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState()
        let work = Task {
            try await host.run("""
                local handles, sum = {}, 0
                for i = 1, 10000 do handles[i] = task.spawn(function() test.gate 'g' return i end) end
                for _ = 1, 3 do await() end log 'all spawned'
                for i = 1, 10000 do sum = sum + handles[i]:await() end
                return sum
                """, on: lua)
        }
        await host.event("all spawned")
        #expect(host.begun == 10003)
        host.open("g")
        #expect(try await work.value == [50_005_000])
    }

    @Test func `ten thousand sleeps end`() async throws {
        let results = try await ScriptHost().run("""
            local done = 0
            local group = task.group()
            for i = 1, 10000 do group:spawn(function() task.sleep(0.001 * (i % 50)) done = done + 1 end) end
            group:wait()
            return done
            """)
        #expect(results == [10000])
    }

    @Test func `tasks that nobody holds leave nothing behind`() async throws {
        let results = try await ScriptHost().run("""
            local function round() for i = 1, 2000 do task.spawn(function() end) if i % 100 == 0 then await() end end await() collectgarbage() collectgarbage() end
            round()
            local before = collectgarbage 'count'
            for _ = 1, 5 do round() end
            return math.floor(collectgarbage 'count' - before) < 300
            """)
        #expect(results == [true])
    }
}

extension ScriptHost {
    /// Runs `script` and opens `gate` once all of `events` have happened.
    func run(_ script: String, on lua: LuaState?, name: String, opening gate: String, after events: [String]) async throws -> [LuaValue] {
        async let results = run(script, on: lua, name: name)
        for event in events { await self.event(event) }
        open(gate)
        return try await results
    }
}
