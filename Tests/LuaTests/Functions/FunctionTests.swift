import Lua
import Testing

@Suite struct FunctionTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            Function("none", "Takes nothing.") { () -> Int in 7 }
            Function("nothing", "Returns nothing.", Argument("value", Int.self, "")) { (_: Int) in }
            Function("greet", "Greets.", Argument("name", String.self, "who"), Argument("times", Int.self, "how often", default: 2), Argument("mark", String?.self, "what follows")) {
                (name: String, times: Int, mark: String?) -> String in String(repeating: name, count: times) + (mark ?? ".")
            }
            Function("several", "Three results.") { () -> (Int, String, Bool?) in (1, "two", nil) }
            Function("sum", "Adds.", Argument("first", Int.self, ""), Argument("rest", Variadic<Int>.self, "")) { (first: Int, rest: Variadic<Int>) -> Int in
                rest.values.reduce(first, +)
            }
            Function("count", "Counts values.", Argument("values", Variadic<LuaValue>.self, "")) { (values: Variadic<LuaValue>) -> Int in values.values.count }
            Function("wait", "Later.", Argument("a", Int.self, ""), Argument("b", Int.self, "", default: 10)) { (a: Int, b: Int) async throws -> Int in
                await Task.yield()
                return a + b
            }
            Function("waitForNothing", "Later, nothing.") { () async throws in await Task.yield() }
            Function("waitForSeveral", "Later, two results.", Argument("a", String.self, "")) { (a: String) async throws -> (String, Int) in
                await Task.yield()
                return (a, a.utf8.count)
            }
            Function("waitForAll", "Later, of all.", Argument("values", Variadic<String>.self, "")) { (values: Variadic<String>) async throws -> String in
                values.values.joined(separator: "+")
            }
            Function("six", "Six arguments.", Argument("a", Int.self, ""), Argument("b", Int.self, ""), Argument("c", Int.self, ""),
                Argument("d", Int.self, ""), Argument("e", Int.self, ""), Argument("f", Int.self, "")) {
                (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) async throws -> [Int] in [a, b, c, d, e, f]
            }
        }
    }

    @Test func `arguments have defaults, in the middle too`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("return probe.greet('a'), probe.greet('a', 3), probe.greet('a', nil, '!'), probe.greet('a', 1, nil)")
        #expect(results == ["aa.", "aaa.", "aa!", "a."])
    }

    @Test func `results are one, several or none`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.none()") == [7])
        #expect(try await lua.probe("return probe.several()") == [1, "two", .nil])
        #expect(try await lua.probe("return select('#', probe.several()), select('#', probe.nothing(1))") == [3, 0])
    }

    @Test func `variadics take the rest`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.sum(1), probe.sum(1, 2, 3), probe.count(), probe.count(nil, nil), probe.count(1, nil)") == [1, 6, 0, 2, 2])
        #expect(try await lua.probe("return probe.count(table.unpack({}, 1, 200000))") == [200_000])
        #expect(try await lua.complaint("probe.sum(1, 2, 'x')").hasPrefix("argument 2 'rest'[2]: integer expected, got string"))
    }

    @Test func `asynchronous functions have the same arguments and results`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("return probe.wait(1), probe.wait(1, 2), select('#', probe.waitForNothing()), probe.waitForAll('a', 'b'), probe.six(1, 2, 3, 4, 5, 6), probe.waitForSeveral('abc')")
        #expect(results == [11, 3, 0, "a+b", [1, 2, 3, 4, 5, 6], "abc", 3])
        #expect(try await lua.complaint("probe.wait('x')") == "argument 1 'a': integer expected, got string | usage: (a: integer, b?: integer)")
    }

    @Test(arguments: [
        ("none(1)", "the function takes no arguments, got 1 | usage: ()"),
        ("nothing(1, 2)", "the function takes at most 1 argument, got 2 | usage: (value: integer)"),
        ("greet('a', 1, '!', 4)", "the function takes at most 3 arguments, got 4 | usage: (name: string, times?: integer, mark?: string or nil)"),
        ("wait(1, 2, 3)", "the function takes at most 2 arguments, got 3 | usage: (a: integer, b?: integer)"),
    ])
    func `too many arguments are an error`(_ call: String, _ complaint: String) async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.\(call)") == complaint)
    }

    @Test func `a wrong argument names itself and how to call`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.greet()") == "argument 1 'name': string expected, got nil | usage: (name: string, times?: integer, mark?: string or nil)")
        #expect(try await lua.complaint("probe.greet('a', 'b')").hasPrefix("argument 2 'times': integer expected, got string"))
        let kind = try await lua.probe("return select(2, pcall(probe.greet)).kind")
        #expect(kind == ["invalid_argument"])
    }

    @Test func `a module is read-only`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("(function() probe.none = 1 end)()").contains("cannot set 'none': probe is read-only"))
        #expect(try await lua.probe("local names = {} for name in pairs(probe) do names[#names + 1] = name end return #names") == [11])
    }
}
