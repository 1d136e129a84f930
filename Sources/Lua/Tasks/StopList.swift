import CLuaShim
import Dispatch
import Synchronization

/// The tasks of a state that have not ended, for those who stop them, from any thread.
///
/// A stop reaches a task and all it spawned at once: a busy state could not pass it on.
final class StopList: Sendable {
    typealias Pointer = UnsafeMutablePointer<shim_task>

    private struct Entry {
        let parent: Pointer?
        var children: Set<Pointer> = []
        var driver: Task<Void, Never>?
        var shielded: Task<LuaDelivery, any Error>?
    }

    /// The pointers are valid while they are keys of `live`, which the lock guards.
    private struct Tasks: @unchecked Sendable {
        var live: [Pointer: Entry] = [:]
        /// Those of `live` that were asked to stop.
        var stopped: Set<Pointer> = []
        var isNudging = false
        var nudgeDelay = firstDelay
    }

    private static let firstDelay = 10
    private static let greatestDelay = 200

    private let tasks = Mutex(Tasks())

    /// How many have not ended.
    var count: Int { tasks.withLock(\.live.count) }

    func add(_ task: Pointer, parent: Pointer?) {
        tasks.withLock { tasks in
            tasks.live[task] = Entry(parent: parent)
            if let parent { tasks.live[parent]?.children.insert(task) }
        }
    }

    func remove(_ task: Pointer) {
        tasks.withLock { tasks in
            guard let entry = tasks.live.removeValue(forKey: task) else { return }
            tasks.stopped.remove(task)
            if let parent = entry.parent { tasks.live[parent]?.children.remove(task) }
        }
    }

    func setDriver(_ driver: Task<Void, Never>, of task: Pointer) {
        let isStopped = tasks.withLock { tasks in
            tasks.live[task]?.driver = driver
            return tasks.stopped.contains(task)
        }
        if isStopped { driver.cancel() }
    }

    func setShielded(_ work: Task<LuaDelivery, any Error>?, of task: Pointer) {
        let isOver = tasks.withLock { tasks in
            guard tasks.live[task] != nil else { return true }
            tasks.live[task]?.shielded = work
            return shim_task_is_hard(task)
        }
        if isOver { work?.cancel() }
    }

    /// Asks `task` and its descendants to stop, and cancels what they await.
    ///
    /// - Parameter endsGrace: If it was asked before, its `<close>` handlers get no more time.
    func stop(_ task: Pointer, _ reason: shim_stop_reason, endsGrace: Bool = false) {
        stop(reason) { tasks in
            guard tasks.live[task] != nil else { return nil }
            return ([task], endsGrace && tasks.stopped.contains(task))
        }
    }

    /// Asks all tasks to stop. A second time ends the grace of their handlers.
    func stopAll(_ reason: shim_stop_reason) {
        stop(reason) { tasks in
            (Array(tasks.live.keys), !tasks.live.isEmpty && tasks.live.keys.allSatisfy(tasks.stopped.contains))
        }
    }

    private func stop(_ reason: shim_stop_reason, _ choose: (borrowing Tasks) -> (chosen: [Pointer], isHard: Bool)?) {
        var drivers: [Task<Void, Never>] = []
        var shielded: [Task<LuaDelivery, any Error>] = []
        let mustNudge = tasks.withLock { tasks in
            guard let choice = choose(tasks) else { return false }
            var chosen = choice.chosen
            let isHard = choice.isHard
            while let task = chosen.popLast() {
                guard let entry = tasks.live[task] else { continue }
                chosen += entry.children
                tasks.stopped.insert(task)
                shim_task_stop(task, Int32(bitPattern: reason.rawValue))
                if let driver = entry.driver { drivers.append(driver) }
                if isHard {
                    shim_task_stop_hard(task)
                    if let work = entry.shielded { shielded.append(work) }
                }
            }
            tasks.nudgeDelay = Self.firstDelay
            defer { tasks.isNudging = true }
            return !tasks.isNudging
        }
        // Outside the lock: cancelling a driver comes back here.
        for driver in drivers where !driver.isCancelled { driver.cancel() }
        for work in shielded { work.cancel() }
        if mustNudge { nudgeLater(Self.firstDelay) }
    }

    /// Signals stopped tasks again as long as they run on, at growing intervals.
    private func nudgeLater(_ milliseconds: Int) {
        stopQueue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self else { return }
            let next = tasks.withLock { tasks -> Int? in
                guard !tasks.stopped.isEmpty else {
                    tasks.isNudging = false
                    return nil
                }
                for task in tasks.stopped { shim_task_nudge(task) }
                tasks.nudgeDelay = min(tasks.nudgeDelay * 2, Self.greatestDelay)
                return tasks.nudgeDelay
            }
            if let next { nudgeLater(next) }
        }
    }
}

/// For what must happen while states and the common pool are busy.
let stopQueue = DispatchQueue(label: "nightjar.lua.stops")
