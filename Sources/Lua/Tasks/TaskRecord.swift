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
    /// The record that the run began with; nil when that is this one. It holds the run's budget.
    private let root: TaskRecord?
    /// Where the task was spawned, innermost first.
    let spawnSite: [LuaTraceback.Frame]
    let done = Signal()

    var phase = Phase.loading
    private(set) var children: [TaskRecord] = []
    private var childrenToPruneAt = 64
    // The fields of each await are touched by one thread and never while they are being changed;
    // checking that again costs more than the access.
    @exclusivity(unchecked) var operation: LuaOperation?
    /// Objects to be closed as soon as the coroutine has come to rest.
    @exclusivity(unchecked) var closings: [LuaOperation] = []
    /// Somebody has seen, or will see, how it ends.
    var isObserved = false
    /// Its parent ended before it: that it was cancelled is then no news.
    var isCancelledByParent = false
    /// It was cancelled because its time was over. Written by timers.
    let didTimeOut = Atomic<Bool>(false)
    /// The file of the script, if it has one.
    var scriptFile: String?
    /// The modules it is loading, innermost last.
    var loads: [ModuleLoad] = []
    /// The module that it waits for another task to load.
    var waitsFor: String?
    /// Called on the state's thread when it has ended.
    var onEnd: [() -> Void] = []
    @exclusivity(unchecked) private var outcome: Result<LuaDelivery, any Error>?
    /// An error of a child whose handle is gone; raised when this task next goes on.
    var orphanError: LuaError?

    /// A task of `lua`'s state; its body is pushed next, on ``thread``.
    init(_ lua: LuaContext, parent: TaskRecord?, spawnSite: [LuaTraceback.Frame]) {
        self.parent = parent
        self.spawnSite = spawnSite
        root = parent.map { $0.root ?? $0 }
        scriptFile = parent?.loads.last?.file ?? parent?.scriptFile
        stops = lua.host.stops
        task = .allocate(capacity: 1)
        shim_task_init(task, lua.L)
        threadReference = LuaReference(to: -1, in: lua)
        lua.pop()
        task.pointee.grace_length = lua.host.configuration.limits.grace.nanoseconds
        if let root {
            task.pointee.budget = root.task.pointee.budget
        } else {
            task.pointee.instructions = Int64(lua.host.configuration.limits.instructions ?? 0)
        }
        stops.add(task, parent: parent?.task)
    }

    deinit {
        stops.remove(task)
        shim_task_release(task)
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

    func takeClosings() -> [LuaOperation] {
        defer { closings = [] }
        return closings
    }

    /// The task fails with this when it next goes on, or at its end.
    func failLater(_ error: any Error) { orphanError = orphanError ?? LuaError(error) }

    /// Forgets an outcome that a stop came before.
    func dropOutcome() { outcome = nil }

    /// The Swift task that drives it.
    func setDriver(_ driver: Task<Void, Never>) { stops.setDriver(driver, of: task) }

    /// What a handler of the stopped task waits for; ended when the grace is.
    func setShielded(_ work: Task<LuaDelivery, any Error>?) { stops.setShielded(work, of: task) }

    /// Asks the task and all it spawned to stop, from any thread.
    func stop(_ reason: shim_stop_reason) { stops.stop(task, reason) }

    /// Cancels it and what it spawned: what they await, and their Lua code. A second time ends the
    /// grace of their handlers.
    func cancel() { stops.stop(task, SHIM_STOP_CANCELLED, endsGrace: true) }

    /// Cancels it because its time is over. From any thread.
    func timeOut() {
        didTimeOut.store(true, ordering: .releasing)
        stop(SHIM_STOP_CANCELLED)
    }

    func addChild(_ child: TaskRecord) {
        if children.count >= childrenToPruneAt {
            // Nobody will ask for those any more.
            children.removeAll { $0.isDone && ($0.isObserved || !$0.hasFailed) }
            childrenToPruneAt = max(64, children.count * 2)
        }
        children.append(child)
    }

    func removeChildren() { children = [] }

    /// Ends the task; wakes who waits for it.
    func end(_ phase: Phase) {
        self.phase = phase
        stops.remove(task)
        let observers = onEnd
        onEnd = []
        for observer in observers { observer() }
        done.fire()
        if handleIsGone { parent?.adopt(from: self) }
    }

    /// Set when no script can ask for the outcome any more.
    var handleIsGone = false {
        didSet { parent?.adopt(from: self) }
    }

    /// Takes over the error of a child that nobody else can learn of.
    private func adopt(from child: TaskRecord) {
        guard !isDone, case .failed(let error) = child.phase, !child.isObserved, error.kind != .cancelled else { return }
        child.isObserved = true
        orphanError = orphanError ?? error
    }
}
