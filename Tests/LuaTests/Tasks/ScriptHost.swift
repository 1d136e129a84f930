@testable import Lua
import Synchronization
import Testing

/// What scripts of these tests talk to: `require "test"`, and the test's side of it.
final class ScriptHost: Sendable {
    private struct State {
        var events: [String] = []
        var watchers: [(name: String, signal: Signal)] = []
        var gates: [String: Signal] = [:]
        /// Operations that were begun, and those that were cut short.
        var begun = 0
        var cancelled = 0
        var opened = 0
        var closed = 0
        var active = 0
        var mostActive = 0
        var onBegin: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())

    // MARK: - The test's side

    var events: [String] { state.withLock(\.events) }
    var begun: Int { state.withLock(\.begun) }
    var cancelled: Int { state.withLock(\.cancelled) }
    var opened: Int { state.withLock(\.opened) }
    var closed: Int { state.withLock(\.closed) }
    var mostActive: Int { state.withLock(\.mostActive) }

    /// Calls `action` with its number whenever an operation begins.
    func onBegin(_ action: @escaping @Sendable (Int) -> Void) { state.withLock { $0.onBegin = action } }

    private func noteBegin() {
        let (number, action) = state.withLock { state in
            state.begun += 1
            return (state.begun, state.onBegin)
        }
        action?(number)
    }

    func log(_ event: String) {
        let fired = state.withLock { state in
            state.events.append(event)
            defer { state.watchers.removeAll { $0.name == event } }
            return state.watchers.filter { $0.name == event }
        }
        for watcher in fired { watcher.signal.fire() }
    }

    /// Waits until `event` has been logged.
    func event(_ event: String) async {
        let signal = Signal()
        state.withLock { state in
            if state.events.contains(event) { signal.fire() } else { state.watchers.append((event, signal)) }
        }
        await signal.wait()
    }

    /// Lets everything go on that waits, or will wait, at the gate.
    func open(_ gate: String) { self.gate(gate).fire() }

    private func gate(_ name: String) -> Signal {
        state.withLock { state in
            if let gate = state.gates[name] { return gate }
            let gate = Signal()
            state.gates[name] = gate
            return gate
        }
    }

    /// A state whose scripts reach this host.
    func makeState(_ libraries: LuaConfiguration.Libraries = .trusted, limits: LuaLimits = LuaLimits(grace: .seconds(600)), modulePaths: [String]? = nil) throws -> LuaState {
        let lua = try LuaState(LuaConfiguration(libraries: libraries, limits: limits, modules: [module], modulePaths: modulePaths))
        self.lua.withLock { $0.state = lua }
        return lua
    }

    /// The state that was made last.
    private struct Owner: Sendable { weak var state: LuaState? }
    private let lua = Mutex(Owner())

    /// Waits until the state's thread has been through all that was ready. A `Task.yield` may come
    /// back at once, and a continuation that is resumed early does.
    private func turn() async {
        let lua = lua.withLock(\.state)
        await Task.detached { _ = await lua?.memory }.value
    }

    /// Runs `script` after a head that names what it needs.
    func run(_ script: String, on lua: LuaState? = nil, name: String = "=script", arguments: [LuaValue] = []) async throws -> [LuaValue] {
        let lua = try lua ?? makeState()
        return try await lua.run(Self.head + script, name: name, arguments: arguments)
    }

    /// On one line, so that line numbers of scripts stay right.
    static let head = "local test, task = require 'test', require 'nightjar.task' local await, log = test.pass, test.log "

    // MARK: - The script's side

    var module: Module {
        Module("test", "What tests need.") {
            Function("pass", "Waits until all tasks that are ready have had a turn, then returns its argument.", Argument("value", LuaValue.self, "any", default: .nil)) { value in
                self.noteBegin()
                await self.turn()
                try self.noteCancellation()
                return value
            }
            Function("log", "Notes an event.", Argument("event", String.self, "its name")) { event in self.log(event) }
            Function("gate", "Waits until the test opens the gate, or the task is cancelled.", Argument("name", String.self, "the gate")) { name in
                self.noteBegin()
                self.log("at \(name)")
                do { try await self.gate(name).waitUnlessCancelled() } catch {
                    self.state.withLock { $0.cancelled += 1 }
                    throw error
                }
            }
            Function("stubborn", "Waits until the test opens the gate, cancelled or not; returns its name.", Argument("name", String.self, "the gate")) { name in
                self.log("at \(name)")
                await self.gate(name).wait()
                self.log("past \(name)")
                return name
            }
            Function("enter", "Counts who is inside.") { self.state.withLock { $0.active += 1; $0.mostActive = max($0.mostActive, $0.active) } }
            Function("leave", "Counts who is inside.") { self.state.withLock { $0.active -= 1 } }
            Function("open", "Opens something that has to be closed.", returns: "it") {
                self.state.withLock { $0.opened += 1 }
                return ScriptResource(self)
            }
            Function("big", "So many bytes.", Argument("count", Int.self, "how many")) { count in String(repeating: "x", count: count) }
            Function("many", "So many numbers.", Argument("count", Int.self, "how many")) { count in Array(0..<count) }
        }
    }

    private func noteCancellation() throws {
        if Task.isCancelled {
            state.withLock { $0.cancelled += 1 }
            throw CancellationError()
        }
    }

    fileprivate func noteClose() { state.withLock { $0.closed += 1 } }
}

/// Something with an asynchronous `close`.
final class ScriptResource: LuaObject {
    private let host: ScriptHost

    init(_ host: ScriptHost) { self.host = host }

    static let luaClass = LuaClass<ScriptResource>("Resource", "Has to be closed.", close: { resource in
        await Task.yield()
        resource.host.noteClose()
    })
}
