extension Catalog {
    /// What a terminal shows about `name`: a module, a function, a constant, a type or a member of
    /// one; everything in short where the name is empty.
    ///
    /// - Parameter width: Where lines are broken.
    public func help(_ name: String = "", width: Int = 80) -> String {
        let name = name.trimmed
        guard !name.isEmpty else { return overview(width) }
        guard let entry = entry(name) else { return "Nothing is called \(quoted(name)); \(nearest(to: name))\n" }
        var page = HelpPage(width: width)
        switch entry {
        case .module(let module): page.add(module, types: typesFirstMentioned(by: module))
        case .function(let function, let module): page.add(function, prefix: module.shortName + ".")
        case .constant(let constant, let module):
            page.add(line: "\(module.shortName).\(constant.name): \(constant.type.annotation)")
            page.add(paragraph: constant.text)
        case .type(let type): page.add(type)
        case .method(let method, let type): page.add(method, prefix: type.name + ":")
        case .field(let field, let type):
            page.add(line: "\(type.name).\(field.signature)")
            page.add(paragraph: field.fullText + type.access(to: field))
        }
        return page.text
    }

    /// `help(name)` for scripts, as a value for ``LuaState/setGlobal(_:to:)``: a console installs it.
    /// It returns the text.
    public var helpFunction: Function {
        Function(
            "help", "What there is to know about a module, a function or a type.",
            Argument("name", String.self, "its name, as in `reviews.search`", default: ""), returns: "the text"
        ) { name in help(name) }
        .example("print(help \"task.sleep\")")
    }

    func typesFirstMentioned(by module: Module) -> [LuaTypeDescription] {
        modules.firstIndex { $0.name == module.name }.map { typesOfModules[$0] } ?? []
    }

    private func overview(_ width: Int) -> String {
        var page = HelpPage(width: width)
        page.add(list: modules.map { (name: $0.name, text: firstSentence(of: $0.text)) }, title: "Modules")
        page.add(paragraph: "help \"name\" tells more: of a module, a function (\(exampleName)), a type.")
        return page.text
    }

    private var exampleName: String {
        modules.lazy.compactMap { module in module.functions.first.map { "\(module.shortName).\($0.name)" } }.first ?? "module.function"
    }

    /// A name that may have been meant. Where the module or type is known, one of its members.
    private func nearest(to name: String) -> String {
        if let separator = name.lastIndex(where: { $0 == "." || $0 == ":" }) {
            let owner = name[..<separator], member = String(name[name.index(after: separator)...])
            let members = names.filter { $0.hasPrefix(owner) && $0.dropFirst(owner.count).first.map { ".:".contains($0) } == true }
            let shortNames = members.map { String($0.dropFirst(owner.count + 1)) }
            if let nearest = nearestName(to: member, among: shortNames), let index = shortNames.firstIndex(of: nearest) {
                return "did you mean \(quoted(members[index]))?"
            }
            if !members.isEmpty, nearestName(to: name, among: names) == nil { return "\(owner) has: " + shortNames.joined(separator: ", ") }
        }
        let lastWords = modules.flatMap(\.functions).map(\.name)
        if let nearest = nearestName(to: name, among: names) { return "did you mean \(quoted(nearest))?" }
        // A bare function name that one module has.
        if let nearest = nearestName(to: name, among: lastWords), let whole = names.first(where: { $0.hasSuffix("." + nearest) }) {
            return "did you mean \(quoted(whole))?"
        }
        return "there are the modules " + modules.map(\.name).joined(separator: ", ")
    }
}

extension LuaTypeDescription {
    /// What may be done with a property, where that needs saying.
    func access(to field: FieldDescription) -> String {
        if case .object = shape, !field.isWritable { " (read-only)" } else { "" }
    }
}

/// Lines of help, broken at a width.
private struct HelpPage {
    let width: Int
    private(set) var text = ""

    init(width: Int) { self.width = max(width, 40) }

    mutating func add(line: String) { text += line + "\n" }

    mutating func add(paragraph: String, indent: Int = 0) {
        guard !paragraph.isEmpty else { return }
        for line in wrap(oneLine(paragraph), width - indent) { add(line: String(repeating: " ", count: indent) + line) }
    }

    /// Names on the left, texts on the right, under a title.
    mutating func add(list: [(name: String, text: String)], title: String) {
        guard !list.isEmpty else { return }
        if !text.isEmpty { text += "\n" }
        add(line: title)
        let column = min(list.map(\.name.count).max() ?? 0, width / 2 - 4)
        for (name, text) in list {
            let head = "  " + name
            let lines = wrap(text, width - column - 4)
            let padding = String(repeating: " ", count: column + 4)
            if name.count > column || lines.isEmpty {
                add(line: head)
            } else {
                add(line: head + padding.dropFirst(head.count) + lines[0])
            }
            for line in name.count > column ? lines[...] : lines.dropFirst() { add(line: padding + line) }
        }
    }

    mutating func add(_ module: Module, types: [LuaTypeDescription]) {
        add(line: module.name)
        add(paragraph: module.text)
        add(list: module.functions.map { ("\(module.shortName).\($0.name)", $0.description.summary) }, title: "Functions")
        add(list: module.constants.map { ("\(module.shortName).\($0.name)", firstSentence(of: $0.text)) }, title: "Constants")
        add(list: types.map { ($0.name, firstSentence(of: $0.text)) }, title: "Types")
    }

    mutating func add(_ type: LuaTypeDescription) {
        add(line: type.name)
        add(paragraph: type.text)
        let title = if case .object = type.shape { "Properties" } else { "Fields" }
        add(list: type.fields.map { ($0.signature, $0.fullText + type.access(to: $0)) }, title: title)
        add(list: type.methods.map { ("\(type.name):\($0.name)", $0.summary) }, title: "Methods")
        add(list: type.operators.map { ($0.expression(of: type.name), $0.function.summary) }, title: "Operators")
        add(list: type.values.map { ($0, "") }, title: "Values")
    }

    mutating func add(_ function: FunctionDescription, prefix: String) {
        add(line: prefix + function.signature)
        add(paragraph: function.text)
        add(list: function.arguments.map { ($0.signature, $0.fullText) }, title: "Arguments")
        add(list: function.results.map { ($0.type.annotation, oneLine($0.text)) }, title: "Results")
        var notes: [(name: String, text: String)] = []
        if function.isAsync { notes.append(("waits", "other tasks go on meanwhile; not possible where Lua cannot suspend")) }
        if !function.errors.isEmpty { notes.append(("errors", function.errors.map(\.rawValue).joined(separator: ", "))) }
        add(list: notes, title: "Notes")
        guard !function.examples.isEmpty else { return }
        text += "\n"
        add(line: function.examples.count == 1 ? "Example" : "Examples")
        for example in function.examples {
            for line in example.split(separator: "\n", omittingEmptySubsequences: false) { add(line: "  " + line) }
        }
    }

    private func wrap(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
