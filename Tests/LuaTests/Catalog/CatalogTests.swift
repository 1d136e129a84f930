@testable import Lua
import Testing

@Suite struct CatalogTests {
    let catalog = ExampleCatalog.catalog

    @Test(arguments: ["nightjar.reviews", "reviews"])
    func `a module is found by its whole and its short name`(name: String) {
        #expect(catalog.module(name)?.text == "Albums and their reviews.")
    }

    @Test(arguments: ["nightjar.reviews.search", "reviews.search"])
    func `a function is found by its whole and its short name`(name: String) {
        #expect(catalog.function(name)?.signature == "search(query: string, options?: SearchOptions) -> Album[]")
    }

    @Test func `types are found by name, with their members`() throws {
        #expect(catalog.type("Album")?.fields.map(\.name) == ["id", "title", "artist", "tracks"])
        #expect(catalog.type("Conflict")?.values == ["\"fail\"", "\"skip\"", "\"update\""])
        #expect(catalog.type("Player")?.methods.map(\.name) == ["play", "close"])
        guard case .field(let title, _)? = catalog.entry("Player.title") else { throw Missing() }
        #expect(title.text == "what plays")
        guard case .method(let play, _)? = catalog.entry("Player:play") else { throw Missing() }
        #expect(play.arguments.map(\.name) == ["id"])
        guard case .constant(let best, _)? = catalog.entry("reviews.best") else { throw Missing() }
        #expect(best.type == .integer)
    }

    @Test(arguments: ["", ".", "reviews.", "nightjar", "reviews.nothing", "Album.nothing", "Nothing.title"])
    func `an unknown name is not found`(name: String) {
        if let entry = catalog.entry(name) { Issue.record("\(name) is \(entry)") }
    }

    @Test func `types that mention each other are collected once`() {
        #expect(catalog.types.map(\.name) == [
            "Album", "Artist", "Channel", "ChannelOptions", "Conflict", "GroupOptions", "Label", "Player", "SearchOptions", "Task", "TaskGroup",
        ])
        #expect(catalog.typesOfModules[1].map(\.name).contains("Task"))
    }

    @Test func `types that only callbacks, constants or the module itself mention are collected`() {
        let module = Module("m", "") {
            Function("f", "", Argument("fn", LuaCallback<ExampleCatalog.Conflict, ExampleCatalog.Artist>.self, "")) { _ in }
            Constant("c", "", ExampleCatalog.SearchOptions(limit: 1, conflict: nil))
            ExampleCatalog.Player.self
        }
        #expect(Set(Catalog([module]).types.map(\.name)) == ["Conflict", "Artist", "Label", "Album", "SearchOptions", "Player"])
    }

    @Test func `every entry has a name that finds it`() {
        for name in catalog.names { if catalog.entry(name) == nil { Issue.record("\(name) is not found") } }
    }

    @Test func `the catalog of a state holds its modules and the tasks`() throws {
        let lua = try LuaState(LuaConfiguration(modules: [ExampleCatalog.reviews]))
        #expect(lua.catalog.modules.map(\.name) == ["nightjar.reviews", "nightjar.task", "nightjar"])
    }

    @Test func `named arguments may be left out when each of them may`() async throws {
        #expect(catalog.function("reviews.search")?.arguments[1].isOptional == true)
        let lua = try LuaState(LuaConfiguration(modules: [ExampleCatalog.reviews]))
        let count: Int = try await lua.run("return #require('nightjar.reviews').search('x')")
        #expect(count == 20)
    }
}

struct Missing: Error {}
