import Lua
import Testing

@Suite struct RequireTests {
    private func run(_ files: [String: String], _ script: String, host: ScriptHost = ScriptHost(), modulePaths: [String]? = nil) async throws -> [LuaValue] {
        let directory = try ModuleDirectory(files)
        let paths = modulePaths?.map { $0.replacing("DIR", with: directory.path) }
        return try await host.run(script, on: try host.makeState(modulePaths: paths), name: "@\(directory.path)/main.lua")
    }

    @Test func `modules are found beside the file that requires them`() async throws {
        let results = try await run([
            "a.lua": "return 'a'", "sub/b.lua": "return require 'c' .. require('deep.d')", "sub/c.lua": "return 'c'",
            "sub/deep/d.lua": "return 'd' .. require 'e'", "sub/deep/e.lua": "return 'e'", "c.lua": "return 'outer c'",
            "bundle/init.lua": "return 'init' .. require 'part'", "bundle/part.lua": "return 'part'",
        ], "return (require 'a'), (require 'sub.b'), (require 'c'), (require 'bundle')")
        #expect(results == ["a", "cde", "outer c", "initpart"])
    }

    @Test func `a tail call, pcall and a coroutine find the same modules`() async throws {
        let results = try await run([
            "sub/tail.lua": "return require 'other'", "sub/other.lua": "return 'other'", "other.lua": "return 'outer'",
            "sub/later.lua": "return pcall(require, 'other')",
        ], """
            local ok, v = pcall(require, 'other')
            local function tail() return require 'other' end
            return require 'sub.tail', v, coroutine.wrap(function() return (require 'other') end)(), (tail()), task.spawn(require, 'other'):await(), 'end'
            """)
        #expect(results.first == "other")
        #expect(Array(results.dropFirst().prefix(3)) == ["outer", "outer", "outer"])
        #expect(results.contains("end"))
    }

    @Test func `package.path, loaded and preload are respected`() async throws {
        let results = try await run(["lib/one.lua": "return { ... }", "lib/two/init.lua": "return 2", "here.lua": "return {}"], """
            package.preload.made = function(name, extra) return name .. extra end
            package.loaded.mock = 'mock'
            local one = require 'one'
            local first = require 'here'
            local same = require 'here' == first
            package.loaded.here = nil
            local again = require 'here'
            package.loaded.one = 'replaced'
            return one[1], require 'two', (require 'made'), (require 'mock'), same, again == first, require 'one', package.loaded.here == again, require 'string' == string
            """, modulePaths: ["DIR/lib/?.lua", "DIR/lib/?/init.lua"])
        #expect(results.first == "one")
        #expect(results.contains("made:preload:") && results.contains("mock"))
        #expect(Array(results.suffix(5)) == [true, false, "replaced", true, true])
    }

    @Test func `a module that returns nothing is true, and is run once`() async throws {
        let host = ScriptHost()
        let results = try await run(["quiet.lua": "require('test').log 'run'"], "return (require 'quiet'), (require 'quiet')", host: host)
        #expect(results == [true, true])
        #expect(host.events == ["run"])
    }

    @Test func `two tasks that require a slow module load it once`() async throws {
        let host = ScriptHost()
        let results = try await run(["slow.lua": "require('test').log 'run' require('test').pass() require('test').pass() return {}"], """
            local function load() return require 'slow' end
            local all = task.all { load, load, load }
            return all[1] == all[2] and all[2] == all[3]
            """, host: host)
        #expect(results == [true])
        #expect(host.events == ["run"])
    }

    @Test func `a failed load wakes who waits, and is tried again`() async throws {
        let host = ScriptHost()
        let results = try await run(["flaky.lua": """
            local test = require 'test'
            tries = (tries or 0) + 1
            local try = tries
            test.log('try ' .. try)
            test.pass() test.pass()
            if try < 3 then error('try ' .. try, 0) end
            return 'loaded at ' .. try
            """], """
            local function load() local ok, v = pcall(require, 'flaky') return v end
            local all = task.all { load, load, load, load }
            return all[1], all[2], all[3], all[4]
            """, host: host)
        #expect(results == ["try 1", "try 2", "loaded at 3", "loaded at 3"])
        #expect(host.events == ["try 1", "try 2", "try 3"])
    }

    @Test func `a cancelled load is tried again by who waits`() async throws {
        let results = try await run(["slow.lua": "if not first then first = true require('test').gate 'never' end return 'loaded'"], """
            local a = task.spawn(require, 'slow')
            await() await()
            local b = task.spawn(function() return (require 'slow') end)
            await() a:cancel()
            return b:await()
            """)
        #expect(results == ["loaded"])
    }

    @Test func `a load that a coroutine left half done ends with its task`() async throws {
        let results = try await run(["half.lua": "if not first then first = true coroutine.yield() end return 'loaded'"], """
            local a = task.spawn(function() coroutine.wrap(function() require 'half' end)() end)
            a:await()
            return (require 'half')
            """)
        #expect(results == ["loaded"])
    }

    @Test func `cycles give the chain`() async throws {
        func chain(_ files: [String: String], _ script: String) async throws -> LuaValue? {
            try await run(files, "local ok, e = pcall(function() \(script) end) return e.kind .. ' ' .. e.message:match(': (.*)')").first
        }
        #expect(try await chain(["a.lua": "require 'a'"], "require 'a'") == "module a → a")
        #expect(try await chain(["z.lua": "require 'm'", "m.lua": "require 'a'", "a.lua": "require 'z'"], "require 'z'") == "module z → m → a → z")
        #expect(try await chain(["x.lua": "require 'b'", "b.lua": "require 'a'", "a.lua": "require 'b'"], "require 'x'") == "module b → a → b")
        let between = try await run(["a.lua": "require('test').pass() require 'b'", "b.lua": "require('test').pass() require 'a'"], """
            local function load(name) return function() local ok, e = pcall(require, name) return ok or e.message:match(': (.*)') end end
            local all = task.all { load 'a', load 'b' }
            return all[1], all[2]
            """)
        #expect(between.contains("a → b → a") || between.contains("b → a → b"), "\(between)")
    }

    @Test func `errors of modules arrive whole`() async throws {
        let results = try await run([
            "table.lua": "error { code = 7 }", "text.lua": "\nerror 'text'", "wrong.lua": "x = = 1", "host.lua": "require('test').gate()", "deep.lua": "return require 'text'",
        ], """
            local _, a = pcall(require, 'deep') local _, b = pcall(require, 'wrong') local _, c = pcall(require, 'host') local _, d = pcall(require, 'nowhere')
            local files = select(2, pcall(require, 'sub.none'))
            return a:match '[^/]*$', b.kind, c.kind, d.kind, d.message:match "module 'nowhere' not found" ~= nil
            """)
        #expect(results.first == "text.lua:2: text")
        #expect(Array(results.dropFirst().prefix(3)) == ["syntax", "invalid_argument", "module"])
    }
}
