public import CLuaShim

extension Optional: LuaDescribed where Wrapped: LuaDescribed {
    public static var luaType: LuaType { .optional(Wrapped.luaType) }
    public static var luaMentions: [any LuaDescribed.Type] { Wrapped.luaMentions }
}

extension Optional: LuaDecodable where Wrapped: LuaDecodable {
    /// nil for nil, for an absent argument, and for the explicit null.
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Wrapped? {
        let type = lua_type(lua.L, index)
        if type <= LUA_TNIL || (type == LUA_TLIGHTUSERDATA && lua_touserdata(lua.L, index) == nil) { return nil }
        return try Wrapped.decode(from: lua, at: index)
    }
}

extension Optional: LuaEncodable where Wrapped: LuaEncodable {
    @inlinable
    public func encode(to lua: LuaContext) throws {
        if let value = self { try value.encode(to: lua) } else { lua_pushnil(lua.L) }
    }
}

extension Array: LuaDescribed where Element: LuaDescribed {
    public static var luaType: LuaType { .list(Element.luaType) }
    public static var luaMentions: [any LuaDescribed.Type] { Element.luaMentions }
}

extension Array: LuaDecodable where Element: LuaDecodable {
    /// The elements 1 to `#t`; an empty table is an empty list.
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> [Element] {
        let table = lua.absolute(index)
        let count = try lua.listLength(at: table, for: luaType)
        var result: [Element] = []
        result.reserveCapacity(Swift.min(count, 1 << 16))
        try lua.reserve(4)
        for i in 0..<count {
            try lua.getIndex(i + 1, of: table)
            defer { lua.pop() }
            do {
                result.append(try Element.decode(from: lua, at: -1))
            } catch let mismatch as LuaMismatch {
                throw mismatch.inside(.index(i + 1))
            }
        }
        return result
    }
}

extension Array: LuaEncodable where Element: LuaEncodable {
    /// A list; an absent element becomes the explicit null, so that the list has no holes.
    @inlinable
    public func encode(to lua: LuaContext) throws {
        if isEmpty { return try lua.pushEmptyList() }
        try lua.checkMemory(for: count &* 16)
        try lua.reserve(4)
        lua_createtable(lua.L, Int32(clamping: count), 0)
        for i in indices {
            try self[i].encode(to: lua)
            if lua_type(lua.L, -1) == LUA_TNIL {
                lua.pop()
                lua_pushlightuserdata(lua.L, nil)
            }
            lua_rawseti(lua.L, -2, lua_Integer(i + 1))
        }
    }
}

extension Set: LuaDescribed where Element: LuaDescribed {
    public static var luaType: LuaType { .list(Element.luaType) }
    public static var luaMentions: [any LuaDescribed.Type] { Element.luaMentions }
}

/// A set is a list in Lua; repeated elements count once, the order says nothing.
extension Set: LuaDecodable where Element: LuaDecodable {
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Set<Element> {
        Set(try [Element].decode(from: lua, at: index))
    }
}

extension Set: LuaEncodable where Element: LuaEncodable {
    @inlinable
    public func encode(to lua: LuaContext) throws { try Array(self).encode(to: lua) }
}

extension Dictionary: LuaDescribed where Key: LuaDescribed, Value: LuaDescribed {
    public static var luaType: LuaType { .map(Key.luaType, Value.luaType) }
    public static var luaMentions: [any LuaDescribed.Type] { Key.luaMentions + Value.luaMentions }
}

extension Dictionary: LuaDecodable where Key: LuaDecodable, Value: LuaDecodable {
    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> [Key: Value] {
        let table = lua.absolute(index)
        guard lua_type(lua.L, table) == LUA_TTABLE else { throw LuaMismatch(expected: luaType, at: index, in: lua) }
        var result: [Key: Value] = [:]
        try lua.forEachPair(of: table) {
            do {
                let key = try Key.decode(from: lua, at: -2)
                result[key] = try Value.decode(from: lua, at: -1)
            } catch let mismatch as LuaMismatch {
                throw mismatch.inside(lua.step(at: -2))
            }
        }
        return result
    }
}

extension Dictionary: LuaEncodable where Key: LuaEncodable, Value: LuaEncodable {
    @inlinable
    public func encode(to lua: LuaContext) throws {
        try lua.checkMemory(for: count &* 40)
        try lua.reserve(5)
        lua_createtable(lua.L, 0, Int32(clamping: count))
        for (key, value) in self {
            try key.encode(to: lua)
            try lua.checkKey()
            try value.encode(to: lua)
            lua_rawset(lua.L, -3)
        }
    }
}

extension LuaContext {
    /// The length of the list at `index` (an absolute index), its `__len` included.
    ///
    /// A `__len` may claim anything: what it says must be a length, and a list of that many
    /// elements must fit into what memory is left, as a plain table of them would have to.
    @usableFromInline
    func listLength(at index: Int32, for type: LuaType) throws -> Int {
        guard lua_type(L, index) == LUA_TTABLE else { throw LuaMismatch(expected: type, at: index, in: self) }
        try reserve(4)
        let status = shim_length(L, index)
        guard status == LUA_OK else { throw takeError(status: status) }
        let length = lua_tointegerx(L, -1, nil)
        pop()
        guard let count = Int32(exactly: length), count >= 0 else {
            throw LuaMismatch("\(type.description) expected, got a table whose length is \(length)")
        }
        if count > lua_rawlen(L, index) { try checkMemory(for: Int(count) &* 16) }
        return Int(count)
    }

    /// Fails when the value on top cannot be a key of a table.
    @usableFromInline
    func checkKey() throws {
        switch lua_type(L, -1) {
        case LUA_TNIL: throw LuaError(.conversion, "a table key cannot be nil")
        case LUA_TNUMBER where lua_tonumberx(L, -1, nil).isNaN: throw LuaError(.conversion, "a table key cannot be NaN")
        default: break
        }
    }

    /// Pushes element `position` of the table at `index`.
    @inlinable
    func getIndex(_ position: Int, of index: Int32) throws {
        let status = shim_get_index(L, index, lua_Integer(position))
        guard status == LUA_OK else { throw takeError(status: status) }
    }

    /// Pushes field `name` of the table at `index`.
    @inlinable
    func getField(_ name: StaticString, of index: Int32) throws {
        let status = shim_get_field(L, index, name.cString)
        guard status == LUA_OK else { throw takeError(status: status) }
    }

    /// Calls `body` with each key at -2 and value at -1 (raw pairs).
    @usableFromInline
    func forEachPair(of index: Int32, _ body: () throws -> Void) throws {
        try reserve(6)
        let top = lua_gettop(L)
        defer { lua_settop(L, top) }
        lua_pushnil(L)
        while true {
            var status = LUA_OK
            guard shim_next(L, index, &status) else {
                if status == LUA_OK { return }
                let error = takeError(status: status)
                throw error.kind == .memory ? error : LuaMismatch("the table changed while it was read")
            }
            try body()
            lua_settop(L, top + 1)
        }
    }

    /// The path step for the key at `index`.
    @usableFromInline
    func step(at index: Int32) -> LuaMismatch.Step {
        if lua_isinteger(L, index) != 0 { return .index(Int(lua_tointegerx(L, index, nil))) }
        shim_push_plain_text(L, index)
        defer { pop() }
        return .field(borrowBytes(at: -1).map { String(decoding: $0, as: UTF8.self) } ?? "?")
    }

    /// An empty table that is known to be a list.
    @usableFromInline
    func pushEmptyList() throws {
        try reserve(4)
        lua_createtable(L, 0, 0)
        lua_rawgeti(L, shim_registry(), lua_Integer(host.listMetatable))
        lua_setmetatable(L, -2)
    }
}
