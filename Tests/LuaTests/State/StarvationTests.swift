import Foundation
import Lua
import Testing

/// A state that is busy or blocked holds up nobody but its own scripts.
@Suite struct StarvationTests {
    enum Load: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case busy, blocked, twoBusy = "two busy", twoBlocked = "two blocked", busyAndBlocked = "busy and blocked"
        var testDescription: String { rawValue }

        func scripts(_ pipe: String) -> [String] {
            let busy = "log 'begun' while true do end", blocked = "local f <close> = io.open('\(pipe)', 'r+') log 'begun' f:read()"
            return switch self {
            case .busy: [busy]
            case .blocked: [blocked]
            case .twoBusy: [busy, busy]
            case .twoBlocked: [blocked, blocked]
            case .busyAndBlocked: [busy, blocked]
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Load.allCases) func `timers tick and other states run beside states that are`(_ load: Load) async throws {
        let directory = try ModuleDirectory(["empty": ""])
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        var works: [Task<[LuaValue], any Error>] = []
        for script in load.scripts(pipe) {
            let host = ScriptHost()
            works.append(Task { try await host.run(script) })
            await host.event("begun")
        }
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
        let results = try await ScriptHost().run("""
            local sum = 0
            for i = 1, 20 do task.sleep(0.001) sum = sum + await(i) end
            return sum, task.all { function() return await(1) end }[1]
            """)
        #expect(results == [210, 1])
        for work in works { work.cancel() }
        for work in works { await #expect { try await work.value } throws: { ($0 as? LuaError)?.kind == .cancelled } }
    }
}
