import Foundation
import Lua
import Testing

@Suite struct SandboxTests {
    @Test func `what reaches outside is not there`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(.sandbox)
        let results = try await host.run("""
            local absent = {}
            for _, name in ipairs { 'io', 'debug', 'dofile', 'loadfile', 'os.execute', 'os.exit', 'os.getenv', 'os.remove', 'os.rename',
              'os.tmpname', 'os.setlocale', 'package.loadlib', 'package.cpath', 'package.path', 'package.searchers', 'package.preload', 'string.dump' } do
              local value = _G
              for part in name:gmatch '%w+' do value = value and value[part] end
              if value ~= nil then absent[#absent + 1] = name end
            end
            local modules = {}
            for _, name in ipairs { 'io', 'debug', 'package' } do modules[#modules + 1] = tostring((pcall(require, name))) end
            return table.concat(absent, ' '), table.concat(modules, ' '), type(os.time()), type(os.date()), (''):rep(2), ('x').dump
            """, on: lua)
        #expect(results == ["", "false false false", "number", "string", "", nil])
    }

    @Test func `bytecode is not loaded`() async throws {
        let trusted = try LuaState()
        let code: LuaValue = try await trusted.run("return string.dump(function() return 1 end)")
        let host = ScriptHost()
        let lua = try host.makeState(.sandbox)
        let results = try await host.run("""
            local code = ...
            local f, e = load(code)
            local g, why = load(code, 'x', 'b')
            local parts = { code } local h, wherefore = load(function() return table.remove(parts) end, 'x', 'bt')
            return f, e:match 'binary', g, why:match 'binary', h, wherefore:match 'binary', load('return 7')()
            """, on: lua, arguments: [code])
        #expect(results == [nil, "binary", nil, "binary", nil, "binary", 7])
    }

    @Test func `each script has globals and libraries of its own`() async throws {
        let host = ScriptHost()
        let lua = try host.makeState(.sandbox)
        _ = try await host.run("""
            leak = 1 _G.leak2 = 2 string.leak = 3 table.leak = 4 math.pi = 5 os.leak = 6 coroutine.leak = 7 utf8.leak = 8
            package.loaded.string.leak = 9 package.loaded.leak = {} rawset(_G, 'leak3', 1) load('leak4 = 1')()
            string.rep = nil table.sort = nil pcall = nil
            """, on: lua)
        let results = try await host.run("""
            return leak, leak2, string.leak, table.leak, math.pi > 3.1 and math.pi < 3.2, os.leak, coroutine.leak, utf8.leak, leak3, leak4,
              pcall(require, 'leak'), type(string.rep), type(table.sort), type(pcall), _G._G == _G, ('x'):rep(3)
            """, on: lua)
        #expect(Array(results.prefix(10)) == [nil, nil, nil, nil, true, nil, nil, nil, nil, nil])
        #expect(Array(results.suffix(5)) == ["function", "function", "function", true, "xxx"])
    }

    @Test func `shared metatables are out of reach`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local ok = pcall(setmetatable, _G, {})
            local s, e = getmetatable '', select(2, pcall(test.gate))
            local module = pcall(setmetatable, test, {})
            return s, ok, getmetatable(_G), getmetatable(e), module, getmetatable(test), pcall(rawset, e, 1, 2)
            """, on: try host.makeState(.sandbox))
        #expect(Array(results.prefix(6)) == [false, false, false, false, false, false])
        #expect(results[6] == false)
    }

    @Test(arguments: [
        "test.log = 1", "test.new = 1", "rawset(test, 'log', 1)", "rawset(test, 'new', 1)", "table.insert(test, 1)",
        "setmetatable(test, nil)", "table.move({ 1 }, 1, 1, 1, test)", "load('local t = ... t.log = 1')(test)",
    ]) func `modules of the host cannot be changed:`(_ statement: String) async throws {
        let host = ScriptHost()
        let lua = try host.makeState(.sandbox)
        let results = try await host.run("""
            local before = test.log
            local ok, e = pcall(function() \(statement) end)
            local names = 0 for name in pairs(test) do names = names + 1 end
            return ok, test.log == before, test.new, names > 5, rawget(test, 1)
            """, on: lua)
        #expect(results == [false, true, nil, true, nil])
    }

    @Test func `finalizers are refused`() async throws {
        let host = ScriptHost()
        let results = try await host.run("""
            local ok, e = pcall(setmetatable, {}, { __gc = function() end })
            local late = {} local t = setmetatable({}, late) late.__gc = function() log 'finalized' end
            t = nil collectgarbage() collectgarbage()
            return ok, e:match 'finalizers', pcall(collectgarbage, 'stop'), type(collectgarbage 'count')
            """, on: try host.makeState(.sandbox))
        #expect(results[0] == false && results[1] == "finalizers" && results[2] == false && results.last == "number")
        #expect(host.events == [])
    }

    @Test func `require stays in its directory`() async throws {
        let directory = try ModuleDirectory([
            "secret.lua": "return 'secret'", "scripts/main.lua": "", "scripts/own.lua": "return 'own'",
            "scripts/deep/inner.lua": "return require 'other'", "scripts/deep/other.lua": "return 'other'",
        ])
        try FileManager.default.createSymbolicLink(atPath: directory.path + "/scripts/link.lua", withDestinationPath: directory.path + "/secret.lua")
        try FileManager.default.createSymbolicLink(atPath: directory.path + "/scripts/dir", withDestinationPath: directory.path)
        for paths in [nil, ["\(directory.path)/scripts/?.lua"]] {
            let host = ScriptHost()
            let lua = try host.makeState(.sandbox, modulePaths: paths)
            let name = paths == nil ? "@\(directory.path)/scripts/main.lua" : "=script"
            let results = try await host.run("""
                local refused = true
                for _, name in ipairs { '../secret', '..secret', '...secret', '\(directory.path)/secret', 'link', 'dir.secret', 'deep/../../secret', 'secret', '', 'own\\0' } do
                  local ok, e = pcall(require, name)
                  if ok then refused = name end
                end
                local chunk = load("return require 'secret'", '@\(directory.path)/x.lua')
                return refused, require 'own', require 'deep.inner', pcall(chunk)
                """, on: lua, name: name)
            #expect(results[0] == true)
            #expect(results[1] == "own")
            #expect(results.contains("other"))
            #expect(!results.contains("secret"))
        }
    }

    @Test func `modules share nothing between scripts`() async throws {
        let directory = try ModuleDirectory(["lib/shared.lua": "count = (count or 0) + 1 string.mark = 'x' return { value = 0 }"])
        let host = ScriptHost()
        let lua = try host.makeState(.sandbox, modulePaths: ["\(directory.path)/lib/?.lua"])
        let script = "local m = require 'shared' m.value = m.value + 1 return m.value, count, string.mark"
        #expect(try await host.run(script, on: lua) == [1, 1, "x"])
        #expect(try await host.run(script, on: lua) == [1, 1, "x"])
        #expect(try await host.run("return string.mark, count", on: lua) == [nil, nil])
    }
}
