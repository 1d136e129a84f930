/// How a Lua state is set up.
public struct LuaConfiguration: Sendable {
    /// What scripts may reach.
    public enum Libraries: Sendable {
        /// All of Lua's standard library, C modules included: a script has its user's rights.
        case trusted
        /// No `io`, no `debug`, no loading of files, bytecode or C modules, no processes; the
        /// libraries are read-only and each script has globals of its own.
        case sandbox
    }

    public var libraries: Libraries
    public var limits: LuaLimits
    /// Where `require` looks for Lua files, as templates with `?` (like `package.path`), after the
    /// directory of the file that requires. nil: the standard places and the user's LuaRocks tree;
    /// in a sandbox nowhere else.
    public var modulePaths: [String]?
    /// Where `require` looks for C modules, as templates with `?`; not used in a sandbox.
    public var nativeModulePaths: [String]?
    /// Modules of the host, for `require`.
    public var modules: [Module]

    public init(
        libraries: Libraries = .trusted, limits: LuaLimits = LuaLimits(), modules: [Module] = [],
        modulePaths: [String]? = nil, nativeModulePaths: [String]? = nil
    ) {
        self.libraries = libraries
        self.limits = limits
        self.modules = modules
        self.modulePaths = modulePaths
        self.nativeModulePaths = nativeModulePaths
    }
}

/// What a state's scripts may use up. nil means no limit.
public struct LuaLimits: Sendable {
    /// Bytes of memory that Lua allocates, libraries included.
    public var memory: Int?
    /// Instructions of each run, counted in steps of 1 000. Counting slows scripts down to half.
    public var instructions: Int?
    /// Wall time of each run.
    public var time: Duration?
    /// Nested calls in one coroutine; Lua itself stops at about 200 000. Counting costs at each call.
    public var callDepth: Int?
    /// How long `<close>` handlers of a stopped task may go on.
    public var grace: Duration

    public init(memory: Int? = nil, instructions: Int? = nil, time: Duration? = nil, callDepth: Int? = nil, grace: Duration = .seconds(1)) {
        self.memory = memory
        self.instructions = instructions
        self.time = time
        self.callDepth = callDepth
        self.grace = grace
    }
}

extension Duration {
    /// Whole nanoseconds, at most what 64 bits hold.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product &+ UInt64(max(attoseconds, 0) / 1_000_000_000)
    }
}
