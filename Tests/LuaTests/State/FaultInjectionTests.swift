import CLuaShim
@testable import Lua
import Synchronization
import Testing

/// Frames entered and left, objects made and released.
private final class Tally: Sendable {
    let entered = Atomic<Int>(0), left = Atomic<Int>(0), made = Atomic<Int>(0), released = Atomic<Int>(0)

    func enter() { entered.add(1, ordering: .relaxed) }
    func leave() { left.add(1, ordering: .relaxed) }
    var openFrames: Int { entered.load(ordering: .sequentiallyConsistent) - left.load(ordering: .sequentiallyConsistent) }
    var liveObjects: Int { made.load(ordering: .sequentiallyConsistent) - released.load(ordering: .sequentiallyConsistent) }

    /// For conversions, which are static; all scenarios count here.
    static let conversions = Tally()
    /// A function that the host keeps.
    let kept = Mutex<LuaFunction?>(nil)
}

/// A conversion with frames around it that must be left again.
private struct Guarded: LuaConvertible, Equatable {
    var parts: [String: [LuaValue]]
    static var luaType: LuaType { .table }

    static func decode(from lua: LuaContext, at index: Int32) throws -> Guarded {
        Tally.conversions.enter()
        defer { Tally.conversions.leave() }
        return Guarded(parts: try [String: [LuaValue]].decode(from: lua, at: index))
    }

    func encode(to lua: LuaContext) throws {
        Tally.conversions.enter()
        defer { Tally.conversions.leave() }
        try parts.encode(to: lua)
    }
}

private struct Point: LuaRecord {
    var name: String
    var at: [Double]
    var next: [Point]
    static let luaSchema = LuaSchema("Point", "", Field("name", \Point.name, ""), Field("at", \.at, "", default: [0]), Field("next", \.next, "", default: []), make: Point.init)
}

private struct Choices: LuaOptions {
    var limit: Int
    var word: String?
    static let luaSchema = LuaSchema("Choices", "", Field("limit", \Choices.limit, "", default: 5, in: 1...10), Field("word", \.word, ""), make: Choices.init)
}

private final class Thing: LuaObject {
    let tally: Tally
    let name: String

    init(_ name: String, _ tally: Tally) {
        self.name = name
        self.tally = tally
        tally.made.add(1, ordering: .relaxed)
    }

    deinit { tally.released.add(1, ordering: .relaxed) }

    static let luaClass = LuaClass<Thing>("Thing", "",
        methods: [
            Method("join", "", Argument("text", String.self, "")) { (thing: Thing, text: String) -> String in
                thing.tally.enter()
                defer { thing.tally.leave() }
                return thing.name + text
            },
            Method("later", "", Argument("text", String.self, "")) { (thing: Thing, text: String) async throws -> [String] in
                thing.tally.enter()
                defer { thing.tally.leave() }
                await Task.yield()
                return [thing.name, text]
            },
        ],
        properties: [
            Property("name", "", get: { (thing: Thing) -> String in thing.name + " of many words, too long to be interned" }, set: { (_: Thing, _: String) in })
        ],
        metamethods: [.tostring: Method("text", "") { (thing: Thing) -> String in "thing " + thing.name }],
        close: { (thing: Thing) async throws in await Task.yield() })
}

/// What a script does with the binding, and what it returns when no allocation fails.
struct FaultScenario: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    var testDescription: String { name }

    static let all = [
        FaultScenario(name: "values go both ways", script: """
            assert(probe.text(('x'):rep(100)) == ('x'):rep(100))
            assert(#probe.list{1, 2, 3} == 3 and probe.map{a = 1}.a == 1 and probe.set{'a', 'b'})
            assert(probe.point{name = 'a', next = {{name = 'b'}}}.next[1].name == 'b')
            assert(probe.value{1, {a = true}, x = print, y = setmetatable({}, {})}.x == print)
            assert(probe.guarded{a = {1, {2}}, b = {}}.a[2][1] == 2)
            assert(probe.choose() == 5 and probe.choose{limit = 2, word = 'a word'} == 2)
            local values = setmetatable({}, {__len = function() return 2 end, __index = function(_, i) return i * 2 end})
            assert(probe.list(values)[2] == 4)
            """),
        FaultScenario(name: "wrong values are errors", script: """
            for _, call in ipairs {
              function() probe.list{1, 'x'} end, function() probe.point{name = 'a', next = {{}}} end, function() probe.choose{limti = 1} end,
              function() probe.text('\\xff') end, function() probe.text({}) end, function() probe.list(1, 2) end,
            } do
              local ok, e = pcall(call)
              assert(not ok)
              check(e)
              assert(e.kind == 'invalid_argument' and #e.message > 0 and #tostring(e) > 0 and e .. '' == tostring(e) and #e.hint > 0)
            end
            """),
        FaultScenario(name: "host errors", script: """
            for _, call in ipairs { probe.fail, probe.failLater } do
              local ok, e = pcall(call)
              check(e)
              assert(e.kind == 'broken' and e.status == 5 and e.cause.kind == 'deeper' and e:match('boo') and e.traceback and e.fields[1] == 'a')
            end
            """),
        FaultScenario(name: "asynchronous calls", script: """
            assert(probe.later('some text')[1] == 'some text')
            local a, b = probe.laterTwo(1)
            assert(a == 1 and b == 'two')
            local co = coroutine.wrap(function() local x = probe.later('y') coroutine.yield(x[1]) return probe.later('z')[1] end)
            assert(co() == 'y' and co() == 'z')
            """),
        FaultScenario(name: "objects", script: """
            local thing = probe.thing('a')
            assert(thing:join('b') == 'ab' and thing:later('c')[2] == 'c' and #thing.name > 10 and tostring(thing) == 'thing a')
            thing.name = 'other'
            do local closed <close> = probe.thing('d') end
            thing:close()
            assert(#probe.things(5) == 5)
            """),
        FaultScenario(name: "callbacks", script: """
            assert(probe.call(function(v) return v.a .. 'x' end, {a = 'b'}) == 'bx')
            assert(probe.call(function(v) return probe.later(v)[1] end, 'deep') == 'deep')
            local mark = {}
            local ok, e = pcall(probe.call, function() error(mark) end, 1)
            assert(not ok)
            if e ~= mark then error(e, 0) end
            probe.keep(function() return 1 end)
            assert(probe.kept()() == 1)
            """),
        FaultScenario(name: "tasks", script: """
            local h = task.spawn(function(a) return probe.later(a)[1] end, 'x')
            assert(h:await() == 'x' and h.state == 'loaded' and h.value == 'x')
            local r = task.all { a = function() return 1 end, b = function() task.sleep(0) return 2 end }
            assert(r.a + r.b == 3)
            assert(task.race { quick = function() return 1 end, slow = function() task.sleep(60) end } == 'quick')
            assert(task.timeout(60, function() return 'in time' end) == 'in time')
            do
              local g <close> = task.group { limit = 2 }
              for i = 1, 3 do g:spawn(function() task.sleep(0) end) end
              g:wait()
            end
            local c = task.channel { capacity = 1 }
            -- Together: a sender that fails must not leave the receiver waiting.
            local r = task.all {
              sent = function() for i = 1, 3 do c:send('value ' .. i) end c:close() return true end,
              received = function() local n = 0 for v in c do n = n + 1 end return n end,
            }
            assert(r.sent and r.received == 3)
            """),
        FaultScenario(name: "modules and chunks", script: """
            local fresh = require 'other'
            assert(fresh.answer() == 42 and fresh.constant[1] == 'a')
            assert(assert(load('return 1 + 1'))() == 2)
            local f, message = load('x = = 1')
            assert(not f)
            if not message:match("near") then error(message, 0) end
            local ok, e = pcall(require, 'no.such.module')
            check(e)
            assert(e.kind == 'module')
            """),
        FaultScenario(name: "finalizers inside host code", script: """
            -- The collector works at every allocation, so that most finalizers run inside the host.
            collectgarbage('incremental', 1, 1000, 1)
            local garbage function garbage() setmetatable({}, {__gc = function() probe.value{probe.text('in a finalizer')} pcall(probe.fail) garbage() end}) end
            for i = 1, 5 do garbage() end
            assert(#probe.lists(50) == 50)
            garbage = print
            collectgarbage('incremental', 200, 100, 13)
            collectgarbage()
            """),
    ]
}

/// One after the other: the frames of conversions are counted in one place.
@Suite(.serialized, .timeLimit(.minutes(1))) struct FaultInjectionTests {
    /// How an allocation fails: once, and when liblua asks again after a collection; or from then on.
    enum Fault: UInt64, CaseIterable, Sendable { case once = 1, lasting = 1_000_000_000 }

    private static let prologue = """
        local n, more = ...
        local task = require 'nightjar.task'
        -- A script that catches the error of an allocation raises it again.
        local function check(e) if type(e) ~= 'userdata' or e.kind == 'memory' then error(e, 0) end end
        probe.arm(n, more)

        """

    private static func makeState(_ tally: Tally) throws -> LuaState {
        try makeProbe(LuaConfiguration(modules: [
            Module("other", "") {
                Function("answer", "") { () -> Int in 42 }
                Constant("constant", "", ["a", "b"])
            }
        ])) {
            Function(raw: "arm", "Lets allocations fail: the n-th from now, and so many more.", [FieldDescription("n", .integer, ""), FieldDescription("more", .integer, "")], returns: []) { lua in
                let n = try UInt64.decode(from: lua, at: 1), more = try UInt64.decode(from: lua, at: 2)
                shim_state_of(lua.L).pointee.fail_more = more
                shim_state_of(lua.L).pointee.fail_after = n
                return 0
            }
            echo("text", String.self)
            echo("list", [Int].self)
            echo("map", [String: Int].self)
            echo("set", Set<String>.self)
            echo("point", Point.self)
            echo("value", LuaValue.self)
            echo("guarded", Guarded.self)
            Function("choose", "", Argument("options", Choices.self, "")) { (options: Choices) -> Int in options.limit }
            Function("lists", "", Argument("count", Int.self, "")) { (count: Int) -> [[String]] in (0..<count).map { ["\($0)", "b"] } }
            Function("fail", "") { () throws in
                tally.enter()
                defer { tally.leave() }
                throw LuaError("broken", "boo", details: ["status": 5, "fields": ["a"]], cause: LuaError("deeper", "down"))
            }
            Function("failLater", "") { () async throws in
                tally.enter()
                defer { tally.leave() }
                await Task.yield()
                throw LuaError("broken", "boo", details: ["status": 5, "fields": ["a"]], cause: LuaError("deeper", "down"))
            }
            Function("later", "", Argument("text", String.self, "")) { (text: String) async throws -> [String] in
                tally.enter()
                defer { tally.leave() }
                await Task.yield()
                return [text]
            }
            Function("laterTwo", "", Argument("number", Int.self, "")) { (number: Int) async throws -> (Int, String) in
                await Task.yield()
                return (number, "two")
            }
            Function("thing", "", Argument("name", String.self, "")) { (name: String) -> Thing in Thing(name, tally) }
            Function("things", "", Argument("count", Int.self, "")) { (count: Int) -> [Thing] in (0..<count).map { Thing("\($0)", tally) } }
            Function("call", "", Argument("fn", LuaFunction.self, ""), Argument("value", LuaValue.self, "")) { (fn: LuaFunction, value: LuaValue) async throws -> LuaValue in
                tally.enter()
                defer { tally.leave() }
                return try await fn(value, as: LuaValue.self)
            }
            Function("keep", "", Argument("fn", LuaFunction.self, "")) { (fn: LuaFunction) in tally.kept.withLock { $0 = fn } }
            Function("kept", "") { () -> LuaFunction? in tally.kept.withLock { $0 } }
        }
    }

    /// Whatever allocation fails: the scenario succeeds, or ends with an error of kind `memory`.
    @Test(arguments: FaultScenario.all, Fault.allCases)
    func `a failing allocation ends a script cleanly or not at all`(_ scenario: FaultScenario, _ fault: Fault) async throws {
        let tally = Tally()
        var n: UInt64 = 1
        var failures = 0
        while true {
            let lua = try Self.makeState(tally)
            let script = Self.prologue + scenario.script + " return 'done'"
            do {
                let results = try await lua.probe(script, arguments: [.integer(Int64(n)), .integer(Int64(fault.rawValue))])
                #expect(results == ["done"], "allocation \(n)")
            } catch let error as LuaError {
                failures += 1
                if error.kind != .memory { Issue.record("allocation \(n): \(error)\n\(error.traceback?.description ?? "")") }
            }
            let isOver = await lua.endFault() > 1
            tally.kept.withLock { $0 = nil }
            // The state goes on: what failed left nothing half done.
            #expect(try await lua.probe("return probe.text('alive')") == ["alive"], "allocation \(n)")
            if isOver { break }
            n += 1
        }
        // One failure in host code is forgiven when memory is there again; lasting ones are not.
        if fault == .lasting { #expect(failures > 10, "of \(n) allocations") }
        #expect(tally.openFrames == 0)
        #expect(Tally.conversions.openFrames == 0)
        while tally.liveObjects > 0, !Task.isCancelled { await Task.yield() }
        #expect(tally.liveObjects == 0)
    }

    /// The same for what Swift does without a script around it.
    @Test(arguments: Fault.allCases)
    func `a failing allocation ends a call from Swift cleanly or not at all`(_ fault: Fault) async throws {
        let tally = Tally()
        let calls: [@Sendable (LuaState, LuaFunction) async throws -> Void] = [
            { lua, _ in try #require(try await lua.run("return ...", arguments: [["a": [1, "b"]], "text"]) == [["a": [1, "b"]], "text"]) },
            { _, function in try #require(try await function("some text", ["a", "b"], as: [String].self) == ["some text", "a", "b"]) },
            { lua, _ in try await lua.setGlobal("fresh global", to: ["a": ["b", "c"]]) },
            { lua, _ in try await lua.setGlobal("thing", to: Thing("a", tally)) },
            { lua, _ in await #expect(throws: LuaError.self) { try await lua.run("x = = 'syntax'") } },
            { lua, _ in await #expect(throws: LuaError.self) { try await lua.run("error({ code = 5 })") } },
            { lua, _ in try #require(try await lua.run("return setmetatable({}, { __name = 'Kept' }), coroutine.create(print), print").count == 3) },
            { lua, _ in await lua.collectGarbage() },
        ]
        var failures = 0
        for (number, call) in calls.enumerated() {
            var n: UInt64 = 1
            while true {
                let lua = try Self.makeState(tally)
                let function: LuaFunction = try await lua.run("return function(a, b) return { a, b[1], b[2] } end")
                await lua.beginFault(n, more: fault.rawValue)
                do { try await call(lua, function) } catch let error as LuaError {
                    failures += 1
                    #expect(error.kind == .memory, "call \(number), allocation \(n): \(error)")
                }
                if await lua.endFault() > 1 { break }
                #expect(try await lua.probe("return probe.text('alive')") == ["alive"], "call \(number), allocation \(n)")
                n += 1
            }
        }
        #expect(failures > 10)
        while tally.liveObjects > 0, !Task.isCancelled { await Task.yield() }
        #expect(tally.liveObjects == 0)
    }

    @Test(arguments: [LuaConfiguration.Libraries.trusted, .sandbox])
    func `a state for which memory does not suffice is refused, whatever is missing`(_ libraries: LuaConfiguration.Libraries) async throws {
        let tally = Tally()
        var created = 0, refused = 0
        for limit in stride(from: 1, to: 160_000, by: 509) {
            let token = Thing("held by a function", tally)
            do {
                let lua = try makeProbe(LuaConfiguration(libraries: libraries, limits: LuaLimits(memory: limit))) {
                    Function("name", "") { () -> String in token.name }
                }
                created += 1
                do {
                    #expect(try await lua.probe("return probe.name()") == ["held by a function"])
                } catch let error as LuaError { #expect(error.kind == .memory, "\(limit): \(error)") }
            } catch let error as LuaError {
                refused += 1
                #expect(error.kind == .memory, "\(limit): \(error)")
            }
        }
        #expect(created > 50 && refused > 50, "\(created) \(refused)")
        while tally.liveObjects > 0, !Task.isCancelled { await Task.yield() }
        #expect(tally.liveObjects == 0)
    }
}

extension LuaState {
    /// Lets allocations fail: the `n`-th from now and `more` after it.
    fileprivate func beginFault(_ n: UInt64, more: UInt64) {
        withContext { lua in
            let state = shim_state_of(lua.L)!
            state.pointee.fail_more = more
            state.pointee.fail_after = n
        }
    }

    /// Ends the injection of faults; returns how many allocations were left until the first.
    fileprivate func endFault() -> UInt64 {
        withContext { lua in
            let state = shim_state_of(lua.L)!
            defer {
                state.pointee.fail_after = 0
                state.pointee.fail_more = 0
                state.pointee.exceeded = 0
            }
            return state.pointee.fail_after
        }
    }
}
