/// The words of a Lua source that was cut off at the cursor, as far as completion needs them.
struct SourceTokens {
    enum Token: Equatable {
        case name(String)
        case keyword(String)
        case symbol(String)
        /// A string or a number.
        case literal
    }

    /// What the text ends in.
    enum Ending: Equatable {
        case code
        /// A name that may go on.
        case name(String)
        /// A string that is still open, with what is in it.
        case string(String)
        /// A comment or a number: nothing can be completed.
        case closed
    }

    private(set) var tokens: [Token] = []
    private(set) var ending = Ending.code
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
        while let first = rest.first, ending == .code { read(first) }
        // The last name is the word to complete, not a token.
        if ending == .code, text.last.map(isPartOfName) == true, let last = tokens.last {
            switch last {
            case .name(let name), .keyword(let name): ending = .name(name)
            default:
                ending = .closed
                return
            }
            tokens.removeLast()
        }
    }

    private mutating func read(_ first: Character) {
        if first.isWhitespace {
            rest = rest.dropFirst()
        } else if rest.hasPrefix("--") {
            readComment()
        } else if first == "\"" || first == "'" {
            readString(first)
        } else if let close = longBracket() {
            readLong(close) ? tokens.append(.literal) : ()
        } else if first.isNumber {
            rest = rest.drop { isPartOfName($0) || $0 == "." }
            tokens.append(.literal)
        } else if isPartOfName(first) {
            let name = String(rest.prefix(while: isPartOfName))
            rest = rest.dropFirst(name.count)
            tokens.append(luaKeywords.contains(name) ? .keyword(name) : .name(name))
        } else {
            let symbol = ["...", "..", "::", "==", "~=", "<=", ">=", "//", "<<", ">>"].first { rest.hasPrefix($0) } ?? String(first)
            rest = rest.dropFirst(symbol.count)
            tokens.append(.symbol(symbol))
        }
    }

    private mutating func readComment() {
        rest = rest.dropFirst(2)
        if let close = longBracket() {
            if !readLong(close) { ending = .closed }
            return
        }
        rest = rest.drop { !$0.isNewline }
        if rest.isEmpty { ending = .closed }
    }

    private mutating func readString(_ quote: Character) {
        rest = rest.dropFirst()
        var content = ""
        while let character = rest.first, character != quote, !character.isNewline {
            content.append(character)
            rest = rest.dropFirst()
            if character == "\\", let escaped = rest.first {
                content.append(escaped)
                rest = rest.dropFirst()
            }
        }
        if rest.isEmpty { ending = .string(content) } else { tokens.append(.literal) }
        rest = rest.dropFirst()
    }

    /// The closing bracket when the rest begins with a long one.
    private func longBracket() -> String? {
        guard rest.first == "[" else { return nil }
        let equals = rest.dropFirst().prefix { $0 == "=" }
        return rest.dropFirst(1 + equals.count).first == "[" ? "]" + equals + "]" : nil
    }

    /// Reads up to the closing bracket. Returns false when there is none.
    private mutating func readLong(_ close: String) -> Bool {
        var content = rest.dropFirst(close.count)
        while !content.isEmpty, !content.hasPrefix(close) { content = content.dropFirst() }
        let isClosed = !content.isEmpty
        if !isClosed { ending = .string(String(rest.dropFirst(close.count))) }
        rest = content.dropFirst(close.count)
        return isClosed
    }
}

private func isPartOfName(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isLetter || character.isNumber)
}
