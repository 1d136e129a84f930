import CLuaShim
@testable import Lua
import Synchronization
import Testing

/// Finalizers of scripts run at any allocation, inside host code too, and at the end of a state.
@Suite(.timeLimit(.minutes(1))) struct FinalizerTests {
    private static func probe(_ calls: Census, _ limits: LuaLimits = LuaLimits()) throws -> LuaState {
        try makeProbe(LuaConfiguration(limits: limits)) {
            Function("note", "Counts its calls.", Argument("value", LuaValue.self, "")) { (value: LuaValue) in calls.closed.add(1, ordering: .sequentiallyConsistent) }
            Function("noted", "Counted calls.") { () -> Int in calls.closed.load(ordering: .sequentiallyConsistent) }
            Function("lists", "Makes garbage in host code.", Argument("count", Int.self, "")) { (count: Int) -> [[String]] in
                (0..<count).map { ["\($0)", "\($0 + 1)"] }
            }
            Function("fail", "Throws.") { () throws -> Int in throw LuaError("broken", "x") }
            Function("sleep", "Waits.") { () async throws in await Task.yield() }
        }
    }

    @Test func `a finalizer may call the host, also while host code allocates`() async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            collectgarbage('generational')
            local made = 0
            local function garbage()
              made = made + 1
              setmetatable({}, { __gc = function()
                probe.note(tostring(select(2, pcall(probe.fail))))
                pcall(probe.sleep)
                coroutine.wrap(function() probe.note(#probe.lists(2)) end)()
                local t = setmetatable({}, { __index = function() return probe.noted() end })
                assert(t.x >= 0)
              end })
            end
            for i = 1, 200 do garbage() assert(#probe.lists(200) == 200) end
            collectgarbage() collectgarbage()
            return probe.noted() == 2 * made
            """)
        #expect(results == [true])
    }

    @Test func `host code is refused no memory after a finalizer ran inside it`() async throws {
        let calls = Census()
        let lua = try makeProbe {
            Function("note", "Counts its calls.") { () in calls.closed.add(1, ordering: .sequentiallyConsistent) }
            Function(raw: "allocate", "Allocates until a finalizer ran; returns whether allocations may fail then.", [], returns: []) { lua in
                let before = calls.closed.load(ordering: .sequentiallyConsistent)
                for number in 0..<1_000_000 where calls.closed.load(ordering: .sequentiallyConsistent) == before {
                    try "a text that is not interned, number \(number) of very many".encode(to: lua)
                    lua.pop()
                }
                let ran = calls.closed.load(ordering: .sequentiallyConsistent) > before
                try ran.encode(to: lua)
                try (shim_state_of(lua.L).pointee.in_lua != 0).encode(to: lua)
                return 2
            }
        }
        let results = try await lua.probe("setmetatable({}, { __gc = function() probe.note() end }) return probe.allocate()")
        #expect(results == [true, false])
    }

    @Test func `the memory limit holds for host code after a finalizer ran inside it`() async throws {
        let lua = try Self.probe(Census(), LuaLimits(memory: 8 << 20))
        let error = await lua.failure("""
            local kept = {}
            while true do
              setmetatable({}, { __gc = function() probe.note(#probe.lists(3)) end })
              kept[#kept + 1] = probe.lists(500)
            end
            """)
        #expect(error?.kind == .memory, "\(String(describing: error))")
        #expect(try await lua.probe("return 1") == [1])
    }

    @Test func `a finalizer that meets a host function finalized before it gets an error`() async throws {
        let lua = try Self.probe(Census())
        // Both become garbage at once. Finalizers run in the reverse order of their marking, so the
        // function, which is made later, is finalized first.
        let results = try await lua.probe("""
            local ok, message
            do
              local holder = setmetatable({}, { __gc = function(self) ok, message = pcall(self.note, 1) end })
              package.loaded.probe = nil
              holder.note = require('probe').note
              package.loaded.probe = nil
            end
            collectgarbage() collectgarbage()
            return ok, message, probe.noted()
            """)
        #expect(results == [false, "the host function is gone", 0])
    }

    @Test func `finalizers at the end of a state cannot reach the host any more`() async throws {
        let census = Census()
        let released = Census()
        final class Token: Sendable {
            let census: Census
            init(_ census: Census) {
                self.census = census
                census.alive.add(1, ordering: .sequentiallyConsistent)
            }
            deinit { census.alive.subtract(1, ordering: .sequentiallyConsistent) }
        }
        do {
            let token = Token(released)
            let lua = try makeProbe {
                Function("note", "Counts its calls.", Argument("fn", LuaFunction?.self, "")) { (fn: LuaFunction?) in
                    withExtendedLifetime(token) { _ = census.closed.add(1, ordering: .sequentiallyConsistent) }
                }
            }
            _ = try await lua.probe("""
                kept = setmetatable({}, { __gc = function() probe.note(function() end) end })
                before = probe.note
                local early = setmetatable({}, { __gc = function() before() end })
                late = early
                """)
        }
        while released.count > 0, !Task.isCancelled { await Task.yield() }
        #expect(released.count == 0)
        #expect(census.closed.load(ordering: .sequentiallyConsistent) == 0)
    }
}
