import Lua
import Testing

@Suite struct DataModuleTests {
    @Test func `null and lists are explicit`() async throws {
        let lua = try LuaState()
        let results = try await lua.run("""
            local nightjar = require 'nightjar'
            return nightjar.null, nightjar.null == nightjar.null, nightjar.array {}, {}, nightjar.array { 1, 2 }
            """)
        #expect(results == [.null, true, .list([]), .table([:]), [1, 2]])
    }

    @Test func `only plain tables are marked`() async throws {
        let lua = try LuaState()
        let results = try await lua.run("""
            local nightjar = require 'nightjar'
            local twice = nightjar.array(nightjar.array {})
            local ok, e = pcall(nightjar.array, setmetatable({}, {}))
            local ok2, e2 = pcall(nightjar.array, 1)
            return twice, ok, e.kind, ok2, e2.message
            """)
        #expect(results == [.list([]), false, "invalid_argument", false, "argument 1 'list': table without a metatable expected, got integer"])
    }
}
