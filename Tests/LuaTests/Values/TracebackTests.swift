import Lua
import Testing

@Suite struct TracebackTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            Function("fail", "Throws.") { () throws in throw LuaError("broken", "boo") }
            Function("failLater", "Throws later.") { () async throws in
                await Task.yield()
                throw LuaError("broken", "boo")
            }
            Function("call", "Calls.", Argument("fn", LuaFunction.self, "")) { (fn: LuaFunction) async throws in try await fn() }
        }
    }

    private func lines(_ script: String, _ lua: LuaState) async throws -> [String] {
        do {
            _ = try await lua.run("local probe = require 'probe'\n" + script, name: "@a.lua")
            return ["no error"]
        } catch let error as LuaError {
            return (error.traceback?.description ?? "no traceback").split(separator: "\n").map(String.init)
        }
    }

    @Test func `the frames of the script lead to an error of Lua`() async throws {
        let trace = try await lines("""
            local function inner() error('boo') end
            local function outer() inner() return 1 end
            outer()
            """, Self.probe())
        #expect(trace == ["in error", "a.lua:2: in inner", "a.lua:3: in outer", "a.lua:4: in the main part"])
    }

    @Test(arguments: ["fail", "failLater"])
    func `the call that failed is the innermost frame`(_ function: String) async throws {
        let trace = try await lines("""
            local function inner()
              probe.\(function)()
            end
            inner()
            """, Self.probe())
        #expect(trace == ["in \(function)", "a.lua:3: in inner", "a.lua:5: in the main part"])
    }

    @Test func `scripts read the frames of a host error`() async throws {
        let lua = try Self.probe()
        let trace = try await lua.run("""
            local probe = require 'probe'
            local function inner() probe.failLater() end
            local ok, e = pcall(inner)
            return e.traceback
            """, name: "@a.lua")
        let lines = trace.first?.stringValue?.split(separator: "\n").map(String.init) ?? []
        #expect(lines == ["in failLater", "a.lua:2: in a function", "in pcall", "a.lua:3: in the main part"])
    }

    @Test func `frames join through a wrapped coroutine`() async throws {
        let trace = try await lines("""
            local function inside() error('boo') end
            local co = coroutine.wrap(function()
              coroutine.yield()
              inside()
            end)
            co()
            local function resume() co() end
            resume()
            """, Self.probe())
        #expect(trace.contains("a.lua:2: in inside") && trace.contains("a.lua:8: in resume") && trace.last == "a.lua:9: in the main part", "\(trace)")
        let order = trace.compactMap { $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } }
        #expect(order == [2, 5, 8, 9])
    }

    @Test func `a task's error tells where it was spawned`() async throws {
        let trace = try await lines("""
            local task = require 'nightjar.task'
            local function work() error('boo') end
            local function begin()
              local h = task.spawn(work)
              return h
            end
            local h = begin()
            h:await()
            """, Self.probe())
        #expect(trace == ["in error", "a.lua:3: in a function", "a.lua:5: spawned here", "a.lua:8: in the main part", "in await", "a.lua:9: in the main part"])
    }

    @Test func `tasks of tasks tell the whole way`() async throws {
        let trace = try await lines("""
            local task = require 'nightjar.task'
            local inner = function() error('boo') end
            local outer = function()
              task.spawn(inner):await()
            end
            task.spawn(outer):await()
            """, Self.probe())
        let sites = trace.filter { $0.hasSuffix("spawned here") }
        #expect(sites == ["a.lua:5: spawned here", "a.lua:7: spawned here"], "\(trace)")
    }

    @Test func `a caught error leaves no frames to the next one`() async throws {
        let trace = try await lines("""
            pcall(coroutine.wrap(function() error('first') end))
            local function second() error('second') end
            second()
            """, Self.probe())
        #expect(trace == ["in error", "a.lua:3: in second", "a.lua:4: in the main part"])
    }

    @Test func `an error of a callback joins the call that called back`() async throws {
        let trace = try await lines("""
            local function deep() error('boo') end
            probe.call(function() deep() end)
            """, Self.probe())
        #expect(trace.first == "in error" && trace.contains("a.lua:2: in deep") && trace.contains("in call") && trace.last == "a.lua:3: in the main part", "\(trace)")
    }

    @Test func `no frame of the runtime shows`() async throws {
        let scripts = [
            "require 'nothing.of.the.kind'", "local m = require 'probe' m.x = 1", "probe.call(function() error('boo') end)",
            "local t = require 'nightjar.task' t.all { function() probe.fail() end }",
            "local t = require 'nightjar.task' t.timeout(10, function() t.sleep(0) probe.failLater() end)",
            "local g <close> = require 'nightjar.task'.group() g:spawn(probe.fail) g:wait()",
            "coroutine.wrap(function() coroutine.wrap(probe.failLater)() end)()",
        ]
        for script in scripts {
            let trace = try await lines(script, Self.probe())
            #expect(!trace.isEmpty && trace != ["no error"] && trace != ["no traceback"], "\(script)")
            for line in trace { #expect(!line.contains("nightjar]") && !line.contains("[C]"), "\(script): \(line)") }
            #expect(trace.contains { $0.hasPrefix("a.lua:2:") }, "\(script): \(trace)")
        }
    }

    @Test func `an error without a script in between has no script frames`() async throws {
        let lua = try LuaState()
        do {
            _ = try await lua.run("x = =", name: "@a.lua")
            Issue.record("it ran")
        } catch let error as LuaError {
            #expect(error.traceback == nil)
        }
    }

    @Test func `a deep stack is cut, not copied whole`() async throws {
        let trace = try await lines("local function f(n) if n == 0 then error('boo') end f(n - 1) return 1 end f(1000)", Self.probe())
        #expect(trace.count <= 16 && trace.count > 8)
        #expect(trace.dropFirst().allSatisfy { $0 == "a.lua:2: in f" }, "\(trace)")
    }
}
