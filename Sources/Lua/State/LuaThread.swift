import CLuaShim
import Dispatch
import Glibc
import Synchronization

/// The thread of a Lua state, as the state's serial executor and, through ``tasks``, as the
/// preferred executor of the tasks that drive scripts.
///
/// A script may compute for a minute or block in a read; on a thread of its own it holds up nobody.
/// Calls from scripts to services stay on this thread while it has nothing else to do, which saves
/// two thread switches each. What other threads want done here while Lua runs goes to the common pool
/// instead. (What the state's own code enqueues meanwhile are its own tasks: they come next, in order.)
final class LuaThread: SerialExecutor {
    /// Jobs that are not the state's own but prefer its thread.
    final class Tasks: TaskExecutor {
        private let enqueueJob: @Sendable (UnownedJob) -> Void

        init(_ enqueueJob: @escaping @Sendable (UnownedJob) -> Void) { self.enqueueJob = enqueueJob }

        func enqueue(_ job: consuming ExecutorJob) { enqueueJob(UnownedJob(job)) }
    }

    /// What other threads write to and the own thread collects.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var tasks: [UnownedJob] = []
        var isParked = false
        /// Set when the thread is to end.
        var last: Last?

        /// Whether the thread has to be woken; it counts as awake from then on.
        mutating func unpark() -> Bool {
            defer { isParked = false }
            return isParked
        }
    }

    /// Handed over once, from who stops the thread to the thread.
    private struct Last: @unchecked Sendable {
        let run: () -> Void
    }

    /// Queues that only the own thread touches.
    private struct Local {
        var jobs = JobQueue()
        var tasks = JobQueue()
    }

    private let core: Core
    let tasks: Tasks

    init() {
        let core = Core()
        self.core = core
        tasks = Tasks { core.enqueue(task: $0) }
        core.start(serial: UnownedSerialExecutor(ordinary: self), tasks: tasks)
    }

    /// Ends the thread when it has done what was enqueued; the last it does is `finally`.
    func stop(_ finally: @escaping () -> Void) { core.stop(finally) }

    func enqueue(_ job: consuming ExecutorJob) { core.enqueue(job: UnownedJob(job)) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Called on the own thread around each stay in Lua.
    func enterLua() { core.enterLua() }
    func leaveLua() { core.leaveLua() }

    var isCurrent: Bool { core.isCurrent }

    /// What the thread itself holds on to; it outlives the executor until the thread has ended.
    private final class Core: @unchecked Sendable {
        // `local` is touched by the own thread only, which `isCurrent` decides; `thread` is written
        // once before the first job can be enqueued; the rest is Sendable by itself.
        private var local = Local()
        private var thread = pthread_t()
        private let inbox = Mutex(Inbox())
        private let hasMail = Atomic<Bool>(false)
        private let isInLua = Atomic<Bool>(false)
        private let wakeUp = DispatchSemaphore(value: 0)

        var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

        func start(serial: UnownedSerialExecutor, tasks: Tasks) {
            struct Start {
                let core: Core
                let serial: UnownedSerialExecutor
                let tasks: Unmanaged<Tasks>
                let started: DispatchSemaphore
            }
            final class Box { let start: Start; init(_ start: Start) { self.start = start } }
            let started = DispatchSemaphore(value: 0)
            // Unretained: the thread must not keep the executor alive that ends it. The task
            // executor is retained by its thread below.
            let box = Box(Start(core: self, serial: serial, tasks: .passRetained(tasks), started: started))
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            // Room for Lua's 200 nested C calls, each with Swift frames in between.
            pthread_attr_setstacksize(&attributes, 16 << 20)
            pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
            var id = pthread_t()
            let failure = pthread_create(&id, &attributes, { argument in
                let start = Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().start
                start.core.thread = pthread_self()
                shim_interrupt_listen()
                start.started.signal()
                start.core.run(serial: start.serial, tasks: start.tasks.takeUnretainedValue().asUnownedTaskExecutor())
                start.tasks.release()
                return nil
            }, Unmanaged.passRetained(box).toOpaque())
            pthread_attr_destroy(&attributes)
            precondition(failure == 0, "no thread for a Lua state: \(String(cString: strerror(failure)))")
            started.wait()
        }

        func stop(_ finally: @escaping () -> Void) {
            let last = Last(run: finally)
            let wake = inbox.withLock { inbox in
                inbox.last = last
                return inbox.isParked
            }
            if wake { wakeUp.signal() }
        }

        func enqueue(job: UnownedJob) {
            if isCurrent {
                local.jobs.append(job)
                return
            }
            let wake = inbox.withLock { inbox in
                inbox.jobs.append(job)
                return inbox.unpark()
            }
            hasMail.store(true, ordering: .releasing)
            if wake { wakeUp.signal() }
        }

        func enqueue(task: UnownedJob) {
            if isCurrent {
                local.tasks.append(task)
                return
            }
            let wake = inbox.withLock { inbox in
                inbox.tasks.append(task)
                return inbox.unpark()
            }
            // Either this sees that Lua runs, or who enters Lua sees the mail.
            hasMail.store(true, ordering: .sequentiallyConsistent)
            if isInLua.load(ordering: .sequentiallyConsistent) { handOver() }
            if wake { wakeUp.signal() }
        }

        func enterLua() {
            isInLua.store(true, ordering: .sequentiallyConsistent)
            if hasMail.load(ordering: .sequentiallyConsistent) { handOver() }
        }

        func leaveLua() { isInLua.store(false, ordering: .releasing) }

        /// Gives what others want done here to the common pool.
        private func handOver() {
            var moved: [UnownedJob] = []
            inbox.withLock { swap(&moved, &$0.tasks) }
            for task in moved { globalConcurrentExecutor.enqueue(task) }
        }

        private func run(serial: UnownedSerialExecutor, tasks: UnownedTaskExecutor) {
            while true {
                if let task = local.tasks.popFirst() {
                    task.runSynchronously(on: tasks)
                } else if let job = local.jobs.popFirst() {
                    job.runSynchronously(isolatedTo: serial, taskExecutor: tasks)
                } else if !collect() {
                    return
                }
                if hasMail.load(ordering: .relaxed) { collectMail() }
            }
        }

        private func collectMail() {
            hasMail.store(false, ordering: .relaxed)
            inbox.withLock { take(&$0) }
        }

        private func take(_ inbox: inout Inbox) {
            for job in inbox.jobs { local.jobs.append(job) }
            inbox.jobs.removeAll(keepingCapacity: true)
            for task in inbox.tasks { local.tasks.append(task) }
            inbox.tasks.removeAll(keepingCapacity: true)
        }

        /// Waits for work. Returns false when the thread is to end.
        private func collect() -> Bool {
            enum Next { case work, park, end(Last) }
            while true {
                let next = inbox.withLock { inbox -> Next in
                    take(&inbox)
                    if !local.jobs.isEmpty || !local.tasks.isEmpty { return .work }
                    if let last = inbox.last { return .end(last) }
                    inbox.isParked = true
                    return .park
                }
                switch next {
                case .work: return true
                case .end(let last):
                    last.run()
                    return false
                case .park: wakeUp.wait()
                }
            }
        }
    }
}

/// First in, first out, without moving elements at each removal.
private struct JobQueue {
    private var jobs: [UnownedJob] = []
    private var head = 0

    var isEmpty: Bool { head == jobs.count }

    mutating func append(_ job: UnownedJob) { jobs.append(job) }

    mutating func popFirst() -> UnownedJob? {
        guard head < jobs.count else { return nil }
        defer {
            head += 1
            if head == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 1024, head * 2 >= jobs.count {
                jobs.removeFirst(head)
                head = 0
            }
        }
        return jobs[head]
    }
}
