/// One argument of a function: its name, what it means, its default.
///
/// `Argument("limit", Int.self, "at most so many", default: 20)`.
public struct Argument<Value: LuaDecodable>: Sendable {
    public let name: String
    public let text: String
    public let `default`: Value?

    @inlinable
    public init(_ name: String, _ type: Value.Type = Value.self, _ text: String, default: Value? = nil) {
        self.name = name
        self.text = text
        self.default = `default`
    }

    @usableFromInline
    var description: FieldDescription {
        FieldDescription(name, Value.self, text, defaultText: `default`.map { luaLiteral($0) })
    }
}

/// What is said about the arguments of one function, for decoding them and for messages.
@usableFromInline
final class Signature: Sendable {
    let arguments: [FieldDescription]
    /// At most so many arguments are taken.
    @usableFromInline let greatestCount: Int32
    /// For methods: the object is argument 1 on the stack but not counted in messages.
    let isMethod: Bool

    @usableFromInline
    init(_ arguments: [FieldDescription], isMethod: Bool = false) {
        self.arguments = arguments
        self.isMethod = isMethod
        greatestCount = arguments.last?.isVariadic == true ? .max : Int32(arguments.count)
    }

    /// Fails when there are more arguments than the function takes.
    @inlinable
    func checkCount(_ lua: LuaContext) throws {
        let count = lua.count
        if count > greatestCount { throw tooMany(count) }
    }

    @usableFromInline
    func tooMany(_ count: Int32) -> LuaError {
        let offset: Int32 = isMethod ? 1 : 0
        let most = greatestCount - offset
        let takes = most == 0 ? "takes no arguments" : "takes at most \(most) argument\(most == 1 ? "" : "s")"
        return LuaError(.argument, "the function \(takes), got \(count - offset)", hint: "usage: \(usage)")
    }

    /// The error for a wrong argument at `position` (from 1): which, what, how to call it.
    @usableFromInline
    func error(_ problem: any Error, at position: Int32) -> any Error {
        guard let mismatch = problem as? LuaMismatch else { return problem }
        let argument = arguments[Int(position) - 1]
        if isMethod, position == 1 {
            return LuaError(.argument, "the object: \(mismatch.problem)", hint: "call methods with a colon: object:method(…)", underlying: mismatch)
        }
        let number = isMethod ? position - 1 : position
        let place = "argument \(number) '\(argument.name)'\(mismatch.pathText)"
        return LuaError(.argument, "\(place): \(mismatch.problem)", hint: mismatch.hint ?? "usage: \(usage)", underlying: mismatch)
    }

    /// `(query: string, limit?: integer)`
    var usage: String {
        let shown = isMethod ? arguments.dropFirst() : arguments[...]
        return "(" + shown.map { "\($0.name)\($0.isOptional ? "?" : ""): \($0.type.description)" }.joined(separator: ", ") + ")"
    }
}

/// The argument at `position` of the running function, or its default when it is nil or absent.
@inlinable
@inline(__always)
func read<Value: LuaDecodable>(_ fallback: Value?, _ lua: LuaContext, _ position: Int32, _ signature: Signature) throws -> Value {
    if let fallback, lua.isNil(at: position) { return fallback }
    do {
        return try Value.decode(from: lua, at: position)
    } catch {
        throw signature.error(error, at: position)
    }
}

/// All the arguments from its position on: `Argument("names", Variadic<String>.self, "…")`.
public struct Variadic<Element: LuaDecodable>: LuaDecodable, VariadicArguments {
    public let values: [Element]

    public init(_ values: [Element]) { self.values = values }

    public static var luaType: LuaType { .variadic(Element.luaType) }
    public static var luaMentions: [any LuaDescribed.Type] { Element.luaMentions }

    public static func decode(from lua: LuaContext, at index: Int32) throws -> Variadic<Element> {
        let count = lua.count
        guard index <= count else { return Variadic([]) }
        return Variadic(
            try (index...count).map { position in
                do {
                    return try Element.decode(from: lua, at: position)
                } catch let mismatch as LuaMismatch {
                    throw mismatch.inside(.index(Int(position - index) + 1))
                }
            })
    }
}
