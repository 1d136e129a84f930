import FoundationEssentials
@testable import Lua
import Testing

/// Codable types as arguments and results.
@Suite struct LuaCodableTests {
    struct Draft: LuaCodable, Equatable {
        struct Track: Codable, Equatable {
            var title: String
            var length: Duration?
        }

        enum Kind: String, Codable, CaseIterable { case album, single, live }

        var title: String
        var kind: Kind
        var tracks: [Track]
        var released: Date?
        var notes: [String: Int]
    }

    enum Format: String, LuaCodable, CaseIterable { case cd, vinyl }

    static let module = Module("host.drafts", "Drafts.") {
        Function("echo", "Gives it back.", Argument("draft", Draft.self, "a draft"), returns: "the draft") { draft in draft }
        Function("later", "Gives it back.", Argument("draft", Draft.self, "a draft"), returns: "the draft") { draft in
            await Task.yield()
            return draft
        }
        Function("format", "Gives it back.", Argument("format", Format.self, "a format", default: .cd), returns: "it") { format in format }
        Function("huge", "Too large.", returns: "a number") { Huge(numbers: [1, .max]) }
        Function("ranked", "Gives it back.", Argument("x", Ranked.self, "a record"), returns: "it") { ranked in ranked }
        Function("chosen", "Gives it back.", Argument("x", Chosen.self, "a choice"), returns: "it") { chosen in chosen }
        Function("opted", "Gives the number.", Argument("x", Opted.self, "named arguments"), returns: "it") { $0.limit }
    }

    struct Huge: LuaCodable { var numbers: [UInt64] }

    private func run(_ code: String) async throws -> [LuaValue] {
        let lua = try LuaState(LuaConfiguration(modules: [Self.module]))
        return try await lua.run("local drafts = require 'host.drafts' " + code)
    }

    @Test(arguments: ["echo", "later"])
    func `a codable type goes to a function and back`(name: String) async throws {
        let results = try await run("""
            local d = drafts.\(name) {
              title = "Blue", kind = "live", released = 1.5, notes = { a = 1, ["2"] = 2 },
              tracks = { { title = "All I Want", length = 212.5 }, { title = "Carey" } },
            }
            return d.title, d.kind, #d.tracks, d.tracks[1].length, d.tracks[2].title, d.tracks[2].length, d.released, d.notes.a, d.notes["2"]
            """)
        #expect(results == ["Blue", "live", 2, 212.5, "Carey", .nil, 1.5, 1, 2])
    }

    @Test(arguments: [
        ("{ kind = 'live', tracks = {}, notes = {} }", ".title: string expected, got nil"),
        ("{ title = 'x', kind = 'live', tracks = { { title = 'a' }, {} }, notes = {} }", ".tracks[2].title: string expected, got nil"),
        ("{ title = 'x', kind = 'live', tracks = { { title = 'a' }, { title = true } }, notes = {} }", ".tracks[2].title: string expected, got boolean"),
        ("{ title = 'x', kind = 'live', tracks = { 1 }, notes = {} }", ".tracks[1]: table expected, got integer"),
        ("{ title = 'x', kind = 'live', tracks = 'a', notes = {} }", ".tracks: list expected, got string"),
        ("{ title = 'x', kind = 'live', tracks = {}, notes = { ['a b'] = 1.5 } }", ".notes[\"a b\"]: integer expected, got 1.5"),
        ("{ title = 'x', kind = 'lvie', tracks = {}, notes = {} }", ".kind: \"lvie\" is none of the values"),
        ("{ title = 'x', kind = 'live', tracks = {}, notes = {}, released = {} }", ".released: time (seconds or ISO 8601 text) expected, got table"),
        ("{ title = 'x', kind = 'live', tracks = {}, notes = {}, released = 'soon' }", ".released: \"soon\" is no ISO 8601 time"),
        ("'x'", ": table expected, got string"),
        ("nil", ": table expected, got nil"),
        ("setmetatable({}, {})", ": table expected, got an object"),
    ])
    func `a mistake names its path in the argument`(argument: String, message: String) async throws {
        let results = try await run("local ok, e = pcall(drafts.echo, \(argument)) return e.kind, e.message")
        #expect(results == ["invalid_argument", .string("argument 1 'draft'" + message)])
    }

    @Test func `an unknown case gets a suggestion`() async throws {
        let results = try await run("local ok, e = pcall(drafts.echo, { title = 'x', kind = 'lvie', tracks = {}, notes = {} }) return e.hint")
        #expect(results == ["did you mean \"live\"?"])
    }

    @Test func `an enum is its raw value`() async throws {
        #expect(Format.luaType == .string)
        #expect(try await run("return drafts.format('vinyl'), drafts.format()").elementsEqual(["vinyl", "cd"]))
        let results = try await run("local ok, e = pcall(drafts.format, 'vinly') return e.message, e.hint")
        #expect(results == ["argument 1 'format': \"vinly\" is none of the values", "did you mean \"vinyl\"?"])
    }

    @Test func `a result without a counterpart is an error that names its path`() async throws {
        let results = try await run("local ok, e = pcall(drafts.huge) return e.kind, e.message")
        #expect(results == ["conversion", "numbers[2]: 18446744073709551615 is out of range of a Lua integer"])
    }

    // MARK: - Types that are more than codable

    struct Plain: LuaRecord, Codable, Equatable {
        var id: Int
        static let luaSchema = LuaSchema("Plain", "A record.", Field("number", \Plain.id, "its number"), make: Plain.init)
    }

    struct Ranked: LuaRecord, LuaCodable, Equatable {
        var id: Int
        static let luaSchema = LuaSchema("Ranked", "A record.", Field("number", \Ranked.id, "its number", in: 1...9), make: Ranked.init)
    }

    enum Chosen: String, LuaEnumeration, LuaCodable { case a, b }

    struct Opted: LuaOptions, LuaCodable {
        var limit: Int
        static let luaSchema = LuaSchema("Opted", "Options.", Field("limit", \Opted.limit, "a limit", default: 3), make: Opted.init)
    }

    @Test func `a record stays a record, its coding is its own`() async throws {
        #expect(Plain.luaType == .record("Plain") && Ranked.luaType == .record("Ranked") && Chosen.luaType == .choice("Chosen") && Opted.luaType == .record("Opted"))
        #expect(Ranked.luaTypeDescription?.fields.map(\.name) == ["number"])
        let value = try LuaValueEncoder().encode(Plain(id: 1))
        #expect(value == ["id": 1])
        let plain = try LuaValueDecoder().decode(Plain.self, from: ["id": 2])
        #expect(plain == Plain(id: 2))
        let results = try await run("""
            local _, e = pcall(drafts.ranked, { number = 10 })
            local _, f = pcall(drafts.chosen, "A")
            local _, g = pcall(drafts.opted, { limti = 1 })
            return drafts.ranked({ number = 3 }).number, drafts.chosen "b", drafts.opted(), e.message, f.hint, g.hint
            """)
        #expect(results == [
            3, "b", 3, "argument 1 'x'.number: 10 is out of range (1 to 9)", "did you mean \"a\"?", "did you mean \"limit\"?",
        ])
    }
}
