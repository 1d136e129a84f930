import CLuaShim

/// The tasks of `task.all` and `task.race`: those of a table, functions started first.
struct TaskSet {
    private let members: [(key: LuaReference, record: TaskRecord)]

    init(_ lua: LuaContext, at index: Int32) throws {
        guard lua_type(lua.L, index) == LUA_TTABLE else {
            throw LuaError(.argument, "argument 1 'tasks': table of functions or tasks expected, got \(lua.typeName(at: index))")
        }
        var members: [(LuaReference, TaskRecord)] = []
        var failure: (any Error)?
        try lua.forEachPair(of: index) {
            guard failure == nil else { return }
            let key = LuaReference(to: -2, in: lua)
            do {
                if let handle = try? TaskHandle.decode(from: lua, at: -1) {
                    members.append((key, handle.record))
                } else {
                    lua_pushvalue(lua.L, -1)
                    members.append((key, try lua.spawn(from: lua_gettop(lua.L))))
                }
            } catch {
                failure = LuaError(.argument, "argument 1 'tasks': function or task expected, got \(lua.typeName(at: -1))")
            }
        }
        if let failure {
            for member in members { member.1.cancel() }
            throw failure
        }
        self.members = members.map { (key: $0.0, record: $0.1) }
    }

    func all(_ lua: LuaContext) throws -> Int32 {
        let members = members
        let watch = Watch(members.map(\.record))
        return try lua.suspend("task.all") {
            try await watch.untilEnd { $0.contains { $0.hasFailed } }
            return { lua in
                if let failed = watch.firstFailed { return try failed.deliver(to: lua) }
                lua_createtable(lua.L, 0, Int32(clamping: members.count))
                for (key, record) in members {
                    try key.push(to: lua)
                    if record.pushResults(to: lua, count: 1) == 0 { lua.pushNil() }
                    lua_rawset(lua.L, -3)
                }
                return 1
            }
        }
    }

    func race(_ lua: LuaContext) throws -> Int32 {
        guard !members.isEmpty else { throw LuaError(.argument, "argument 1 'tasks': at least one task expected") }
        let members = members
        let watch = Watch(members.map(\.record))
        return try lua.suspend("task.race") {
            try await watch.untilEnd { !$0.isEmpty }
            return { lua in
                guard let winner = watch.ended.first, let key = members.first(where: { $0.record === winner })?.key else { return 0 }
                try key.push(to: lua)
                return try winner.deliver(to: lua) + 1
            }
        }
    }
}

/// Tasks that one other task waits for; only touched on the state's thread.
final class Watch: @unchecked Sendable {
    // Touched on the state's thread only: made by a host function, read by operations that run
    // there, written by `onEnd`.
    private let records: [TaskRecord]
    /// In the order in which they ended.
    private(set) var ended: [TaskRecord] = []
    private var next = Signal()

    init(_ records: [TaskRecord]) {
        self.records = records
        for record in records {
            record.isObserved = true
            if record.isDone {
                ended.append(record)
            } else {
                record.onEnd.append { [weak self, unowned record] in self?.note(record) }
            }
        }
    }

    var firstFailed: TaskRecord? { ended.first { $0.hasFailed } }

    private func note(_ record: TaskRecord) {
        ended.append(record)
        let signal = next
        next = Signal()
        signal.fire()
    }

    /// Waits until all have ended, or `isEnough` of those that have; then, or when the caller is
    /// cancelled, cancels the rest and waits for their end.
    nonisolated(nonsending) func untilEnd(_ isEnough: ([TaskRecord]) -> Bool) async throws {
        var failure: (any Error)?
        while ended.count < records.count, !isEnough(ended) {
            do { try await next.waitUnlessCancelled() } catch {
                failure = error
                break
            }
        }
        for record in records where !record.isDone { record.stop(SHIM_STOP_CANCELLED) }
        for record in records where !record.isDone { await record.done.wait() }
        if let failure { throw failure }
    }
}

extension TaskRecord {
    var hasFailed: Bool { if case .failed = phase { true } else { false } }
}
