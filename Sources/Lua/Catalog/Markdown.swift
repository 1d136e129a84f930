extension Catalog {
    /// The reference of all modules as Markdown: one file each, and an index of them.
    public var markdown: [File] {
        var index = "# Modules\n\n"
        for module in modules { index += "- [\(module.name)](\(module.name).md): \(markdownEscaped(firstSentence(of: module.text)))\n" }
        return [File(path: "index.md", text: index)]
            + modules.map { File(path: $0.name + ".md", text: markdown(of: $0)) }
    }

    private func markdown(of module: Module) -> String {
        var page = MarkdownPage()
        page.add(heading: 1, module.name)
        page.add(paragraphs: module.text)
        page.add(table: module.constants.map { [code($0.name), code($0.type.annotation), prose($0.text)] }, ["Constant", "Type", "Meaning"])
        for function in module.functions { page.add(function.description, prefix: module.shortName + ".") }
        for type in typesFirstMentioned(by: module) { page.add(type) }
        return page.text
    }
}

private struct MarkdownPage {
    private(set) var text = ""

    mutating func add(heading level: Int, _ title: String) {
        if !text.isEmpty { text += "\n" }
        text += String(repeating: "#", count: level) + " " + markdownEscaped(title) + "\n"
    }

    /// Paragraphs of a declaration: code in backticks stays as it is.
    mutating func add(paragraphs: String) {
        for paragraph in paragraphs.split(separator: "\n\n") { text += "\n" + markdownEscaped(oneLine(String(paragraph))) + "\n" }
    }

    mutating func add(table rows: [[String]], _ head: [String]) {
        guard !rows.isEmpty else { return }
        text += "\n| " + head.joined(separator: " | ") + " |\n|" + String(repeating: " --- |", count: head.count) + "\n"
        for row in rows { text += "| " + row.joined(separator: " | ") + " |\n" }
    }

    private mutating func add(block: String, language: String) {
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: block) + 1))
        text += "\n\(fence)\(language)\n\(block)\n\(fence)\n"
    }

    mutating func add(_ function: FunctionDescription, prefix: String) {
        add(heading: 2, prefix + function.name)
        add(block: prefix + function.signature, language: "lua")
        add(paragraphs: function.text)
        add(table: function.arguments.map { argument in
            let type = code(argument.valueAnnotation + (argument.isVariadic ? "…" : argument.isOptional ? "?" : ""))
            return [code(argument.name), type, argument.defaultText.map(code) ?? "", prose(argument.text)]
        }, ["Argument", "Type", "Default", "Meaning"])
        add(table: function.results.map { [code($0.type.annotation + ($0.isVariadic ? "…" : "")), prose($0.text)] }, ["Result", "Meaning"])
        if function.isAsync { text += "\nWaits: other tasks go on meanwhile.\n" }
        if !function.errors.isEmpty { text += "\nErrors: " + function.errors.map { code($0.rawValue) }.joined(separator: ", ") + "\n" }
        for example in function.examples { add(block: example, language: "lua") }
    }

    mutating func add(_ type: LuaTypeDescription) {
        add(heading: 2, type.name)
        add(paragraphs: type.text)
        add(table: type.values.map { [code($0)] }, ["Value"])
        let title = if case .object = type.shape { "Property" } else { "Field" }
        add(table: type.fields.map { field in
            let mark = field.isOptional ? "?" : ""
            return [code(field.name), code(field.valueAnnotation + mark), field.defaultText.map(code) ?? "", prose(field.text + type.access(to: field))]
        }, [title, "Type", "Default", "Meaning"])
        add(table: type.operators.map { [code($0.expression(of: type.name)), prose($0.function.text)] }, ["Operator", "Meaning"])
        for method in type.methods { add(method, prefix: type.name + ":") }
    }
}

/// Text for a cell of a table.
private func prose(_ text: String) -> String { markdownEscaped(oneLine(text), inTable: true) }

/// A code span for a cell of a table. It may hold backticks; a bar would end the cell.
private func code(_ text: String) -> String {
    let text = oneLine(text).replacing("|", with: "\\|")
    let run = longestRun(of: "`", in: text)
    if run == 0 { return "`\(text)`" }
    let fence = String(repeating: "`", count: run + 1)
    return "\(fence) \(text) \(fence)"
}

private func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0, run = 0
    for other in text {
        run = other == character ? run + 1 : 0
        longest = max(longest, run)
    }
    return longest
}

/// The text with what Markdown would take for markup escaped, outside of code spans.
func markdownEscaped(_ text: String, inTable: Bool = false) -> String {
    // Backticks that come in pairs are code; an odd last one is a character.
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    var result = ""
    for (index, part) in parts.enumerated() {
        let isCode = index % 2 == 1 && index < parts.count - 1
        if index > 0 { result += index % 2 == 1 && !isCode ? "\\`" : "`" }
        for character in part {
            if isCode ? inTable && character == "|" : "\\*_[]<>#|~".contains(character) { result += "\\" }
            result.append(character)
        }
    }
    return result
}
