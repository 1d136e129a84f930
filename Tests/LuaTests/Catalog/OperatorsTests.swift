@testable import Lua
import Testing

@Suite struct OperatorsTests {
    private let catalog = Catalog([
        Module("m", "Vectors.") { Function("vector", "A vector.", returns: "it") { Vector() }.example("m.vector()") },
    ])

    @Test func `operators are listed in help, with both operands and the result`() {
        #expect(catalog.help("Vector").hasSuffix("""

            Operators
              Vector + number -> Vector             Adds to both.
              -Vector -> Vector                     Turns it round.
              Vector == Vector -> boolean           Whether they are equal.
              Vector(n: integer, step?: number) -> number
                                                    A part.

            """), "\(catalog.help("Vector"))")
    }

    @Test func `stubs say what the annotations can say`() {
        #expect(catalog.stubs.last?.text.contains("""
            ---@class Vector
            ---@operator add(number): Vector
            ---@operator unm: Vector
            ---@overload fun(n: integer, step?: number): number
            local Vector = {}
            """) == true)
        #expect(ExampleCatalog.catalog.stubs.last?.text.contains("---@class Channel\n---@overload async fun(...: any): any\nlocal Channel = {}\n") == true)
    }

    @Test func `documents list operators`() throws {
        #expect(catalog.markdown[1].text.contains("| `-Vector -> Vector` | Turns it round. |\n"))
        #expect(try catalog.json().contains("\"expression\" : \"Vector + number -> Vector\",\n          \"name\" : \"__add\","))
    }

    @Test func `an operator without a text is a gap`() {
        let module = Module("m", "M.") { Bare.self }
        #expect(Catalog([module]).undocumented.map(\.description) == ["Bare __len: no text"])
    }
}

private final class Vector: LuaObject {
    static let luaClass = LuaClass<Vector>(
        "Vector", "Two numbers.",
        metamethods: [
            .add: Method("add", "Adds to both.", Argument("other", Double.self, "a number"), returns: "the sum") { vector, _ in vector },
            .unm: Method("unm", "Turns it round.", returns: "the other way") { $0 },
            .eq: Method("eq", "Whether they are equal.", Argument("other", Vector.self, "another"), returns: "whether") { $0 === $1 },
            .call: Method("call", "A part.", Argument("n", Int.self, "which"), Argument("step", Double?.self, "how far"), returns: "it") { _, _, _ in 0.5 },
        ])
}

private final class Bare: LuaObject {
    static let luaClass = LuaClass<Bare>("Bare", "Bare.", metamethods: [.len: Method("len", "", returns: "its length") { _ in 1 }])
}
