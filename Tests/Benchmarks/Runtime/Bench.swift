import BenchmarkPeers
import Glibc
import Lua

func writeLine(_ text: String, to descriptor: Int32) {
    var line = text + "\n"
    line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}

/// Measures the runtime group: calls, records, userdata, errors, awaits, memory, interrupts.
final class Bench {
    let lua: LuaState
    let peer: OpaquePointer

    init() throws {
        lua = try LuaState(LuaConfiguration(modules: [subject]))
        peer = peer_state()
    }

    /// Prints a table on stderr and JSON lines on stdout.
    func run(only selected: String?) async throws {
        var rows: [Measurement] = []
        for (name, measure) in cases {
            if let selected, !name.contains(selected) { continue }
            for row in try await measure() {
                rows.append(row)
                writeLine(row.row, to: 2)
                writeLine(row.json, to: 1)
            }
        }
        writeLine("\(rows.count { $0.isMet }) of \(rows.count) within their targets", to: 2)
    }

    typealias Case = (String, () async throws -> [Measurement])

    var cases: [Case] {
        [
            ("sync add", { [try await self.call("sync (Int, Int) -> Int", "local s = require 'subject' local f, n = s.add, ...", "local f, n = add, ...", "f(i, 2)", 1.6)] }),
            ("sync join", { [try await self.call("sync (String, String) -> String, short", "local s = require 'subject' local f, n = s.join, ...", "local f, n = join, ...", "f('blue', 'train')", 2.5)] }),
            ("record out", { [try await self.call("five-field record to a table", "local s = require 'subject' local f, n = s.make_record, ...", "local f, n = make_record, ...", "f(i)", 1.5, count: 500_000)] }),
            ("record in", { [try await self.call("table to a five-field record", "local s = require 'subject' local f, r, n = s.read_record, s.make_record(1), ...", "local f, r, n = read_record, make_record(1), ...", "f(r)", 2, count: 500_000)] }),
            ("method", { [try await self.call("method call on userdata", "local s = require 'subject' local c, n = s.counter(), ...", "local c, n = Counter(), ...", "c:add(1)", 2)] }),
            ("property", { [try await self.call("property of userdata", "local s = require 'subject' local c, n = s.gauge(), ...", "local c, n = Property(), ...", "local _ = c.value", 2)] }),
            ("error", { [try await self.call("Swift error caught by pcall", "local s = require 'subject' local f, p, n = s.fail, pcall, ...", "local f, p, n = fail, pcall, ...", "p(f)", 2.5, count: 300_000)] }),
            ("async here", { [try await self.asyncHere()] }),
            ("async service", { try await self.asyncService() }),
            ("in flight", { try await self.inFlight() }),
            ("loop", { [try await self.plainLua("tight loop", tightLoop, 1.02)] }),
            ("churn", { [try await self.plainLua("table and string churn", churn, 1.05)] }),
            ("interrupt", { [try await self.interrupt()] }),
        ]
    }

    /// Nanoseconds for each of `count` rounds of a Lua loop.
    private func ours(_ source: String, _ count: Int) async throws -> Double {
        let start = now()
        _ = try await lua.run(source, arguments: [.integer(Int64(count))])
        return Double(now() - start) / Double(count)
    }

    private func theirs(_ source: String, _ count: Int) -> Double {
        let start = now()
        precondition(peer_run(peer, source, lua_Integer(count)) == 0)
        return Double(now() - start) / Double(count)
    }

    /// A call from Lua, the cost of the loop around it taken off on both sides.
    private func call(_ name: String, _ mine: String, _ theirs: String, _ body: String, _ target: Double, count: Int = 2_000_000) async throws -> Measurement {
        let empty = "local n = ... for i = 1, n do local _ = i end"
        let loop = " for i = 1, n do \(body) end"
        let base = await inTurn({ self.theirs(empty, count) }, { self.theirs(empty, count) }).peer
        let result = try await inTurn({ try await self.ours(mine + loop, count) }, { self.theirs(theirs + loop, count) })
        return Measurement(name: name, unit: "ns", ours: result.ours - base, peer: result.peer - base, peerName: "C", target: target)
    }

    private func asyncHere() async throws -> Measurement {
        let count = 500_000
        let source = "local s = require 'subject' local f, n = s.here, ... for i = 1, n do f() end"
        let result = try await inTurn({ try await self.ours(source, count) }, {
            let start = now()
            peer_yield_loop(self.peer, lua_Integer(count))
            return Double(now() - start) / Double(count)
        })
        return Measurement(name: "async call, no suspension", unit: "ns", ours: result.ours, peer: result.peer, peerName: "C yield and resume", target: 5)
    }

    private func asyncService() async throws -> [Measurement] {
        let count = 300_000
        let source = "local s = require 'subject' local f, n = s.service, ... for i = 1, n do f() end"
        let caller = Caller()
        let result = try await inTurn({ try await self.ours(source, count) }, {
            let start = now()
            await caller.call(service, count)
            return Double(now() - start) / Double(count)
        })
        let neighbour = Neighbour(of: lua)
        let same = try await inTurn({ try await self.ours(source, count) }, {
            let start = now()
            await Task(executorPreference: self.lua.taskExecutor) { await neighbour.call(service, count) }.value
            return Double(now() - start) / Double(count)
        })
        let name = "async call to a service actor and back"
        return [
            Measurement(name: name, unit: "ns", ours: same.ours, peer: same.peer, peerName: "the same hop from the state's thread in Swift", target: 1.3),
            Measurement(name: "  the same", unit: "ns", ours: result.ours, peer: result.peer, peerName: "the hop between actors of the common pool", target: 1.3),
        ]
    }

    /// 10 000 tasks that suspend 20 times each; and how much memory each takes while it waits.
    private func inFlight() async throws -> [Measurement] {
        let source = """
            local s, task = require 'subject', require 'nightjar.task'
            local tasks, rounds = ...
            local function work() for i = 1, rounds do s.suspend() end end
            local handles = {}
            for i = 1, tasks do handles[i] = task.spawn(work) end
            for i = 1, tasks do handles[i]:await() end
            """
        let python = """
            import asyncio, time
            async def work():
                for i in range(20): await asyncio.sleep(0)
            async def main():
                t = time.perf_counter(); await asyncio.gather(*[work() for _ in range(10000)]); print((time.perf_counter() - t) / 200000 * 1e9)
            asyncio.run(main())
            """
        let result = try await inTurn({
            let start = now()
            _ = try await self.lua.run(source, arguments: [10_000, 20])
            return Double(now() - start) / 200_000
        }, { Double(output("python3", "-c", python)) ?? Double.nan })
        let small = try await inTurn({
            let start = now()
            _ = try await self.lua.run(source, arguments: [1_000, 20])
            return Double(now() - start) / 20_000
        }, { 0 })
        return [
            Measurement(name: "async call that suspends, 10 000 in flight", unit: "ns", ours: result.ours, peer: result.peer, peerName: "Python asyncio", target: 1.0 / 3),
            Measurement(name: "  the same, absolute", unit: "ns", ours: result.ours, peer: nil, peerName: "", target: 3000),
            Measurement(name: "  growth from 1 000 to 10 000 in flight", unit: "ns", ours: result.ours, peer: small.ours, peerName: "a tenth", target: 1.15),
            try await memory(),
        ]
    }

    private func memory() async throws -> Measurement {
        let fresh = try LuaState(LuaConfiguration(modules: [subject]))
        let source = """
            local task = require 'nightjar.task'
            local gate, handles = task.channel(), {}
            for i = 1, 10000 do handles[i] = task.spawn(gate.receive, gate) end
            task.sleep(0.3)
            local function resident()
              for line in io.lines('/proc/self/status') do local kb = line:match('VmRSS:%s*(%d+)') if kb then return kb * 1024 end end
            end
            return resident()
            """
        let before = try await fresh.run("for line in io.lines('/proc/self/status') do local kb = line:match('VmRSS:%s*(%d+)') if kb then return kb * 1024 end end", as: Int.self)
        let after = try await fresh.run(source, as: Int.self)
        return Measurement(name: "memory per waiting coroutine", unit: "bytes", ours: Double(after - before) / 10_000, peer: nil, peerName: "", target: 4096)
    }

    /// A script that measures itself, here and in the stock interpreter.
    private func plainLua(_ name: String, _ script: String, _ target: Double) async throws -> Measurement {
        let program = "print((function() " + script + " end)())"
        let result = try await inTurn({ try await self.lua.run(script, as: Double.self) * 1000 }, {
            let seconds = Double(output("lua5.4", "-e", program)) ?? Double.nan
            return seconds * 1000
        })
        return Measurement(name: name, unit: "ms", ours: result.ours, peer: result.peer, peerName: "lua5.4", target: target)
    }

    /// From the request to the end of a busy loop.
    private func interrupt() async throws -> Measurement {
        var latencies: [Double] = []
        for _ in 0..<21 {
            let busy = Task { [lua] in _ = try? await lua.run("while true do end") ; return now() }
            try await Task.sleep(for: .milliseconds(20))
            let start = now()
            busy.cancel()
            latencies.append(Double(await busy.value - start) / 1e6)
        }
        return Measurement(name: "interrupt of a busy loop", unit: "ms", ours: median(latencies), peer: nil, peerName: "", target: 1)
    }
}

/// An actor that calls another and has to come back each time.
actor Caller {
    private var sum = 0

    func call(_ service: Service, _ count: Int) async {
        for _ in 0..<count { note(await service.call()) }
    }

    @inline(never)
    private func note(_ value: Int) { sum &+= value }
}

/// An actor on the thread of a state.
actor Neighbour {
    private nonisolated let lua: LuaState
    nonisolated var unownedExecutor: UnownedSerialExecutor { lua.unownedExecutor }
    private var sum = 0

    init(of lua: LuaState) { self.lua = lua }

    func call(_ service: Service, _ count: Int) async {
        for _ in 0..<count { note(await service.call()) }
    }

    @inline(never)
    private func note(_ value: Int) { sum &+= value }
}

let tightLoop = """
    local c = os.clock()
    local t, s = {}, 0
    for i = 1, 100 do t[i] = i end
    for r = 1, 300000 do for i = 1, 100 do s = s + t[i] end end
    return os.clock() - c
    """

let churn = """
    local c = os.clock()
    local keep = {}
    for i = 1, 1500000 do
      local t = { id = i, name = 'n' .. i, tags = { i, i + 1 } }
      keep[i % 1000] = t
    end
    return os.clock() - c
    """

/// What a program prints, or an empty text when it cannot be run.
func output(_ arguments: String...) -> String {
    var descriptors: [Int32] = [0, 0]
    guard pipe(&descriptors) == 0 else { return "" }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, descriptors[1], 1)
    posix_spawn_file_actions_addclose(&actions, descriptors[0])
    var pid: pid_t = 0
    let strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let status = posix_spawnp(&pid, arguments[0], &actions, nil, strings, environ)
    close(descriptors[1])
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while status == 0 {
        let count = read(descriptors[0], &buffer, buffer.count)
        if count <= 0 { break }
        text += buffer[..<count]
    }
    close(descriptors[0])
    if status == 0 { waitpid(pid, nil, 0) }
    for string in strings { free(string) }
    return String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
}
