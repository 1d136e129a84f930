/// Makes `Decodable` values from Lua values.
///
/// ```swift
/// let draft = try LuaValueDecoder().decode(Draft.self, from: value)
/// ```
public struct LuaValueDecoder: Sendable {
    /// What custom `init(from:)` implementations find in `decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init() {}

    /// - Throws: ``LuaMismatch`` with the path to what is wrong; else what the type's own
    ///   `init(from:)` throws.
    public func decode<T: Decodable>(_ type: T.Type = T.self, from value: LuaValue) throws -> T {
        do {
            return try LuaValueDecoding(value, path: [], userInfo).decode(type)
        } catch {
            throw LuaMismatch(coding: error) ?? error
        }
    }
}

/// One value that is being decoded; at once the container of a single value.
struct LuaValueDecoding: Decoder, SingleValueDecodingContainer {
    let value: LuaValue
    let codingPath: [any CodingKey]
    let sendableInfo: [CodingUserInfoKey: any Sendable]

    init(_ value: LuaValue, path: [any CodingKey], _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.value = value
        codingPath = path
        sendableInfo = userInfo
    }

    var userInfo: [CodingUserInfoKey: Any] { sendableInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch value {
        case .table(let fields): KeyedDecodingContainer(LuaFieldDecoding(self, fields: fields, elements: []))
        case .list(let elements): KeyedDecodingContainer(LuaFieldDecoding(self, fields: [:], elements: elements))
        default: throw mismatch("table")
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .list(let elements): LuaElementDecoding(self, elements)
        // An empty table is an empty list too.
        case .table([:]): LuaElementDecoding(self, [])
        default: throw mismatch("list")
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == .nil || value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let value) = value else { throw mismatch("boolean") }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        switch value {
        case .string(let text): return text
        case .bytes: throw LuaMismatch("text expected, got a string that is not UTF-8", at: codingPath)
        default: throw mismatch("string")
        }
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.numberValue else { throw mismatch("number") }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            // First unwrapped: nothing at all can be cast to an optional type.
            if let converted = try converted(to: type), let result = converted as? T { return result }
            return try T(from: self)
        } catch let mismatch as LuaMismatch {
            throw mismatch
        } catch DecodingError.dataCorrupted(_) where type is any RawRepresentable.Type && value.isScalar {
            throw LuaMismatch("\(value.shown) is none of the values", at: codingPath, hint: hint(for: type))
        } catch {
            throw LuaMismatch(coding: error) ?? error
        }
    }

    // MARK: - Conversion

    private func integer<Integer: FixedWidthInteger>() throws -> Integer {
        switch value {
        case .integer(let wide):
            if let result = Integer(exactly: wide) { return result }
            throw outOfRange("\(wide)", Integer.self)
        case .number(let number):
            if let result = Integer(exactly: number) { return result }
            guard number.isFinite, number.rounded() == number else { throw LuaMismatch("integer expected, got \(number)", at: codingPath) }
            throw outOfRange("\(number)", Integer.self)
        default: throw mismatch("integer")
        }
    }

    private func outOfRange<Integer: FixedWidthInteger>(_ shown: String, _ type: Integer.Type) -> LuaMismatch {
        LuaMismatch("\(shown) is out of range (\(Integer.min) to \(Integer.max))", at: codingPath)
    }

    func mismatch(_ expected: String) -> LuaMismatch { LuaMismatch("\(expected) expected, got \(value.typeName)", at: codingPath) }

    /// The value of a type whose own coding is not what scripts write; nil for all others.
    private func converted(to type: any Decodable.Type) throws -> (any Decodable)? {
        guard let type = type as? any LuaValueConvertible.Type else { return nil }
        do {
            return try type.init(luaValue: value) as? any Decodable
        } catch let mismatch as LuaMismatch {
            throw LuaMismatch(mismatch.problem, at: codingPath, hint: mismatch.hint)
        }
    }

    /// The nearest of an enum's values, where they can be listed.
    private func hint(for type: any Decodable.Type) -> String? {
        func names<Choice: CaseIterable & RawRepresentable>(_ type: Choice.Type) -> [String] { type.allCases.map { "\($0.rawValue)" } }
        guard let choice = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return suggestion(for: value.stringValue ?? value.shown, among: names(choice))
    }
}

extension LuaValue {
    /// What a person calls its type.
    var typeName: String {
        switch self {
        case .nil: "nil"
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string, .bytes: "string"
        case .list, .table: "table"
        case .function: "function"
        case .reference: "an object"
        }
    }

    fileprivate var isScalar: Bool {
        switch self {
        case .boolean, .integer, .number, .string: true
        default: false
        }
    }

    /// A scalar as a script would write it.
    fileprivate var shown: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): quoted(text)
        default: typeName
        }
    }
}
