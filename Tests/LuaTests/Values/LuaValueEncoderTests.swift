import FoundationEssentials
@testable import Lua
import Testing

@Suite struct LuaValueEncoderTests {
    private let encoder = LuaValueEncoder()

    struct Everything: Codable, Equatable {
        struct Inner: Codable, Equatable {
            var names: [String]
            var next: [Inner]
        }

        var bool = true
        var int = -1
        var small: UInt8 = 255
        var wide: Int64 = .min
        var double = 0.25
        var float: Float = 0.5
        var text = "é"
        var nothing: Int?
        var list: [Int?] = [1, nil, 3]
        var empty: [String] = []
        var map = ["1": [1.5], "b": []]
        var numbered = [10: "ten", 20: "twenty"]
        var inner = Inner(names: ["a"], next: [Inner(names: [], next: [])])
        var event = LuaValueDecoderTests.Event.moved(x: 1, y: 2)
        var date = Date(timeIntervalSince1970: 100)
        var url = URL(string: "https://example.org/?q=1")!
        var id = UUID()
        var data = Data([0, 1, 255])
        var length = Duration.seconds(2.5)
        var pair: Set<String> = ["one"]
    }

    @Test func `a nested value becomes tables and comes back equal`() throws {
        let value = Everything()
        let encoded = try encoder.encode(value)
        #expect(encoded["nothing"] == nil)
        #expect(encoded["list"] == [1, .null, 3])
        #expect(encoded["empty"] == [])
        #expect(encoded["map"] == ["1": [1.5], "b": []])
        #expect(encoded["numbered"] == .table([10: "ten", 20: "twenty"]))
        #expect(encoded["event"] == ["moved": ["x": 1, "y": 2]])
        #expect(encoded["date"] == 100)
        #expect(encoded["id"] == .string(value.id.uuidString.lowercased()))
        #expect(encoded["data"] == .bytes(LuaBytes([0, 1, 255])))
        #expect(encoded["length"] == 2.5)
        #expect(encoded["wide"] == .integer(.min))
        #expect(try LuaValueDecoder().decode(Everything.self, from: encoded) == value)
    }

    @Test func `a value comes back equal through a script`() async throws {
        let value = Everything()
        let lua = try LuaState()
        let back = try await lua.run("return ...", arguments: [try encoder.encode(value)])
        #expect(try LuaValueDecoder().decode(Everything.self, from: back[0]) == value)
    }

    @Test func `single values are themselves`() throws {
        #expect(try encoder.encode(3) == 3)
        #expect(try encoder.encode("x") == "x")
        #expect(try encoder.encode(Int?.none) == .nil)
        #expect(try encoder.encode([Int?.none]) == [.null])
        #expect(try encoder.encode(Date(timeIntervalSince1970: 0.5)) == 0.5)
        #expect(try encoder.encode([String: Int]()) == [:])
        struct Empty: Encodable {}
        #expect(try encoder.encode(Empty()) == [:])
    }

    @Test func `integers out of range name their path`() {
        struct Holder: Encodable { var rows: [[String: UInt64]] }
        #expect { try encoder.encode(Holder(rows: [[:], ["a": .max]])) } throws: { error in
            (error as? LuaMismatch)?.pathText == ".rows[2].a"
        }
        #expect { try encoder.encode([UInt.max]) } throws: { error in
            (error as? LuaMismatch)?.problem == "18446744073709551615 is out of range of a Lua integer"
        }
    }

    @Test func `what a type says itself about its errors is kept`() {
        struct Picky: Encodable {
            let mode: Bool
            struct Refused: Error {}
            func encode(to encoder: any Encoder) throws {
                if mode { throw Refused() }
                throw EncodingError.invalidValue(1, .init(codingPath: encoder.codingPath, debugDescription: "Not today."))
            }
        }
        #expect(throws: Picky.Refused.self) { try encoder.encode([Picky(mode: true)]) }
        #expect { try encoder.encode(["a": [Picky(mode: false)]]) } throws: { error in
            let mismatch = error as? LuaMismatch
            return mismatch?.pathText == ".a[1]" && mismatch?.problem == "not today"
        }
    }
}
