@testable import Lua
import Testing

@Suite struct StubsTests {
    @Test(arguments: ExampleCatalog.catalog.stubs + oddCatalog.stubs)
    func `a stub is Lua`(file: Catalog.File) async throws {
        let lua = try LuaState()
        let results = try await lua.run(file.text, name: "=" + file.path)
        #expect(results.count == (file.path == "host.lua" ? 0 : 1))
    }

    @Test func `each module has a file, and all share one`() {
        #expect(ExampleCatalog.catalog.stubs.map(\.path) == ["host.lua", "nightjar/reviews.lua", "nightjar/task.lua"])
    }

    @Test func `a module becomes annotations`() throws {
        let stub = try #require(ExampleCatalog.catalog.stubs.first { $0.path == "nightjar/reviews.lua" })
        #expect(stub.text == """
            ---@meta nightjar.reviews

            ---How to search.
            ---@class (exact) SearchOptions
            ---@field limit? integer at most so many (1 to 100) (default 20)
            ---@field conflict? Conflict only these

            ---An album of the catalogue.
            ---@class Album
            ---@field id integer its number
            ---@field title string its title
            ---@field artist? Artist who made it
            ---@field tracks string[] titles in order

            ---What to do with an album that was reviewed before.
            ---@alias Conflict
            ---| "fail"
            ---| "skip"
            ---| "update"

            ---Plays music.
            ---@class Player
            ---@field volume integer 0 to 100
            ---@field title string what plays (read-only)
            local Player = {}

            ---Starts a track.
            ---
            ---Raises errors of the kinds `timeout`.
            ---
            ---```lua
            ---reviews.player():play(7)
            ---```
            ---@async
            ---@param id integer the track
            function Player:play(id) end

            ---Ends it; it cannot be used afterwards. A second time does nothing. A `<close>` variable does it at the end of its block.
            ---@async
            function Player:close() end

            ---A record label.
            ---@class Label
            ---@field albums Album[] what it sells

            ---Somebody who makes music.
            ---@class Artist
            ---@field name string as printed
            ---@field label? Label who sells it

            ---Albums and their reviews.
            ---@class nightjar.reviews
            ---@field best integer The highest rating.
            local reviews = {}

            ---Albums whose title or artist match the text. Finds parts of words.
            ---
            ---Raises errors of the kinds `timeout`, `denied`.
            ---
            ---```lua
            ---local albums = reviews.search("blue", { limit = 2 })
            ---assert(#albums == 2)
            ---```
            ---@async
            ---@param query string words of title and artist
            ---@param options? SearchOptions how to search
            ---@return Album[] # albums, best match first
            function reviews.search(query, options) end

            ---Writes a review.
            ---
            ---```lua
            ---assert(reviews.submit({ id = 3, title = 'Blue', tracks = {} }, 'skip') == 'skip')
            ---```
            ---@param album Album what it is about
            ---@param on_conflict? Conflict what to do when there is one (default "fail")
            ---@return string # what happened, and the rating
            ---@return integer
            function reviews.submit(album, on_conflict) end

            ---Calls a function for each name.
            ---
            ---```lua
            ---local n = 0 reviews.each(function(album) n = n + #album.title return true end, 'ab', 'c') assert(n == 3)
            ---```
            ---@async
            ---@param fn async fun(a1: Album): boolean says whether to go on
            ---@param ... string names: titles
            function reviews.each(fn, ...) end

            ---A player.
            ---
            ---```lua
            ---local p <close> = reviews.player() p.volume = 3 p:play(1) assert(p.volume == 3)
            ---```
            ---@return Player # the player
            function reviews.player() end

            return reviews

            """)
    }

    @Test func `all kinds of errors are in the shared file`() throws {
        let module = Module("m", "") { Function("f", "") {}.raises("unheard_of") }
        let text = try #require(Catalog([module]).stubs.first).text
        #expect(text.contains("---@class Error: string\n---@field kind ErrorKind "))
        for kind in ["unheard_of", "invalid_argument", "cannot_await", "unknown"] { #expect(text.contains("---| \"\(kind)\"\n"), "\(kind)") }
    }

    @Test func `results of any number and functions as arguments are annotated`() throws {
        let text = try #require(ExampleCatalog.catalog.stubs.last).text
        #expect(text.contains("---@param fn async fun(...: any): ... the function\n---@param ... any its arguments\n---@return Task # the task\nfunction task.spawn(fn, ...) end\n"))
        #expect(text.contains("---@return any ... # what the task's function returned\nfunction Task:await() end\n"))
    }

    @Test func `names and texts that Lua or the annotations would misread are written so that they cannot`() throws {
        let text = try #require(StubsTests.oddCatalog.stubs.last).text
        #expect(text.contains("---@field [\"content-type\"] string\n"))
        #expect(text.contains("_odd_module[\"end\"] = function(_function, _not, m) end\n"))
        #expect(text.contains("---@param _function integer # ?: the first. The second\n"))
        #expect(text.contains("---First.\n---\n---Third.\n---\\@param x\n---\\| y\n"))
        #expect(text.contains("---@param _not? (integer?)[] x\n"))
    }

    static let oddCatalog = Catalog([
        Module("host.odd-module", "") {
            Function(
                "end", "First.\n\nThird.\n@param x\n | y", Argument("function", Int.self, "?: the first.\nThe second"),
                Argument("not", [Int?]?.self, "x"), Argument("m", OddRecord?.self, "]] --[[")
            ) { _, _, _ in }
                .example("-- ]] [[\nlocal s = 'x'")
        },
    ])
}

private struct OddRecord: LuaRecord {
    var type: String
    static let luaSchema = LuaSchema("host.OddRecord", "]]", Field("content-type", \OddRecord.type, ""), make: OddRecord.init)
}
