import CLuaShim

/// A module that is being loaded: one task does, others that require it wait.
final class ModuleLoad {
    let key: String
    let name: String
    /// nil for modules without a file, and until it is found.
    private(set) var file: String?
    private unowned let owner: TaskRecord
    private let done = Signal()

    private init(key: String, name: String, file: String?, owner: TaskRecord) {
        self.key = key
        self.name = name
        self.file = file
        self.owner = owner
    }

    /// `begin(key, name, file)`: true when the calling task is to load it; false when another task
    /// was loading it and has come to an end with that, good or bad.
    static let begin: LuaBody = { lua in
        let key = try String.decode(from: lua, at: 1)
        let name = try String.decode(from: lua, at: 2)
        let file = try String?.decode(from: lua, at: 3)
        guard let task = lua.host.current else { throw LuaError(.module, "require needs a running script") }
        guard let load = lua.host.loading[key] else {
            let load = ModuleLoad(key: key, name: name, file: file, owner: task)
            lua.host.loading[key] = load
            task.loads.append(load)
            lua_pushboolean(lua.L, 1)
            return 1
        }
        try load.checkCycle(from: task, in: lua.host)
        let done = load.done
        let result = try lua.suspend("require") {
            defer { task.waitsFor = nil }
            try await done.waitUnlessCancelled()
            return { lua in
                lua_pushboolean(lua.L, 0)
                return 1
            }
        }
        task.waitsFor = key
        return result
    }

    /// `found(key, file)`: where a search found it.
    static let found: LuaBody = { lua in
        let key = try String.decode(from: lua, at: 1)
        lua.host.loading[key]?.file = try String.decode(from: lua, at: 2)
        return 0
    }

    /// `finish(key)`: loaded or not, nobody need wait any more.
    static let finish: LuaBody = { lua in
        let key = try String.decode(from: lua, at: 1)
        guard let load = lua.host.loading[key] else { return 0 }
        load.owner.loads.removeAll { $0 === load }
        load.end(in: lua.host)
        return 0
    }

    /// Wakes who waits for it.
    func end(in host: LuaHost) {
        host.loading[key] = nil
        done.fire()
    }

    /// Fails when waiting for this module would never end: the task, or one that it runs inside,
    /// loads it itself; or the one that does waits for a module that the task loads.
    private func checkCycle(from task: TaskRecord, in host: LuaHost) throws {
        var chain: [String] = []
        var load = self
        while true {
            // What the owner has begun to load on the way from this module.
            let begun = load.owner.loads.drop { $0 !== load }.map(\.name)
            if load.owner === task || load.owner.isAncestor(of: task) {
                let inner = load.owner === task ? [] : task.loads.map(\.name)
                let steps = chain + begun + inner + [name]
                throw LuaError(
                    .module, "module \(quoted(name)) requires itself: \(steps.joined(separator: " → "))",
                    hint: "require it inside the function that needs it")
            }
            chain += begun
            guard let next = load.owner.waitsFor.flatMap({ host.loading[$0] }), next !== self else { return }
            load = next
        }
    }
}

extension TaskRecord {
    func isAncestor(of task: TaskRecord) -> Bool {
        var next = task.parent
        while let record = next {
            if record === self { return true }
            next = record.parent
        }
        return false
    }
}
