import Lua
import Synchronization
import Testing

/// Something to be closed: at once, after a wait, or with an error.
private final class Handle: LuaObject {
    let census: Census
    let mode: String

    init(_ mode: String, _ census: Census) {
        self.mode = mode
        self.census = census
        census.alive.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { census.alive.subtract(1, ordering: .sequentiallyConsistent) }

    static let luaClass = LuaClass<Handle>("Handle", "To be closed.",
        methods: [
            Method("use", "Uses it.") { (handle: Handle) -> String in handle.mode },
            Method("waitForClose", "Waits until it is closed.") { (handle: Handle) async throws -> String in
                while handle.census.closed.load(ordering: .sequentiallyConsistent) == 0 { await Task.yield() }
                return handle.mode
            },
        ],
        properties: [Property("mode", "how it closes") { (handle: Handle) -> String in handle.mode }],
        close: { (handle: Handle) async throws in
            if handle.mode == "slow" { await Task.yield() }
            handle.census.closed.add(1, ordering: .sequentiallyConsistent)
            if handle.mode == "broken" { throw LuaError("broken", "it does not close") }
        })
}

@Suite struct CloseTests {
    private static func probe(_ census: Census) throws -> LuaState {
        try makeProbe {
            Function("open", "Opens one.", Argument("mode", String.self, "", default: "quick")) { (mode: String) -> Handle in Handle(mode, census) }
            Function("closed", "How many were closed.") { () -> Int in census.closed.load(ordering: .sequentiallyConsistent) }
            Function("alive", "How many live.") { () -> Int in census.count }
        }
    }

    @Test(arguments: ["quick", "slow"])
    func `a block that ends closes its variable`(_ mode: String) async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            local during
            do local h <close> = probe.open('\(mode)') during = probe.closed() end
            local after = probe.closed()
            pcall(function() local h <close> = probe.open('\(mode)') error('left') end)
            local function returns() local h <close> = probe.open('\(mode)') return h:use() end
            local value = returns()
            for i = 1, 3 do local h <close> = probe.open('\(mode)') if i == 2 then break end end
            return during, after, probe.closed(), value, probe.alive()
            """)
        #expect(results == [0, 1, 5, .string(mode), 0])
    }

    @Test func `a closed object is not used again`() async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            local h = probe.open()
            h:close()
            h:close()
            local _, method = pcall(h.use, h)
            local _, property = pcall(function() return h.mode end)
            local function of(e) return e.kind .. ': ' .. e.message end
            return probe.closed(), probe.alive(), of(method), of(property), method.hint
            """)
        #expect(results == [1, 0, "closed: the Handle was closed before", "closed: the Handle was closed before", "it cannot be used after close()"])
    }

    @Test func `an error of close is raised and the object is closed all the same`() async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            local outer
            local ok, e = pcall(function() local h <close> = probe.open('broken') outer = h end)
            return ok, e.kind, probe.closed(), pcall(outer.use, outer)
            """)
        #expect(results.prefix(4) == [false, "broken", 1, false])
    }

    @Test func `close while a call waits does not end the call's object`() async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            local task = require 'nightjar.task'
            local h = probe.open()
            local begun = false
            local waiting = task.spawn(function() begun = true return h:waitForClose() end)
            while not begun do task.sleep(0.001) end
            h:close()
            return waiting:await(), select('#', pcall(h.use, h)), (pcall(h.use, h))
            """)
        #expect(results == ["quick", 2, false])
    }

    @Test func `where nothing can wait an object stays open and says so`() async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            local h = probe.open()
            local ok, e = pcall(table.sort, { 1, 2 }, function() h:close() end)
            return ok, e.kind, h:use(), probe.closed()
            """)
        #expect(results == [false, "cannot_await", "quick", 0])
    }

    @Test func `a generic loop closes what it got`() async throws {
        let lua = try Self.probe(Census())
        let results = try await lua.probe("""
            for i in next, { 1, 2 }, nil, probe.open('slow') do if i == 1 then break end end
            return probe.closed(), probe.alive()
            """)
        #expect(results == [1, 0])
    }
}
