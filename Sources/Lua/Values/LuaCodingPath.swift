/// The key of an element of a list.
struct LuaElementKey: CodingKey {
    /// From 0, as Swift counts.
    let position: Int

    init(_ position: Int) { self.position = position }
    init?(intValue: Int) { position = intValue }
    init?(stringValue: String) { nil }

    var intValue: Int? { position }
    var stringValue: String { "\(position)" }
}

/// The key under which the coding of a superclass stands where none is given.
struct LuaSuperKey: CodingKey {
    init() {}
    init?(intValue: Int) { nil }
    init?(stringValue: String) { nil }

    var intValue: Int? { nil }
    var stringValue: String { "super" }
}

extension LuaMismatch.Step {
    init(_ key: any CodingKey) {
        switch key {
        case let element as LuaElementKey: self = .index(element.position + 1)
        case let key: self = key.intValue.map(Self.index) ?? .field(key.stringValue)
        }
    }
}

extension LuaMismatch {
    init(_ problem: String, at path: [any CodingKey], hint: String? = nil) {
        self.init(problem, path: path.map(Step.init), hint: hint)
    }

    /// The mismatch that an error of a coding stands for; nil when it is some other error.
    init?(coding error: any Error) {
        switch error {
        case let mismatch as LuaMismatch: self = mismatch
        case DecodingError.keyNotFound(let key, let context): self.init("a value expected, got nil", at: context.codingPath + [key])
        case DecodingError.valueNotFound(_, let context): self.init("a value expected, got nil", at: context.codingPath)
        case DecodingError.typeMismatch(_, let context): self.init(context.problem, at: context.codingPath)
        case DecodingError.dataCorrupted(let context): self.init(context.problem, at: context.codingPath)
        case EncodingError.invalidValue(_, let context): self.init(sentence(context.debugDescription), at: context.codingPath)
        default: return nil
        }
    }
}

extension DecodingError.Context {
    fileprivate var problem: String { sentence(debugDescription) }
}

/// A message of the standard library as a part of ours: without its full stop and capital.
private func sentence(_ text: String) -> String {
    let body = text.hasSuffix(".") ? text.dropLast() : text[...]
    return body.prefix(1).lowercased() + body.dropFirst()
}
