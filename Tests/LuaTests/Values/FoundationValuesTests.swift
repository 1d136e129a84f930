import FoundationEssentials
import Lua
import Testing

@Suite struct FoundationValuesTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            echo("date", Date.self)
            echo("url", URL.self)
            echo("uuid", UUID.self)
            echo("data", Data.self)
            echo("duration", Duration.self)
            Function("slice", "Data that does not begin at 0.") { () -> Data in Data([1, 2, 3, 4]).dropFirst(2) }
        }
    }

    @Test func `times are seconds or ISO 8601`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            return probe.date(0), math.type(probe.date(86400.0)), probe.date(1.5), probe.date('1970-01-02T00:00:00Z'), probe.date('1970-01-02'),
                os.date('!%Y-%m-%d', probe.date('2026-11-21T09:30:00+02:00'))
            """)
        #expect(results == [0, "integer", 1.5, 86400, 86400, "2026-11-21"])
        #expect(try await lua.complaint("probe.date('yesterday')")
            == "argument 1 'value': \"yesterday\" is no ISO 8601 time | write it as 2026-11-21T09:30:00Z or 2026-11-21")
        #expect(try await lua.complaint("probe.date({})").hasPrefix("argument 1 'value': time (seconds or ISO 8601 text) expected, got table"))
        #expect(try await lua.complaint("probe.date(math.huge)").hasPrefix("argument 1 'value': inf is no time"))
        #expect(try await lua.complaint("probe.date(0/0)").contains("is no time"))
    }

    @Test func `addresses and identifiers are text`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("return probe.url('https://example.org/a?b=c#d'), probe.uuid('E621E1F8-C36C-495A-93FC-0C247A3E6E5F')")
        #expect(results == ["https://example.org/a?b=c#d", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"])
        #expect(try await lua.complaint("probe.url('')").hasPrefix("argument 1 'value': \"\" is no URL"))
        #expect(try await lua.complaint("probe.uuid('E621')").hasPrefix("argument 1 'value': \"E621\" is no UUID"))
        #expect(try await lua.complaint("probe.url(5)").hasPrefix("argument 1 'value': string expected, got integer"))
    }

    @Test func `data is any bytes`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe(#"return probe.data("\0\xff"), probe.data(""), probe.slice()"#) == [.bytes(LuaBytes([0, 255])), "", .string("\u{3}\u{4}")])
        #expect(try await lua.complaint("probe.data(nil)").hasPrefix("argument 1 'value': string expected, got nil"))
    }

    @Test func `durations are seconds and not negative`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.duration(1), probe.duration(0.25), probe.duration(0)") == [1.0, 0.25, 0.0])
        for literal in ["-1", "math.huge", "0/0", "1e15"] {
            #expect(try await lua.complaint("probe.duration(\(literal))").contains("is no length of time in seconds"))
        }
    }
}
