/// The place at the end of a piece of source: what stands before it, and in which brackets it is.
struct SourcePlace {
    /// What the expression before the place is known to be.
    enum Subject {
        case module(Module)
        case function(FunctionDescription, name: String)
        case value(LuaType)
        /// A name that means nothing to the catalog.
        case name(String)
    }

    /// An open bracket.
    private struct Bracket {
        let symbol: String
        /// What was before it: a function that is called, a list that is indexed.
        let subject: Subject?
        /// The type of the table that is being written.
        var table: LuaType?
        var argument = 0
        /// Whether nothing has been written since the bracket or the last comma.
        var isFresh = true
        /// The field of the table whose value is being written.
        var key: String?
        var usedKeys: Set<String> = []
    }

    private let catalog: Catalog
    private let variables: [String: String]
    private var brackets: [Bracket] = []
    private(set) var subject: Subject?
    /// The dot or colon at the end.
    private(set) var separator: String?
    private var lastName: String?

    init(catalog: Catalog, variables: [String: String]) {
        self.catalog = catalog
        self.variables = variables
    }

    mutating func read(_ token: SourceTokens.Token) {
        let wasFresh = brackets.last?.isFresh ?? false
        if !brackets.isEmpty { brackets[brackets.count - 1].isFresh = false }
        switch token {
        case .name(let name):
            subject = separator.map { member(name, behind: $0) } ?? named(name)
            separator = nil
            lastName = name
        case .keyword, .literal:
            // A string behind a function is its argument: what comes then is its result.
            if token == .literal, case .function(let function, _)? = subject { subject = function.result } else { subject = nil }
            separator = nil
        case .symbol(let symbol): read(symbol: symbol, wasFresh)
        }
    }

    private mutating func read(symbol: String, _ wasFresh: Bool) {
        switch symbol {
        case ".", ":":
            separator = symbol
            return
        case "(": brackets.append(Bracket(symbol: symbol, subject: subject))
        case "[": brackets.append(Bracket(symbol: symbol, subject: subject))
        case "{": openTable(isArgument: wasFresh)
        case ")", "}", "]":
            close()
            separator = nil
            return
        case ",", ";":
            if var bracket = brackets.popLast() {
                bracket.argument += 1
                bracket.isFresh = true
                bracket.key = nil
                brackets.append(bracket)
            }
        case "=":
            if let lastName, brackets.last?.symbol == "{", brackets.last?.key == nil {
                brackets[brackets.count - 1].key = lastName
                brackets[brackets.count - 1].usedKeys.insert(lastName)
            }
        default: break
        }
        subject = nil
        separator = nil
    }

    private mutating func openTable(isArgument: Bool) {
        var bracket = Bracket(symbol: "{", subject: subject)
        if case .function(let function, _)? = subject {
            bracket.table = function.arguments.first?.type
        } else if isArgument || brackets.last?.key != nil {
            bracket.table = expectedType
        }
        brackets.append(bracket)
    }

    private mutating func close() {
        subject = nil
        guard let bracket = brackets.popLast() else { return }
        switch bracket.subject {
        case .function(let function, _)? where bracket.symbol != "[": subject = function.result
        case .value(let type)? where bracket.symbol == "[": subject = type.element.map(Subject.value)
        default: break
        }
    }

    private func named(_ name: String) -> Subject {
        if let meaning = variables[name] {
            if let module = catalog.module(meaning) { return .module(module) }
            if let type = catalog.type(meaning) { return .value(type.reference) }
        }
        return catalog.modules.first { $0.shortName == name }.map(Subject.module) ?? .name(name)
    }

    private func member(_ name: String, behind separator: String) -> Subject? {
        switch subject {
        case .module(let module):
            if let function = module.functions.first(where: { $0.name == name }) {
                return .function(function.description, name: "\(module.shortName).\(name)")
            }
            return module.constants.first { $0.name == name }.map { .value($0.type) }
        case .value(let type):
            guard let owner = type.memberName, let type = catalog.type(owner) else { return nil }
            if separator == ":" {
                return type.methods.first { $0.name == name }.map { .function($0, name: "\(owner):\(name)") }
            }
            return type.fields.first { $0.name == name }.map { .value($0.type) }
        default: return nil
        }
    }

    // MARK: - What is known of the place

    /// The innermost call that is open: its signature, and which argument is being written.
    var call: (signature: String, argument: Int)? {
        for bracket in brackets.reversed() {
            guard case .function(let function, let name)? = bracket.subject, bracket.symbol != "[" else { continue }
            let prefix = name.dropLast(function.name.count)
            return (prefix + function.signature, bracket.symbol == "(" ? bracket.argument : 0)
        }
        return nil
    }

    /// The fields that the table may have besides those it has; nil when this is no place for one.
    var openFields: [FieldDescription]? {
        guard let bracket = brackets.last, bracket.symbol == "{", bracket.isFresh, let name = bracket.table?.memberName,
            let type = catalog.type(name), !type.fields.isEmpty
        else { return nil }
        return type.fields.filter { !bracket.usedKeys.contains($0.name) }
    }

    /// The type that a value at the place must have.
    var expectedType: LuaType? {
        // A string right behind a function is its first argument.
        if separator == nil, case .function(let function, _)? = subject { return function.arguments.first?.type }
        guard let bracket = brackets.last else { return nil }
        if bracket.symbol == "{" {
            guard let table = bracket.table else { return nil }
            if let key = bracket.key {
                return table.memberName.flatMap { catalog.type($0) }?.fields.first { $0.name == key }?.type
            }
            return table.element
        }
        guard bracket.symbol == "(", case .function(let function, _)? = bracket.subject else { return nil }
        if function.arguments.indices.contains(bracket.argument) { return function.arguments[bracket.argument].type }
        return function.arguments.last.flatMap { $0.isVariadic ? $0.type : nil }
    }

    /// Whether a string at the place is what `require` gets.
    var isRequire: Bool {
        if case .name("require")? = subject { return true }
        if case .name("require")? = brackets.last?.subject { return brackets.last?.isFresh == true }
        return false
    }
}

extension FunctionDescription {
    fileprivate var result: SourcePlace.Subject? { results.first.map { .value($0.type) } }
}

extension LuaTypeDescription {
    fileprivate var reference: LuaType {
        switch shape {
        case .record: .record(name)
        case .choice: .choice(name)
        case .object: .object(name)
        }
    }
}

extension LuaType {
    /// The named type whose members a value of this type has.
    var memberName: String? {
        switch self {
        case .record(let name), .choice(let name), .object(let name): name
        case .optional(let wrapped), .variadic(let wrapped): wrapped.memberName
        default: nil
        }
    }

    /// The type of the elements, where it is a list or a map.
    fileprivate var element: LuaType? {
        switch self {
        case .list(let element), .map(_, let element): element
        case .optional(let wrapped): wrapped.element
        default: nil
        }
    }
}
