/// The fields of a table that is being made.
struct LuaFieldEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoding: LuaValueEncoding

    init(_ encoding: LuaValueEncoding) { self.encoding = encoding }

    var codingPath: [any CodingKey] { encoding.codingPath }

    private func set(_ value: LuaValue, _ key: any CodingKey) { encoding.node.set(luaKey(key), .value(value)) }

    private func nested(_ key: any CodingKey) -> LuaValueEncoding {
        let node = LuaValueNode()
        encoding.node.set(luaKey(key), .node(node))
        return encoding.nested(node, key)
    }

    /// Keys that have a number are numbers in Lua.
    private func luaKey(_ key: any CodingKey) -> LuaValue {
        key.intValue.map { .integer(Int64($0)) } ?? .string(key.stringValue)
    }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { set(.boolean(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { set(.number(value), key) }
    func encode(_ value: Float, forKey key: Key) { set(.number(Double(value)), key) }
    func encode(_ value: Int, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: Int8, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: Int16, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: Int32, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: Int64, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt, forKey key: Key) throws { set(try encoding.nested(encoding.node, key).integer(value), key) }
    func encode(_ value: UInt8, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: UInt16, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: UInt32, forKey key: Key) { set(.integer(Int64(value)), key) }
    func encode(_ value: UInt64, forKey key: Key) throws { set(try encoding.nested(encoding.node, key).integer(value), key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        set(try encoding.nested(LuaValueNode(), key).encoded(value), key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(LuaSuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

/// The elements of a list that is being made.
struct LuaElementEncoding: UnkeyedEncodingContainer {
    private let encoding: LuaValueEncoding

    init(_ encoding: LuaValueEncoding) { self.encoding = encoding }

    var codingPath: [any CodingKey] { encoding.codingPath }
    var count: Int { encoding.node.count }

    private func append(_ value: LuaValue) { encoding.node.append(.value(value)) }

    private func nested() -> LuaValueEncoding {
        let node = LuaValueNode()
        let key = LuaElementKey(count)
        encoding.node.append(.node(node))
        return encoding.nested(node, key)
    }

    /// An encoder with the path of the next element.
    private var next: LuaValueEncoding { encoding.nested(LuaValueNode(), LuaElementKey(count)) }

    /// The explicit null, so that the list has no holes.
    func encodeNil() { append(.null) }
    func encode(_ value: Bool) { append(.boolean(value)) }
    func encode(_ value: String) { append(.string(value)) }
    func encode(_ value: Double) { append(.number(value)) }
    func encode(_ value: Float) { append(.number(Double(value))) }
    func encode(_ value: Int) { append(.integer(Int64(value))) }
    func encode(_ value: Int8) { append(.integer(Int64(value))) }
    func encode(_ value: Int16) { append(.integer(Int64(value))) }
    func encode(_ value: Int32) { append(.integer(Int64(value))) }
    func encode(_ value: Int64) { append(.integer(value)) }
    func encode(_ value: UInt) throws { append(try next.integer(value)) }
    func encode(_ value: UInt8) { append(.integer(Int64(value))) }
    func encode(_ value: UInt16) { append(.integer(Int64(value))) }
    func encode(_ value: UInt32) { append(.integer(Int64(value))) }
    func encode(_ value: UInt64) throws { append(try next.integer(value)) }
    func encode<T: Encodable>(_ value: T) throws { append(try next.encoded(value)) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> { nested().container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }
}
