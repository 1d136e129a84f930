import CLuaShim
public import FoundationEssentials

extension Date: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .number }

    /// Seconds since 1970 as `os.time` gives them, or an ISO 8601 text.
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Date {
        if lua_type(lua.L, index) == LUA_TNUMBER { return try Date(luaSeconds: lua_tonumberx(lua.L, index, nil)) }
        guard lua_type(lua.L, index) == LUA_TSTRING else { throw LuaMismatch("time (seconds or ISO 8601 text) expected, got \(lua.typeName(at: index))") }
        return try Date(luaText: String.decode(from: lua, at: index))
    }

    init(luaSeconds seconds: Double) throws {
        guard seconds.isFinite else { throw LuaMismatch("\(seconds) is no time") }
        self.init(timeIntervalSince1970: seconds)
    }

    init(luaText text: String) throws {
        if let date = try? Date(text, strategy: .iso8601) {
            self = date
        } else if let day = try? Date(text, strategy: .iso8601.year().month().day()) {
            self = day
        } else {
            throw LuaMismatch("\(quoted(text)) is no ISO 8601 time", hint: "write it as 2026-11-21T09:30:00Z or 2026-11-21")
        }
    }

    /// Seconds since 1970; an integer when they are whole, so that `os.date` takes them.
    public func encode(to lua: LuaContext) throws {
        let seconds = timeIntervalSince1970
        if let whole = Int64(exactly: seconds) { lua_pushinteger(lua.L, whole) } else { lua_pushnumber(lua.L, seconds) }
    }
}

extension URL: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .string }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> URL {
        try URL(luaText: String.decode(from: lua, at: index))
    }

    init(luaText text: String) throws {
        guard let url = URL(string: text), !text.isEmpty else { throw LuaMismatch("\(quoted(text)) is no URL") }
        self = url
    }

    public func encode(to lua: LuaContext) throws { try absoluteString.encode(to: lua) }
}

extension UUID: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .string }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> UUID {
        try UUID(luaText: String.decode(from: lua, at: index))
    }

    public func encode(to lua: LuaContext) throws { try luaText.encode(to: lua) }

    init(luaText text: String) throws {
        guard let id = UUID(uuidString: text) else { throw LuaMismatch("\(quoted(text)) is no UUID") }
        self = id
    }

    /// In lower case, as most systems write them.
    var luaText: String { uuidString.lowercased() }
}

extension Data: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .string }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> Data {
        guard let bytes = lua.borrowBytes(at: index) else { throw LuaMismatch(expected: .string, at: index, in: lua) }
        return Data(bytes)
    }

    public func encode(to lua: LuaContext) throws {
        try withUnsafeBytes { try lua.push(bytes: $0.bindMemory(to: UInt8.self)) }
    }
}

extension Duration: LuaEncodable, LuaDecodable {
    public static var luaType: LuaType { .number }

    /// Seconds, with fractions.
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Duration {
        try Duration(luaSeconds: Double.decode(from: lua, at: index))
    }

    public func encode(to lua: LuaContext) throws { lua_pushnumber(lua.L, luaSeconds) }

    init(luaSeconds seconds: Double) throws {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { throw LuaMismatch("\(seconds) is no length of time in seconds") }
        self = .seconds(seconds)
    }

    var luaSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
