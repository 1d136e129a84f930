import Lua
import Synchronization
import Testing

/// How many objects live, and what was done.
final class Census: Sendable {
    let alive = Atomic<Int>(0)
    let closed = Atomic<Int>(0)
    var count: Int { alive.load(ordering: .sequentiallyConsistent) }
}

private final class Jukebox: LuaObject {
    let name: String
    let volume: Mutex<Int>
    let census: Census

    init(_ name: String, _ census: Census) {
        self.name = name
        self.census = census
        volume = Mutex(50)
        census.alive.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { census.alive.subtract(1, ordering: .sequentiallyConsistent) }

    static let luaClass = LuaClass<Jukebox>("Jukebox", "Plays.",
        methods: [
            Method("play", "Plays.", Argument("track", String.self, ""), Argument("times", Int.self, "", default: 1)) { (player: Jukebox, track: String, times: Int) -> String in
                "\(player.name): \(track) x\(times)"
            },
            Method("both", "Two results.") { (player: Jukebox) -> (String, Int) in (player.name, 2) },
            Method("wait", "Waits.", Argument("seconds", Duration.self, "")) { (player: Jukebox, seconds: Duration) async throws -> String in
                try await Task.sleep(for: seconds)
                return player.name
            },
            Method("mix", "Another one.", Argument("other", Jukebox.self, "")) { (player: Jukebox, other: Jukebox) -> String in player.name + other.name },
            Method("fail", "Throws.") { (player: Jukebox) throws -> Int in throw LuaError("broken", "the needle") },
        ],
        properties: [
            Property("name", "its name") { (player: Jukebox) -> String in player.name },
            Property("volume", "loudness", get: { (player: Jukebox) -> Int in player.volume.withLock { $0 } }, set: { (player: Jukebox, value: Int) in
                guard (0...100).contains(value) else { throw LuaMismatch("\(value) is out of range (0 to 100)") }
                player.volume.withLock { $0 = value }
            }),
        ])
}

private final class Vector: LuaObject {
    let x: Double, y: Double

    init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    static let luaClass = LuaClass<Vector>("Vector", "A pair of numbers.",
        properties: [Property("x", "") { (v: Vector) -> Double in v.x }, Property("y", "") { (v: Vector) -> Double in v.y }],
        metamethods: [
            .add: Method("add", "", Argument("other", Vector.self, "")) { (a: Vector, b: Vector) -> Vector in Vector(a.x + b.x, a.y + b.y) },
            .mul: Method("mul", "", Argument("factor", Double.self, "")) { (a: Vector, factor: Double) -> Vector in Vector(a.x * factor, a.y * factor) },
            .unm: Method("unm", "") { (a: Vector) -> Vector in Vector(-a.x, -a.y) },
            .len: Method("len", "") { (_: Vector) -> Int in 2 },
            .eq: Method("eq", "", Argument("other", Vector.self, "")) { (a: Vector, b: Vector) -> Bool in a.x == b.x && a.y == b.y },
            .lt: Method("lt", "", Argument("other", Vector.self, "")) { (a: Vector, b: Vector) -> Bool in a.x < b.x },
            .le: Method("le", "", Argument("other", Vector.self, "")) { (a: Vector, b: Vector) -> Bool in a.x <= b.x },
            .call: Method("call", "", Argument("scale", Double.self, "")) { (a: Vector, scale: Double) -> Double in (a.x + a.y) * scale },
            .tostring: Method("tostring", "") { (a: Vector) -> String in "(\(a.x), \(a.y))" },
            .concat: Method("concat", "", Argument("text", String.self, "")) { (a: Vector, text: String) -> String in "(\(a.x), \(a.y))" + text },
        ])
}

@Suite(.timeLimit(.minutes(1))) struct ObjectTests {
    private static func probe(_ census: Census = Census()) throws -> LuaState {
        try makeProbe {
            Function("player", "A jukebox.", Argument("name", String.self, "", default: "p")) { (name: String) -> Jukebox in Jukebox(name, census) }
            Function("vector", "A vector.", Argument("x", Double.self, ""), Argument("y", Double.self, "")) { (x: Double, y: Double) -> Vector in Vector(x, y) }
            Function("alive", "Jukeboxes that live.") { () -> Int in census.count }
            Function("players", "A list of them.", Argument("count", Int.self, "")) { (count: Int) -> [Jukebox] in (0..<count).map { Jukebox("\($0)", census) } }
        }
    }

    @Test func `methods have arguments, defaults and results`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local p = probe.player('a') return p:play('So What'), p:play('x', 3), p:wait(0), p:mix(probe.player('b')), p:both()")
        #expect(results == ["a: So What x1", "a: x x3", "a", "ab", "a", 2])
        #expect(try await lua.complaint("probe.player():play(5)") == "argument 1 'track': string expected, got integer | usage: (track: string, times?: integer)")
        #expect(try await lua.complaint("probe.player():both(1)") == "the function takes no arguments, got 1 | usage: ()")
        #expect(try await lua.complaint("probe.player():mix(5)").hasPrefix("argument 1 'other': Jukebox expected, got integer"))
        #expect(try await lua.probe("return select(2, pcall(probe.player().fail, probe.player())).kind") == ["broken"])
    }

    @Test func `properties are read and written`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("local p = probe.player('a') p.volume = 80 return p.name, p.volume, p.nothing, p[1]") == ["a", 80, .nil, .nil])
        #expect(try await lua.complaint("(function() probe.player().volume = 'loud' end)()") == "property 'volume': integer expected, got string")
        #expect(try await lua.complaint("(function() probe.player().volume = 101 end)()") == "property 'volume': 101 is out of range (0 to 100)")
        #expect(try await lua.complaint("(function() probe.player().name = 'x' end)()").contains("cannot set 'name' of a Jukebox"))
        #expect(try await lua.complaint("(function() probe.player().colour = 'x' end)()").contains("cannot set 'colour' of a Jukebox"))
        #expect(try await lua.complaint("(function() probe.player()[{}] = 'x' end)()").contains("of a Jukebox"))
    }

    @Test func `operators are metamethods`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local a, b = probe.vector(1, 2), probe.vector(3, 4)
            return (a + b).x, (a * 2).y, (-a).x, #a, a == probe.vector(1, 2), a == b, a < b, a <= b, a > b, a(10), tostring(a), a .. '!'
            """)
        #expect(results == [4.0, 4.0, -1.0, 2, true, false, true, true, false, 30.0, "(1.0, 2.0)", "(1.0, 2.0)!"])
        #expect(try await lua.complaint("probe.vector(1, 2) + 5").hasPrefix("argument 1 'other': Vector expected, got integer"))
        #expect(try await lua.complaint("2 * probe.vector(1, 2)").hasPrefix("the object: Vector expected, got integer"))
    }

    @Test func `another value as the receiver is refused`() async throws {
        let lua = try Self.probe()
        for receiver in ["nil", "5", "{}", "io.stdout", "probe.vector(1, 2)", "coroutine.create(print)", "select(2, pcall(probe.player().fail, probe.player()))"] {
            let message = try await lua.complaint("probe.player().both(\(receiver))")
            #expect(message.hasPrefix("the object: Jukebox expected, got ") && message.hasSuffix("call methods with a colon: object:method(…)"), "\(receiver): \(message)")
        }
        let null = try await lua.probe("local null = ... return select(2, pcall(probe.player().both, null)).message", arguments: [.null])
        #expect(null == ["the object: Jukebox expected, got null"])
        #expect(try await lua.complaint("probe.player().both(io.stdout)").hasPrefix("the object: Jukebox expected, got FILE*"))
    }

    @Test func `a metatable is closed to scripts`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return getmetatable(probe.player()), pcall(setmetatable, probe.player(), {})")
            .prefix(2) == ["Jukebox", false])
        #expect(try await lua.probe("return tostring(probe.player()):match('^Jukebox: ') ~= nil") == [true])
    }

    @Test func `collected objects are released`() async throws {
        let census = Census()
        let lua = try Self.probe(census)
        let results = try await lua.probe("""
            local kept = probe.players(10)
            local many = probe.players(1000)
            assert(probe.alive() == 1010)
            many = nil
            collectgarbage() collectgarbage()
            return probe.alive(), #kept
            """)
        #expect(results == [10, 10])
        await lua.collectGarbage()
        #expect(census.count == 0)
    }

    @Test func `objects are released with their state`() async throws {
        let census = Census()
        do {
            let lua = try Self.probe(census)
            _ = try await lua.probe("kept = probe.players(100) function kept.loop() return kept end")
            #expect(census.count == 100)
        }
        // The state ends on its own thread.
        while census.count > 0, !Task.isCancelled { await Task.yield() }
        #expect(census.count == 0)
    }

    @Test func `an object lives while a call on it waits, whatever the script does`() async throws {
        let census = Census()
        let lua = try Self.probe(census)
        let results = try await lua.probe("""
            local task = require 'nightjar.task'
            local begun = false
            local h = task.spawn(function() begun = true return probe.player('gone'):wait(0.2) end)
            while not begun do task.sleep(0.001) end
            collectgarbage() collectgarbage()
            local during = probe.alive()
            local name = h:await()
            h = nil
            collectgarbage() collectgarbage()
            return during, name, probe.alive()
            """)
        #expect(results == [1, "gone", 0])
    }

    @Test func `the same object may be handed out twice`() async throws {
        let census = Census()
        let shared = Jukebox("shared", census)
        let lua = try makeProbe {
            Function("shared", "The one.") { () -> Jukebox in shared }
        }
        let results = try await lua.probe("local a, b = probe.shared(), probe.shared() a.volume = 5 local v = b.volume a = nil collectgarbage() collectgarbage() return v, b.name")
        #expect(results == [5, "shared"])
    }

    @Test func `an object of one state is no object of another's`() async throws {
        let census = Census()
        let one = try Self.probe(census), other = try Self.probe(census)
        let value = try await one.probe("return probe.player()")
        await #expect(throws: LuaError.self) { try await other.probe("return probe.alive(...)", arguments: value) }
    }
}
