import Lua
import Testing

/// Where Lua code can wait for the host, and where it cannot. A new liblua that changes the table is noticed here.
@Suite struct SuspensionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let script: String
        var expected: [LuaValue] = []
        var place = ""
        var testDescription: String { name }

        init(_ name: String, _ script: String, _ expected: [LuaValue]) {
            (self.name, self.script, self.expected) = (name, script, expected)
        }

        init(_ name: String, _ script: String, cannotIn place: String) {
            (self.name, self.script, self.place) = (name, script, place)
        }
    }

    static let possible: [Case] = [
        Case("the main part", "return await(7)", [7]),
        Case("a tail call", "local function f() return await(7) end return f()", [7]),
        Case("a deep tail call", "local function f(n) if n == 0 then return await(7) end return f(n - 1) end return f(1000)", [7]),
        Case("nested calls", "local function f(n) if n == 0 then return await(0) end return 1 + f(n - 1) end return f(100)", [100]),
        Case("varargs", "return select('#', await(1), (function(...) await() return ... end)(1, nil, nil))", [4]),
        Case("pcall", "return pcall(function() return await(1) end)", [true, 1]),
        Case("pcall of the call itself", "return pcall(await, 1)", [true, 1]),
        Case("pcall before an error", "return pcall(function() await() error('x', 0) end)", [false, "x"]),
        Case("pcall nested", "return pcall(pcall, pcall, function() await() error('x', 0) end)", [true, true, false, "x"]),
        Case("xpcall", "return xpcall(function(a) await() return a end, print, 2)", [true, 2]),
        Case("xpcall before an error", "return xpcall(function() await() error('x', 0) end, function(m) return m .. '!' end)", [false, "x!"]),
        Case("code after a caught error", "pcall(error, 'x') return await(1)", [1]),
        Case("__index", "return setmetatable({}, { __index = function(_, k) return await(k) end }).key", ["key"]),
        Case("__newindex", "local got setmetatable({}, { __newindex = function(_, k, v) got = await(k .. v) end }).a = 'b' return got", ["ab"]),
        Case("__call", "return setmetatable({}, { __call = function(_, a) return await(a), 2 end })(1)", [1, 2]),
        Case("__eq", "local m = { __eq = function() return await(true) end } return setmetatable({}, m) == setmetatable({}, m), setmetatable({}, m) ~= setmetatable({}, m)", [true, false]),
        Case("__lt", "local m = { __lt = function() return await(true) end } return setmetatable({}, m) < setmetatable({}, m), setmetatable({}, m) > 1", [true, true]),
        Case("__le", "local m = { __le = function() return await(true) end } return setmetatable({}, m) <= setmetatable({}, m), setmetatable({}, m) >= 1", [true, true]),
        Case("__lt in a condition", "local m = { __lt = function() return await(false) end } if setmetatable({}, m) < 1 then return 'yes' else return 'no' end", ["no"]),
        Case("__add __sub __mul __div", """
            local m = {} for _, k in ipairs { 'add', 'sub', 'mul', 'div' } do m['__' .. k] = function() return await(k) end end
            local a = setmetatable({}, m) return a + 1, 1 - a, a * a, a / 2
            """, ["add", "sub", "mul", "div"]),
        Case("__mod __pow __idiv", """
            local m = {} for _, k in ipairs { 'mod', 'pow', 'idiv' } do m['__' .. k] = function() return await(k) end end
            local a = setmetatable({}, m) return a % 1, 2 ^ a, a // a
            """, ["mod", "pow", "idiv"]),
        Case("__band __bor __bxor __shl __shr __bnot", """
            local m = {} for _, k in ipairs { 'band', 'bor', 'bxor', 'shl', 'shr', 'bnot' } do m['__' .. k] = function() return await(k) end end
            local a = setmetatable({}, m) return a & 1, 1 | a, a ~ a, a << 1, 1 >> a, ~a
            """, ["band", "bor", "bxor", "shl", "shr", "bnot"]),
        Case("__concat", "local a = setmetatable({}, { __concat = function(x, y) return await('c') end }) return a .. 'x', 'x' .. a, 1 .. 2 .. a .. 'y'", ["c", "c", "12c"]),
        Case("__len", "return #setmetatable({}, { __len = function() return await(5) end })", [5]),
        Case("__unm", "return -setmetatable({}, { __unm = function() return await(5) end })", [5]),
        Case("__pairs", "local t = {} for k, v in pairs(setmetatable({}, { __pairs = function() await() return next, { a = 1 } end })) do t[1], t[2] = k, v end return t[1], t[2]", ["a", 1]),
        Case("an iterator", "local s = 0 for i in function(_, i) i = await((i or 0) + 1) if i <= 3 then return i end end do s = s + i end return s", [6]),
        Case("an iterator that a coroutine is", "local s = 0 for i in coroutine.wrap(function() for i = 1, 3 do await() coroutine.yield(i) await() end end) do s = s + i end return s", [6]),
        Case("the expressions of a for loop", "local s = 0 for i = await(1), await(6), await(2) do s = s + i end return s", [9]),
        Case("a table constructor", "local t = { await(1), await(2), k = await(3) } return t[1] + t[2] + t.k", [6]),
        Case("<close> at the end of a block", "local t = {} do local x <close> = setmetatable({}, { __close = function() t[1] = await(1) end }) end return t[1]", [1]),
        Case("<close> at return keeps the results", "local function f() local x <close> = setmetatable({}, { __close = function() await() end }) return 1, 2 end return f()", [1, 2]),
        Case("<close> at break", "local n = 0 for i = 1, 3 do local x <close> = setmetatable({}, { __close = function() n = n + await(1) end }) if i == 2 then break end end return n", [2]),
        Case("<close> at goto", "local n = 0 do local x <close> = setmetatable({}, { __close = function() n = await(1) end }) goto out end ::out:: return n", [1]),
        Case("<close> at an error", "local n return pcall(function() local x <close> = setmetatable({}, { __close = function(_, e) n = await(e) end }) error('x', 0) end), n", [false, "x"]),
        Case("several <close> at an error", """
            local t = {}
            local function closer(n) return setmetatable({}, { __close = function(_, e) t[#t + 1] = await(n .. e) end }) end
            pcall(function() local a <close> = closer 'a' local b <close> = closer 'b' await() error('x', 0) end)
            return t[1], t[2]
            """, ["bx", "ax"]),
        Case("<close> of a generic for", "local n = 0 for i in function(_, i) return (i or 0) + 1 end, nil, nil, setmetatable({}, { __close = function() n = await(1) end }) do break end return n", [1]),
        Case("a coroutine", "return coroutine.wrap(function() return await(1) end)()", [1]),
        Case("a coroutine by resume", "return coroutine.resume(coroutine.create(function(a) await() return a end), 1)", [true, 1]),
        Case("between the coroutine's own yields", """
            local co = coroutine.create(function(a) await() local b = coroutine.yield(a) await() return b end)
            local _, a = coroutine.resume(co, 1) local _, b = coroutine.resume(co, 2) return a, b, coroutine.status(co)
            """, [1, 2, "dead"]),
        Case("coroutines three deep", """
            local function nest(n) return coroutine.wrap(function() if n == 0 then return await(1) end return 1 + nest(n - 1)() end) end
            return nest(3)()
            """, [4]),
        Case("coroutines three deep by resume, with yields", """
            local function nest(n)
              return coroutine.create(function()
                if n == 0 then await() coroutine.yield(await(10)) return await(20) end
                local co = nest(n - 1)
                local _, a = coroutine.resume(co) coroutine.yield(await(a + 1))
                local _, b = coroutine.resume(co) return await(b + 1)
              end)
            end
            local co = nest(3)
            local _, a = coroutine.resume(co) local _, b = coroutine.resume(co) return a, b
            """, [13, 23]),
        Case("an error in a coroutine after a wait", "return coroutine.resume(coroutine.create(function() await() error('x', 0) end))", [false, "x"]),
        Case("pcall in a coroutine in pcall", "return pcall(coroutine.wrap(function() return pcall(function() await() error('x', 0) end) end))", [true, false, "x"]),
        Case("a metamethod in a coroutine", "return coroutine.wrap(function() return setmetatable({}, { __index = function(_, k) return await(k) end }).key end)()", ["key"]),
        Case("a coroutine in a metamethod", "return setmetatable({}, { __index = function(_, k) return coroutine.wrap(function() return await(k) end)() end }).key", ["key"]),
        Case("coroutine.wrap in coroutine.wrap as an iterator", """
            local function gen(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(await(i)) end end) end
            local s = 0 for i in coroutine.wrap(function() for i in gen(4) do coroutine.yield(await(i)) end end) do s = s + i end return s
            """, [10]),
    ]

    @Test(arguments: possible) func `Lua waits in`(_ place: Case) async throws {
        let host = ScriptHost()
        let results = try await host.run(place.script)
        #expect(results == place.expected)
        #expect(host.begun > 0)
    }

    static let impossible: [Case] = [
        Case("a comparator", "table.sort({ 3, 2, 1 }, function(a, b) try() return a < b end)", cannotIn: "table.sort"),
        Case("__lt in a sort", "local m = { __lt = function(a, b) try() return false end } table.sort { setmetatable({}, m), setmetatable({}, m) }", cannotIn: "table.sort"),
        Case("a comparator's coroutine", "table.sort({ 3, 2, 1 }, function(a, b) coroutine.wrap(try)() return a < b end)", cannotIn: "table.sort"),
        Case("a comparator's coroutine's coroutine", "table.sort({ 3, 2, 1 }, function(a, b) coroutine.resume(coroutine.create(coroutine.wrap(try))) return a < b end)", cannotIn: "table.sort"),
        Case("pcall in a comparator", "table.sort({ 3, 2, 1 }, function(a, b) pcall(try) return a < b end)", cannotIn: "table.sort"),
        Case("xpcall in a comparator", "table.sort({ 3, 2, 1 }, function(a, b) xpcall(try, print) return a < b end)", cannotIn: "table.sort"),
        Case("string.gsub with a function", "string.gsub('abc', '.', try)", cannotIn: "string.gsub"),
        Case("string.gsub with a table", "string.gsub('abc', '.', setmetatable({}, { __index = function() try() end }))", cannotIn: "string.gsub"),
        Case("a method of a string", "('abc'):gsub('.', try)", cannotIn: "string.gsub"),
        Case("__tostring by tostring", "tostring(setmetatable({}, { __tostring = function() try() return '' end }))", cannotIn: "tostring"),
        Case("__tostring by print", "print(setmetatable({}, { __tostring = function() try() return 'printed' end }))", cannotIn: "print"),
        Case("__tostring by %s", "string.format('%s', setmetatable({}, { __tostring = function() try() return '' end }))", cannotIn: "string.format"),
        Case("a reader", "load(function() try() end)", cannotIn: "load"),
        Case("a message handler", "xpcall(error, function() try() end)", cannotIn: "the message handler of xpcall"),
        Case("a message handler of a mistake", "xpcall(function() local a = nil + 1 end, function() try() end)", cannotIn: "the message handler of xpcall"),
        Case("a function that a message handler calls", "xpcall(function() local a = nil + 1 end, function() local function f() try() end f() end)", cannotIn: "the message handler of xpcall"),
        Case("__index in table.concat", "table.concat(setmetatable({}, { __len = function() return 1 end, __index = function() try() return '' end }))", cannotIn: "table.concat"),
        Case("__index in table.unpack", "table.unpack(setmetatable({}, { __index = function() try() end }), 1, 1)", cannotIn: "table.unpack"),
        Case("__newindex in table.insert", "table.insert(setmetatable({}, { __newindex = function() try() end }), 1)", cannotIn: "table.insert"),
        Case("__index in table.remove", "table.remove(setmetatable({}, { __len = function() return 1 end, __index = function() try() end }))", cannotIn: "table.remove"),
        Case("__index in table.move", "table.move(setmetatable({}, { __index = function() try() end }), 1, 1, 2)", cannotIn: "table.move"),
        Case("__index in ipairs", "for _ in ipairs(setmetatable({}, { __index = function() try() end })) do end", cannotIn: "ipairs"),
        Case("arithmetic with a string", "return '10' + setmetatable({}, { __add = function() try() return 1 end })", cannotIn: "arithmetic with a string"),
        Case("<close> by coroutine.close", """
            local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = try }) coroutine.yield() end)
            coroutine.resume(co) coroutine.close(co)
            """, cannotIn: "coroutine.close"),
        Case("<close> of a failed coroutine.wrap", """
            pcall(coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() try() end }) error('x') end))
            """, cannotIn: "the <close> handlers of a failed coroutine.wrap"),
        Case("a finalizer", "setmetatable({}, { __gc = try }) collectgarbage()", cannotIn: "a finalizer (__gc)"),
    ]

    @Test(arguments: impossible) func `the error says that Lua cannot wait in`(_ place: Case) async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local caught, count = nil, 0
            local function try() local ok, e = pcall(await) count = count + 1 if ok then error('it waited') end caught = caught or e end
            do \(place.script) end
            assert(count > 0, 'never tried')
            return caught.kind, caught.message, caught.hint, await('goes on')
            """.replacing("do return '10'", with: "do local _ = '10'"))
        #expect(results == [
            "cannot_await", .string("pass has to wait, and Lua cannot suspend inside \(place.place)"),
            "call it before, keep the result in a local, and use that here", "goes on",
        ])
        #expect(host.begun == 1)
    }

    @Test func `dofile waits`() async throws {
        let directory = try ModuleDirectory(["part.lua": "local await = ... or require('test').pass return await(1), await(2)"])
        let results = try await ScriptHost().run("return dofile('\(directory.path)/part.lua')")
        #expect(results == [1, 2])
    }

    @Test func `the main part of a required module waits, also of one that another requires`() async throws {
        let directory = try ModuleDirectory([
            "main.lua": "",
            "outer.lua": "local await = require('test').pass local a = await(1) local inner = require 'inner' return a + await(inner.value)",
            "inner.lua": "local await = require('test').pass local t = { value = await(41) } return await() or t",
        ])
        let results = try await ScriptHost().run("return (require 'outer')", name: "@\(directory.path)/main.lua")
        #expect(results == [42])
    }

    @Test func `a script cannot wait outside a task`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState()
        let kind: String = try await lua.run(ScriptHost.head + """
            local ok, e
            load(function() ok, e = pcall(await) end)
            return e.kind
            """)
        #expect(kind == "cannot_await")
    }
}
