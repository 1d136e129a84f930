/// A `Codable` type that is also a Lua value, by its coding alone: no schema is written.
///
/// ```swift
/// struct Draft: LuaCodable {
///     var title: String
///     var tracks: [Track]
/// }
/// ```
///
/// Keys become fields, unkeyed containers lists; `nil` fields are left out, and read from nil and
/// from the explicit null. Dates are seconds, URLs and UUIDs text, `Data` bytes. Mistakes name the
/// path: `argument 1 'draft'.tracks[3].title: string expected, got nil`. Only plain tables are read:
/// one with a metatable is not.
///
/// It is slower than ``LuaRecord``, and documents cannot list its fields. A type that is also a
/// ``LuaRecord``, a ``LuaOptions`` or a ``LuaEnumeration`` goes by that.
public protocol LuaCodable: Codable, LuaEncodable, LuaDecodable {}

extension LuaCodable {
    public static var luaType: LuaType { .table }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self {
        try LuaValueDecoder().decode(Self.self, from: LuaValue.decode(from: lua, at: index))
    }

    public func encode(to lua: LuaContext) throws { try LuaValueEncoder().encode(self).encode(to: lua) }
}

extension LuaCodable where Self: RawRepresentable, RawValue: LuaDescribed {
    /// An enum is its raw value.
    public static var luaType: LuaType { RawValue.luaType }
}

// What is more than codable says more than its coding does.

extension LuaCodable where Self: LuaRecord {
    public static var luaType: LuaType { .record(luaSchema.name) }
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self { try decodeRecord(from: lua, at: index) }
    public func encode(to lua: LuaContext) throws { try encodeRecord(to: lua) }
}

extension LuaCodable where Self: LuaOptions {
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self { try decodeOptions(from: lua, at: index) }
}

extension LuaCodable where Self: LuaEnumeration {
    public static var luaType: LuaType { .choice(luaName) }
    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self { try decodeChoice(from: lua, at: index) }
    public func encode(to lua: LuaContext) throws { try rawValue.encode(to: lua) }
}
