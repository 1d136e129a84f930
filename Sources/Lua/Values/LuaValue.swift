import CLuaShim

/// Any Lua value as a Swift value that may go anywhere.
///
/// Plain data is copied. Functions, userdata, threads, and tables that hold metatables stay in
/// their state; the value then is a ``LuaReference`` to them.
public indirect enum LuaValue: Sendable, Hashable {
    case `nil`
    /// The explicit null of data formats.
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    /// A string that is not UTF-8.
    case bytes(LuaBytes)
    /// A table with the keys 1…n and no others; an empty table that is marked as a list.
    case list([LuaValue])
    /// Any other table of plain data; also an empty one.
    case table([LuaValue: LuaValue])
    case function(LuaFunction)
    /// A userdata, a coroutine, or a table with a metatable.
    case reference(LuaReference)
}

extension LuaValue {
    /// The field of a table; nil when this is no table or has no such field.
    public subscript(name: String) -> LuaValue? {
        guard case .table(let fields) = self else { return nil }
        return fields[.string(name)]
    }

    /// The element of a list, counted from 1 as in Lua.
    public subscript(index: Int) -> LuaValue? {
        switch self {
        case .list(let elements): elements.indices.contains(index - 1) ? elements[index - 1] : nil
        case .table(let fields): fields[.integer(Int64(index))]
        default: nil
        }
    }

    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The number of an integer or a float.
    public var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}

extension LuaValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .nil }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: LuaValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (LuaValue, LuaValue)...) {
        self = .table(Dictionary(elements) { _, last in last })
    }
}

extension LuaValue: LuaDecodable, LuaEncodable {
    public static var luaType: LuaType { .any }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> LuaValue {
        try decode(from: lua, at: lua.absolute(index), depth: 0)
    }

    private static func decode(from lua: LuaContext, at index: Int32, depth: Int32) throws -> LuaValue {
        switch lua_type(lua.L, index) {
        case LUA_TNONE, LUA_TNIL: return .nil
        case LUA_TBOOLEAN: return .boolean(lua_toboolean(lua.L, index) != 0)
        case LUA_TNUMBER:
            return lua_isinteger(lua.L, index) != 0
                ? .integer(lua_tointegerx(lua.L, index, nil)) : .number(lua_tonumberx(lua.L, index, nil))
        case LUA_TSTRING:
            let bytes = lua.borrowBytes(at: index) ?? UnsafeBufferPointer(start: nil, count: 0)
            return String(validating: bytes, as: UTF8.self).map(LuaValue.string) ?? .bytes(LuaBytes(bytes))
        case LUA_TLIGHTUSERDATA where lua_touserdata(lua.L, index) == nil: return .null
        case LUA_TTABLE: return try decodeTable(from: lua, at: index, depth: depth)
        case LUA_TFUNCTION: return .function(LuaFunction(at: index, in: lua))
        default: return .reference(LuaReference(to: index, in: lua))
        }
    }

    private static func decodeTable(from lua: LuaContext, at index: Int32, depth: Int32) throws -> LuaValue {
        let isMarkedList = lua.isMarkedList(at: index)
        if !isMarkedList, lua_getmetatable(lua.L, index) != 0 {
            lua.pop()
            return .reference(LuaReference(to: index, in: lua))
        }
        guard depth < greatestTableDepth else { throw LuaMismatch.tooDeep }
        var fields: [LuaValue: LuaValue] = [:]
        try lua.forEachPair(of: index) {
            let top = lua_gettop(lua.L)
            do {
                let key = try decode(from: lua, at: top - 1, depth: depth + 1)
                fields[key] = try decode(from: lua, at: top, depth: depth + 1)
            } catch let mismatch as LuaMismatch {
                throw mismatch.inside(lua.step(at: top - 1))
            }
        }
        if fields.isEmpty { return isMarkedList ? .list([]) : .table([:]) }
        var elements: [LuaValue] = []
        elements.reserveCapacity(fields.count)
        for i in 1...fields.count {
            guard let element = fields[.integer(Int64(i))] else { return .table(fields) }
            elements.append(element)
        }
        return .list(elements)
    }

    public func encode(to lua: LuaContext) throws {
        switch self {
        case .nil: lua_pushnil(lua.L)
        case .null: lua_pushlightuserdata(lua.L, nil)
        case .boolean(let value): try value.encode(to: lua)
        case .integer(let value): lua_pushinteger(lua.L, value)
        case .number(let value): lua_pushnumber(lua.L, value)
        case .string(let text): try text.encode(to: lua)
        case .bytes(let bytes): try bytes.encode(to: lua)
        case .list(let elements): try elements.encode(to: lua)
        case .table(let fields): try encodeTable(fields, to: lua)
        case .function(let function): try function.encode(to: lua)
        case .reference(let reference): try reference.encode(to: lua)
        }
    }

    private func encodeTable(_ fields: [LuaValue: LuaValue], to lua: LuaContext) throws {
        try lua.checkMemory(for: fields.count &* 40)
        try lua.reserve(5)
        lua_createtable(lua.L, 0, Int32(clamping: fields.count))
        for (key, value) in fields {
            try key.encode(to: lua)
            try lua.checkKey()
            try value.encode(to: lua)
            lua_rawset(lua.L, -3)
        }
    }
}

extension LuaContext {
    /// Whether the table at `index` is marked as a list.
    func isMarkedList(at index: Int32) -> Bool {
        guard lua_getmetatable(L, index) != 0 else { return false }
        lua_rawgeti(L, shim_registry(), lua_Integer(host.listMetatable))
        defer { pop(2) }
        return lua_rawequal(L, -1, -2) != 0
    }
}
