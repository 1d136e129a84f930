import FoundationEssentials
@testable import Lua
import Testing

@Suite struct JSONDocumentTests {
    @Test func `the document says what was declared`() throws {
        let module = Module("m", "Says \"hi\".\nTwice/daily \u{1}") {
            Function("f", "Does it.", Argument("a", Int.self, "x", default: 3), returns: "y") { a in a }.raises(.timeout).example("m.f()")
            Constant("c", "z", "é")
        }
        #expect(try Catalog([module]).json() == """
            {
              "modules" : [
                {
                  "constants" : [
                    {
                      "name" : "c",
                      "text" : "z",
                      "type" : "string"
                    }
                  ],
                  "functions" : [
                    {
                      "arguments" : [
                        {
                          "default" : "3",
                          "name" : "a",
                          "optional" : true,
                          "text" : "x",
                          "type" : "integer"
                        }
                      ],
                      "async" : false,
                      "errors" : [
                        "timeout"
                      ],
                      "examples" : [
                        "m.f()"
                      ],
                      "name" : "f",
                      "results" : [
                        {
                          "text" : "y",
                          "type" : "integer"
                        }
                      ],
                      "signature" : "f(a?: integer) -> integer",
                      "text" : "Does it."
                    }
                  ],
                  "name" : "m",
                  "text" : "Says \\"hi\\".\\nTwice/daily \\u0001"
                }
              ],
              "types" : [

              ]
            }

            """)
    }

    @Test func `types have kinds, fields, values and methods`() throws {
        struct Document: Decodable {
            struct Named: Decodable { var name: String, writable: Bool? }
            struct Kind: Decodable { var name: String, kind: String, fields: [Named]?, values: [String]?, methods: [Named]? }
            var types: [Kind]
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(try ExampleCatalog.catalog.json().utf8))
        let kinds = Dictionary(uniqueKeysWithValues: document.types.map { ($0.name, $0.kind) })
        #expect(kinds["Album"] == "record" && kinds["SearchOptions"] == "options" && kinds["Conflict"] == "choice" && kinds["Player"] == "object")
        let player = try #require(document.types.first { $0.name == "Player" })
        #expect(player.methods?.map(\.name) == ["play", "close"])
        #expect(player.fields?.map(\.writable) == [true, false])
        #expect(document.types.first { $0.name == "Conflict" }?.values == ["\"fail\"", "\"skip\"", "\"update\""])
    }

    @Test func `the same catalog gives the same document`() throws {
        #expect(try ExampleCatalog.catalog.json() == ExampleCatalog.catalog.json())
    }
}
