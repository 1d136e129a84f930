import Lua
import Testing

private struct Track: LuaRecord, Equatable {
    var title: String
    var seconds: Int?
    var tags: [String]

    static let luaSchema = LuaSchema("Track", "A track.",
        Field("title", \Track.title, "its title"),
        Field("seconds", \.seconds, "its length"),
        Field("tags", \.tags, "words about it", default: ["new"]),
        make: Track.init)
}

private struct RecordedAlbum: LuaRecord, Equatable {
    var title: String
    var tracks: [Track]
    var best: Track?
    var format: Format
    var rating: Double

    static let luaSchema = LuaSchema("Album", "An album.",
        Field("title", \RecordedAlbum.title, "its title"),
        Field("tracks", \.tracks, "in their order"),
        Field("best", \.best, "the best of them"),
        Field("format", \.format, "what it is on", default: .vinyl),
        Field("rating", \.rating, "stars", default: 2.5, in: 0...5),
        make: RecordedAlbum.init)
}

private enum Format: String, LuaEnumeration { case vinyl, cassette, file }
private enum Speed: Int, LuaEnumeration { case long = 33, single = 45 }

/// A record that holds records of its own kind.
private struct Node: LuaRecord, Equatable {
    var name: String
    var children: [Node]

    static let luaSchema = LuaSchema("Node", "A tree.",
        Field("name", \Node.name, "its name"), Field("children", \.children, "below it", default: []), make: Node.init)
}

private struct Span: LuaRecord {
    var from: Int
    var to: Int

    static let luaSchema = LuaSchema("Span", "From one to another.", Field("from", \Span.from, ""), Field("to", \.to, "")) { from, to in
        guard from <= to else { throw LuaMismatch("it ends before it begins", hint: "swap from and to") }
        return Span(from: from, to: to)
    }
}

private struct LookupOptions: LuaOptions {
    var limit: Int
    var sort: Format?
    var exact: Bool

    static let luaSchema = LuaSchema("SearchOptions", "How to search.",
        Field("limit", \LookupOptions.limit, "at most so many", default: 20, in: 1...100),
        Field("sort", \.sort, "by what"), Field("exact", \.exact, "no guesses", default: false),
        make: LookupOptions.init)
}

private struct Nested: LuaOptions {
    var parts: [Nested]
    static let luaSchema = LuaSchema("Nested", "Parts of parts.", Field("parts", \Nested.parts, "", default: []), make: Nested.init)
}

private struct LoginOptions: LuaOptions {
    var user: String
    static let luaSchema = LuaSchema("LoginOptions", "Who.", Field("user", \LoginOptions.user, "the name"), make: LoginOptions.init)
}

@Suite struct RecordsTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            echo("album", RecordedAlbum.self)
            echo("node", Node.self)
            echo("format", Format.self)
            echo("speed", Speed.self)
            echo("span", Span.self)
            Function("store", "Stores an album.", Argument("shelf", Int.self, "where"), Argument("album", RecordedAlbum.self, "what")) { (shelf: Int, album: RecordedAlbum) -> Int in
                album.tracks.count
            }
            Function("search", "Searches.", Argument("text", String.self, "what"), Argument("options", LookupOptions.self, "how")) {
                (text: String, options: LookupOptions) -> String in "\(text) \(options.limit) \(options.sort?.rawValue ?? "-") \(options.exact)"
            }
            Function("label", "A record, then what may be left out.", Argument("span", Span.self, ""), Argument("text", String?.self, ""), Argument("other", Span?.self, "")) {
                (span: Span, text: String?, other: Span?) -> String in "\(span.from)-\(span.to) \(text ?? "none") \(other?.to ?? 0)"
            }
            Function("total", "Adds up spans.", Argument("spans", [Span].self, ""), Argument("rest", Variadic<Int>.self, "")) { (spans: [Span], rest: Variadic<Int>) -> Int in
                spans.reduce(rest.values.count) { $0 + $1.to - $1.from }
            }
            Function("nested", "Options of their own kind.", Argument("options", Nested.self, "")) { (options: Nested) -> Int in options.parts.count }
            Function("login", "Logs in.", Argument("options", LoginOptions.self, "who")) { (options: LoginOptions) -> String in options.user }
        }
    }

    private static let kindOfBlue = """
        { title = 'Kind of Blue', rating = 5, tracks = { { title = 'So What', seconds = 562, tags = {} }, { title = 'Blue in Green' } }, best = { title = 'So What' } }
        """

    @Test func `records with records in them go both ways`() async throws {
        let lua = try Self.probe()
        let album = try await lua.probe("return probe.album(\(Self.kindOfBlue))")
        #expect(album == [[
            "title": "Kind of Blue", "rating": 5.0, "format": "vinyl",
            "tracks": [["title": "So What", "seconds": 562, "tags": []], ["title": "Blue in Green", "tags": ["new"]]],
            "best": ["title": "So What", "tags": ["new"]],
        ]])
        let again = try await lua.probe("return probe.album(probe.album(\(Self.kindOfBlue)))")
        #expect(again == album)
    }

    @Test(arguments: [
        ("{ title = 'x', tracks = { { title = 'a' }, { title = 'b' }, {} } }", ".tracks[3].title: string expected, got nil"),
        ("{ title = 'x', tracks = { { title = 'a', tags = { 'x', 5 } } } }", ".tracks[1].tags[2]: string expected, got integer"),
        ("{ title = 'x', tracks = { { title = 'a', seconds = 1.5 } } }", ".tracks[1].seconds: integer expected, got 1.5"),
        ("{ title = 'x', tracks = {}, best = {} }", ".best.title: string expected, got nil"),
        ("{ title = 'x', tracks = {}, best = 'So What' }", ".best: Track expected, got string"),
        ("{ title = 'x', tracks = 5 }", ".tracks: list of Track expected, got integer"),
        ("{ title = 'x' }", ".tracks: list of Track expected, got nil"),
        ("{ tracks = {} }", ".title: string expected, got nil"),
        ("{ title = 'x', tracks = {}, rating = 5.5 }", ".rating: 5.5 is out of range (0.0 to 5.0)"),
        ("{ title = 'x', tracks = {}, format = 'vinil' }", ".format: \"vinil\" is none of the values"),
        ("'x'", ": Album expected, got string"),
        ("nil", ": Album expected, got nil"),
    ])
    func `errors name the path to the letter`(_ album: String, _ complaint: String) async throws {
        let lua = try Self.probe()
        let message = try await lua.probe("local ok, e = pcall(probe.store, 1, \(album)) return e.message")
        #expect(message == [.string("argument 2 'album'" + complaint)])
    }

    @Test func `metatables of records are asked`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local defaults = { title = 'Untitled', tracks = {} }
            return probe.store(1, setmetatable({}, { __index = defaults })), probe.album(setmetatable({ title = 'Own' }, { __index = function(_, key) return defaults[key] end })).title
            """)
        #expect(results == [0, "Own"])
        let raised = try await lua.probe("local mark = {} local _, e = pcall(probe.store, 1, setmetatable({}, { __index = function() error(mark) end })) return e == mark")
        #expect(raised == [true])
    }

    @Test func `records may hold their own kind`() async throws {
        let lua = try Self.probe()
        let tree = try await lua.probe("return probe.node{ name = 'a', children = { { name = 'b', children = { { name = 'c' } } } } }")
        #expect(tree == [["name": "a", "children": [["name": "b", "children": [["name": "c", "children": []]]]]]])
        #expect(try await lua.complaint("probe.node{ name = 'a', children = { { name = 'b', children = { {} } } } }")
            .hasPrefix("argument 1 'value'.children[1].children[1].name: string expected, got nil"))
    }

    @Test func `what follows a record may be left out`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local span, other = { from = 1, to = 2 }, { from = 3, to = 4 }
            return probe.label(span), probe.label(span, 'x'), probe.label(span, nil, other), probe.total({ span, span, other }), probe.total({ span }, 7, 8)
            """)
        #expect(results == ["1-2 none 0", "1-2 x 0", "1-2 none 4", 3, 3])
    }

    @Test func `lists of records take no more room the longer they are`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("local span, list = { from = 1, to = 2 }, {} for i = 1, 300000 do list[i] = span end return probe.total(list)") == [300_000])
        let nested = try await lua.complaint("probe.nested((function() local t = {} t.parts = { t } return t end)())")
        #expect(nested.contains("[1]: the table nests more than 100 deep, or holds itself"), "\(nested)")
    }

    @Test func `a record that holds itself is an error`() async throws {
        let lua = try Self.probe()
        let message = try await lua.probe("""
            local loop = { name = 'a' } loop.children = { loop }
            local ok, e = pcall(probe.node, loop)
            return ok, e.message:match('^argument 1 .value.%.children%[1%]%.children%[1%]') ~= nil, e.message:match('[^:]*$')
            """)
        #expect(message == [false, true, " the table nests more than 100 deep, or holds itself"])
    }

    @Test func `what a record's own check refuses is an error with its place`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.span{ from = 2, to = 1 }") == "argument 1 'value': it ends before it begins | swap from and to")
        #expect(try await lua.probe("return probe.span{ from = 1, to = 2 }") == [["from": 1, "to": 2]])
    }

    @Test func `choices suggest the nearest value`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.format'file', probe.speed(45), probe.speed(33.0)") == ["file", 45, 33])
        #expect(try await lua.complaint("probe.format'vinly'") == "argument 1 'value': \"vinly\" is none of the values | did you mean \"vinyl\"?")
        #expect(try await lua.complaint("probe.format'shellac'") == "argument 1 'value': \"shellac\" is none of the values | there are: vinyl, cassette, file")
        #expect(try await lua.complaint("probe.speed(78)") == "argument 1 'value': 78 is none of the values | there are: 33, 45")
        #expect(try await lua.complaint("probe.format(1)").hasPrefix("argument 1 'value': string expected, got integer"))
    }

    @Test func `named arguments have defaults, together and each`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("return probe.search('a'), probe.search('a', nil), probe.search('a', {}), probe.search('a', { limit = 5, exact = true, sort = 'file' })")
        #expect(results == ["a 20 - false", "a 20 - false", "a 20 - false", "a 5 file true"])
    }

    @Test func `an unknown named argument is an error with the nearest name`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.search('a', { limti = 5 })") == "argument 2 'options': unknown argument \"limti\" | did you mean \"limit\"?")
        #expect(try await lua.complaint("probe.search('a', { colour = 5 })") == "argument 2 'options': unknown argument \"colour\" | there are: limit, sort, exact")
        #expect(try await lua.complaint("probe.search('a', { 5 })").hasPrefix("argument 2 'options'[1]: positional value in a table of named arguments"))
        #expect(try await lua.complaint("probe.search('a', { limit = 0 })").hasPrefix("argument 2 'options'.limit: 0 is out of range (1 to 100)"))
        #expect(try await lua.complaint("probe.search('a', 'limit')").hasPrefix("argument 2 'options': SearchOptions expected, got string"))
    }

    @Test func `a required named argument is missed when the table is`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.login()").hasPrefix("argument 1 'options'.user: string expected, got nil"))
        #expect(try await lua.probe("return probe.login{ user = 'ada' }") == ["ada"])
    }
}
