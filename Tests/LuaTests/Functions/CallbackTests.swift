import Lua
import Synchronization
import Testing

/// What a host remembers of a script.
private final class Keeper: Sendable {
    let function = Mutex<LuaFunction?>(nil)
    let errors = Mutex<[LuaError]>([])
}

@Suite struct CallbackTests {
    private static func probe(_ keeper: Keeper = Keeper(), _ configuration: LuaConfiguration = LuaConfiguration()) throws -> LuaState {
        try makeProbe(configuration) {
            Function("keep", "Keeps a function.", Argument("fn", LuaFunction.self, "")) { (fn: LuaFunction) in keeper.function.withLock { $0 = fn } }
            Function("back", "Returns the kept function.") { () -> LuaFunction? in keeper.function.withLock { $0 } }
            Function("call", "Calls.", Argument("fn", LuaFunction.self, ""), Argument("value", LuaValue.self, "")) { (fn: LuaFunction, value: LuaValue) async throws -> LuaValue in
                try await fn(value, as: LuaValue.self)
            }
            Function("filter", "Those that pass.", Argument("list", [Int].self, ""), Argument("test", LuaCallback<Bool, Int>.self, "")) {
                (list: [Int], test: LuaCallback<Bool, Int>) async throws -> [Int] in
                var passed: [Int] = []
                for element in list where try await test(element) { passed.append(element) }
                return passed
            }
            Function("together", "Calls at once.", Argument("fn", LuaCallback<Int, Int>.self, ""), Argument("count", Int.self, "")) {
                (fn: LuaCallback<Int, Int>, count: Int) async throws -> [Int] in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<count { group.addTask { try await fn(number) } }
                    return try await group.reduce(into: []) { $0.append($1) }.sorted()
                }
            }
            Function("retry", "Calls again and raises what came last.", Argument("fn", LuaFunction.self, "")) { (fn: LuaFunction) async throws in
                do { try await fn() } catch let error as LuaError {
                    keeper.errors.withLock { $0.append(error) }
                    throw error
                }
            }
        }
    }

    @Test func `a script's function is a closure of Swift`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.filter({1, 2, 3, 4}, function(n) return n % 2 == 0 end)") == [[2, 4]])
        #expect(try await lua.probe("return probe.call(function(v) return v.a end, {a = 5}), probe.call(function() end, 1)") == [5, .nil])
    }

    @Test func `a result of another type is an error`() async throws {
        let lua = try Self.probe()
        let message = try await lua.complaint("probe.filter({1}, function(n) return n end)")
        #expect(message.hasPrefix("boolean expected, got integer"), "\(message)")
        #expect(try await lua.complaint("probe.filter({1}, 5)").hasPrefix("argument 2 'test': function expected, got integer"))
    }

    @Test func `callbacks may wait and overlap`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local task = require 'nightjar.task'
            local inside, most = 0, 0
            local list = probe.together(function(n)
              inside = inside + 1
              most = math.max(most, inside)
              while most < 20 do task.sleep(0.001) end
              inside = inside - 1
              return n * n
            end, 20)
            return list, most
            """)
        #expect(results == [.list((0..<20).map { .integer($0 * $0) }), 20])
    }

    @Test func `callbacks work inside coroutines and protected calls`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local co = coroutine.wrap(function()
              local ok, value = pcall(probe.call, function(v) return probe.call(function(w) return w + 1 end, v) end, 1)
              coroutine.yield(value)
              return probe.call(function(v) return v end, 'done')
            end)
            return co(), co()
            """)
        #expect(results == [2, "done"])
    }

    @Test func `a function can be called after its script has ended`() async throws {
        let keeper = Keeper()
        let lua = try Self.probe(keeper)
        _ = try await lua.probe("local n = 0 probe.keep(function(step) n = n + step return n end)")
        let function = try #require(keeper.function.withLock { $0 })
        let first: Int = try await function(5)
        let second: Int = try await function(6)
        #expect([first, second] == [5, 11])
        #expect(try await lua.probe("return probe.back()(1)") == [12])
    }

    @Test func `a function keeps its state`() async throws {
        let function: LuaFunction = try await {
            let lua = try LuaState()
            return try await lua.run("return function(a) return a .. '!' end", as: LuaFunction.self)
        }()
        let result: String = try await function("here")
        #expect(result == "here!")
    }

    @Test func `an error of a callback arrives whole`() async throws {
        let keeper = Keeper()
        let lua = try Self.probe(keeper)
        _ = try await lua.probe("probe.keep(function() local function inner() error('boo') end inner() end)", name: "@callback.lua")
        let function = try #require(keeper.function.withLock { $0 })
        do {
            try await function()
            Issue.record("no error")
        } catch let error as LuaError {
            #expect(error.kind == .runtime)
            #expect(error.message == "callback.lua:1: boo")
            #expect(error.traceback?.frames.contains { $0.name == "inner" && $0.line == 1 } == true, "\(String(describing: error.traceback))")
        }
    }

    @Test func `a raised value passes through the host unchanged`() async throws {
        let keeper = Keeper()
        let lua = try Self.probe(keeper)
        let results = try await lua.probe("""
            local mark = setmetatable({ code = 5 }, { __tostring = function() return 'marked' end })
            local ok, e = pcall(probe.retry, function() error(mark) end)
            local text = select(2, pcall(probe.retry, function() error('plain', 0) end))
            local none = table.pack(pcall(probe.retry, function() error(nil) end))
            return ok, e == mark, e.code, text, none.n, none[2]
            """)
        #expect(results == [false, true, 5, "plain", 2, .nil])
        let errors = keeper.errors.withLock { $0 }
        #expect(errors.map(\.message) == ["marked", "plain", "nil"])
        #expect(errors.map(\.kind) == [.runtime, .runtime, .runtime])
    }

    @Test func `a callback is cancelled with the script that waits for it`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local task = require 'nightjar.task'
            local entered, ended = false, false
            local h = task.spawn(function()
              probe.call(function()
                local guard <close> = setmetatable({}, { __close = function() ended = true end })
                entered = true
                task.sleep(600)
              end, 1)
            end)
            while not entered do task.sleep(0.001) end
            h:cancel()
            local ok, e = pcall(h.await, h)
            return ok, e.kind, ended
            """)
        #expect(results == [false, "cancelled", true])
    }

    @Test func `a run that begins after its script has ended has a time limit of its own`() async throws {
        let keeper = Keeper()
        let gate = AsyncStream<Void>.makeStream()
        let outcome = AsyncStream<LuaError.Kind?>.makeStream()
        let lua = try makeProbe(LuaConfiguration(limits: LuaLimits(time: .milliseconds(300)))) {
            Function("later", "Calls once the script is over.", Argument("fn", LuaFunction.self, "")) { (fn: LuaFunction) async throws in
                // A task that inherits everything of the call and outlives it, as a careless host has.
                Task {
                    for await _ in gate.stream { break }
                    do {
                        try await fn()
                        outcome.continuation.yield(nil)
                    } catch { outcome.continuation.yield((error as? LuaError)?.kind) }
                }
            }
        }
        _ = keeper
        _ = try await lua.probe("probe.later(function() while true do end end)")
        gate.continuation.yield()
        for await kind in outcome.stream {
            #expect(kind == .timeout)
            break
        }
    }
}
