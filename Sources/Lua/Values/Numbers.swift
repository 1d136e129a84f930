public import CLuaShim

/// A fixed-width integer in Lua. Out of range is an error, never a wrap; a number with a fraction
/// is an error, `3.0` is 3; a string is an error.
public protocol LuaInteger: FixedWidthInteger, LuaEncodable, LuaDecodable {}

extension LuaInteger {
    @inlinable
    public static var luaType: LuaType { .integer }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self {
        if lua_isinteger(lua.L, index) != 0, let value = Self(exactly: lua_tointegerx(lua.L, index, nil)) {
            return value
        }
        return try decodeSlowly(from: lua, at: index)
    }

    @usableFromInline
    static func decodeSlowly(from lua: LuaContext, at index: Int32) throws -> Self {
        guard lua_type(lua.L, index) == LUA_TNUMBER else {
            throw LuaMismatch(expected: .integer, at: index, in: lua)
        }
        var isInteger: Int32 = 0
        let wide = lua_tointegerx(lua.L, index, &isInteger)
        if isInteger != 0, let value = Self(exactly: wide) { return value }
        let number = lua_tonumberx(lua.L, index, nil)
        if isInteger == 0, number.rounded() != number || !number.isFinite {
            throw LuaMismatch("integer expected, got \(number)")
        }
        let shown = isInteger != 0 ? "\(wide)" : "\(number)"
        throw LuaMismatch("\(shown) is out of range (\(Self.min) to \(Self.max))")
    }

    @inlinable
    public func encode(to lua: LuaContext) throws {
        guard let value = lua_Integer(exactly: self) else {
            throw LuaError(.conversion, "\(self) is out of range of a Lua integer")
        }
        lua_pushinteger(lua.L, value)
    }
}

extension Int: LuaInteger {
    // As the default says; spelled out because the compiler calls defaults through a table.
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Int {
        if lua_isinteger(lua.L, index) != 0 { return Int(lua_tointegerx(lua.L, index, nil)) }
        return try decodeSlowly(from: lua, at: index)
    }

    @inlinable
    public func encode(to lua: LuaContext) throws { lua_pushinteger(lua.L, lua_Integer(self)) }
}

extension Int8: LuaInteger {}
extension Int16: LuaInteger {}
extension Int32: LuaInteger {}
extension Int64: LuaInteger {}
extension UInt: LuaInteger {}
extension UInt8: LuaInteger {}
extension UInt16: LuaInteger {}
extension UInt32: LuaInteger {}
extension UInt64: LuaInteger {}

extension Double: LuaEncodable, LuaDecodable {
    @inlinable
    public static var luaType: LuaType { .number }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Double {
        guard lua_type(lua.L, index) == LUA_TNUMBER else { throw LuaMismatch(expected: .number, at: index, in: lua) }
        return lua_tonumberx(lua.L, index, nil)
    }

    @inlinable
    public func encode(to lua: LuaContext) throws { lua_pushnumber(lua.L, self) }
}

extension Float: LuaEncodable, LuaDecodable {
    @inlinable
    public static var luaType: LuaType { .number }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Float {
        let wide = try Double.decode(from: lua, at: index)
        let value = Float(wide)
        if value.isInfinite, wide.isFinite {
            throw LuaMismatch("\(wide) is out of range (\(-Float.greatestFiniteMagnitude) to \(Float.greatestFiniteMagnitude))")
        }
        return value
    }

    @inlinable
    public func encode(to lua: LuaContext) throws { lua_pushnumber(lua.L, Double(self)) }
}

extension Bool: LuaEncodable, LuaDecodable {
    @inlinable
    public static var luaType: LuaType { .boolean }

    /// Only `true` and `false`: a script that passes something else has made a mistake.
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Bool {
        guard lua_type(lua.L, index) == LUA_TBOOLEAN else { throw LuaMismatch(expected: .boolean, at: index, in: lua) }
        return lua_toboolean(lua.L, index) != 0
    }

    @inlinable
    public func encode(to lua: LuaContext) throws { lua_pushboolean(lua.L, self ? 1 : 0) }
}
