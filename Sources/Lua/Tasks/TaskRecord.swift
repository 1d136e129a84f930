import CLuaShim
import Synchronization

/// One task of a state: a root coroutine and the Swift task that drives it.
///
/// `@unchecked Sendable`: everything mutable is touched only on the thread of its state. Other
/// threads use what is Sendable by itself: `stops` for asking it to stop, `done` for waiting.
final class TaskRecord: @unchecked Sendable {
    enum Phase {
        case loading
        /// The results are the top values of the thread's stack.
        case loaded(results: Int32)
        case failed(LuaError)
    }

    /// The task that the running Swift task drives.
    @TaskLocal static var current: TaskRecord?

    let task: UnsafeMutablePointer<shim_task>
    private let threadReference: LuaReference
    private let stops: StopList
    weak let parent: TaskRecord?
    /// Where the task was spawned, innermost first.
    let spawnSite: [LuaTraceback.Frame]
    let done = Signal()

    var phase = Phase.loading
    var children: [TaskRecord] = []
    var swiftTask: Task<Void, Never>?
    var operation: LuaOperation?
    /// Somebody has seen, or will see, how it ends.
    var isObserved = false
    /// Its parent ended before it: that it was cancelled is then no news.
    var isCancelledByParent = false
    /// It was cancelled because its time was over.
    var didTimeOut = false
    /// Files of the modules it is loading, innermost last; nil for modules without a file.
    var loadingFiles: [String?] = []
    /// The module that it waits for another task to load.
    var waitsFor: String?
    /// Called on the state's thread when it has ended.
    var onEnd: [() -> Void] = []
    private var outcome: Result<LuaDelivery, any Error>?
    /// An error of a child whose handle is gone; raised when this task next goes on.
    var orphanError: LuaError?

    /// A task of `lua`'s state; its body is pushed next, on ``thread``.
    init(_ lua: LuaContext, parent: TaskRecord?, spawnSite: [LuaTraceback.Frame]) {
        self.parent = parent
        self.spawnSite = spawnSite
        stops = lua.host.stops
        task = .allocate(capacity: 1)
        shim_task_init(task, lua.L)
        threadReference = LuaReference(to: -1, in: lua)
        lua.pop()
        task.pointee.grace_length = lua.host.configuration.limits.grace.nanoseconds
        stops.add(task)
    }

    deinit {
        stops.remove(task)
        task.deallocate()
    }

    /// The stack of its root coroutine.
    var thread: LuaContext { LuaContext(task.pointee.thread) }

    var isDone: Bool { if case .loading = phase { false } else { true } }

    func takeOperation() -> LuaOperation? {
        defer { operation = nil }
        return operation
    }

    func settle(_ result: Result<LuaDelivery, any Error>) {
        outcome = orphanError.map { .failure($0) } ?? result
        orphanError = nil
    }

    func takeOutcome() -> Result<LuaDelivery, any Error>? {
        defer { outcome = nil }
        return outcome
    }

    /// Asks the task to stop, from any thread.
    func stop(_ reason: shim_stop_reason) { stops.stop(task, reason) }

    /// Cancels it: what it awaits, and its Lua code. A second time ends the grace of its handlers.
    func cancel() {
        guard !isDone else { return }
        if shim_task_is_stopped(task) { stops.stopHard(task) }
        stop(SHIM_STOP_CANCELLED)
        swiftTask?.cancel()
    }

    /// Ends the task; wakes who waits for it.
    func end(_ phase: Phase) {
        self.phase = phase
        stops.remove(task)
        let observers = onEnd
        onEnd = []
        for observer in observers { observer() }
        done.fire()
        if case .failed(let error) = phase, !isObserved, handleIsGone { parent?.adopt(error) }
    }

    /// Set when no script can ask for the outcome any more.
    var handleIsGone = false {
        didSet {
            if case .failed(let error) = phase, !isObserved, error.kind != .cancelled { parent?.adopt(error) }
        }
    }

    private func adopt(_ error: LuaError) {
        guard !isDone, error.kind != .cancelled else { return }
        orphanError = orphanError ?? error
    }
}

/// The tasks of a state that can be asked to stop, for callers on any thread.
final class StopList: Sendable {
    /// The pointers are valid while they are in the list, which the lock guards.
    private struct Tasks: @unchecked Sendable {
        var live: Set<UnsafeMutablePointer<shim_task>> = []
    }

    private let tasks = Mutex(Tasks())

    func add(_ task: UnsafeMutablePointer<shim_task>) { tasks.withLock { _ = $0.live.insert(task) } }
    func remove(_ task: UnsafeMutablePointer<shim_task>) { tasks.withLock { _ = $0.live.remove(task) } }

    func stop(_ task: UnsafeMutablePointer<shim_task>, _ reason: shim_stop_reason) {
        tasks.withLock { if $0.live.contains(task) { shim_task_stop(task, Int32(bitPattern: reason.rawValue)) } }
    }

    func stopHard(_ task: UnsafeMutablePointer<shim_task>) {
        tasks.withLock { if $0.live.contains(task) { shim_task_stop_hard(task) } }
    }

    func stopAll(_ reason: shim_stop_reason) {
        tasks.withLock { for task in $0.live { shim_task_stop(task, Int32(bitPattern: reason.rawValue)) } }
    }

    func stopAllHard() {
        tasks.withLock { for task in $0.live { shim_task_stop_hard(task) } }
    }
}
