@testable import Lua
import Testing

@Suite struct CompletionTests {
    let catalog = ExampleCatalog.catalog

    private func texts(_ text: String, _ variables: [String: String] = [:]) -> [String] {
        catalog.completions(after: text, variables: variables).candidates.map(\.text)
    }

    @Test func `members of a module come with kind, signature and one line of text`() {
        #expect(catalog.completions(after: "local a = reviews.se") == Catalog.Completions(
            word: "se",
            candidates: [
                Catalog.Completion(
                    text: "search", kind: .function, detail: "search(query: string, options?: SearchOptions) -> Album[]",
                    summary: "Albums whose title or artist match the text."),
            ], signature: nil, argument: nil))
        #expect(texts("reviews.") == ["search", "submit", "each", "player", "best"])
        #expect(catalog.completions(after: "reviews.b").candidates.first?.kind == .constant)
        #expect(texts("reviews:") == [])
        #expect(texts("reviews.xyz") == [])
    }

    @Test func `modules come by their short names, variables by theirs`() {
        #expect(texts("re") == ["reviews"])
        #expect(texts("") == ["reviews", "task"])
        #expect(texts("p", ["player": "Player", "pal": "Label"]) == ["pal", "player"])
        #expect(texts("r.se", ["r": "nightjar.reviews"]) == ["search"])
    }

    @Test(arguments: [
        ("reviews.search(", 0), ("reviews.search('a, b', ", 1), ("reviews.search('a', { limit = 3, ", 1), ("reviews.search(f(1, 2), x", 1),
        ("reviews.search \"", nil), ("x = reviews.search(g({1, 2})", 0), ("reviews.search('(', --[[ , ]] ", 1),
    ] as [(String, Int?)])
    func `an open call shows its signature and the argument`(text: String, argument: Int?) {
        let completions = catalog.completions(after: text)
        #expect(completions.argument == argument)
        #expect(completions.signature == (argument == nil ? nil : "reviews.search(query: string, options?: SearchOptions) -> Album[]"))
    }

    @Test(arguments: ["reviews.search('a')", "reviews.search('a') x", "(", "f(", "reviews.search -- (", "reviews.best("])
    func `no call is open`(text: String) {
        #expect(catalog.completions(after: text).signature == nil)
    }

    @Test func `members of objects follow the colon, properties the dot`() {
        let variables = ["p": "Player", "a": "Album"]
        #expect(texts("p:", variables) == ["play", "close"])
        #expect(texts("p:pl", variables) == ["play"])
        #expect(texts("p.", variables) == ["volume", "title"])
        #expect(catalog.completions(after: "p.v", variables: variables).candidates.first?.kind == .property)
        #expect(texts("a.artist.na", variables) == ["name"])
        #expect(catalog.completions(after: "p:play(", variables: variables).signature == "Player:play(id: integer)")
    }

    @Test func `results of calls and elements of lists have members`() {
        #expect(texts("reviews.player():p") == ["play"])
        #expect(texts("reviews.search('x')[1].ti") == ["title"])
        #expect(texts("reviews.search'x'[1].artist.label.albums[2].") == ["id", "title", "artist", "tracks"])
    }

    @Test(arguments: ["reviews.search('x', {", "reviews.search('x', { ", "reviews.search(\n'x', -- {\n{"])
    func `a table of arguments offers its fields`(text: String) {
        #expect(texts(text) == ["limit", "conflict"])
    }

    @Test func `fields that are written already are not offered`() {
        #expect(texts("reviews.search('x', { limit = 3, ") == ["conflict"])
        #expect(texts("reviews.search('x', { limit = 3, c") == ["conflict"])
        #expect(texts("task.group {") == ["limit"])
        #expect(texts("task.channel { cap") == ["capacity"])
        #expect(texts("reviews.submit({ id = 1, artist = { ") == ["name", "label"])
        #expect(texts("reviews.submit({ artist = { label = { albums = { { ti") == ["title"])
    }

    @Test func `values of choices are offered`() {
        #expect(texts("reviews.submit(a, ") == ["\"fail\"", "\"skip\"", "\"update\"", "reviews", "task"])
        #expect(texts("reviews.submit(a, \"s") == ["skip"])
        #expect(texts("reviews.search('x', { conflict = '") == ["fail", "skip", "update"])
    }

    @Test(arguments: ["require \"", "require('", "local r = require 'nightjar."])
    func `require offers modules`(text: String) {
        #expect(texts(text) == ["nightjar.reviews", "nightjar.task"])
    }

    @Test(arguments: ["-- re", "--[[ reviews.", "x = 're", "x = [[re", "1 .. re.", "x.re", "f().re", "12", "local t = { re = re."])
    func `there is nothing to offer`(text: String) {
        #expect(texts(text) == [])
    }

    @Test func `any prefix of a script is survived`() {
        let script = "local p <close> = reviews.search([==[x]==], { limit = 0x1F, ['a'] = \"\\\"\" })[1] ::l:: p:play{...} ))}}] -- end\n goto l .. é"
        for end in script.indices { _ = catalog.completions(after: String(script[..<end])) }
        #expect(texts(script + " reviews.pl") == ["player"])
    }
}
