/// How a Swift type looks from a script: for messages, help, editor stubs and documents.
public indirect enum LuaType: Sendable, Hashable {
    case any, `nil`, boolean, integer, number, string, table, thread
    case optional(LuaType)
    case list(LuaType)
    case map(LuaType, LuaType)
    /// A table with the fields of the named record.
    case record(String)
    /// One of the named values.
    case choice(String)
    /// A userdata of the named class.
    case object(String)
    case function(arguments: [LuaType], results: [LuaType])
    case variadic(LuaType)
    case union([LuaType])

    /// The type as an editor stub writes it (LuaLS annotations): `integer?`, `Album[]`.
    public var annotation: String {
        switch self {
        case .any: "any"
        case .nil: "nil"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .table: "table"
        case .thread: "thread"
        case .optional(.any): "any"
        case .optional(let wrapped): wrapped.grouped + "?"
        case .list(let element): element.grouped + "[]"
        case .map(let key, let value): "table<\(key.annotation), \(value.annotation)>"
        case .record(let name), .choice(let name), .object(let name): name
        case .function(let arguments, let results): Self.functionAnnotation(arguments, results)
        case .variadic(let element): element.annotation
        case .union(let members): members.map(\.annotation).joined(separator: "|")
        }
    }

    private var grouped: String {
        switch self {
        case .function, .union, .optional: "(" + annotation + ")"
        default: annotation
        }
    }

    private static func functionAnnotation(_ arguments: [LuaType], _ results: [LuaType]) -> String {
        let parameters = arguments.enumerated().map { position, type in
            if case .variadic(let element) = type { "...: " + element.annotation } else { "a\(position + 1): \(type.annotation)" }
        }
        let outcomes = results.map { type in
            if case .variadic = type { "..." } else { type.annotation }
        }
        // Callbacks are tasks of their own: they may wait.
        let head = "async fun(" + parameters.joined(separator: ", ") + ")"
        return outcomes.isEmpty ? head : head + ": " + outcomes.joined(separator: ", ")
    }

    /// The type as a message says it: `list of Album`, `integer or nil`.
    public var description: String {
        switch self {
        case .optional(let wrapped): wrapped.description + " or nil"
        case .list(let element): "list of " + element.description
        case .map(_, let value): "table of " + value.description
        case .function: "function"
        case .variadic(let element): element.description
        case .union(let members): members.map(\.description).joined(separator: " or ")
        default: annotation
        }
    }
}

extension LuaType: CustomStringConvertible {}

/// A type that scripts know under a name, with what help and documents say about it.
public struct LuaTypeDescription: Sendable {
    public enum Shape: Sendable {
        case record([FieldDescription])
        case choice([String])
        case object([FunctionDescription], properties: [FieldDescription])
    }

    public let name: String
    public let text: String
    public let shape: Shape
    /// Whether it is a table of named arguments, which refuses unknown names.
    public internal(set) var isOptions = false
    /// What operators do with the objects of a class; the arguments are the other operands.
    public internal(set) var operators: [Operator] = []

    /// An operator of a class.
    public struct Operator: Sendable {
        public let metamethod: Metamethod
        public let function: FunctionDescription
    }

    public init(name: String, text: String, shape: Shape) {
        self.name = name
        self.text = text
        self.shape = shape
    }
}

/// One field of a record, one property of a class, or one argument or result of a function.
///
/// It refers to types and does not spell them out, so that types may mention each other.
public struct FieldDescription: Sendable {
    private enum Source: Sendable {
        case described(any LuaDescribed.Type)
        case fixed(LuaType, mentions: [any LuaDescribed.Type])
    }

    public let name: String
    public let text: String
    /// The default as a script would write it; nil when there is none.
    public let defaultText: String?
    private let source: Source
    /// Takes all the values from its position on.
    let isVariadic: Bool
    /// Whether scripts may set it: properties of a class.
    public internal(set) var isWritable = false

    public init<Value: LuaDescribed>(_ name: String, _ type: Value.Type, _ text: String, defaultText: String? = nil) {
        self.name = name
        self.text = text
        self.defaultText = defaultText
        source = .described(type)
        isVariadic = type is any VariadicArguments.Type
    }

    /// A field of a type that Swift has no name for.
    init(_ name: String, _ type: LuaType, _ text: String, mentions: [any LuaDescribed.Type] = []) {
        self.name = name
        self.text = text
        defaultText = nil
        source = .fixed(type, mentions: mentions)
        isVariadic = if case .variadic = type { true } else { false }
    }

    public var type: LuaType {
        switch source {
        case .described(let type): type.luaType
        case .fixed(let type, _): type
        }
    }

    /// The named types that ``type`` mentions.
    public var mentions: [any LuaDescribed.Type] {
        switch source {
        case .described(let type): type.luaMentions
        case .fixed(_, let mentions): mentions
        }
    }

    /// Whether a caller may leave it out. A table of named arguments may be left out when all of
    /// them may.
    public var isOptional: Bool {
        if defaultText != nil || isVariadic { return true }
        if case .described(let type) = source, let options = type as? any LuaOptions.Type {
            return options.luaTypeDescription?.fields.allSatisfy(\.isOptional) ?? false
        }
        switch type {
        case .optional, .any: return true
        default: return false
        }
    }
}

/// ``Variadic``, whatever its elements are.
protocol VariadicArguments {}
