/// The fields of a table that is being decoded.
struct LuaFieldDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoding: LuaValueDecoding
    private let fields: [LuaValue: LuaValue]
    /// A list is a table with the keys 1…n.
    private let elements: [LuaValue]

    init(_ decoding: LuaValueDecoding, fields: [LuaValue: LuaValue], elements: [LuaValue]) {
        self.decoding = decoding
        self.fields = fields
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoding.codingPath }

    var allKeys: [Key] {
        fields.keys.compactMap { key in
            switch key {
            case .string(let name): Key(stringValue: name)
            case .integer(let number): Key(intValue: Int(number)) ?? Key(stringValue: "\(number)")
            default: nil
            }
        } + elements.indices.compactMap { Key(intValue: $0 + 1) ?? Key(stringValue: "\($0 + 1)") }
    }

    /// The value under the name, or under the number of a key that has one.
    private func value(_ key: any CodingKey) -> LuaValue {
        if let value = fields[.string(key.stringValue)] { return value }
        guard let number = key.intValue else { return .nil }
        if let value = fields[.integer(Int64(number))] { return value }
        return elements.indices.contains(number - 1) ? elements[number - 1] : .nil
    }

    private func field(_ key: any CodingKey) -> LuaValueDecoding {
        LuaValueDecoding(value(key), path: decoding.codingPath + [key], decoding.sendableInfo)
    }

    func contains(_ key: Key) -> Bool { value(key) != .nil }
    func decodeNil(forKey key: Key) -> Bool { field(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try field(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try field(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try field(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try field(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try field(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try field(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try field(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try field(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try field(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try field(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try field(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try field(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try field(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try field(key).decode(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try field(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try field(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try field(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { field(LuaSuperKey()) }
    func superDecoder(forKey key: Key) throws -> any Decoder { field(key) }
}

/// The elements of a list that is being decoded.
struct LuaElementDecoding: UnkeyedDecodingContainer {
    private let decoding: LuaValueDecoding
    private let elements: [LuaValue]
    private(set) var currentIndex = 0

    init(_ decoding: LuaValueDecoding, _ elements: [LuaValue]) {
        self.decoding = decoding
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    /// The next element; nil behind the last.
    private var next: LuaValueDecoding {
        LuaValueDecoding(isAtEnd ? .nil : elements[currentIndex], path: codingPath + [LuaElementKey(currentIndex)], decoding.sendableInfo)
    }

    /// Takes the next element; a failure leaves it.
    private mutating func take<Result>(_ decode: (LuaValueDecoding) throws -> Result) throws -> Result {
        if isAtEnd { throw next.mismatch("one more value") }
        let result = try decode(next)
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        if isAtEnd { throw next.mismatch("one more value") }
        guard next.decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try take { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take { try $0.decode(type) } }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try take { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take { try $0.unkeyedContainer() } }
    mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}
