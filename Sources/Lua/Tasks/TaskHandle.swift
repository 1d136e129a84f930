import CLuaShim

/// A spawned task as scripts hold it.
final class TaskHandle: LuaObject {
    let record: TaskRecord

    init(_ record: TaskRecord) { self.record = record }

    deinit { record.handleIsGone = true }

    static let luaClass = LuaClass<TaskHandle>(
        "Task", "A task that was spawned. It belongs to the task that spawned it and ends with that, whether or not anybody holds it.",
        methods: [
            Method(raw: "await", "Waits until the task has ended and returns its results; raises its error.", [], returns: [.anything("what the task's function returned")], isAsync: true) { handle, lua in
                let record = handle.record
                return try lua.await([record], name: "Task:await") { try record.deliver(to: $0) }
            }.example("local h = task.spawn(function() return 1, 2 end) local a, b = h:await() assert(a == 1 and b == 2)"),
            Method("cancel", "Cancels the task: what it waits for, and its code. It then ends with an error of kind `cancelled`.") { handle in
                handle.record.isObserved = true
                handle.record.cancel()
            }.example("local h = task.spawn(task.sleep, 60) h:cancel() assert(not pcall(h.await, h))"),
        ],
        properties: [
            Property("state", "`loading` while it runs, then `loaded` or `error`") { $0.record.stateText },
            Property(raw: "value", "its first result; nil until it has ended", .any) { handle, lua in
                if case .loaded(let count) = handle.record.phase, count > 0 {
                    handle.record.pushResults(to: lua, count: 1)
                } else {
                    lua.pushNil()
                }
            },
            Property(raw: "error", "what it raised; nil unless it failed", .any) { handle, lua in
                if case .failed(let error) = handle.record.phase {
                    handle.record.isObserved = true
                    lua.push(error: error)
                } else {
                    lua.pushNil()
                }
            },
        ])
}

extension FieldDescription {
    /// Results or arguments of any type and number.
    static func anything(_ text: String, name: String = "") -> FieldDescription { FieldDescription(name, .variadic(.any), text) }
}

extension TaskRecord {
    var stateText: String {
        switch phase {
        case .loading: "loading"
        case .loaded: "loaded"
        case .failed: "error"
        }
    }

    /// Pushes the first `count` results (all where nil); they stay for whoever asks next.
    @discardableResult
    func pushResults(to lua: LuaContext, count: Int32? = nil) -> Int32 {
        guard case .loaded(let results) = phase else { return 0 }
        let wanted = min(count ?? results, results)
        guard wanted > 0, lua_checkstack(thread.L, wanted) != 0, lua_checkstack(lua.L, wanted) != 0 else { return 0 }
        let first = lua_gettop(thread.L) - results + 1
        for index in first..<(first + wanted) { lua_pushvalue(thread.L, index) }
        lua_xmove(thread.L, lua.L, wanted)
        return wanted
    }

    /// Pushes all results, or throws the error the task ended with.
    func deliver(to lua: LuaContext) throws -> Int32 {
        isObserved = true
        if case .failed(let error) = phase { throw error }
        return pushResults(to: lua)
    }
}

extension LuaContext {
    /// Suspends the running task until all of `records` have ended.
    func await(_ records: [TaskRecord], name: String, deliver: @escaping LuaDelivery) throws -> Int32 {
        let running = records.filter { !$0.isDone }
        for record in records { record.isObserved = true }
        if running.isEmpty { return try deliver(self) }
        if running.contains(where: { $0 === host.current || host.current.map($0.isAncestor) == true }) {
            throw LuaError(.argument, "a task cannot wait for itself or for the task that spawned it")
        }
        return try suspend(name) {
            for record in running { try await record.done.waitUnlessCancelled() }
            return deliver
        }
    }
}
