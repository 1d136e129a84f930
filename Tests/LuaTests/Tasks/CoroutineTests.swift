import Lua
import Testing

/// The script's own coroutines behave as the manual says, in a runtime where every script is a coroutine already.
@Suite struct CoroutineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var testDescription: String { name }

        init(_ name: String, _ script: String) { (self.name, self.script) = (name, script) }
    }

    static let cases: [Case] = [
        Case("the main part is the main coroutine", """
            local co, main = coroutine.running()
            assert(type(co) == 'thread' and main == true)
            assert(not coroutine.isyieldable() and not coroutine.isyieldable(co))
            assert(coroutine.status(co) == 'running')
            local ok, e = pcall(coroutine.yield, 1)
            assert(not ok and e:find('outside a coroutine'))
            ok, e = coroutine.resume(co)
            assert(not ok and e == 'cannot resume non-suspended coroutine')
            ok, e = pcall(coroutine.close, co)
            assert(not ok and e:find('cannot close a running coroutine'))
            assert(coroutine.running() == co)
            """),
        Case("running and isyieldable inside", """
            local co
            co = coroutine.create(function()
              local this, main = coroutine.running()
              assert(this == co and main == false and coroutine.isyieldable())
              await()
              assert(coroutine.running() == co)
              return 'done'
            end)
            assert(coroutine.isyieldable(co))
            local ok, v = coroutine.resume(co)
            assert(ok and v == 'done')
            """),
        Case("status", """
            local outer, inner, seen
            local main = coroutine.running()
            inner = coroutine.create(function() seen = { coroutine.status(outer), coroutine.status(inner), coroutine.status(main) } end)
            outer = coroutine.create(function() coroutine.resume(inner) coroutine.yield() error('x') end)
            assert(coroutine.status(outer) == 'suspended')
            assert(coroutine.resume(outer))
            assert(seen[1] == 'normal' and seen[2] == 'running' and seen[3] == 'normal')
            assert(coroutine.status(outer) == 'suspended' and coroutine.status(inner) == 'dead')
            assert(not coroutine.resume(outer) and coroutine.status(outer) == 'dead')
            """),
        Case("a coroutine that waits for the host is busy", """
            local co = coroutine.create(function() test.gate 'never' end)
            local h = task.spawn(function() coroutine.resume(co) end)
            await()
            assert(coroutine.status(co) == 'normal')
            local ok, e = coroutine.resume(co)
            assert(not ok and e:find('waits for a host call'))
            assert(not pcall(coroutine.close, co))
            ok, e = pcall(coroutine.wrap(function() return coroutine.resume(co) end))
            assert(ok and e == false)
            h:cancel()
            """),
        Case("values go in and out", """
            local co = coroutine.create(function(...)
              assert(select('#', ...) == 3 and select(3, ...) == nil)
              assert(select('#', coroutine.yield()) == 0)
              local a, b = coroutine.yield(1, nil, 3)
              assert(a == 'a' and b == nil)
              return nil, nil
            end)
            assert(select('#', coroutine.resume(co, 1, 2, nil)) == 1)
            local r = table.pack(coroutine.resume(co))
            assert(r.n == 4 and r[2] == 1 and r[3] == nil and r[4] == 3)
            assert(select('#', coroutine.resume(co, 'a')) == 3)
            """),
        Case("dead ones stay dead", """
            local co = coroutine.create(function() end)
            assert(coroutine.resume(co))
            for _ = 1, 2 do
              local ok, e = coroutine.resume(co)
              assert(not ok and e == 'cannot resume dead coroutine')
            end
            local f = coroutine.wrap(function() end)
            f()
            local ok, e = pcall(f)
            assert(not ok and e:find('cannot resume dead coroutine'), e)
            """),
        Case("resuming itself and a resumer", """
            local co
            co = coroutine.create(function()
              local ok, e = coroutine.resume(co)
              assert(not ok and e == 'cannot resume non-suspended coroutine')
              ok, e = coroutine.resume(coroutine.create(function() return coroutine.resume(co) end))
              assert(ok and e == false)
              return 'fine'
            end)
            local ok, v = coroutine.resume(co)
            assert(ok and v == 'fine', v)
            """),
        Case("arguments are checked", """
            for _, f in ipairs { coroutine.create, coroutine.wrap } do
              local ok, e = pcall(f, 1)
              assert(not ok and e:find('function expected'), e)
            end
            for _, f in ipairs { coroutine.resume, coroutine.status, coroutine.close, coroutine.isyieldable } do
              local ok, e = pcall(f, 1)
              assert(not ok and e:find('coroutine expected'), e)
            end
            """),
        Case("wrap adds the position to texts only", """
            local f = coroutine.wrap(function() error('x', 0) end)
            local ok, e = pcall(function() f() end)
            assert(e == 'script:2: x', e)
            local t = {}
            ok, e = pcall(coroutine.wrap(function() error(t) end))
            assert(e == t)
            ok, e = pcall(coroutine.wrap(function() error() end))
            assert(not ok and e == nil)
            """),
        Case("wrap closes what failed", """
            local log = {}
            local co
            local f = coroutine.wrap(function()
              co = coroutine.running()
              local a <close> = setmetatable({}, { __close = function(_, e) log[1] = e end })
              await()
              error({ 'x' })
            end)
            local ok, e = pcall(f)
            assert(not ok and e[1] == 'x' and log[1] == e and coroutine.status(co) == 'dead')
            """),
        Case("an error of a handler replaces that of a wrapped coroutine", """
            local f = coroutine.wrap(function()
              local a <close> = setmetatable({}, { __close = function(_, e) error(e .. 'z', 0) end })
              local b <close> = setmetatable({}, { __close = function(_, e) error(e .. 'y', 0) end })
              error('x', 0)
            end)
            local ok, e = pcall(f)
            assert(not ok and e:match('xyz$'), e)
            """),
        Case("close", """
            local co = coroutine.create(print)
            assert(coroutine.close(co) == true and coroutine.status(co) == 'dead')
            assert(coroutine.close(co) == true)
            local n = 0
            co = coroutine.create(function()
              local a <close> = setmetatable({}, { __close = function(_, e) assert(e == nil) n = n + 1 end })
              local b <close> = setmetatable({}, { __close = function(_, e) assert(e == nil) n = n + 10 end })
              coroutine.yield()
            end)
            coroutine.resume(co)
            assert(coroutine.close(co) == true and n == 11 and coroutine.status(co) == 'dead')
            """),
        Case("close after an error gives the error once", """
            local co = coroutine.create(function() error('x', 0) end)
            coroutine.resume(co)
            local ok, e = coroutine.close(co)
            assert(ok == false and e == 'x')
            ok, e = coroutine.close(co)
            assert(ok == true and e == nil)
            """),
        Case("close with handlers that fail", """
            local co = coroutine.create(function()
              local a <close> = setmetatable({}, { __close = function(_, e) error(e .. '2', 0) end })
              local b <close> = setmetatable({}, { __close = function(_, e) assert(e == nil) error('1', 0) end })
              coroutine.yield()
            end)
            coroutine.resume(co)
            local ok, e = coroutine.close(co)
            assert(ok == false and e == '12' and coroutine.status(co) == 'dead')
            """),
        Case("close refuses those that run", """
            local co
            co = coroutine.create(function()
              local ok, e = pcall(coroutine.close, co)
              assert(not ok and e:find('cannot close a running coroutine'), e)
              coroutine.wrap(function()
                local ok, e = pcall(coroutine.close, co)
                assert(not ok and e:find('cannot close a normal coroutine'), e)
              end)()
              return true
            end)
            assert(select(2, coroutine.resume(co)) == true)
            """),
        Case("handlers run coroutines", """
            local t = {}
            local co = coroutine.create(function()
              local a <close> = setmetatable({}, { __close = function()
                for i in coroutine.wrap(function() coroutine.yield(1) coroutine.yield(2) end) do t[#t + 1] = i end
              end })
              coroutine.yield()
            end)
            coroutine.resume(co)
            assert(coroutine.close(co) and #t == 2)
            """),
        Case("yields across pcall and xpcall", """
            local co = coroutine.wrap(function()
              local ok, v = pcall(function() return coroutine.yield(1) end)
              assert(ok and v == 'a')
              ok, v = pcall(function() coroutine.yield(2) await() error('b', 0) end)
              assert(not ok and v == 'b')
              ok, v = xpcall(function(...) assert(... == 5) coroutine.yield(3) local x = nil + 1 end, function(m) return 'handled' end, 5)
              assert(not ok and v == 'handled')
              return pcall(pcall, pcall, coroutine.yield, 4)
            end)
            assert(co() == 1 and co('a') == 2 and co() == 3 and co() == 4)
            local r = table.pack(co('z'))
            assert(r.n == 4 and r[1] == true and r[3] == true and r[4] == 'z')
            """),
        Case("pcall and xpcall check their arguments", """
            assert(not pcall(pcall))
            assert(not pcall(xpcall, print))
            assert(not pcall(xpcall, print, 1))
            local ok, e = pcall(nil)
            assert(not ok and e:find('attempt to call a nil value'), e)
            assert(select('#', pcall(function() end)) == 1)
            """),
        Case("errors in a message handler end", """
            local ok, e = xpcall(error, function(m) error(m) end, 'x')
            assert(not ok)
            local function loop(m) return loop(m) .. 'x' end
            ok, e = xpcall(error, loop, 'x')
            assert(not ok and type(e) == 'string', e)
            """),
        Case("the handler sees the stack of the error", """
            local function fail() error('x') end
            local ok, trace = xpcall(function() fail() end, debug.traceback)
            assert(not ok and trace:find('fail') and trace:find('script:1: x'), trace)
            """),
        Case("coroutines in coroutines end with an error, not with a crash", """
            local function nest(n) if n == 0 then return 'bottom' end return coroutine.wrap(nest)(n - 1) end
            assert(nest(100) == 'bottom')
            local ok, e = pcall(nest, 1000)
            assert(not ok and e:find('C stack overflow'), e)
            local function waiting(n) if n == 0 then return await('bottom') end return coroutine.wrap(waiting)(n - 1) end
            assert(waiting(100) == 'bottom')
            ok, e = pcall(waiting, 1000)
            assert(not ok and e:find('C stack overflow'), e)
            """),
        Case("endless recursion ends with an error", """
            local function f() return 1 + f() end
            local ok, e = pcall(f)
            assert(not ok and e:find('stack overflow'), e)
            ok, e = coroutine.resume(coroutine.create(f))
            assert(not ok and e:find('stack overflow'), e)
            local m = {} m.__index = function(t, k) return t[k + 1] end
            ok, e = pcall(function() return setmetatable({}, m)[1] end)
            assert(not ok and e:find('stack overflow'), e)
            ok, e = pcall(string.rep, 'x', -1)
            assert(ok and e == '')
            local s = string.rep('(', 1000) .. string.rep(')', 1000)
            ok, e = load('return ' .. s)
            assert(not ok and e:find('overflow') or e:find('limit'), e)
            """),
        Case("many values", """
            local co = coroutine.wrap(function(...) return select('#', coroutine.yield(...)) end)
            local t = {}
            for i = 1, 5000 do t[i] = i end
            assert(select('#', co(table.unpack(t))) == 5000)
            assert(co(table.unpack(t)) == 5000)
            t = {}
            for i = 1, 100000 do t[i] = i end
            local ok, n = pcall(function() return select('#', coroutine.wrap(function(...) return ... end)(table.unpack(t))) end)
            assert(ok and n == 100000, n)
            """),
        Case("a generator that is dropped is collected", """
            local weak = setmetatable({}, { __mode = 'k' })
            for i = 1, 10 do
              local co = coroutine.create(function() coroutine.yield() end)
              coroutine.resume(co)
              weak[co] = true
            end
            collectgarbage() collectgarbage()
            assert(next(weak) == nil)
            """),
        Case("a generator that another one resumes", """
            local co = coroutine.create(function() for i = 1, 3 do coroutine.yield(i) end end)
            local a = coroutine.wrap(function() return select(2, coroutine.resume(co)) end)
            local b = coroutine.wrap(function() return select(2, coroutine.resume(co)) end)
            assert(a() == 1 and b() == 2 and select(2, coroutine.resume(co)) == 3)
            """),
        Case("a coroutine that two tasks resume in turn", """
            local co = coroutine.create(function() for i = 1, 4 do await() coroutine.yield(i) end end)
            local got = {}
            local function step() got[#got + 1] = select(2, coroutine.resume(co)) end
            step() task.spawn(step):await() step() task.spawn(step):await()
            assert(table.concat(got, ' ') == '1 2 3 4')
            """),
        Case("the coroutine of a task is not the script's to resume or close", """
            local co
            local h = task.spawn(function() co = coroutine.running() await() return 7 end)
            await()
            assert(coroutine.status(co) == 'normal')
            local ok, e = coroutine.resume(co)
            assert(not ok and e == 'cannot resume non-suspended coroutine')
            assert(not pcall(coroutine.close, co))
            assert(h:await() == 7 and coroutine.status(co) == 'dead')
            ok, e = coroutine.resume(co)
            assert(not ok and e == 'cannot resume dead coroutine', e)
            assert(coroutine.close(co) == true)
            assert(h:await() == 7 and h.value == 7)
            """),
        Case("table.unpack with too many results for a stack", """
            local ok, e = pcall(table.unpack, {}, 1, 1e7)
            assert(not ok and e:find('too many results'), e)
            """),
    ]

    @Test(arguments: cases) func `coroutines work:`(_ one: Case) async throws {
        _ = try await ScriptHost().run(one.script)
    }

    @Test(arguments: cases.filter { !$0.script.contains("isyieldable()") && !$0.name.hasPrefix("the coroutine of a task") && !$0.name.hasPrefix("coroutines in coroutines") && !$0.name.hasPrefix("status") })
    func `coroutines work inside another:`(_ one: Case) async throws {
        // Positions in messages stay right: the wrapping is on the first line.
        _ = try await ScriptHost().run("local ok, e = coroutine.resume(coroutine.create(function() \(one.script) end)) assert(ok, e)")
    }

    @Test func `memory of coroutines comes back`() async throws {
        let lua = try ScriptHost().makeState()
        let grown: Int = try await lua.run("""
            local function round() for i = 1, 1000 do coroutine.wrap(function() coroutine.yield(i) end)() end collectgarbage() collectgarbage() end
            round()
            local before = collectgarbage('count')
            for _ = 1, 5 do round() end
            return math.floor(collectgarbage('count') - before)
            """)
        #expect(grown < 50, "\(grown) KB after 5000 coroutines")
    }
}
