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
    @usableFromInline let decoder: @Sendable (LuaContext, Int32) throws -> Record

    /// - Parameter make: Builds the record from the fields in their order, usually its memberwise
    ///   initialiser; a ``LuaMismatch`` or any error it throws is reported to the script.
    @inlinable
    public init<each Value: LuaConvertible>(
        _ name: String, _ text: String, _ fields: repeat Field<Record, each Value>,
        make: @escaping @Sendable (repeat each Value) throws -> Record
    ) {
        self.name = name
        self.text = text
        var names: [StaticString] = []
        var encoders: [@Sendable (Record, LuaContext) throws -> Void] = []
        var descriptions: [FieldDescription] = []
        var rules: [FieldRule] = []
        for field in repeat each fields {
            names.append(field.name)
            encoders.append(Self.encoder(field.name, field.get))
            descriptions.append(describe(field.name.description, field.text, field.default))
            rules.append(FieldRule(field.name, default: field.default, check: field.check))
        }
        self.names = names
        self.encoders = encoders
        self.fields = descriptions
        let fixedRules = rules
        decoder = { lua, table in
            var position = 0
            return try make(repeat try decodeField((each Value).self, from: lua, at: table, rules: fixedRules, &position))
        }
    }

    @inlinable
    static func encoder<Value: LuaConvertible>(
        _ name: StaticString, _ get: @escaping @Sendable (Record) -> Value
    ) -> @Sendable (Record, LuaContext) throws -> Void {
        { record, lua in
            try get(record).encode(to: lua)
            name.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) { lua_setfield(lua.L, -2, $0) }
        }
    }

    public var description: LuaTypeDescription { LuaTypeDescription(name: name, text: text, shape: .record(fields)) }
}

/// What holds for one field besides its type.
@usableFromInline
struct FieldRule: Sendable {
    @usableFromInline let name: StaticString
    /// A `Value?` and a check of the field's own `Value`; `nil` where there is neither, which the
    /// decoder asks first.
    @usableFromInline let fallback: (any Sendable)?
    @usableFromInline let check: (any Sendable)?

    @usableFromInline
    init<Value: Sendable>(_ name: StaticString, default: Value?, check: (@Sendable (Value) throws -> Void)?) {
        self.name = name
        fallback = `default`
        self.check = check.map { Check(run: $0) }
    }

    @usableFromInline
    struct Check<Value: Sendable>: Sendable {
        @usableFromInline let run: @Sendable (Value) throws -> Void
        @usableFromInline init(run: @escaping @Sendable (Value) throws -> Void) { self.run = run }
    }
}

@usableFromInline
func describe<Value: LuaConvertible>(_ name: String, _ text: String, _ fallback: Value?) -> FieldDescription {
    FieldDescription(name, Value.self, text, defaultText: fallback.map { luaLiteral($0) })
}

/// Field `position` of the table at `table` (an absolute index).
@inlinable
func decodeField<Value: LuaDecodable>(
    _ type: Value.Type, from lua: LuaContext, at table: Int32, rules: [FieldRule], _ position: inout Int
) throws -> Value {
    let rule = rules[position]
    position += 1
    try lua.getField(rule.name, of: table)
    defer { lua.pop() }
    do {
        if rule.fallback != nil, lua_type(lua.L, -1) == LUA_TNIL, let value = rule.fallback as? Value { return value }
        let value = try Value.decode(from: lua, at: -1)
        if let check = rule.check as? FieldRule.Check<Value> { try check.run(value) }
        return value
    } catch let mismatch as LuaMismatch {
        throw mismatch.inside(.field(rule.name.description))
    }
}

extension LuaRecord {
    public static var luaType: LuaType { .record(luaSchema.name) }

    public static var luaMentions: [any LuaDescribed.Type] { [Self.self] }
    public static var luaTypeDescription: LuaTypeDescription? { luaSchema.description }

    @inlinable
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self {
        let type = lua_type(lua.L, index)
        guard type == LUA_TTABLE || type == LUA_TUSERDATA else { throw LuaMismatch(expected: luaType, at: index, in: lua) }
        try lua.reserve(8)
        let state = shim_state_of(lua.L)
        state?.pointee.decoding += 1
        defer { state?.pointee.decoding -= 1 }
        try lua.checkDepth()
        return try luaSchema.decoder(lua, lua.absolute(index))
    }

    @inlinable
    public func encode(to lua: LuaContext) throws {
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
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self {
        let schema = luaSchema
        try lua.reserve(8)
        if lua_type(lua.L, index) <= LUA_TNIL {
            lua_createtable(lua.L, 0, 0)
            defer { lua.pop() }
            return try schema.decoder(lua, lua.absolute(-1))
        }
        guard lua_type(lua.L, index) == LUA_TTABLE else { throw LuaMismatch(expected: luaType, at: index, in: lua) }
        let table = lua.absolute(index)
        try lua.forEachPair(of: table) {
            let isKnown = lua.borrowBytes(at: -2).map { key in
                schema.names.contains { key.elementsEqual(UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount)) }
            }
            if isKnown != true { throw unknownName(lua.step(at: -2), among: schema.fields.map(\.name)) }
        }
        return try schema.decoder(lua, table)
    }

    private static func unknownName(_ step: LuaMismatch.Step, among names: [String]) -> LuaMismatch {
        guard case .field(let name) = step else { return LuaMismatch("positional value in a table of named arguments", path: [step]) }
        return LuaMismatch("unknown argument \(quoted(name))", hint: suggestion(for: name, among: names))
    }
}
