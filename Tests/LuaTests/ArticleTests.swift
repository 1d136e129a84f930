import FoundationEssentials
import Lua
import Testing

/// The samples of the articles: Swift ones stand here, Lua ones are run from the articles.
@Suite struct ArticleTests {
    @Test func `a script calls a module`() async throws {
        let lua = try LuaState(LuaConfiguration(modules: [library]))
        let titles: [String] = try await lua.run("""
            local library = require "example.library"
            local titles = {}
            for _, album in ipairs(library.find "Blue") do titles[#titles + 1] = album.title end
            return titles
            """)
        #expect(titles == ["Blue Train", "Blue"])
    }

    @Test func `the module of the articles is documented`() {
        #expect(Catalog([library]).undocumented == [])
    }

    @Test(arguments: Catalog([library]).examples)
    func `an example of the module runs`(example: Catalog.Example) async throws {
        let lua = try LuaState(LuaConfiguration(modules: [library]))
        _ = try await lua.run(example.script)
    }

    @Test func `a Lua function is an argument`() async throws {
        let filter = Function(
            "filter", "The numbers that a function accepts.",
            Argument("numbers", [Int].self, "any numbers"),
            Argument("accepts", LuaCallback<Bool, Int>.self, "says whether to keep one"),
            returns: "those that it keeps"
        ) { numbers, accepts in
            var kept: [Int] = []
            for number in numbers where try await accepts(number) { kept.append(number) }
            return kept
        }
        let lua = try LuaState()
        try await lua.setGlobal("filter", to: filter)
        let odd: [Int] = try await lua.run("return filter({ 1, 2, 3 }, function(n) return n % 2 == 1 end)")
        #expect(odd == [1, 3])
    }

    @Test func `cancelling the Swift task ends a busy script`() async throws {
        let lua = try LuaState()
        let busy = Task { try await lua.run("while true do end") }
        busy.cancel()
        let outcome = await busy.result
        #expect(throws: LuaError.self) { try outcome.get() }
    }

    @Test func `a script that never ends uses up its instructions`() async throws {
        #expect(try await ending(of: "while true do pcall(function() while true do end end) end") == .instructions)
        #expect(try await ending(of: "return 1") == nil)
    }

    @Test(arguments: try Article.all().flatMap(\.luaSamples))
    func `a Lua sample runs`(sample: String) async throws {
        let sandbox = try LuaState(LuaConfiguration(
            libraries: .sandbox,
            limits: LuaLimits(memory: 64 << 20, time: .seconds(5)),
            modules: [library]))
        let trusted = try LuaState(LuaConfiguration(modules: [library]))
        do {
            _ = try await (sample.hasPrefix("-- sandbox") ? sandbox : trusted).run(sample)
        } catch {
            Issue.record("\(error)\n\(sample)")
        }
    }

    @Test func `every Swift sample stands in this file`() throws {
        let source = Article.words(try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
        let samples = try Article.all().flatMap(\.swiftSamples)
        #expect(samples.count >= 8)
        for sample in samples { #expect(source.contains(Article.words(sample)), "\(sample)") }
    }

    @Test func `every article says what is not offered`() throws {
        let articles = try Article.all()
        #expect(articles.count == 3)
        for article in articles { #expect(article.text.contains("\n## What is not offered\n"), "\(article.name)") }
    }
}

private func ending(of script: String) async throws -> LuaError.Kind? {
    let small = try LuaState(LuaConfiguration(libraries: .sandbox, limits: LuaLimits(instructions: 100_000)))
    do {
        _ = try await small.run(script)
        return nil
    } catch let error as LuaError {
        return error.kind
    }
}

private let library = Module("example.library", "A shelf of albums.") {
    Function(
        "find", "Albums whose title holds the text.",
        Argument("text", String.self, "part of a title"),
        Argument("options", FindOptions.self, "how to search"),
        returns: "albums, oldest first"
    ) { text, options in
        await shelf.albums(titled: text, limit: options.limit)
    }
    .example("assert(#library.find('Blue', { limit = 1 }) == 1)")

    Function("shelf", "The shelf itself.", returns: "the shelf") { shelf }
        .example("assert(library.shelf().count == 2)")
}

private let shelf = Shelf()

struct ShelfAlbum: LuaRecord, Equatable {
    var title: String
    var year: Int?

    static let luaSchema = LuaSchema(
        "ShelfAlbum", "An album on the shelf.",
        Field("title", \ShelfAlbum.title, "its title"),
        Field("year", \.year, "the year it came out"),
        make: ShelfAlbum.init)
}

struct FindOptions: LuaOptions {
    var limit: Int

    static let luaSchema = LuaSchema(
        "FindOptions", "How to search.",
        Field("limit", \FindOptions.limit, "at most so many", default: 10, in: 1...100),
        make: FindOptions.init)
}

final class Shelf: LuaObject {
    let albums = [ShelfAlbum(title: "Blue Train", year: 1957), ShelfAlbum(title: "Blue", year: 1971)]

    func albums(titled text: String, limit: Int) async -> [ShelfAlbum] {
        Array(albums.filter { $0.title.contains(text) }.prefix(limit))
    }

    static let luaClass = LuaClass<Shelf>(
        "Shelf", "Albums in a row.",
        methods: [
            Method("at", "The album at a place.", Argument("place", Int.self, "from 1"), returns: "the album") { shelf, place in
                guard shelf.albums.indices.contains(place - 1) else { throw LuaError("not_found", "there is no album at \(place)") }
                return shelf.albums[place - 1]
            }.raises("not_found").example("assert(library.shelf():at(2).title == 'Blue')"),
        ],
        properties: [Property("count", "how many there are") { $0.albums.count }])
}

/// An article and its samples.
private struct Article {
    let name: String
    let text: String

    static func all() throws -> [Article] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let folder = tests.appending(path: "../../Sources/Lua/Lua.docc")
        return try ["CallingSwiftFromLua", "AsyncAndTasks", "SandboxAndLimits"].map { name in
            Article(name: name, text: try String(contentsOf: folder.appending(path: name + ".md"), encoding: .utf8))
        }
    }

    var swiftSamples: [String] { samples("swift") }
    var luaSamples: [String] { samples("lua") }

    private func samples(_ language: String) -> [String] {
        text.split(separator: "\n```\(language)\n").dropFirst().map { part in
            String(part.split(separator: "\n```", maxSplits: 1)[0])
        }
    }

    /// A text without what indentation makes of it.
    static func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
