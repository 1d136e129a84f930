extension Catalog {
    /// What may stand at a place of a script.
    public struct Completion: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable {
            case module, function, method, constant, property, field, value, variable
        }

        /// What goes in place of ``Completions/word``.
        public let text: String
        public let kind: Kind
        /// How it is called, or its type.
        public let detail: String
        /// What it is, in one line.
        public let summary: String
    }

    public struct Completions: Sendable, Hashable {
        /// The part of the text, at its end, that a candidate replaces.
        public let word: String
        /// In the order of declaration.
        public let candidates: [Completion]
        /// The function whose arguments are being written: `reviews.search(query: string) -> Album[]`.
        public let signature: String?
        /// The number of the argument that is being written, from 0.
        public let argument: Int?
    }

    /// What may come at the end of `text`: members behind a dot or colon, modules, the fields of
    /// tables of arguments, the values of choices, the names of modules behind `require`.
    ///
    /// - Parameters:
    ///   - text: The script up to the cursor.
    ///   - variables: What variables are known to hold, by name: the name of a module or of a type.
    ///     Modules are known by their short names anyway.
    public func completions(after text: String, variables: [String: String] = [:]) -> Completions {
        let source = SourceTokens(text)
        var place = SourcePlace(catalog: self, variables: variables)
        for token in source.tokens { place.read(token) }
        let call = place.call
        func completions(_ word: String, _ candidates: [Completion]) -> Completions {
            let matching = candidates.filter { $0.text.lowercased().hasPrefix(word.lowercased()) && $0.text != word }
            return Completions(word: word, candidates: matching, signature: call?.signature, argument: call?.argument)
        }
        switch source.ending {
        case .closed: return Completions(word: "", candidates: [], signature: nil, argument: nil)
        case .string(let content):
            if place.isRequire {
                return completions(content, modules.map { Completion(text: $0.name, kind: .module, detail: "module", summary: firstSentence(of: $0.text)) })
            }
            return completions(content, values(of: place.expectedType, quoted: false))
        case .code: return completions("", candidates(at: place, word: "", variables))
        case .name(let word): return completions(word, candidates(at: place, word: word, variables))
        }
    }

    private func candidates(at place: SourcePlace, word: String, _ variables: [String: String]) -> [Completion] {
        if let separator = place.separator { return members(of: place.subject, behind: separator) }
        if let fields = place.openFields { return fields.map { Completion(field: $0, kind: .field) } }
        let values = word.isEmpty ? values(of: place.expectedType, quoted: true) : []
        let known = variables.sorted { $0.key < $1.key }.map {
            Completion(text: $0.key, kind: .variable, detail: $0.value, summary: "")
        }
        return values + known + modules.filter { variables[$0.shortName] == nil }.map {
            Completion(text: $0.shortName, kind: .module, detail: $0.name, summary: firstSentence(of: $0.text))
        }
    }

    private func members(of subject: SourcePlace.Subject?, behind separator: String) -> [Completion] {
        switch (subject, separator) {
        case (.module(let module), "."):
            return module.functions.map { Completion(function: $0.description, kind: .function) }
                + module.constants.map {
                    Completion(text: $0.name, kind: .constant, detail: $0.type.annotation, summary: firstSentence(of: $0.text))
                }
        case (.value(let type), _):
            guard let name = type.memberName, let type = self.type(name) else { return [] }
            if separator == ":" { return type.methods.map { Completion(function: $0, kind: .method) } }
            let kind: Completion.Kind = if case .object = type.shape { .property } else { .field }
            return type.fields.map { Completion(field: $0, kind: kind) }
        default: return []
        }
    }

    private func values(of type: LuaType?, quoted: Bool) -> [Completion] {
        guard let name = type?.memberName, let type = self.type(name) else { return [] }
        return type.values.map { value in
            let text = quoted ? value : String(value.dropFirst(value.first == "\"" ? 1 : 0).dropLast(value.last == "\"" ? 1 : 0))
            return Completion(text: text, kind: .value, detail: type.name, summary: firstSentence(of: type.text))
        }
    }
}

extension Catalog.Completion {
    fileprivate init(function: FunctionDescription, kind: Kind) {
        self.init(text: function.name, kind: kind, detail: function.signature, summary: function.summary)
    }

    fileprivate init(field: FieldDescription, kind: Kind) {
        self.init(text: field.name, kind: kind, detail: field.type.annotation, summary: field.fullText)
    }
}
