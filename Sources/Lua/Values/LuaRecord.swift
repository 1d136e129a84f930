public import CLuaShim

/// A struct that is a table in Lua, field by field.
///
/// ```swift
/// struct Album: LuaRecord {
///     var id: Int
///     var title: String
///     var year: Int?
///
///     static let luaSchema = LuaSchema("Album", "An album of the catalogue.",
///         Field("id", \Album.id, "its number"),
///         Field("title", \.title, "its title"),
///         Field("year", \.year, "the year it came out"),
///         make: Album.init)
/// }
/// ```
///
/// Fields that a script's table has besides are ignored; ``LuaOptions`` refuses them.
public protocol LuaRecord: LuaEncodable, LuaDecodable {
    static var luaSchema: LuaSchema<Self> { get }
}

/// A record that is a function's table of named arguments: an unknown name is an error that
/// suggests the nearest one, and the whole table may be left out when no field is required.
public protocol LuaOptions: LuaRecord {}

/// One field of a record: its name, how to read it, what it means.
public struct Field<Record, Value: LuaConvertible>: Sendable {
    public let name: StaticString
    public let text: String
    public let `default`: Value?
    @usableFromInline let get: @Sendable (Record) -> Value
    @usableFromInline let check: (@Sendable (Value) throws -> Void)?

    /// - Parameters:
    ///   - get: Usually a key path literal: `\.title`.
    ///   - default: The value when a script leaves the field out.
    @inlinable
    public init(_ name: StaticString, _ get: @escaping @Sendable (Record) -> Value, _ text: String, default: Value? = nil) {
        self.name = name
        self.get = get
        self.text = text
        self.default = `default`
        check = nil
    }

    /// A field whose value must lie in `range`.
    @inlinable
    public init(
        _ name: StaticString, _ get: @escaping @Sendable (Record) -> Value, _ text: String, default: Value? = nil, in range: ClosedRange<Value>
    ) where Value: Comparable {
        self.name = name
        self.get = get
        self.text = "\(text) (\(range.lowerBound) to \(range.upperBound))"
        self.default = `default`
        check = { value in
            if !range.contains(value) {
                throw LuaMismatch("\(value) is out of range (\(range.lowerBound) to \(range.upperBound))")
            }
        }
    }
}

/// The fields of a record and how they become a value.
public struct LuaSchema<Record: LuaRecord>: Sendable {
    public let name: String
    public let text: String
    public let fields: [FieldDescription]
    @usableFromInline let names: [StaticString]
    @usableFromInline let encoders: [@Sendable (Record, LuaContext) throws -> Void]
    @usableFromInline let decoder: @Sendable (RecordReader) throws -> Record

    @usableFromInline
    init(_ name: String, _ text: String, _ fields: [ErasedField<Record>], decoder: @escaping @Sendable (RecordReader) throws -> Record) {
        self.name = name
        self.text = text
        self.fields = fields.map(\.description)
        names = fields.map(\.name)
        encoders = fields.map(\.encode)
        self.decoder = decoder
    }

    public var description: LuaTypeDescription { LuaTypeDescription(name: name, text: text, shape: .record(fields)) }
}

/// A table or object whose fields are read.
@usableFromInline
struct RecordReader {
    @usableFromInline let lua: LuaContext
    /// An absolute index.
    @usableFromInline let table: Int32
    /// A table without metatable: reading its fields runs no code and cannot fail.
    @usableFromInline let isPlain: Bool

    @inlinable
    init(_ lua: LuaContext, _ table: Int32) {
        self.lua = lua
        self.table = table
        isPlain = shim_is_plain_table(lua.L, table)
    }
}

/// A field whose type is known to its closure only.
@usableFromInline
struct ErasedField<Record> {
    let name: StaticString
    let description: FieldDescription
    let encode: @Sendable (Record, LuaContext) throws -> Void

    @usableFromInline
    init(_ name: StaticString, _ description: FieldDescription, encode: @escaping @Sendable (Record, LuaContext) throws -> Void) {
        self.name = name
        self.description = description
        self.encode = encode
    }
}

extension Field {
    @inlinable
    var erased: ErasedField<Record> {
        let get = get, name = name
        return ErasedField(name, describe(name.description, text, `default`)) { record, lua in
            try get(record).encode(to: lua)
            lua_setfield(lua.L, -2, name.cString)
        }
    }

    /// This field of the record that is being read.
    @inlinable
    @inline(__always)
    func read(_ record: RecordReader) throws -> Value {
        let lua = record.lua
        if record.isPlain { lua_getfield(lua.L, record.table, name.cString) } else { try lua.getField(name, of: record.table) }
        // Whoever reads the record takes the values off together.
        do {
            if let value = `default`, lua.isNil(at: -1) { return value }
            let value = try Value.decode(from: lua, at: -1)
            if let check { try check(value) }
            return value
        } catch {
            throw inside(error)
        }
    }

    @usableFromInline
    func inside(_ error: any Error) -> any Error {
        (error as? LuaMismatch)?.inside(.field(name.description)) ?? error
    }
}

extension StaticString {
    /// The characters for liblua; a static string is followed by a zero byte.
    @inlinable
    var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

@usableFromInline
func describe<Value: LuaConvertible>(_ name: String, _ text: String, _ fallback: Value?) -> FieldDescription {
    FieldDescription(name, Value.self, text, defaultText: fallback.map { luaLiteral($0) })
}

extension LuaRecord {
    public static var luaType: LuaType { .record(luaSchema.name) }

    public static var luaMentions: [any LuaDescribed.Type] { [Self.self] }
    public static var luaTypeDescription: LuaTypeDescription? { luaSchema.description }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self { try decodeRecord(from: lua, at: index) }

    @inlinable
    public func encode(to lua: LuaContext) throws { try encodeRecord(to: lua) }

    @inlinable
    static func decodeRecord(from lua: LuaContext, at index: Int32) throws -> Self {
        let type = lua_type(lua.L, index)
        guard type == LUA_TTABLE || type == LUA_TUSERDATA else { throw LuaMismatch(expected: luaType, at: index, in: lua) }
        let schema = luaSchema
        try lua.reserve(Int32(truncatingIfNeeded: schema.names.count) &+ 8)
        let top = lua.count, state = shim_state_of(lua.L)
        state?.pointee.decoding += 1
        defer {
            state?.pointee.decoding -= 1
            lua_settop(lua.L, top)
        }
        try lua.checkDepth()
        return try schema.decoder(RecordReader(lua, lua.absolute(index)))
    }

    @inlinable
    func encodeRecord(to lua: LuaContext) throws {
        let schema = Self.luaSchema
        try lua.reserve(5)
        lua_createtable(lua.L, 0, Int32(truncatingIfNeeded: schema.encoders.count))
        for encode in schema.encoders { try encode(self, lua) }
    }
}

extension LuaContext {
    /// Fails when a record of a type that holds its own kind nests too deep, or for ever.
    @inlinable
    func checkDepth() throws {
        if shim_state_of(L).pointee.decoding > greatestTableDepth { throw LuaMismatch.tooDeep }
    }
}

extension LuaOptions {
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self { try decodeOptions(from: lua, at: index) }

    static func decodeOptions(from lua: LuaContext, at index: Int32) throws -> Self {
        let schema = luaSchema
        try lua.reserve(Int32(truncatingIfNeeded: schema.names.count) &+ 8)
        let top = lua.count, state = shim_state_of(lua.L)
        state?.pointee.decoding += 1
        defer {
            state?.pointee.decoding -= 1
            lua_settop(lua.L, top)
        }
        try lua.checkDepth()
        if lua_type(lua.L, index) <= LUA_TNIL {
            lua_createtable(lua.L, 0, 0)
            return try schema.decoder(RecordReader(lua, lua.absolute(-1)))
        }
        guard lua_type(lua.L, index) == LUA_TTABLE else { throw LuaMismatch(expected: luaType, at: index, in: lua) }
        let table = lua.absolute(index)
        try lua.forEachPair(of: table) {
            let isKnown = lua.borrowBytes(at: -2).map { key in
                schema.names.contains { key.elementsEqual(UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount)) }
            }
            if isKnown != true { throw unknownName(lua.step(at: -2), among: schema.fields.map(\.name)) }
        }
        return try schema.decoder(RecordReader(lua, table))
    }

    private static func unknownName(_ step: LuaMismatch.Step, among names: [String]) -> LuaMismatch {
        guard case .field(let name) = step else { return LuaMismatch("positional value in a table of named arguments", path: [step]) }
        return LuaMismatch("unknown argument \(quoted(name))", hint: suggestion(for: name, among: names))
    }
}
