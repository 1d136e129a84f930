import FoundationEssentials
@testable import Lua
import Testing

@Suite struct LuaValueDecoderTests {
    private let decoder = LuaValueDecoder()

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch let mismatch as LuaMismatch {
            return mismatch.pathText + ": " + mismatch.problem
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func `integers are checked for their range`() throws {
        #expect(try decoder.decode(Int8.self, from: -128) == -128)
        #expect(try decoder.decode(UInt64.self, from: .integer(.max)) == UInt64(Int64.max))
        #expect(try decoder.decode(Int.self, from: 3.0) == 3)
        #expect(message { _ = try decoder.decode([Int8].self, from: [1, 128]) } == "[2]: 128 is out of range (-128 to 127)")
        #expect(message { _ = try decoder.decode([String: UInt].self, from: ["a": -1]) } == ".a: -1 is out of range (0 to 18446744073709551615)")
        #expect(message { _ = try decoder.decode(Int.self, from: 1.5) } == ": integer expected, got 1.5")
        #expect(message { _ = try decoder.decode(Int.self, from: 1e300) }.hasPrefix(": 1e+300 is out of range"))
        #expect(message { _ = try decoder.decode(Int.self, from: .number(.infinity)) } == ": integer expected, got inf")
        #expect(message { _ = try decoder.decode(Int.self, from: "1") } == ": integer expected, got string")
    }

    @Test func `numbers, texts and booleans are not converted into each other`() throws {
        #expect(try decoder.decode(Double.self, from: 2) == 2)
        #expect(try decoder.decode(Float.self, from: 0.5) == 0.5)
        #expect(message { _ = try decoder.decode(Double.self, from: "2") } == ": number expected, got string")
        #expect(message { _ = try decoder.decode(String.self, from: 2) } == ": string expected, got integer")
        #expect(message { _ = try decoder.decode(Bool.self, from: 1) } == ": boolean expected, got integer")
        #expect(message { _ = try decoder.decode(String.self, from: .bytes(LuaBytes([255]))) } == ": text expected, got a string that is not UTF-8")
    }

    @Test(arguments: [LuaValue.nil, .null])
    func `nil and the explicit null are no value`(nothing: LuaValue) throws {
        struct Holder: Codable, Equatable { var a: Int?, b: [Int?] }
        #expect(try decoder.decode(Int?.self, from: nothing) == nil)
        #expect(try decoder.decode(Holder.self, from: ["a": nothing, "b": [1, .null]]) == Holder(a: nil, b: [1, nil]))
        #expect(message { _ = try decoder.decode([Int].self, from: [.null]) } == "[1]: integer expected, got null")
    }

    @Test func `an empty table is an empty list and an empty dictionary`() throws {
        #expect(try decoder.decode([Int].self, from: [:]).isEmpty)
        #expect(try decoder.decode([String: Int].self, from: .list([])).isEmpty)
        #expect(message { _ = try decoder.decode([Int].self, from: ["a": 1]) } == ": list expected, got table")
    }

    @Test func `dictionaries may have integer keys, also the keys of a list`() throws {
        #expect(try decoder.decode([Int: String].self, from: .table([7: "seven", -1: "minus"])) == [7: "seven", -1: "minus"])
        #expect(try decoder.decode([Int: String].self, from: ["one", "two"]) == [1: "one", 2: "two"])
        #expect(try decoder.decode([String: Int].self, from: .table(["7": 1, "x": 2])) == ["7": 1, "x": 2])
        #expect(message { _ = try decoder.decode([Int: String].self, from: .table([7: 7])) } == "[7]: string expected, got integer")
    }

    @Test func `dates, durations, URLs, UUIDs and data are what scripts write`() throws {
        struct Holder: Codable, Equatable { var date: Date, day: Date, url: URL, id: UUID, data: Data, text: Data, length: Duration }
        let id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        let holder = try decoder.decode(Holder.self, from: [
            "date": 1.5, "day": "1970-01-02", "url": "https://example.org/a", "id": .string(id), "data": .bytes(LuaBytes([0, 255])), "text": "ab",
            "length": 0.25,
        ])
        #expect(holder.date == Date(timeIntervalSince1970: 1.5) && holder.day == Date(timeIntervalSince1970: 86400))
        #expect(holder.url.absoluteString == "https://example.org/a" && holder.id.uuidString.lowercased() == id)
        #expect(holder.data == Data([0, 255]) && holder.text == Data("ab".utf8) && holder.length == .milliseconds(250))
        #expect(message { _ = try decoder.decode([UUID].self, from: ["x"]) } == "[1]: \"x\" is no UUID")
        #expect(message { _ = try decoder.decode([URL?].self, from: [1]) } == "[1]: string expected, got integer")
    }

    enum Event: Codable, Equatable {
        case stopped
        case moved(x: Int, y: Int)
        case named(String)
    }

    @Test func `enums with associated values are decoded`() throws {
        #expect(try decoder.decode(Event.self, from: ["stopped": [:]]) == .stopped)
        #expect(try decoder.decode([Event].self, from: [["moved": ["x": 1, "y": 2]], ["named": ["_0": "a"]]]) == [.moved(x: 1, y: 2), .named("a")])
        #expect(message { _ = try decoder.decode([Event].self, from: [["moved": ["x": 1]]]) } == "[1].moved.y: integer expected, got nil")
        #expect(message { _ = try decoder.decode([Event].self, from: [["flown": [:]]]) } == "[1]: invalid number of keys found, expected one")
    }

    enum Level: Int, Codable { case low = 1, high }

    @Test func `an unknown raw value is named with its path`() {
        #expect(message { _ = try decoder.decode(Level.self, from: 3) } == ": 3 is none of the values")
        #expect(message { _ = try decoder.decode([[Level]].self, from: [[1], [2, 3]]) } == "[2][2]: 3 is none of the values")
        #expect(message { _ = try decoder.decode([Level].self, from: ["low"]) } == "[1]: integer expected, got string")
    }

    class Base: Codable {
        var id = 0
    }

    final class Derived: Base {
        var name = ""
        enum CodingKeys: CodingKey { case name }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `a superclass has a coding of its own`() throws {
        let value: LuaValue = ["name": "a", "super": ["id": 7]]
        let object = try decoder.decode(Derived.self, from: value)
        #expect(object.name == "a" && object.id == 7)
        #expect(try LuaValueEncoder().encode(object) == value)
        #expect(message { _ = try decoder.decode(Derived.self, from: ["name": "a", "super": ["id": "x"]]) } == ".super.id: integer expected, got string")
    }

    @Test func `nested containers by hand work both ways`() throws {
        let value: LuaValue = ["list": [1, "two", .null, [true], ["k": 0.5], ["x": 1]]]
        let tangle = try decoder.decode(Tangle.self, from: value)
        #expect(tangle == Tangle(flag: true, half: 0.5, x: 1))
        #expect(try LuaValueEncoder().encode(tangle) == value)
        #expect(message { _ = try decoder.decode(Tangle.self, from: ["list": [1, "two", .null, [1]]]) } == ".list[4][1]: boolean expected, got integer")
        #expect(message { _ = try decoder.decode(Tangle.self, from: ["list": [1]]) } == ".list[2]: one more value expected, got nil")
    }

    @Test func `what a type says itself about its errors is kept`() {
        struct Picky: Decodable {
            struct Refused: Error {}
            init(from decoder: any Decoder) throws {
                guard decoder.userInfo[.init(rawValue: "mode")!] as? String == "strict" else { throw Refused() }
                throw DecodingError.dataCorruptedError(in: try decoder.singleValueContainer(), debugDescription: "Not today.")
            }
        }
        #expect(throws: Picky.Refused.self) { try decoder.decode([Picky].self, from: [1]) }
        var strict = decoder
        strict.userInfo[.init(rawValue: "mode")!] = "strict"
        #expect(message { _ = try strict.decode([Picky].self, from: [1]) } == "[1]: not today")
    }
}

/// Uses every kind of nested container.
private struct Tangle: Codable, Equatable {
    var flag: Bool
    var half: Double
    var x: Int

    enum Key: String, CodingKey { case list, k, x }

    init(flag: Bool, half: Double, x: Int) { (self.flag, self.half, self.x) = (flag, half, x) }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Key.self)
        var list = try outer.nestedUnkeyedContainer(forKey: .list)
        _ = try list.decode(Int.self)
        _ = try list.decode(String.self)
        _ = try list.decodeNil()
        var flags = try list.nestedUnkeyedContainer()
        flag = try flags.decode(Bool.self)
        half = try list.nestedContainer(keyedBy: Key.self).decode(Double.self, forKey: .k)
        x = try list.superDecoder().container(keyedBy: Key.self).decode(Int.self, forKey: .x)
    }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Key.self)
        var list = outer.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encode("two")
        try list.encodeNil()
        var flags = list.nestedUnkeyedContainer()
        var halves = list.nestedContainer(keyedBy: Key.self)
        var rest = list.superEncoder().container(keyedBy: Key.self)
        // Filled after later elements were begun.
        try rest.encode(x, forKey: .x)
        try halves.encode(half, forKey: .k)
        try flags.encode(flag)
    }
}
