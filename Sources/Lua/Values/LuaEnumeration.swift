/// An enum whose raw values are what scripts write: `"skip"`, `"update"`, or numbers.
///
/// A value that is none of them is an error that suggests the nearest.
public protocol LuaEnumeration: RawRepresentable, CaseIterable, LuaEncodable, LuaDecodable where RawValue: LuaConvertible {
    /// The name scripts and documents know it by.
    static var luaName: String { get }
    /// What the values are for.
    static var luaText: String { get }
}

extension LuaEnumeration {
    public static var luaName: String { "\(Self.self)" }
    public static var luaText: String { "" }
    public static var luaType: LuaType { .choice(luaName) }

    public static var luaMentions: [any LuaDescribed.Type] { [Self.self] }
    public static var luaTypeDescription: LuaTypeDescription? {
        LuaTypeDescription(name: luaName, text: luaText, shape: .choice(allCases.map { luaLiteral($0.rawValue) }))
    }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> Self { try decodeChoice(from: lua, at: index) }

    static func decodeChoice(from lua: LuaContext, at index: Int32) throws -> Self {
        let raw = try RawValue.decode(from: lua, at: index)
        if let value = Self(rawValue: raw) { return value }
        let names = allCases.map { "\($0.rawValue)" }
        throw LuaMismatch("\(luaLiteral(raw)) is none of the values", hint: suggestion(for: "\(raw)", among: names))
    }

    public func encode(to lua: LuaContext) throws { try rawValue.encode(to: lua) }
}

/// How a script would write the value, for documents and messages.
@usableFromInline
func luaLiteral(_ value: some Any) -> String {
    switch value {
    case let text as String: quoted(text)
    case let list as [any Sendable]: "{" + list.map { luaLiteral($0) }.joined(separator: ", ") + "}"
    case let value as any LuaEnumeration: luaLiteral(value.rawValue)
    case is any LuaRecord: "{}"
    case let optional as any OptionalLiteral: optional.luaLiteralText
    default: "\(value)"
    }
}

private protocol OptionalLiteral {
    var luaLiteralText: String { get }
}

extension Optional: OptionalLiteral {
    fileprivate var luaLiteralText: String { map { luaLiteral($0) } ?? "nil" }
}
