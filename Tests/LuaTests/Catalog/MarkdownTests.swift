@testable import Lua
import Testing

@Suite struct MarkdownTests {
    let files = ExampleCatalog.catalog.markdown

    @Test func `there is a file for each module and an index`() {
        #expect(files.map(\.path) == ["index.md", "nightjar.reviews.md", "nightjar.task.md"])
        #expect(files[0].text == """
            # Modules

            - [nightjar.reviews](nightjar.reviews.md): Albums and their reviews.
            - [nightjar.task](nightjar.task.md): Several things at once.

            """)
    }

    @Test func `a function has a signature, tables and its example`() {
        #expect(files[1].text.hasPrefix("""
            # nightjar.reviews

            Albums and their reviews.

            | Constant | Type | Meaning |
            | --- | --- | --- |
            | `best` | `integer` | The highest rating. |

            ## reviews.search

            ```lua
            reviews.search(query: string, options?: SearchOptions) -> Album[]
            ```

            Albums whose title or artist match the text. Finds parts of words.

            | Argument | Type | Default | Meaning |
            | --- | --- | --- | --- |
            | `query` | `string` |  | words of title and artist |
            | `options` | `SearchOptions?` |  | how to search |

            | Result | Meaning |
            | --- | --- |
            | `Album[]` | albums, best match first |

            Waits: other tasks go on meanwhile.

            Errors: `timeout`, `denied`

            ```lua
            local albums = reviews.search("blue", { limit = 2 })
            assert(#albums == 2)
            ```

            ## reviews.submit

            """))
    }

    @Test func `types follow the functions`() {
        #expect(files[1].text.contains("""

            ## Conflict

            What to do with an album that was reviewed before.

            | Value |
            | --- |
            | `"fail"` |
            | `"skip"` |
            | `"update"` |

            ## Player

            Plays music.

            | Property | Type | Default | Meaning |
            | --- | --- | --- | --- |
            | `volume` | `integer` |  | 0 to 100 |
            | `title` | `string` |  | what plays (read-only) |

            ## Player:play

            """))
    }

    @Test(arguments: [
        ("plain", "plain"), ("a_b*c", "a\\_b\\*c"), ("code `a_b` stays", "code `a_b` stays"), ("a ` alone_", "a \\` alone\\_"),
        ("<b>[x](y)", "\\<b\\>\\[x\\](y)"), ("`a` and `b", "`a` and \\`b"), ("#1 \\ ~x~", "\\#1 \\\\ \\~x\\~"),
    ])
    func `markup in texts is escaped, code is not`(text: String, escaped: String) {
        #expect(markdownEscaped(text) == escaped)
    }

    @Test func `bars and backticks do not break tables or blocks`() {
        let module = Module("m", "M.") {
            Function("f", "Does it.", Argument("a", String.self, "x | `y|z`", default: "a|`b`")) { _ in }.example("s = [[```]]")
        }
        let text = Catalog([module]).markdown[1].text
        #expect(text.contains("| `a` | `string?` | `` \"a\\|`b`\" `` | x \\| `y\\|z` |\n"))
        #expect(text.contains("\n````lua\ns = [[```]]\n````\n"))
    }
}
