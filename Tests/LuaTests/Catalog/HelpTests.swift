@testable import Lua
import Testing

@Suite struct HelpTests {
    let catalog = ExampleCatalog.catalog

    @Test func `a function shows how it is called, what it does, and an example`() {
        #expect(catalog.help("reviews.search") == """
            reviews.search(query: string, options?: SearchOptions) -> Album[]
            Albums whose title or artist match the text. Finds parts of words.

            Arguments
              query: string            words of title and artist
              options?: SearchOptions  how to search

            Results
              Album[]  albums, best match first

            Notes
              waits   other tasks go on meanwhile; not possible where Lua cannot suspend
              errors  timeout, denied

            Example
              local albums = reviews.search("blue", { limit = 2 })
              assert(#albums == 2)

            """)
    }

    @Test func `defaults, choices and several results are shown`() {
        let help = catalog.help("nightjar.reviews.submit")
        #expect(help.hasPrefix("reviews.submit(album: Album, on_conflict?: Conflict) -> string, integer\nWrites a review.\n"))
        #expect(help.contains("  on_conflict?: Conflict  what to do when there is one (default \"fail\")\n"))
        #expect(!help.contains("waits"))
    }

    @Test func `types show their members`() {
        #expect(catalog.help("SearchOptions") == """
            SearchOptions
            How to search.

            Fields
              limit?: integer      at most so many (1 to 100) (default 20)
              conflict?: Conflict  only these

            """)
        #expect(catalog.help("Player") == """
            Player
            Plays music.

            Properties
              volume: integer  0 to 100
              title: string    what plays (read-only)

            Methods
              Player:play   Starts a track.
              Player:close  Ends it; it cannot be used afterwards.

            """)
        #expect(catalog.help("Conflict").hasSuffix("Values\n  \"fail\"\n  \"skip\"\n  \"update\"\n"))
        #expect(catalog.help("Player:play").hasPrefix("Player:play(id: integer)\nStarts a track.\n"))
        #expect(catalog.help("Player.title") == "Player.title: string\nwhat plays (read-only)\n")
        #expect(catalog.help("Album.id") == "Album.id: integer\nits number\n")
        #expect(catalog.help("reviews.best") == "reviews.best: integer\nThe highest rating.\n")
    }

    @Test func `a module lists what it has`() {
        let help = catalog.help("reviews")
        #expect(help.hasPrefix("nightjar.reviews\nAlbums and their reviews.\n\nFunctions\n  reviews.search  Albums whose title or artist match the text.\n"))
        #expect(help.contains("\nConstants\n  reviews.best  The highest rating.\n"))
        #expect(help.contains("\nTypes\n"))
    }

    @Test func `without a name the modules are listed`() {
        let help = catalog.help()
        #expect(help.hasPrefix("Modules\n  nightjar.reviews  Albums and their reviews.\n  nightjar.task     Several things at once.\n"))
        #expect(help.contains("reviews.search"))
    }

    @Test(arguments: [
        ("reviews.serach", "did you mean \"reviews.search\"?"),
        ("reveiws", "did you mean \"reviews\"?"),
        ("serch", "did you mean \"reviews.search\"?"),
        ("Albun", "did you mean \"Album\"?"),
        ("Player:plya", "did you mean \"Player:play\"?"),
        ("Player.xyzzy", "Player has: play, close, volume, title"),
        ("xyzzyplugh", "there are the modules nightjar.reviews, nightjar.task"),
    ])
    func `an unknown name gets a suggestion`(name: String, suggestion: String) {
        #expect(catalog.help(name) == "Nothing is called \"\(name)\"; \(suggestion)\n")
    }

    @Test func `every entry has help`() {
        for name in catalog.names {
            let help = catalog.help(name)
            #expect(!help.hasPrefix("Nothing") && help.hasSuffix("\n") && !help.contains("\n\n\n"), "\(name)")
        }
    }

    @Test(arguments: [50, 80])
    func `long texts are broken at the width`(width: Int) {
        let lines = catalog.help("task.all", width: width).split(separator: "\n").prefix { !$0.hasPrefix("Example") }
        #expect(lines.dropFirst().allSatisfy { $0.count <= width }, "\(lines)")
        #expect(lines.dropFirst().contains { $0.count > width - 20 }, "\(lines)")
    }

    @Test func `scripts get help where a host installs it`() async throws {
        let lua = try LuaState(LuaConfiguration(modules: [ExampleCatalog.reviews]))
        let before: LuaValue = try await lua.run("return help")
        #expect(before == .nil)
        try await lua.setGlobal("help", to: lua.catalog.helpFunction)
        let texts = try await lua.run("return help('reviews.best'), help():sub(1, 7)")
        #expect(texts == ["reviews.best: integer\nThe highest rating.\n", "Modules"])
    }
}
