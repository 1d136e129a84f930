import CLuaShim
import Dispatch

/// A Lua 5.4 state on a thread of its own.
///
/// ```swift
/// let lua = try LuaState(LuaConfiguration(modules: [reviews]))
/// let count: Int = try await lua.run("return #require('reviews').search('blue')")
/// ```
///
/// Scripts run as tasks: many can wait at once, one runs Lua code at a time. A script that computes
/// for long, or blocks, holds up the other scripts of its state and nothing else. Cancelling the
/// Swift task that awaits ``run(_:name:arguments:)-(_,_,_)`` cancels the script and all it spawned.
public actor LuaState {
    nonisolated let thread: LuaThread
    private nonisolated let owner: HostOwner
    var host: LuaHost { owner.host }
    nonisolated let stops: StopList
    private nonisolated let releases: ReleaseList
    private nonisolated let limits: LuaLimits
    /// The modules of the host.
    nonisolated let modules: [Module]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Throws: ``LuaError``: of kind `memory`, or what a module's declaration got wrong.
    public init(_ configuration: LuaConfiguration = LuaConfiguration()) throws {
        let host = try LuaHost(configuration)
        thread = LuaThread()
        owner = HostOwner(host, thread)
        stops = host.stops
        releases = host.releases
        limits = configuration.limits
        modules = configuration.modules + [taskModule, dataModule]
        host.state = self
        for module in modules { Prelude.preload(module, in: LuaContext(host.L)) }
        try LuaContext(host.L).settleMemory()
    }

    /// The executor that the state's tasks prefer, for measuring what a hop to it costs.
    package nonisolated var taskExecutor: any TaskExecutor { thread.tasks }

    // MARK: - Running

    /// Runs a script as a task and returns its results.
    ///
    /// - Parameters:
    ///   - source: Lua source; a first line that begins with `#` is skipped.
    ///   - name: What messages call it: `@path` for a file, `=text` for anything else.
    ///   - arguments: What the script gets as `...`.
    /// - Throws: ``LuaError``.
    public nonisolated func run(_ source: String, name: String = "=script", arguments: [LuaValue] = []) async throws -> [LuaValue] {
        try await start(name, push: { lua in
            try lua.load(script: source, name: name)
            try lua.reserve(Int32(clamping: arguments.count) + 4)
            for argument in arguments { try argument.encode(to: lua) }
            return Int32(arguments.count)
        }, finish: { lua, count in
            do { return try (0..<count).map { try LuaValue.decode(from: lua, at: $0 - count) } } catch { throw LuaError(error) }
        })
    }

    /// Runs a script as a task and returns its first result.
    public nonisolated func run<R: LuaDecodable>(
        _ source: String, name: String = "=script", arguments: [LuaValue] = [], as type: R.Type = R.self
    ) async throws -> R {
        try await start(name, push: { lua in
            try lua.load(script: source, name: name)
            try lua.reserve(Int32(clamping: arguments.count) + 4)
            for argument in arguments { try argument.encode(to: lua) }
            return Int32(arguments.count)
        }, finish: { lua, count in
            do { return try decodeFirst(type, lua, count) } catch { throw LuaError(error) }
        })
    }

    /// Runs what `push` leaves on a fresh coroutine, as a task of the task that calls, if that is
    /// one of this state, and hands its results to `finish`.
    nonisolated func start<R: Sendable>(
        _ name: String, push: @escaping @Sendable (LuaContext) throws -> Int32,
        finish: @escaping @Sendable (LuaContext, Int32) throws -> R
    ) async throws -> R {
        try await withTaskExecutorPreference(thread.tasks) { try await execute(name, push: push, finish: finish) }
    }

    private func execute<R>(
        _ name: String, push: @Sendable (LuaContext) throws -> Int32, finish: @Sendable (LuaContext, Int32) throws -> R
    ) async throws -> R {
        // A Swift task that outlives the script it was started in still has that as its current
        // one; what it calls then is a run of its own, with limits of its own.
        let parent = TaskRecord.current.flatMap { $0.belongs(to: host) && !$0.isDone ? $0 : nil }
        let record = TaskRecord(LuaContext(host.L), parent: parent, spawnSite: [])
        if parent == nil, name.hasPrefix("@") { record.scriptFile = String(name.dropFirst()) }
        let arguments = try push(record.thread)
        try record.thread.settleMemory()
        let clock = parent == nil ? startClock(of: record) : nil
        let driver = launch(record, arguments: arguments)
        await withTaskCancellationHandler { await driver.value } onCancel: { driver.cancel() }
        clock?.cancel()
        switch record.phase {
        case .loaded(let results):
            try record.thread.reserve(8)
            return try finish(record.thread, results)
        case .failed(let error): throw error
        case .loading: throw LuaError(.runtime, "the task has not ended")
        }
    }

    /// Starts the Swift task that drives `record`. Tasks first run in the order they were started.
    @discardableResult
    func launch(_ record: TaskRecord, arguments: Int32, deferred: Bool = false) -> Task<Void, Never> {
        let driver = Task(executorPreference: thread.tasks) {
            if deferred { await self.letOthersRun() }
            await self.drive(record, arguments: arguments)
        }
        record.setDriver(driver)
        return driver
    }

    /// Returns after all jobs that wait for the state now.
    private func letOthersRun() async {
        // Another task has to resume this one: resumed by itself it would just go on.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Task {
                self.preconditionIsolated()
                continuation.resume()
            }
        }
    }

    /// Starts a spawned task.
    func start(_ record: TaskRecord, arguments: Int32, deferred: Bool) {
        launch(record, arguments: arguments, deferred: deferred)
    }

    /// The watchdog of the time limit. It is on a queue of its own: the common pool may be busy.
    private func startClock(of record: TaskRecord) -> (any DispatchSourceTimer)? {
        guard let limit = limits.time else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: stopQueue)
        timer.schedule(deadline: .now() + .nanoseconds(Int(clamping: limit.nanoseconds)))
        timer.setEventHandler { @Sendable [weak record] in record?.stop(SHIM_STOP_TIME) }
        timer.activate()
        return timer
    }

    // MARK: - Stopping

    /// Stops all scripts of the state: what they await is cancelled, busy ones are interrupted.
    /// A second time ends the grace of their `<close>` handlers.
    public nonisolated func cancelAll() { stops.stopAll(SHIM_STOP_CLOSED) }

    // MARK: - State

    /// Lends the state's stack to `body`, outside any task: calls in it cannot suspend.
    public func withContext<R>(_ body: (LuaContext) throws -> R) rethrows -> R {
        releases.drain(host.L)
        let top = lua_gettop(host.L)
        defer { lua_settop(host.L, top) }
        return try body(LuaContext(host.L))
    }

    /// Sets a global variable for all scripts; those of a sandbox see it where they have none of
    /// that name.
    public func setGlobal(_ name: String, to value: some LuaEncodable) throws {
        try withContext { lua in
            if host.configuration.libraries == .sandbox {
                lua_getfield(lua.L, shim_registry(), Prelude.sharedGlobals)
            } else {
                shim_push_globals(lua.L)
            }
            try value.encode(to: lua)
            try lua.settleMemory()
            lua_setfield(lua.L, -2, name)
        }
    }

    /// What Lua has allocated, in bytes.
    public var memory: (used: Int, peak: Int) { (host.shim.pointee.used, host.shim.pointee.peak) }

    /// Runs a full garbage collection.
    public func collectGarbage() {
        releases.drain(host.L)
        shim_collect(host.L)
    }
}

/// The first result as `R`, nil when there is none.
func decodeFirst<R: LuaDecodable>(_ type: R.Type, _ lua: LuaContext, _ count: Int32) throws -> R {
    if count == 0 {
        lua.pushNil()
        defer { lua.pop() }
        return try R.decode(from: lua, at: -1)
    }
    return try R.decode(from: lua, at: -count)
}

/// Owns a host for a state and closes it on the state's thread, where finalizers may run.
///
/// (An `isolated deinit` of the actor would say the same; optimised clients do not compile with it
/// in Swift 6.3.1.)
private final class HostOwner: @unchecked Sendable {
    // `host` is used through the actor only, and by the thread once the actor is gone.
    let host: LuaHost
    private let thread: LuaThread

    init(_ host: LuaHost, _ thread: LuaThread) {
        self.host = host
        self.thread = thread
    }

    deinit {
        let last = Unmanaged.passRetained(host)
        thread.stop { last.release() }
    }
}

extension TaskRecord {
    func belongs(to host: LuaHost) -> Bool { task.pointee.state == host.shim }
}

extension LuaContext {
    /// Pushes the function of a source text.
    ///
    /// - Throws: ``LuaError`` of kind `syntax`, or `incomplete` when more text may make it whole.
    func load(_ source: String, name: String) throws { try load(Array(source.utf8), name: name) }

    /// Pushes the function of a source; a first line that begins with `#` is skipped.
    func load(_ source: [UInt8], name: String) throws {
        // The line end stays, so that line numbers stay right.
        let source = source.first == UInt8(ascii: "#") ? source.drop { $0 != UInt8(ascii: "\n") } : source[...]
        let mode = host.configuration.libraries == .sandbox ? "t" : "bt"
        let status = source.withUnsafeBytes { bytes in
            shim_load(L, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name, mode)
        }
        guard status == LUA_OK else { throw takeError(status: status) }
    }

    /// Pushes the function of a script, with globals of its own in a sandbox.
    func load(script source: String, name: String) throws {
        try load(source, name: name)
        if host.configuration.libraries == .sandbox { try Prelude.isolate(self) }
    }
}
