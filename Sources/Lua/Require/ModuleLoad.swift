import CLuaShim

/// A module that is being loaded: one task does, others that require it wait.
final class ModuleLoad {
    let name: String
    let owner: TaskRecord
    let done = Signal()

    init(name: String, owner: TaskRecord) {
        self.name = name
        self.owner = owner
    }

    /// `begin(key, name, file)`: true when the calling task is to load it; false when another has
    /// done so meanwhile.
    static let begin: LuaBody = { lua in
        let key = try String.decode(from: lua, at: 1)
        let name = try String.decode(from: lua, at: 2)
        let file = try String?.decode(from: lua, at: 3)
        guard let task = lua.host.current else { throw LuaError(.module, "require needs a running script") }
        if let load = lua.host.loading[key] {
            try load.checkCycle(from: task, in: lua.host)
            let done = load.done
            task.waitsFor = key
            return try lua.suspend("require") {
                // Whether it was loaded or failed is for the second look to find out.
                do { try await done.waitUnlessCancelled() } catch { task.waitsFor = nil; throw error }
                task.waitsFor = nil
                return { lua in
                    lua_pushboolean(lua.L, 0)
                    return 1
                }
            }
        }
        lua.host.loading[key] = ModuleLoad(name: name, owner: task)
        task.loadingFiles.append(file)
        lua_pushboolean(lua.L, 1)
        return 1
    }

    /// `finish(key)`: loaded or not, nobody need wait any more.
    static let finish: LuaBody = { lua in
        let key = try String.decode(from: lua, at: 1)
        guard let load = lua.host.loading.removeValue(forKey: key) else { return 0 }
        if !load.owner.loadingFiles.isEmpty { load.owner.loadingFiles.removeLast() }
        load.done.fire()
        return 0
    }

    /// Fails when waiting for this module would never end: the task loads it itself, or the one
    /// that does waits for one that the task loads.
    private func checkCycle(from task: TaskRecord, in host: LuaHost) throws {
        var chain = [name]
        var load = self
        while true {
            if load.owner === task || load.owner.isAncestor(of: task) {
                let own = host.loading.values.filter { $0.owner === load.owner && $0 !== self }.map(\.name)
                throw LuaError(
                    .module, "module \(quoted(name)) requires itself: \((chain + own.sorted() + [name]).joined(separator: " → "))",
                    hint: "require it inside the function that needs it")
            }
            guard let next = load.owner.waitsFor.flatMap({ host.loading[$0] }), next !== self else { return }
            chain.append(next.name)
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
