import Lua
import Testing

@Suite struct LuaValueTests {
    @Test func `plain data is copied`() async throws {
        let lua = try LuaState()
        let results = try await lua.run("return nil, true, 1, 1.0, 'x', {1, 2}, {a = {b = 1}}, {}, ...", arguments: [.null])
        #expect(results == [.nil, true, 1, 1.0, "x", [1, 2], ["a": ["b": 1]], [:], .null])
    }

    @Test func `tables with mixed keys keep them all`() async throws {
        let lua = try LuaState()
        #expect(try await lua.run("return { 1, 2, x = 3, [true] = 4, [2.5] = 5, [10] = 6 }") == [
            .table([1: 1, 2: 2, "x": 3, true: 4, 2.5: 5, 10: 6])
        ])
        #expect(try await lua.run("return { [1] = 'a', [3] = 'c' }, { [0] = 'z', 'a' }") == [.table([1: "a", 3: "c"]), .table([0: "z", 1: "a"])])
    }

    @Test func `a key stays an integer or a float, as Lua has it`() async throws {
        let lua = try LuaState()
        #expect(try await lua.run("return { [2.0] = 'x' }") == [.table([2: "x"])])
    }

    @Test func `a table that holds itself is an error`() async throws {
        let lua = try LuaState()
        await #expect(throws: LuaError.self) { try await lua.run("local t = {} t.t = t return t") }
        do {
            _ = try await lua.run("local t = { a = {} } t.a.b = t return t")
            Issue.record("a cycle was copied")
        } catch let error as LuaError {
            #expect(error.kind == .conversion)
            #expect(error.message.hasPrefix("a.b.a.b.") && error.message.hasSuffix(": the table nests more than 100 deep, or holds itself"), "\(error.message)")
        }
    }

    @Test func `tables nest a hundred deep and no deeper`() async throws {
        let lua = try makeProbe {}
        let build = "local t = 'end' for i = 1, ... do t = { t } end return t"
        var expected: LuaValue = "end"
        for _ in 0..<100 { expected = [expected] }
        #expect(try await lua.run(build, arguments: [100]) == [expected])
        await #expect(throws: LuaError.self) { try await lua.run(build, arguments: [101]) }
        #expect(try await lua.probe("return (...)[1][1][1] ~= nil", arguments: [expected]) == [true])
    }

    @Test func `what is no plain data becomes a reference to itself`() async throws {
        let lua = try LuaState()
        let values = try await lua.run("""
            mark = setmetatable({}, { __name = 'Mark' })
            return mark, coroutine.create(print), io.stdout, print
            """)
        guard case .reference = values[0], case .reference = values[1], case .reference = values[2], case .function = values[3] else {
            Issue.record("\(values)")
            return
        }
        let same = try await lua.run("local a, b, c, d = ... return a == mark, type(b), c == io.stdout, d == print", arguments: values)
        #expect(same == [true, "thread", true, true])
    }

    @Test func `a list that came from the host is copied again`() async throws {
        let lua = try LuaState()
        #expect(try await lua.run("return ...", arguments: [[], [1, []], [:]]) == [[], [1, []], [:]])
    }

    @Test func `a value of another state is refused`() async throws {
        let one = try LuaState(), other = try LuaState()
        let values = try await one.run("return setmetatable({}, {}), print")
        for value in values {
            do {
                _ = try await other.run("return ...", arguments: [value])
                Issue.record("\(value) crossed")
            } catch let error as LuaError {
                #expect(error.kind == .conversion)
                #expect(error.message == "the value belongs to another Lua state")
            }
        }
    }

    @Test func `a table that changes while it is read is an error, not a crash`() async throws {
        let lua = try makeProbe {
            Function("map", "Reads maps of lists.", Argument("map", [String: [Int]].self, "")) { (map: [String: [Int]]) -> Int in map.count }
        }
        let results = try await lua.probe("""
            local t = {}
            local liar = setmetatable({}, { __len = function()
              for key in pairs(t) do t[key] = nil end
              for i = 1, 64 do t['new' .. i] = {} end
              collectgarbage()
              return 0
            end })
            for i = 1, 8 do t['k' .. i] = liar end
            local ok, e = pcall(probe.map, t)
            return ok or e.message
            """)
        #expect(results == ["argument 1 'map': the table changed while it was read"], "\(results)")
    }

    @Test func `random values come back as they went`() async throws {
        let lua = try makeProbe { echo("same", LuaValue.self) }
        var source = SplitMix(seed: 20_261_121)
        for round in 0..<300 {
            let value = LuaValue.random(depth: 4, using: &source)
            let back = try await lua.probe("return probe.same(...)", arguments: [value])
            #expect(back == [value], "round \(round)")
        }
    }
}

/// Numbers from a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension LuaValue {
    /// A value that Lua can hold and that has one form only: no nil inside tables, no table whose
    /// keys make it a list, no whole float as a key.
    fileprivate static func random(depth: Int, using source: inout SplitMix) -> LuaValue {
        switch Int.random(in: 0..<(depth > 0 ? 11 : 8), using: &source) {
        case 0: return .null
        case 1: return .boolean(.random(using: &source))
        case 2: return .integer(.random(in: .min ... .max, using: &source))
        case 3: return .integer(.random(in: -3...3, using: &source))
        case 4: return .number(.random(in: -1e6...1e6, using: &source))
        case 5: return .number([0.0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude].randomElement(using: &source)!)
        case 6: return .string(String((0..<Int.random(in: 0...60, using: &source)).map { _ in "aä🎷\0\n\"".randomElement(using: &source)! }))
        case 7: return .bytes(LuaBytes([0xff] + (0..<Int.random(in: 0...60, using: &source)).map { _ in UInt8.random(in: 0...255, using: &source) }))
        case 8: return .list((0..<Int.random(in: 0...6, using: &source)).map { _ in random(depth: depth - 1, using: &source) })
        default:
            var fields: [LuaValue: LuaValue] = [:]
            for index in 0..<Int.random(in: 0...6, using: &source) {
                let key: LuaValue = switch Int.random(in: 0..<4, using: &source) {
                case 0: .integer(.random(in: 100...1000, using: &source))
                case 1: .number(Double(index) + 0.5)
                case 2: .boolean(.random(using: &source))
                default: .string("key \(index)")
                }
                fields[key] = random(depth: depth - 1, using: &source)
            }
            return .table(fields)
        }
    }
}
