extension Catalog {
    /// A file that is generated from the catalog.
    public struct File: Sendable, Hashable {
        /// Its place below the directory it is written to.
        public let path: String
        public let text: String
    }

    /// Definition files for the Lua language server, one for each module and one for what all
    /// modules share. They are never run; editors read them for completion and type checks.
    ///
    /// A type stands in the file of the module that mentions it first.
    public var stubs: [File] {
        [File(path: "host.lua", text: sharedStub)]
            + modules.map { module in
                File(path: module.name.replacing(".", with: "/") + ".lua", text: stub(of: module))
            }
    }

    private func stub(of module: Module) -> String {
        var stub = Stub(meta: module.name)
        for type in typesFirstMentioned(by: module) { stub.add(type) }
        stub.add(module)
        return stub.text
    }

    /// The error object, with all kinds that scripts may meet.
    private var sharedStub: String {
        var stub = Stub(meta: "_")
        let declared = modules.flatMap(\.functions).flatMap(\.errors) + types.flatMap(\.methods).flatMap(\.errors)
        stub.addErrors(kinds: Set(declared.map(\.rawValue)).union(LuaError.Kind.ofRuntime.map(\.rawValue)).sorted())
        return stub.text
    }
}

extension LuaError.Kind {
    /// The kinds of errors that come from the runtime itself, whatever the modules are.
    static let ofRuntime: [LuaError.Kind] = [
        .runtime, .syntax, .incomplete, .argument, .conversion, .memory, .cancelled, .timeout, .instructions, .cannotAwait,
        .closed, .module, .denied, .unknown,
    ]
}

/// The text of one definition file.
private struct Stub {
    private(set) var text: String

    init(meta name: String) { text = "---@meta \(name)\n" }

    private mutating func add(line: String) { text += line + "\n" }

    /// A comment; paragraphs stay apart. A line that would be an annotation is kept from that.
    private mutating func add(comment: String) {
        guard !comment.isEmpty else { return }
        for line in comment.split(separator: "\n", omittingEmptySubsequences: false).map(\.trimmed) {
            add(line: "---" + (line.hasPrefix("@") || line.hasPrefix("|") ? "\\" : "") + line)
        }
    }

    mutating func addErrors(kinds: [String]) {
        text += """

            ---What kind of error it is: a stable word to compare.
            ---@alias ErrorKind string

            """
        for kind in kinds { add(line: "---| " + quoted(kind)) }
        text += """

            ---What functions of the host raise. Where a text is expected it is one: `"failed: " .. e`, `e:match "…"`.
            ---What a script raises itself arrives unchanged.
            ---@class Error: string
            ---@field kind ErrorKind what kind of error it is
            ---@field message string what happened
            ---@field hint? string what to do about it
            ---@field cause? Error the error that led to this one
            ---@field value? any what a script raised, when it was no error of the host
            ---@field traceback string the calls that led to it
            ---@field [string] any more, by kind

            """
    }

    mutating func add(_ type: LuaTypeDescription) {
        text += "\n"
        add(comment: type.text)
        switch type.shape {
        case .record(let fields):
            add(line: "---@class \(type.isOptions ? "(exact) " : "")\(type.name)")
            for field in fields { add(field) }
        case .choice(let values):
            add(line: "---@alias \(type.name)")
            for value in values { add(line: "---| " + value) }
        case .object(let methods, let properties):
            let variable = localName(type.name)
            add(line: "---@class \(type.name)")
            for property in properties { add(property, note: type.access(to: property)) }
            for item in type.operators { add(item) }
            add(line: "local \(variable) = {}")
            for method in methods { add(method, of: variable, separator: ":") }
        }
    }

    /// An operator, where the annotations have one for it.
    private mutating func add(_ item: LuaTypeDescription.Operator) {
        let function = item.function
        let result = function.results.first.map { $0.isVariadic ? "..." : $0.type.annotation }
        switch item.metamethod {
        case .eq, .lt, .le, .tostring, .pairs: return
        case .call:
            let arguments = function.arguments.map { $0.isVariadic ? "...: " + $0.type.annotation : "\(localName($0.name))\($0.isOptional ? "?" : ""): \($0.valueAnnotation)" }
            let head = (function.isAsync ? "async " : "") + "fun(" + arguments.joined(separator: ", ") + ")"
            add(line: "---@overload " + head + (result.map { ": " + $0 } ?? ""))
        case .unm, .len: add(line: "---@operator \(item.metamethod.rawValue.dropFirst(2)): \(result ?? "any")")
        default:
            let operand = function.arguments.first?.type.annotation ?? "any"
            add(line: "---@operator \(item.metamethod.rawValue.dropFirst(2))(\(operand)): \(result ?? "any")")
        }
    }

    mutating func add(_ module: Module) {
        let variable = localName(module.shortName)
        text += "\n"
        add(comment: module.text)
        add(line: "---@class \(module.name)")
        for constant in module.constants {
            add(line: "---@field \(key(constant.name)) \(constant.type.annotation)\(note(constant.text))")
        }
        add(line: "local \(variable) = {}")
        for function in module.functions { add(function.description, of: variable, separator: ".") }
        text += "\n"
        add(line: "return \(variable)")
    }

    private mutating func add(_ field: FieldDescription, note suffix: String = "") {
        add(line: "---@field \(key(field.name))\(field.isOptional ? "?" : "") \(field.valueAnnotation)\(note(field.fullText + suffix))")
    }

    private mutating func add(_ function: FunctionDescription, of owner: String, separator: String) {
        text += "\n"
        add(comment: function.text)
        if !function.errors.isEmpty {
            add(comment: "\nRaises errors of the kinds " + function.errors.map { "`\($0.rawValue)`" }.joined(separator: ", ") + ".")
        }
        for example in function.examples {
            add(line: "---")
            add(line: "---```lua")
            for line in example.split(separator: "\n", omittingEmptySubsequences: false) { add(line: "---" + line) }
            add(line: "---```")
        }
        if function.isAsync { add(line: "---@async") }
        for argument in function.arguments { add(argument: argument) }
        for result in function.results {
            add(line: "---@return \(result.type.annotation)\(result.isVariadic ? " ..." : "")\(result.text.isEmpty ? "" : " # " + oneLine(result.text))")
        }
        let parameters = function.arguments.map { $0.isVariadic ? "..." : localName($0.name) }.joined(separator: ", ")
        if isLuaName(function.name) {
            add(line: "function \(owner)\(separator)\(function.name)(\(parameters)) end")
        } else {
            let receiver = separator == ":" ? (parameters.isEmpty ? "self" : "self, ") : ""
            add(line: "\(owner)[\(quoted(function.name))] = function(\(receiver)\(parameters)) end")
        }
    }

    private mutating func add(argument: FieldDescription) {
        if argument.isVariadic {
            let name = argument.name == "..." || argument.name.isEmpty ? "" : argument.name + ": "
            add(line: "---@param ... \(argument.type.annotation)\(note(name + argument.fullText))")
        } else {
            let mark = argument.isOptional ? "?" : ""
            add(line: "---@param \(localName(argument.name))\(mark) \(argument.valueAnnotation)\(note(argument.fullText))")
        }
    }

    /// A text behind a type. The language server would take a symbol at its beginning for a part
    /// of the type.
    private func note(_ text: String) -> String {
        let text = oneLine(text)
        guard let first = text.first else { return "" }
        return (first.isLetter || first.isNumber ? " " : " # ") + text
    }

    private func key(_ name: String) -> String { isLuaName(name) ? name : "[\(quoted(name))]" }

    /// The last word of a name, as a variable.
    private func localName(_ name: String) -> String {
        let word = name.split(separator: ".").last.map(String.init) ?? name
        if isLuaName(word) { return word }
        let letters = String(word.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return "_" + letters
    }
}
