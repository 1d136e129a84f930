import CLuaShim
import Synchronization

/// `nightjar.task`: several things at once.
let taskModule = Module("nightjar.task", "Several things at once. Tasks are children of the task that spawns them: they end with it, and an error that nobody asked for becomes its own.") {
    Function(raw: "spawn", "Starts a function as a task; it first runs when the caller waits.", functionAndArguments, returns: [handle("the task")]) { lua in
        try TaskHandle(lua.spawn(from: 1)).encode(to: lua)
        return 1
    }
    .example("local h = task.spawn(function(a) return a + 1 end, 41) assert(h:await() == 42)")

    Function(raw: "defer", "Starts a function as a task that first runs when all tasks that are ready now have had their turn.", functionAndArguments, returns: [handle("the task")]) { lua in
        try TaskHandle(lua.spawn(from: 1, deferred: true)).encode(to: lua)
        return 1
    }
    .example("local order = {} task.defer(table.insert, order, 2) task.spawn(table.insert, order, 1) task.sleep(0.01) assert(order[1] == 1)")

    Function("sleep", "Waits.", Argument("seconds", Duration.self, "how long; fractions count")) { duration in
        try await Task.sleep(for: duration)
    }
    .raises(.cancelled)
    .example("task.sleep(0.01)")

    Function(raw: "all", "Runs functions, or waits for tasks, and returns their first results under the same keys. The first error cancels the others and is raised.", [tasks], returns: [FieldDescription("", .table, "the first result of each")], isAsync: true) { lua in
        try TaskSet(lua, at: 1).all(lua)
    }
    .example("local r = task.all { a = function() return 1 end, b = function() return 2 end } assert(r.a + r.b == 3)")

    Function(raw: "race", "Runs functions, or waits for tasks, until the first has ended; cancels the others. Returns its results and its key, or raises its error.", [tasks], returns: [.anything("the key, then the results of the first")], isAsync: true) { lua in
        try TaskSet(lua, at: 1).race(lua)
    }
    .example("local key = task.race { slow = function() task.sleep(10) end, quick = function() task.sleep(0.01) end } assert(key == 'quick')")

    Function(raw: "timeout", "Runs a function and returns its results; cancels it when it takes longer.", [FieldDescription("seconds", .number, "how long it may take")] + functionAndArguments, returns: [.anything("what the function returned")], isAsync: true) { lua in
        let limit = try Duration.decodeArgument(from: lua, at: 1, name: "seconds")
        return try lua.timeout(limit, lua.spawn(from: 2))
    }
    .raises(.timeout)
    .example("local ok, e = pcall(task.timeout, 0.01, task.sleep, 10) assert(not ok and e.kind == 'timeout')")

    Function(raw: "cancel", "Cancels a task, as its method `cancel` does.", [FieldDescription("task", .object("Task"), "the task")], returns: []) { lua in
        let handle = try TaskHandle.decode(from: lua, at: 1)
        handle.record.isObserved = true
        handle.record.cancel()
        return 0
    }
    .example("local h = task.spawn(task.sleep, 60) task.cancel(h)")

    Function("group", "A group of tasks of which at most `limit` run at once.", Argument("options", GroupOptions.self, "see GroupOptions"), returns: "the group") { options in
        TaskGroupObject(limit: options.limit)
    }
    .example("local g <close> = task.group { limit = 2 } for i = 1, 5 do g:spawn(task.sleep, 0.001) end g:wait()")

    Function("channel", "A queue between tasks.", Argument("options", ChannelOptions.self, "see ChannelOptions"), returns: "the channel") { options in
        TaskChannel(capacity: options.capacity)
    }
    .example("local c = task.channel { capacity = 1 } c:send('x') assert(c:receive() == 'x')")
}

private let functionAndArguments = [
    FieldDescription("fn", .function(arguments: [.variadic(.any)], results: [.variadic(.any)]), "the function"),
    .anything("its arguments", name: "..."),
]

private let tasks = FieldDescription("tasks", .table, "functions or tasks, under any keys")

private func handle(_ text: String) -> FieldDescription {
    FieldDescription("", LuaType.object("Task"), text, mentions: [TaskHandle.self])
}

struct GroupOptions: LuaOptions {
    var limit: Int?
    static let luaSchema = LuaSchema("GroupOptions", "How a group runs its tasks.",
        Field("limit", \GroupOptions.limit, "at most so many at once; none: all"), make: GroupOptions.init)
}

struct ChannelOptions: LuaOptions {
    var capacity: Int
    static let luaSchema = LuaSchema("ChannelOptions", "How a channel holds values.",
        Field("capacity", \ChannelOptions.capacity, "how many values wait before `send` does", default: 0, in: 0...1_000_000), make: ChannelOptions.init)
}

extension LuaDecodable {
    /// For functions that read the stack themselves: an argument, with the usual error.
    static func decodeArgument(from lua: LuaContext, at index: Int32, name: String) throws -> Self {
        do {
            return try decode(from: lua, at: index)
        } catch let mismatch as LuaMismatch {
            throw LuaError(.argument, "argument \(index) '\(name)'\(mismatch.pathText): \(mismatch.problem)", hint: mismatch.hint)
        }
    }
}

extension LuaContext {
    /// Starts the function at `index` with all values above it as a child of `parent`, or of the
    /// running task. They are taken off the stack.
    func spawn(from index: Int32, deferred: Bool = false, parent: TaskRecord? = nil) throws -> TaskRecord {
        guard let parent = parent.flatMap({ $0.isDone ? nil : $0 }) ?? host.current else { throw LuaError(.runtime, "a task needs a running script") }
        guard lua_type(L, index) == LUA_TFUNCTION || luaL_getmetafield(L, index, "__call") != LUA_TNIL else {
            throw LuaError(.argument, "argument \(index) 'fn': function expected, got \(typeName(at: index))")
        }
        let values = lua_gettop(L) - index + 1
        let record = TaskRecord(self, parent: parent, spawnSite: spawnSite(of: parent))
        try record.thread.reserve(values + 4)
        lua_xmove(L, record.thread.L, values)
        parent.addChild(record)
        host.state.assumeIsolated { state in state.start(record, arguments: values - 1, deferred: deferred) }
        return record
    }

    /// The calls that lead to the running function, and where its own task was spawned.
    private func spawnSite(of parent: TaskRecord) -> [LuaTraceback.Frame] {
        var trace = shim_trace()
        shim_capture(L, 1, &trace)
        let frames = withUnsafePointer(to: &trace) { LuaTraceback($0).frames }
        guard let site = frames.first else { return parent.spawnSite }
        return [.init(kind: .spawn, source: site.source, line: site.line, name: site.name)] + frames.dropFirst().prefix(2) + parent.spawnSite.prefix(12)
    }

    /// Waits for `record` at most `limit`; cancels it and raises when it takes longer.
    func timeout(_ limit: Duration, _ record: TaskRecord) throws -> Int32 {
        record.isObserved = true
        return try suspend("task.timeout") {
            let clock = Task {
                try await Task.sleep(for: limit)
                record.timeOut()
            }
            defer { clock.cancel() }
            do {
                try await record.done.waitUnlessCancelled()
            } catch {
                record.stop(SHIM_STOP_CANCELLED)
                await record.done.wait()
                throw error
            }
            return { lua in
                if record.didTimeOut.load(ordering: .acquiring), case .failed(let error) = record.phase, error.kind == .cancelled {
                    throw LuaError(.timeout, "it took longer than \(limit)", cause: error)
                }
                return try record.deliver(to: lua)
            }
        }
    }
}
