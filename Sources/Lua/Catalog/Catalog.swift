/// What scripts can use: a set of modules with all the types their functions speak of.
///
/// Help, editor stubs, documents and completion are views of it.
///
/// ```swift
/// let catalog = Catalog([reviews, library])
/// print(catalog.help("reviews.search"))
/// ```
public struct Catalog: Sendable {
    public let modules: [Module]
    /// The records, choices and classes that the modules mention, also through each other, by the
    /// module that mentions them first.
    let typesOfModules: [[LuaTypeDescription]]
    /// Names that several different types claim.
    let contestedTypeNames: [String]

    public init(_ modules: [Module]) {
        self.modules = modules
        var walk = TypeWalk()
        typesOfModules = modules.map { walk.collect(from: $0) }
        contestedTypeNames = walk.contestedNames
    }

    /// All named types, sorted by name.
    public var types: [LuaTypeDescription] { typesOfModules.joined().sorted { $0.name < $1.name } }

    /// The module of that name: `nightjar.reviews`, or short `reviews`.
    public func module(_ name: String) -> Module? {
        modules.first { $0.name == name } ?? modules.first { $0.shortName == name }
    }

    /// The named type: `Album`.
    public func type(_ name: String) -> LuaTypeDescription? {
        typesOfModules.joined().first { $0.name == name }
    }

    /// The function of a module: `reviews.search` or `nightjar.reviews.search`.
    public func function(_ name: String) -> FunctionDescription? {
        if case .function(let function, _)? = entry(name) { function } else { nil }
    }

    /// Whatever has that name: a module, `reviews.search`, `Album`, `Album.title`, `Player:play`.
    public func entry(_ name: String) -> Entry? {
        if let module = module(name) { return .module(module) }
        if let type = type(name) { return .type(type) }
        guard let separator = name.lastIndex(where: { $0 == "." || $0 == ":" }) else { return nil }
        let owner = String(name[..<separator]), member = String(name[name.index(after: separator)...])
        if let module = module(owner), let entry = entry(member, of: module) { return entry }
        if let type = type(owner), let entry = entry(member, of: type) { return entry }
        return nil
    }

    private func entry(_ member: String, of module: Module) -> Entry? {
        if let function = module.functions.first(where: { $0.name == member }) { return .function(function.description, of: module) }
        if let constant = module.constants.first(where: { $0.name == member }) { return .constant(constant, of: module) }
        return nil
    }

    private func entry(_ member: String, of type: LuaTypeDescription) -> Entry? {
        if let method = type.methods.first(where: { $0.name == member }) { return .method(method, of: type) }
        if let field = type.fields.first(where: { $0.name == member }) { return .field(field, of: type) }
        return nil
    }

    /// All names that ``entry(_:)`` knows, as scripts write them.
    public var names: [String] {
        var names: [String] = []
        for module in modules {
            names += [module.name, module.shortName]
            names += module.functions.map { "\(module.shortName).\($0.name)" }
            names += module.constants.map { "\(module.shortName).\($0.name)" }
        }
        for type in typesOfModules.joined() {
            names.append(type.name)
            names += type.methods.map { "\(type.name):\($0.name)" }
            names += type.fields.map { "\(type.name).\($0.name)" }
        }
        return names
    }
}

extension Catalog {
    /// Something that has a name.
    public enum Entry: Sendable {
        case module(Module)
        case function(FunctionDescription, of: Module)
        case constant(Constant, of: Module)
        case type(LuaTypeDescription)
        case method(FunctionDescription, of: LuaTypeDescription)
        /// A field of a record or a property of a class.
        case field(FieldDescription, of: LuaTypeDescription)
    }
}

extension LuaTypeDescription {
    /// The methods of a class.
    public var methods: [FunctionDescription] {
        if case .object(let methods, _) = shape { methods } else { [] }
    }

    /// The fields of a record, or the properties of a class.
    public var fields: [FieldDescription] {
        switch shape {
        case .record(let fields): fields
        case .object(_, let properties): properties
        case .choice: []
        }
    }

    /// The values of a choice, as a script writes them.
    public var values: [String] {
        if case .choice(let values) = shape { values } else { [] }
    }
}

extension LuaState {
    /// What the state's scripts can `require` from the host, `nightjar.task` included.
    public nonisolated var catalog: Catalog { Catalog(modules) }
}
