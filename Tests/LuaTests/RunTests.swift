import Lua
import Testing

@Suite struct RunTests {
    @Test func `a script returns its results`() async throws {
        let lua = try LuaState()
        #expect(try await lua.run("return 1 + 1, 'two'") == [2, "two"])
    }
}
