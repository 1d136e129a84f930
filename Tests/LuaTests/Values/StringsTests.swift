import Lua
import Testing

@Suite struct StringsTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            echo("text", String.self)
            echo("bytes", LuaBytes.self)
            Function("length", "Bytes of a text in Swift.", Argument("value", String.self, "text")) { (value: String) -> Int in value.utf8.count }
        }
    }

    @Test func `text goes both ways`() async throws {
        let lua = try Self.probe()
        for text in ["", "plain", "zero\0inside", "Ünïcödé 🎷", "e\u{301}", String(repeating: "ä", count: 100_000)] {
            #expect(try await lua.probe("return probe.text(...)", arguments: [.string(text)]) == [.string(text)])
        }
        #expect(try await lua.probe(#"return probe.length("a\0b")"#) == [3])
    }

    @Test func `every byte goes both ways as bytes`() async throws {
        let lua = try Self.probe()
        let all = LuaBytes((0...255).map { UInt8($0) })
        let results = try await lua.probe("""
            local all = {} for i = 0, 255 do all[#all + 1] = string.char(i) end
            local text = table.concat(all)
            return probe.bytes(text), probe.bytes(text) == text, #probe.bytes('')
            """)
        #expect(results == [.bytes(all), true, 0])
    }

    @Test(arguments: [
        (#"\xff"#, 1), (#"abc\x80"#, 4), (#"\u{fc}\xc3"#, 3), (#"ok\xed\xa0\x80"#, 3), (#"\xc0\xaf"#, 1), (#"a\xf4\x90\x80\x80"#, 2),
        (#"\xe2\x82"#, 1), (#"\u{1F3B7}x\xfe"#, 6),
    ])
    func `text that is not UTF-8 is an error that names the byte`(_ literal: String, _ byte: Int) async throws {
        let lua = try Self.probe()
        let message = try await lua.complaint("probe.text('\(literal)')")
        #expect(message.hasPrefix("argument 1 'value': text expected, got a string that is not UTF-8 (byte \(byte))"), "\(message)")
    }

    @Test func `a number is no text`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.text(1)").hasPrefix("argument 1 'value': string expected, got integer"))
        #expect(try await lua.complaint("probe.bytes(1.5)").hasPrefix("argument 1 'value': string expected, got number"))
        #expect(try await lua.complaint("probe.text()").hasPrefix("argument 1 'value': string expected, got nil"))
    }

    @Test func `a number stays a number after it was refused as text`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local t = { 7 } pcall(probe.text, t[1]) for k, v in pairs(t) do return math.type(k), math.type(v) end")
        #expect(results == ["integer", "integer"])
    }
}
