/// A Swift type that has a counterpart in Lua.
public protocol LuaDescribed: Sendable {
    static var luaType: LuaType { get }
    /// The named types (records, choices, classes) that ``luaType`` mentions, itself included.
    static var luaMentions: [any LuaDescribed.Type] { get }
    /// What documents say about a named type; nil for types that need no explanation.
    static var luaTypeDescription: LuaTypeDescription? { get }
}

extension LuaDescribed {
    public static var luaMentions: [any LuaDescribed.Type] { [] }
    public static var luaTypeDescription: LuaTypeDescription? { nil }
}

/// A value that can be handed to Lua.
public protocol LuaEncodable: LuaDescribed {
    /// Pushes exactly one value.
    ///
    /// Room for it, and for three more, has been reserved; an implementation that nests reserves
    /// for its parts.
    func encode(to lua: LuaContext) throws
}

/// A value that can be taken from Lua.
public protocol LuaDecodable: LuaDescribed {
    /// The value at `index`, which stays where it is.
    ///
    /// - Throws: ``LuaMismatch`` with the path inside the value when it is of another shape.
    static func decode(from lua: LuaContext, at index: Int32) throws -> Self
}

/// A value that goes both ways and comes back equal.
public typealias LuaConvertible = LuaDecodable & LuaEncodable

/// A value from Lua is not what was expected.
public struct LuaMismatch: Error, Sendable {
    /// A step from the outermost value to the one that is wrong.
    public enum Step: Sendable, Hashable {
        case field(String)
        case index(Int)
    }

    public var path: [Step]
    /// What is wrong, e.g. `string expected, got nil`.
    public var problem: String
    public var hint: String?

    public init(_ problem: String, path: [Step] = [], hint: String? = nil) {
        self.problem = problem
        self.path = path
        self.hint = hint
    }

    /// `expected` was wanted, the value at `index` is of another type.
    @usableFromInline
    init(expected: LuaType, at index: Int32, in lua: LuaContext) {
        self.init("\(expected.description) expected, got \(lua.typeName(at: index))")
    }

    @usableFromInline
    static var tooDeep: LuaMismatch { LuaMismatch("the table nests more than \(greatestTableDepth) deep, or holds itself") }

    /// The path as a script would write it: `.tracks[3].title`.
    public var pathText: String {
        path.map { step in
            switch step {
            case .field(let name): isLuaName(name) ? "." + name : "[\(quoted(name))]"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }

    /// The same mismatch, seen from the value that holds this one.
    @usableFromInline
    func inside(_ step: Step) -> LuaMismatch {
        var outer = self
        outer.path.insert(step, at: 0)
        return outer
    }
}

/// Tables nest at most this deep: deeper ones are taken for cycles.
@usableFromInline let greatestTableDepth: Int32 = 100

/// Whether a script may write `t.name`.
func isLuaName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !luaKeywords.contains(name) else { return false }
    func isLetter(_ byte: UInt8) -> Bool { byte == 95 || (65...90).contains(byte) || (97...122).contains(byte) }
    return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
}

/// The reserved words of Lua 5.4 (reference manual, 3.1).
let luaKeywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
]

/// The text as a Lua string literal.
func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
