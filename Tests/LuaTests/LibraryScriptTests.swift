import CLuaShim
import Foundation
@testable import Lua
import Testing

/// The replaced library functions against those of liblua itself, in scripts.
@Suite struct LibraryScriptTests {
    @Test(arguments: ["string_library", "table_library"]) func `replaced functions behave like the stock ones:`(_ name: String) async throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(contentsOf: tests.appending(path: "Scripts/runtime/\(name).lua"), encoding: .utf8)
        let lua = try LuaState()
        await lua.withContext { lua in
            lua_pushcclosure(lua.L, luaopen_string, 0)
            lua_setglobal(lua.L, "open_string")
            lua_pushcclosure(lua.L, luaopen_table, 0)
            lua_setglobal(lua.L, "open_table")
        }
        // Opening the string library anew makes it the home of string methods, too.
        let _: LuaValue = try await lua.run("""
            local metatable = getmetatable ''
            stock_string, stock_table = open_string(), open_table()
            debug.setmetatable('', metatable)
            fuzz_cases = 5000
            """)
        let _: LuaValue = try await lua.run(source, name: "@\(name).lua")
    }
}
