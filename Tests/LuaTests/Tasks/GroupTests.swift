import Lua
import Testing

/// `task.all`, `task.race` and `task.group`.
@Suite struct GroupTests {
    @Test func `all returns the first results under the same keys`() async throws {
        let results = try await ScriptHost().run("""
            local r = task.all { function() return await(1), 9 end, name = function() return 'x' end, none = function() await() end, task.spawn(function() return 3 end) }
            return r[1], r.name, r.none, r[2], next(task.all {})
            """)
        #expect(results == [1, "x", nil, 3, nil])
    }

    @Test func `the first error of all cancels the others and waits for them`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local ok, e = pcall(task.all, {
              function() local r <close> = test.open() test.gate 'never' end,
              function() local r <close> = test.open() await() error('no', 0) end,
              function() local r <close> = test.open() test.gate 'never' end,
            })
            log 'raised'
            return ok, e
            """)
        #expect(results == [false, "no"])
        #expect(host.cancelled == 2)
        #expect(host.closed == 3)
    }

    @Test func `race returns the winner's key and results, and ends the losers`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local key, a, b = task.race {
              slow = function() local r <close> = test.open() test.gate 'never' end,
              quick = function() await() return 1, 2 end,
            }
            log 'won'
            return key, a, b
            """)
        #expect(results == ["quick", 1, 2])
        #expect(host.cancelled == 1)
        #expect(host.opened == host.closed)
    }

    @Test func `race raises the error of the first that ends`() async throws {
        let results = try await ScriptHost().run("""
            local ok, e = pcall(task.race, { function() test.gate 'never' end, function() await() error('first', 0) end })
            local empty, why = pcall(task.race, {})
            local wrong, what = pcall(task.all, { 5 })
            return ok, e, empty, why.kind, wrong, what.message
            """)
        #expect(results == [false, "first", false, "invalid_argument", false, "argument 1 'tasks': function or task expected, got integer"])
    }

    @Test func `all and race take tasks that have ended`() async throws {
        let results = try await ScriptHost().run("""
            local h = task.spawn(function() return 5 end)
            h:await()
            local key, value = task.race { h }
            return task.all({ h })[1], key, value
            """)
        #expect(results == [5, 1, 5])
    }

    @Test func `cancelling the one who waits cancels all members`() async throws {
        for call in ["task.all", "task.race"] {
            let host = ScriptHost()
            let work = Task {
                try await host.run("\(call) { function() local r <close> = test.open() test.gate 'a' end, function() local r <close> = test.open() test.gate 'b' end }")
            }
            await host.event("at a")
            await host.event("at b")
            work.cancel()
            await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
            #expect(host.opened == 2 && host.closed == 2)
        }
    }

    @Test(arguments: [1, 3, 7]) func `never more than the limit run at once`(_ limit: Int) async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local group, done = task.group { limit = \(limit) }, 0
            local function work() test.enter() for _ = 1, 3 do await() end test.leave() done = done + 1 end
            for i = 1, 20 do group:spawn(work) end
            group:wait()
            return done
            """)
        #expect(results == [20])
        #expect(host.mostActive == limit)
    }

    @Test func `several tasks may spawn into one full group`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local group, done = task.group { limit = 2 }, 0
            local function work() test.enter() await() await() test.leave() done = done + 1 end
            local spawners = {}
            for i = 1, 5 do spawners[i] = function() for _ = 1, 5 do group:spawn(work) end end end
            task.all(spawners)
            group:wait()
            return done
            """)
        #expect(results == [25])
        #expect(host.mostActive == 2)
    }

    @Test func `a group's first error cancels the rest, and wait raises it`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local group = task.group()
            group:spawn(function() local r <close> = test.open() test.gate 'never' end)
            group:spawn(function() await() error('first', 0) end)
            local ok, e = pcall(group.wait, group)
            local again, why = pcall(group.spawn, group, print)
            return ok, e, again, why
            """)
        #expect(results == [false, "first", false, "first"])
        #expect(host.opened == host.closed)
    }

    @Test func `a group's end waits for its tasks`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            do
              local group <close> = task.group()
              group:spawn(function() await() await() log 'worked' end)
            end
            log 'after'
            """)
        #expect(host.events == ["worked", "after"])
    }

    @Test func `a cancelled group is no error`() async throws {
        let results = try await ScriptHost().run("""
            local group <close> = task.group()
            local h = group:spawn(test.gate, 'never')
            await()
            group:cancel()
            group:wait()
            return h.state, h.error.kind
            """)
        #expect(results == ["error", "cancelled"])
    }

    @Test func `cancelling a script with an open group ends the group at once`() async throws {
        let host = ScriptHost()
        // The grace is long: only if the members are cancelled with the script is this quick.
        let lua = try host.makeState(limits: LuaLimits(grace: .seconds(600)))
        let work = Task {
            try await host.run("""
                local group <close> = task.group()
                group:spawn(function() local r <close> = test.open() test.gate 'member' end)
                test.gate 'main'
                """, on: lua)
        }
        await host.event("at member")
        work.cancel()
        await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled }
        #expect(host.closed == 1)
    }
}
