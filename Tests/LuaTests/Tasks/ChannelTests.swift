import Lua
import Testing

@Suite struct ChannelTests {
    @Test func `without capacity a send waits for its receiver`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            local c = task.channel()
            local sender = task.spawn(function() log 'sending' c:send 'x' log 'sent' end)
            await() await() await()
            log 'receiving'
            log('got ' .. c:receive())
            sender:await()
            """)
        #expect(host.events == ["sending", "receiving", "got x", "sent"])
    }

    @Test func `a waiting receiver gets the value at once`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            local c = task.channel()
            local receiver = task.spawn(function() log('got ' .. c:receive()) end)
            await() await()
            c:send 'x' log 'sent'
            receiver:await()
            """)
        #expect(host.events == ["sent", "got x"])
    }

    @Test func `a send does not return for a receiver that another value went to`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local c = task.channel()
            local receiver = task.spawn(function() return c:receive() end)
            local a, b = task.spawn(function() c:send 'a' return 'a sent' end), task.spawn(function() c:send 'b' return 'b sent' end)
            local first = receiver:await()
            for _ = 1, 5 do await() end
            local states = a.state .. ' ' .. b.state
            return first, states, c:receive(), a:await(), b:await()
            """)
        #expect(results == ["a", "loaded loading", "b", "a sent", "b sent"])
    }

    @Test func `with capacity as many sends go through as there is room`() async throws {
        let host = ScriptHost()
        _ = try await host.run("""
            local c = task.channel { capacity = 2 }
            local sender = task.spawn(function() for i = 1, 4 do c:send(i) log('sent ' .. i) end end)
            await() await()
            log('got ' .. c:receive())
            await() await()
            c:receive() c:receive() c:receive()
            sender:await()
            """)
        #expect(host.events == ["sent 1", "sent 2", "got 1", "sent 3", "sent 4"])
    }

    @Test(arguments: [0, 1, 5]) func `values stay in order`(_ capacity: Int) async throws {
        let results = try await ScriptHost().run("""
            local c = task.channel { capacity = \(capacity) }
            task.spawn(function() for i = 1, 500 do c:send(i) if i % 7 == 0 then await() end end c:close() end)
            local n = 0
            for v in c do n = n + 1 assert(v == n) if v % 5 == 0 then await() end end
            return n
            """)
        #expect(results == [500])
    }

    @Test func `those who wait are served in order`() async throws {
        let results = try await ScriptHost().run("""
            local c, got = task.channel(), {}
            local handles = {}
            for i = 1, 50 do handles[i] = task.spawn(function() local v = c:receive() got[#got + 1] = i .. '=' .. v end) end
            await()
            for i = 1, 50 do c:send(i) end
            task.all(handles)
            for i = 1, 50 do assert(got[i] == i .. '=' .. i, got[i]) end
            local d, sent = task.channel(), {}
            for i = 1, 50 do handles[i] = task.spawn(function() d:send(i) sent[#sent + 1] = i end) end
            await()
            for i = 1, 50 do assert(d:receive() == i) end
            task.all(handles)
            for i = 1, 50 do assert(sent[i] == i) end
            return 'in order'
            """)
        #expect(results == ["in order"])
    }

    @Test func `close wakes receivers and fails senders`() async throws {
        let results = try await ScriptHost().run("""
            local c, d = task.channel(), task.channel()
            local receiver = task.spawn(function() return c:receive() == nil end)
            local sender = task.spawn(function() local ok, e = pcall(d.send, d, 1) return ok, e.kind end)
            await() await()
            c:close() d:close()
            local ok, e = pcall(c.send, c, 1)
            local sent, kind = sender:await()
            return receiver:await(), sent, kind, ok, e.kind, c:receive(), d:receive()
            """)
        #expect(results == [true, false, "closed", false, "closed", nil, nil])
    }

    @Test func `what is in a closed channel can still be received`() async throws {
        let results = try await ScriptHost().run("""
            local c, t = task.channel { capacity = 3 }, {}
            c:send(1) c:send(false) c:send('x') c:close()
            t[1], t[2], t[3], t[4] = c:receive(), c:receive(), c:receive(), c:receive()
            local ok, e = pcall(c.send, c)
            return t[1], t[2], t[3], t[4], ok, e.kind
            """)
        #expect(results == [1, false, "x", nil, false, "invalid_argument"])
    }

    @Test func `a cancelled receiver takes no value along`() async throws {
        let results = try await ScriptHost().run("""
            local c = task.channel()
            local lost = task.spawn(function() c:receive() end)
            local second = task.spawn(function() return c:receive() end)
            await()
            lost:cancel()
            c:send 'x'
            return second:await()
            """)
        #expect(results == ["x"])
    }

    @Test func `a receiver that is cancelled after the value was handed to it gives it back`() async throws {
        let results = try await ScriptHost().run("""
            local c = task.channel()
            local lost = task.spawn(function() c:receive() end)
            await()
            c:send 'x'
            -- It has the value, but has not run since.
            lost:cancel()
            local ok, e = pcall(lost.await, lost)
            return ok, e.kind, c:receive()
            """)
        #expect(results == [false, "cancelled", "x"])
    }

    @Test func `a cancelled sender's value is not sent`() async throws {
        let results = try await ScriptHost().run("""
            local c = task.channel()
            local lost = task.spawn(function() c:send 'lost' end)
            local second = task.spawn(function() c:send 'second' end)
            await()
            lost:cancel()
            return c:receive(), second:await()
            """)
        #expect(results == ["second"])
    }

    @Test func `values survive any interleaving of cancels`() async throws {
        let results = try await ScriptHost().run("""
            math.randomseed(7)
            local c, got, sent = task.channel { capacity = 1 }, {}, {}
            local receivers, senders = {}, {}
            for i = 1, 300 do
              receivers[i] = task.spawn(function() local v = c:receive() got[#got + 1] = v end)
              senders[i] = task.spawn(function() c:send(i) sent[i] = true end)
              if math.random(3) == 1 then receivers[math.random(i)]:cancel() end
              if math.random(3) == 1 then senders[math.random(i)]:cancel() end
              if math.random(2) == 1 then await() end
            end
            for i = 1, 300 do senders[i]:cancel() end
            for i = 1, 300 do pcall(senders[i].await, senders[i]) end
            for _ = 1, 300 do task.spawn(function() local v = c:receive() got[#got + 1] = v end) end
            await() await() await()
            c:close()
            for i = 1, 300 do receivers[i]:cancel() pcall(receivers[i].await, receivers[i]) end
            local seen = {}
            for _, v in ipairs(got) do assert(not seen[v], 'received twice') seen[v] = true end
            for i = 1, 300 do if sent[i] then assert(seen[i], 'lost ' .. i) end end
            return #got > 50
            """)
        #expect(results == [true])
    }
}
