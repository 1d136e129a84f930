public import CLuaShim

extension String: LuaEncodable, LuaDecodable {
    @inlinable
    public static var luaType: LuaType { .string }

    /// The string at `index`. Bytes that are no UTF-8 are an error; ``LuaBytes`` takes any. The
    /// text of a host error is taken for the error, so that one can be logged or shown.
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> String {
        if let bytes = lua.borrowBytes(at: index) {
            // The validating initialiser is generic and slow; most strings are plain ASCII.
            if bytes.isASCII { return String(decoding: bytes, as: UTF8.self) }
            if let text = String(validating: bytes, as: UTF8.self) { return text }
        }
        return try decodeSlowly(from: lua, at: index)
    }

    @usableFromInline
    static func decodeSlowly(from lua: LuaContext, at index: Int32) throws -> String {
        if let bytes = lua.borrowBytes(at: index) {
            let valid = bytes.firstInvalidUTF8Offset
            throw LuaMismatch("text expected, got a string that is not UTF-8 (byte \(valid + 1))")
        }
        if let box = ErrorBox.at(index, in: lua) { return box.error.text }
        throw LuaMismatch(expected: .string, at: index, in: lua)
    }

    @inlinable
    public func encode(to lua: LuaContext) throws {
        var copy = self
        try copy.withUTF8 { try lua.push(bytes: $0) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inlinable
    var isASCII: Bool { shim_is_ascii(baseAddress, count) }

    /// The offset of the first byte that is not part of well-formed UTF-8.
    fileprivate var firstInvalidUTF8Offset: Int {
        var decoder = UTF8()
        var iterator = makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: return offset
            }
        }
    }
}

/// Any bytes. A Lua string is bytes; this is the type that carries all of them both ways.
public struct LuaBytes: Sendable, Hashable {
    public var bytes: [UInt8]

    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The bytes as text, malformed parts replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension LuaBytes: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value.utf8) }
}

extension LuaBytes: LuaEncodable, LuaDecodable {
    @inlinable
    public static var luaType: LuaType { .string }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> LuaBytes {
        guard let bytes = lua.borrowBytes(at: index) else { throw LuaMismatch(expected: .string, at: index, in: lua) }
        return LuaBytes(bytes)
    }

    @inlinable
    public func encode(to lua: LuaContext) throws {
        try bytes.withUnsafeBufferPointer { try lua.push(bytes: $0) }
    }
}
