/// Everything that goes wrong in Lua or on the way to it.
///
/// A Swift error that a host function throws becomes an error object in the script, with the fields
/// of this type; when the script does not catch it, it comes back whole, as ``underlying``. What a
/// script raises itself (a string, a table) is ``value``, unchanged.
public struct LuaError: Error, Sendable {
    /// A stable word that scripts and programs compare.
    public struct Kind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: String) { rawValue = value }
        public var description: String { rawValue }

        /// A script raised a value, or Lua found a mistake while running it.
        public static let runtime: Kind = "runtime"
        /// The source does not parse.
        public static let syntax: Kind = "syntax"
        /// The source ends in the middle of a statement; more of it may make it whole.
        public static let incomplete: Kind = "incomplete"
        /// A host function was called with a wrong argument.
        public static let argument: Kind = "invalid_argument"
        /// A value has no counterpart on the other side.
        public static let conversion: Kind = "conversion"
        /// The state's memory limit was reached.
        public static let memory: Kind = "memory"
        /// The task was cancelled.
        public static let cancelled: Kind = "cancelled"
        /// The time limit was reached.
        public static let timeout: Kind = "timeout"
        /// The instruction limit was reached.
        public static let instructions: Kind = "instructions"
        /// The call has to wait, at a place where Lua cannot suspend.
        public static let cannotAwait: Kind = "cannot_await"
        /// The object was closed before.
        public static let closed: Kind = "closed"
        /// A module was not found, or requires itself.
        public static let module: Kind = "module"
        /// Not allowed in a sandbox.
        public static let denied: Kind = "denied"
        /// A Swift error that says nothing about its kind.
        public static let unknown: Kind = "unknown"
    }

    public var kind: Kind
    public var message: String
    /// What to do about it.
    public var hint: String?
    /// More that scripts can read as fields of the error object: `status`, `service`, `fields`, …
    public var details: [String: LuaValue]
    /// What a script raised, when it was not a host error.
    public var value: LuaValue?
    /// The Swift error behind this one.
    public var underlying: (any Error)?
    /// The error that led to this one, as scripts see it in `cause`.
    private var causes: [LuaError]
    /// Where it was raised.
    public var traceback: LuaTraceback?
    /// The raised value itself, to raise it again in its own state.
    var reference: LuaReference?

    public init(
        _ kind: Kind, _ message: String, hint: String? = nil, details: [String: LuaValue] = [:],
        cause: LuaError? = nil, underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.hint = hint
        self.details = details
        self.underlying = underlying
        causes = cause.map { [$0] } ?? []
    }

    /// The error that led to this one.
    public var cause: LuaError? {
        get { causes.first }
        set { causes = newValue.map { [$0] } ?? [] }
    }

    /// `kind: message (hint)`, the text that scripts get for the object.
    public var text: String {
        let head = value == nil ? "\(kind): \(message)" : message
        return hint.map { "\(head) (\($0))" } ?? head
    }
}

extension LuaError: CustomStringConvertible {
    /// Message, hint and cause for a person; the traceback apart.
    public var description: String {
        var result = text
        var next = cause
        while let current = next {
            result += "\ncaused by " + current.text
            next = current.cause
        }
        return result
    }
}

/// A Swift error that knows how scripts should see it.
public protocol LuaErrorConvertible: Error {
    var luaError: LuaError { get }
}

extension LuaError {
    /// Any Swift error as scripts see it; the error itself stays in ``underlying``.
    public init(_ error: any Error) {
        switch error {
        case let error as LuaError:
            self = error
        case let error as any LuaErrorConvertible:
            self = error.luaError
            if underlying == nil { underlying = error }
        case is CancellationError:
            self.init(.cancelled, "the operation was cancelled", underlying: error)
        case let mismatch as LuaMismatch:
            let place = mismatch.path.isEmpty ? "" : String(mismatch.pathText.drop { $0 == "." }) + ": "
            self.init(.conversion, place + mismatch.problem, hint: mismatch.hint, underlying: error)
        default:
            self.init(.unknown, "\(error)", underlying: error)
        }
    }
}
