extension FunctionDescription {
    /// How it is called, on one line: `search(query: string, limit?: integer) -> Album[]`.
    public var signature: String {
        let head = name + "(" + arguments.map(\.signature).joined(separator: ", ") + ")"
        return results.isEmpty ? head : head + " -> " + results.map(\.resultSignature).joined(separator: ", ")
    }

    /// The first sentence of the text, for lists.
    var summary: String { firstSentence(of: text) }
}

extension LuaTypeDescription.Operator {
    /// As a script writes it, with the type's name for the object: `Vector + number -> Vector`.
    func expression(of type: String) -> String {
        let other = function.arguments.first?.type.annotation ?? "any"
        let text = switch metamethod {
        case .add: "\(type) + \(other)"
        case .sub: "\(type) - \(other)"
        case .mul: "\(type) * \(other)"
        case .div: "\(type) / \(other)"
        case .mod: "\(type) % \(other)"
        case .pow: "\(type) ^ \(other)"
        case .idiv: "\(type) // \(other)"
        case .concat: "\(type) .. \(other)"
        case .eq: "\(type) == \(other)"
        case .lt: "\(type) < \(other)"
        case .le: "\(type) <= \(other)"
        case .unm: "-\(type)"
        case .len: "#\(type)"
        case .call: type + "(" + function.arguments.map(\.signature).joined(separator: ", ") + ")"
        case .tostring: "tostring(\(type))"
        case .pairs: "pairs(\(type))"
        }
        return function.results.isEmpty ? text : text + " -> " + function.results.map(\.resultSignature).joined(separator: ", ")
    }
}

extension FieldDescription {
    /// `limit?: integer`, `...: string`
    var signature: String {
        if isVariadic { return "...: \(type.annotation)" }
        return "\(name)\(isOptional ? "?" : ""): \(valueAnnotation)"
    }

    fileprivate var resultSignature: String { isVariadic ? "...: \(type.annotation)" : type.annotation }

    /// The annotation of the type where something else says already that nil is allowed.
    var valueAnnotation: String {
        if isOptional, case .optional(let wrapped) = type { wrapped.annotation } else { type.annotation }
    }

    /// What the text and the declaration say: the meaning, then the default.
    var fullText: String {
        var text = oneLine(text)
        if let defaultText { text += text.isEmpty ? "default \(defaultText)" : " (default \(defaultText))" }
        return text
    }
}

/// The text up to the end of its first sentence.
func firstSentence(of text: String) -> String {
    let line = oneLine(text)
    var previous: Character = " "
    for index in line.indices {
        let character = line[index]
        if character == " ", ".!?".contains(previous) { return String(line[..<index]) }
        previous = character
    }
    return line
}

/// The text without line ends.
func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmed }.joined(separator: " ")
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
