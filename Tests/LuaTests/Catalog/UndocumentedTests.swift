@testable import Lua
import Testing

@Suite struct UndocumentedTests {
    @Test func `the tasks are documented`() {
        #expect(Catalog([taskModule, dataModule]).undocumented.map(\.description) == [])
    }

    @Test func `a documented catalog has no gaps`() {
        #expect(ExampleCatalog.catalog.undocumented.map(\.description) == [])
    }

    @Test func `each kind of gap is reported`() {
        let bare = Module("host.bare", " ") {
            Function("f", "", Argument("a", Int.self, ""), Argument("a", BareOptions.self, "x")) { a, _ in a }
            Function("f", "Does it.", returns: "something") { BareClass() }.example("bare.f()")
            Function(raw: "g", "Does it.", [FieldDescription("a", .list(.record("Ghost")), "x")], returns: [FieldDescription("", .object("Ghost"), "x")]) { _ in 0 }
                .example("")
            Constant("f", "", 1)
            Constant("kind", "x", BareChoice.a)
            Twin.A.self
            Twin.B.self
        }
        let again = Module("other.bare", "Another.") {}
        #expect(Set(Catalog([bare, again, again]).undocumented.map(\.description)) == [
            "the catalog: module 'other.bare' is declared more than once",
            "the catalog: short module name 'bare' is declared more than once",
            "Twin: several types have this name",
            "host.bare: no text",
            "host.bare: member 'f' is declared more than once",
            "bare.f: no text",
            "bare.f: argument 'a' is declared more than once",
            "bare.f: argument 'a' has no text",
            "bare.f: the result has no text",
            "bare.f: no example",
            "bare.g: no example",
            "bare.g: argument 'a' is of the unknown type 'Ghost'",
            "bare.g: the result is of the unknown type 'Ghost'",
            "BareOptions: no text",
            "BareOptions.depth: no text",
            "BareChoice: no text",
            "BareChoice: value '\"x\"' is declared more than once",
            "BareClass: no text",
            "BareClass.size: no text",
            "BareClass: member 'size' is declared more than once",
            "BareClass:size: no text",
            "BareClass:size: argument 'n' has no text",
            "BareClass:size: no example",
        ])
    }

    @Test func `a choice without values is a gap`() {
        let module = Module("m", "Text.") { Constant("c", "x", [EmptyChoice]()) }
        #expect(Catalog([module]).undocumented.map(\.description) == ["EmptyChoice: no values"])
    }
}

private struct BareOptions: LuaOptions {
    var depth: Int
    static let luaSchema = LuaSchema("BareOptions", "", Field("depth", \BareOptions.depth, "", default: 1), make: BareOptions.init)
}

private struct BareChoice: LuaEnumeration {
    let rawValue: String
    init?(rawValue: String) { self.rawValue = rawValue }
    static let a = BareChoice(rawValue: "x")!
    static let allCases = [a, a]
}

private enum EmptyChoice: String, LuaEnumeration {
    // An enum without cases has no raw values; this one has one that it does not list.
    case hidden
    static let allCases: [EmptyChoice] = []
    static let luaText = "None."
}

private final class BareClass: LuaObject {
    static let luaClass = LuaClass<BareClass>(
        "BareClass", "", methods: [Method("size", "", Argument("n", Int.self, "")) { _, _ in }], properties: [Property("size", "") { _ in 1 }])
}

private enum Twin {
    struct A: LuaRecord {
        var id: Int
        static let luaSchema = LuaSchema("Twin", "One.", Field("id", \A.id, "x"), make: A.init)
    }
    struct B: LuaRecord {
        var id: Int
        static let luaSchema = LuaSchema("Twin", "Other.", Field("id", \B.id, "x"), make: B.init)
    }
}
