import FoundationEssentials

/// A type whose own coding is not what scripts write: inside a `Codable` value it looks as it does
/// when it is passed by itself.
protocol LuaValueConvertible {
    init(luaValue: LuaValue) throws
    var luaValue: LuaValue { get }
}

extension Date: LuaValueConvertible {
    init(luaValue: LuaValue) throws {
        switch luaValue {
        case .integer, .number: try self.init(luaSeconds: luaValue.numberValue ?? .nan)
        case .string(let text): try self.init(luaText: text)
        default: throw LuaMismatch("time (seconds or ISO 8601 text) expected, got \(luaValue.typeName)")
        }
    }

    var luaValue: LuaValue {
        let seconds = timeIntervalSince1970
        return Int64(exactly: seconds).map(LuaValue.integer) ?? .number(seconds)
    }
}

extension Duration: LuaValueConvertible {
    init(luaValue: LuaValue) throws {
        guard let seconds = luaValue.numberValue else { throw LuaMismatch("number expected, got \(luaValue.typeName)") }
        try self.init(luaSeconds: seconds)
    }

    var luaValue: LuaValue { .number(luaSeconds) }
}

extension URL: LuaValueConvertible {
    init(luaValue: LuaValue) throws { try self.init(luaText: luaValue.text) }
    var luaValue: LuaValue { .string(absoluteString) }
}

extension UUID: LuaValueConvertible {
    init(luaValue: LuaValue) throws { try self.init(luaText: luaValue.text) }
    var luaValue: LuaValue { .string(luaText) }
}

extension Data: LuaValueConvertible {
    init(luaValue: LuaValue) throws {
        switch luaValue {
        case .bytes(let bytes): self.init(bytes.bytes)
        case .string(let text): self.init(text.utf8)
        default: throw LuaMismatch("string expected, got \(luaValue.typeName)")
        }
    }

    var luaValue: LuaValue { .bytes(LuaBytes(self)) }
}

extension LuaValue {
    fileprivate var text: String {
        get throws {
            guard let text = stringValue else { throw LuaMismatch("string expected, got \(typeName)") }
            return text
        }
    }
}
