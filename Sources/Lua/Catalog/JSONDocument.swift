import FoundationEssentials

extension Catalog {
    /// The whole catalog as JSON, for programs. The order of keys is stable, and lists are in the
    /// order of declaration, so that two versions can be compared.
    ///
    /// ```json
    /// { "modules": [ { "name": …, "text": …, "functions": [ { "name": …, "signature": …, "async": …,
    ///     "arguments": [ { "name": …, "type": …, "optional": …, "default": …, "text": … } ],
    ///     "results": [ { "type": …, "text": … } ], "errors": […], "examples": […] } ],
    ///     "constants": [ { "name": …, "type": …, "text": … } ] } ],
    ///   "types": [ { "name": …, "kind": "record|options|choice|object", "text": …, "fields": […],
    ///     "values": […], "methods": […], "operators": [ { "name": "__add", "expression": …, "text": … } ] } ] }
    /// ```
    ///
    /// - Throws: never in practice: texts can always be encoded.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONDocument(self)), as: UTF8.self) + "\n"
    }
}

private struct JSONDocument: Encodable {
    let modules: [JSONModule]
    let types: [JSONType]

    init(_ catalog: Catalog) {
        modules = catalog.modules.map(JSONModule.init)
        types = catalog.types.map(JSONType.init)
    }
}

private struct JSONModule: Encodable {
    let name: String
    let text: String
    let functions: [JSONFunction]
    let constants: [JSONField]

    init(_ module: Module) {
        name = module.name
        text = module.text
        functions = module.functions.map { JSONFunction($0.description) }
        constants = module.constants.map { JSONField($0) }
    }
}

private struct JSONFunction: Encodable {
    enum CodingKeys: String, CodingKey { case name, text, signature, isAsync = "async", arguments, results, errors, examples }

    let name: String
    let text: String
    let signature: String
    let isAsync: Bool
    let arguments: [JSONField]
    let results: [JSONField]
    let errors: [String]
    let examples: [String]

    init(_ function: FunctionDescription) {
        name = function.name
        text = function.text
        signature = function.signature
        isAsync = function.isAsync
        arguments = function.arguments.map { JSONField(argument: $0) }
        results = function.results.map { JSONField(result: $0) }
        errors = function.errors.map(\.rawValue)
        examples = function.examples
    }
}

private struct JSONField: Encodable {
    enum CodingKeys: String, CodingKey {
        case name, type, text, isOptional = "optional", isVariadic = "variadic", isWritable = "writable", defaultText = "default"
    }

    let name: String?
    let type: String
    let text: String
    var isOptional: Bool?
    var isVariadic: Bool?
    var isWritable: Bool?
    var defaultText: String?

    init(_ constant: Constant) {
        name = constant.name
        type = constant.type.annotation
        text = constant.text
    }

    init(result: FieldDescription) {
        name = nil
        type = result.type.annotation
        text = result.text
        isVariadic = result.isVariadic ? true : nil
    }

    init(argument: FieldDescription) {
        name = argument.name
        type = argument.valueAnnotation
        text = argument.text
        isOptional = argument.isOptional
        isVariadic = argument.isVariadic ? true : nil
        defaultText = argument.defaultText
    }

    init(property: FieldDescription) {
        name = property.name
        type = property.type.annotation
        text = property.text
        isWritable = property.isWritable
    }
}

private struct JSONType: Encodable {
    let name: String
    let kind: String
    let text: String
    var fields: [JSONField]?
    var values: [String]?
    var methods: [JSONFunction]?
    var operators: [JSONOperator]?

    init(_ type: LuaTypeDescription) {
        name = type.name
        text = type.text
        switch type.shape {
        case .record(let list):
            kind = type.isOptions ? "options" : "record"
            fields = list.map { JSONField(argument: $0) }
        case .choice(let list):
            kind = "choice"
            values = list
        case .object(let list, let properties):
            kind = "object"
            methods = list.map(JSONFunction.init)
            fields = properties.map { JSONField(property: $0) }
            operators = type.operators.isEmpty ? nil : type.operators.map { JSONOperator($0, of: type.name) }
        }
    }
}

private struct JSONOperator: Encodable {
    let name: String
    let expression: String
    let text: String

    init(_ item: LuaTypeDescription.Operator, of type: String) {
        name = item.metamethod.rawValue
        expression = item.expression(of: type)
        text = item.function.text
    }
}
