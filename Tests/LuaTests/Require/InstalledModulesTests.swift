import Foundation
import Lua
import Testing

/// Modules of the system's packages, where they are installed.
@Suite struct InstalledModulesTests {
    private func isInstalled(_ files: String..., package: String) -> Bool {
        if files.contains(where: FileManager.default.fileExists(atPath:)) { return true }
        print("skipped: \(package) is not installed")
        return false
    }

    @Test func `C modules come with no second liblua`() async throws {
        let libraries = "/usr/lib/\(machine)-linux-gnu/lua/5.4/"
        guard isInstalled(libraries + "cjson.so", package: "lua-cjson"), isInstalled(libraries + "lpeg.so", package: "lua-lpeg") else { return }
        let results = try await ScriptHost().run("""
            local cjson, lpeg = require 'cjson', require 'lpeg'
            local word = lpeg.C(lpeg.R 'az' ^ 1)
            return cjson.encode { 1, 2, 3 }, cjson.decode('{"a":[1,{"b":null}]}').a[1], word:match 'abc123', lpeg.match(lpeg.P 'x' ^ 0, 'xxy')
            """)
        #expect(results == ["[1,2,3]", .number(1), "abc", 3])
        let maps: String = try await LuaState().run("return io.open('/proc/self/maps'):read 'a'")
        let files = Set(maps.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }.filter { $0.contains("liblua") })
        #expect(files.count == 1, "\(files)")
    }

    @Test func `penlight runs`() async throws {
        guard isInstalled("/usr/share/lua/5.4/pl/init.lua", "/usr/share/lua/5.4/pl", package: "lua-penlight") else { return }
        let results = try await ScriptHost().run("""
            local List, stringx, tablex, pretty, class, OrderedMap = require 'pl.List', require 'pl.stringx', require 'pl.tablex', require 'pl.pretty', require 'pl.class', require 'pl.OrderedMap'
            local Animal = class() function Animal:_init(name) self.name = name end function Animal:speak() return self.name .. ' speaks' end
            local Dog = class(Animal) function Dog:speak() return Animal.speak(self) .. ' woof' end
            local m = OrderedMap() m:set('z', 1) m:set('a', await(2))
            local template = require 'pl.template'
            return tostring(List { 3, 1, 2 }:sort():map(function(x) return await(x * 2) end)), stringx.strip '  x ', tablex.deepcompare({ 1, { 2 } }, { 1, { 2 } }),
              pretty.write({ 1, a = 'b' }, ''), Dog('Rex'):speak(), table.concat(m:keys(), ','), (template.substitute('$(a) b', { a = 'A' }))
            """)
        #expect(results == ["{2,4,6}", "x", true, #"{1,a="b"}"#, "Rex speaks woof", "z,a", "A b"])
    }

    @Test func `luaunit runs`() async throws {
        guard isInstalled("/usr/share/lua/5.4/luaunit.lua", package: "lua-unit") else { return }
        let results = try await ScriptHost().run("""
            local unit = require 'luaunit'
            local Suite = {}
            function Suite:setUp() self.value = await(1) end
            function Suite:testGood() unit.assertEquals({ self.value, { 2 } }, { 1, { 2 } }) await() unit.assertErrorMsgContains('boo', function() await() error 'boo' end) end
            function Suite:testBad() unit.assertEquals(await(1), 2) end
            function Suite:testError() await() local x = nil + 1 end
            local runner = unit.LuaUnit.new()
            runner:setOutputType 'nil'
            runner:runSuiteByInstances({ { 'Suite', Suite } })
            local r = runner.result
            return r.runCount, r.successCount, r.failureCount, r.errorCount
            """)
        #expect(results == [3, 1, 1, 1])
    }

    private var machine: String {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
