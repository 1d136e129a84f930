import CLuaShim

/// `task.group`: tasks of which at most so many run at once.
final class TaskGroupObject: LuaObject, @unchecked Sendable {
    // Touched on the state's thread only: by host functions and by operations that run there.
    private let limit: Int
    /// The task that made it; its members are that task's children, whoever spawns them.
    private weak let owner = TaskRecord.current
    private var members: [ObjectIdentifier: TaskRecord] = [:]
    private var running = 0
    private var slotFree = Signal()
    private var failed: TaskRecord?

    init(limit: Int?) { self.limit = max(1, limit ?? .max) }

    static let luaClass = LuaClass<TaskGroupObject>(
        "TaskGroup", "Tasks that are waited for together. The first error cancels the others.",
        methods: [
            Method(raw: "spawn", "Starts a function as a task of the group; waits first while the group is full.", [
                FieldDescription("fn", .function(arguments: [.variadic(.any)], results: []), "the function"), .anything("its arguments", name: "..."),
            ], returns: [FieldDescription("", .object("Task"), "the task", mentions: [TaskHandle.self])], isAsync: true) { group, lua in
                try group.spawn(lua)
            }.example("local g = task.group() local h = g:spawn(function() return 7 end) g:wait() assert(h.value == 7)"),
            Method("wait", "Waits until all its tasks have ended; raises the first error after cancelling the rest.") { group in
                try await group.wait()
            }.example("local g = task.group() g:spawn(error, 'no') assert(not pcall(g.wait, g))"),
            Method("cancel", "Cancels all its tasks.") { group in group.cancel() }
                .example("local g = task.group() g:spawn(task.sleep, 60) g:cancel()"),
        ],
        close: { group in try await group.wait() })

    private func spawn(_ lua: LuaContext) throws -> Int32 {
        if let failed { return try failed.deliver(to: lua) }
        if running < limit {
            try TaskHandle(start(lua)).encode(to: lua)
            return 1
        }
        // The function and its arguments stay on the coroutine's stack over the wait.
        return try lua.suspend("TaskGroup:spawn") { [self] in
            while running >= limit, failed == nil { try await slotFree.waitUnlessCancelled() }
            // Another one may have been quicker; then this waits again.
            return { try self.spawn($0) }
        }
    }

    private func start(_ lua: LuaContext) throws -> TaskRecord {
        let record = try lua.spawn(from: 2, parent: owner)
        record.isObserved = true
        running += 1
        members[ObjectIdentifier(record)] = record
        record.onEnd.append { [self, unowned record] in ended(record) }
        return record
    }

    private func ended(_ record: TaskRecord) {
        running -= 1
        members[ObjectIdentifier(record)] = nil
        if failed == nil, case .failed(let error) = record.phase, error.kind != .cancelled {
            failed = record
            cancel()
        }
        let signal = slotFree
        slotFree = Signal()
        signal.fire()
    }

    private nonisolated(nonsending) func wait() async throws {
        do {
            while running > 0 { try await slotFree.waitUnlessCancelled() }
        } catch {
            cancel()
            while running > 0 { await slotFree.wait() }
            throw error
        }
        if case .failed(let error)? = failed?.phase { throw error }
    }

    private func cancel() { for member in members.values { member.stop(SHIM_STOP_CANCELLED) } }
}
