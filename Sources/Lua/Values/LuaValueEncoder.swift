/// Makes Lua values of `Encodable` values.
///
/// ```swift
/// let value = try LuaValueEncoder().encode(draft)
/// ```
public struct LuaValueEncoder: Sendable {
    /// What custom `encode(to:)` implementations find in `encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init() {}

    /// - Throws: ``LuaMismatch`` with the path to what has no counterpart in Lua; else what the
    ///   type's own `encode(to:)` throws.
    public func encode<T: Encodable>(_ value: T) throws -> LuaValue {
        do {
            let result = try LuaValueEncoding(LuaValueNode(), path: [], userInfo).encoded(value)
            return result == .null ? .nil : result
        } catch {
            throw LuaMismatch(coding: error) ?? error
        }
    }
}

/// A value that is being made. Containers fill it in whatever order the type asks for them.
final class LuaValueNode {
    enum Slot {
        case value(LuaValue)
        case node(LuaValueNode)

        var value: LuaValue {
            switch self {
            case .value(let value): value
            case .node(let node): node.value
            }
        }
    }

    enum Content {
        case nothing
        case value(LuaValue)
        case list([Slot])
        case table([LuaValue: Slot])
    }

    var content = Content.nothing

    var value: LuaValue {
        switch content {
        case .nothing: .table([:])
        case .value(let value): value
        case .list(let slots): .list(slots.map(\.value))
        case .table(let slots): .table(slots.mapValues(\.value))
        }
    }

    var count: Int { if case .list(let slots) = content { slots.count } else { 0 } }

    func append(_ slot: Slot) {
        var slots: [Slot] = []
        if case .list(let present) = content { slots = present }
        // Not held twice while it grows.
        content = .nothing
        slots.append(slot)
        content = .list(slots)
    }

    func set(_ key: LuaValue, _ slot: Slot) {
        var slots: [LuaValue: Slot] = [:]
        if case .table(let present) = content { slots = present }
        content = .nothing
        slots[key] = slot
        content = .table(slots)
    }
}

/// The encoder of one value; at once the container of a single value.
struct LuaValueEncoding: Encoder, SingleValueEncodingContainer {
    let node: LuaValueNode
    let codingPath: [any CodingKey]
    let sendableInfo: [CodingUserInfoKey: any Sendable]

    init(_ node: LuaValueNode, path: [any CodingKey], _ userInfo: [CodingUserInfoKey: any Sendable]) {
        self.node = node
        codingPath = path
        sendableInfo = userInfo
    }

    var userInfo: [CodingUserInfoKey: Any] { sendableInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = node.content { node.content = .table([:]) }
        return KeyedEncodingContainer(LuaFieldEncoding<Key>(self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .nothing = node.content { node.content = .list([]) }
        return LuaElementEncoding(self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The same encoding for a part of the value.
    func nested(_ node: LuaValueNode, _ key: any CodingKey) -> LuaValueEncoding {
        LuaValueEncoding(node, path: codingPath + [key], sendableInfo)
    }

    /// A value as this encoder, with its path, makes it.
    func encoded<T: Encodable>(_ value: T) throws -> LuaValue {
        if let value = value as? any LuaValueConvertible { return value.luaValue }
        // The keys of such a dictionary are names, also those that look like numbers.
        if let dictionary = value as? any NameKeyedDictionary { return try dictionary.encoded(by: self) }
        try value.encode(to: self)
        return node.value
    }

    func integer<Integer: FixedWidthInteger>(_ value: Integer) throws -> LuaValue {
        guard let result = Int64(exactly: value) else {
            throw LuaMismatch("\(value) is out of range of a Lua integer", at: codingPath)
        }
        return .integer(result)
    }

    func encodeNil() { node.content = .value(.null) }
    func encode(_ value: Bool) { node.content = .value(.boolean(value)) }
    func encode(_ value: String) { node.content = .value(.string(value)) }
    func encode(_ value: Double) { node.content = .value(.number(value)) }
    func encode(_ value: Float) { node.content = .value(.number(Double(value))) }
    func encode(_ value: Int) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: Int8) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: Int16) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: Int32) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: Int64) { node.content = .value(.integer(value)) }
    func encode(_ value: UInt) throws { node.content = .value(try integer(value)) }
    func encode(_ value: UInt8) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: UInt16) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: UInt32) { node.content = .value(.integer(Int64(value))) }
    func encode(_ value: UInt64) throws { node.content = .value(try integer(value)) }
    func encode<T: Encodable>(_ value: T) throws { node.content = .value(try encoded(value)) }
}

/// A dictionary with text keys.
private protocol NameKeyedDictionary {
    func encoded(by encoding: LuaValueEncoding) throws -> LuaValue
}

extension Dictionary: NameKeyedDictionary where Key == String, Value: Encodable {
    fileprivate func encoded(by encoding: LuaValueEncoding) throws -> LuaValue {
        var fields: [LuaValue: LuaValue] = [:]
        for (name, value) in self {
            fields[.string(name)] = try encoding.nested(LuaValueNode(), LuaNameKey(name)).encoded(value)
        }
        return .table(fields)
    }
}

/// A key that is a name only.
private struct LuaNameKey: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
}
