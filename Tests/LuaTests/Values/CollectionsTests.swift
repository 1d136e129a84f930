import Lua
import Testing

@Suite struct CollectionsTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            echo("ints", [Int].self)
            echo("maybes", [Int?].self)
            echo("texts", [String].self)
            echo("nested", [[Int]].self)
            echo("set", Set<String>.self)
            echo("map", [String: Int].self)
            echo("numbered", [Int: String].self)
            echo("maybe", Int?.self)
            echo("maps", [String: [String: Int]].self)
            Function("count", "The length of a list.", Argument("list", [LuaValue].self, "")) { (list: [LuaValue]) -> Int in list.count }
            Function("notANumberKey", "A key that Lua refuses.") { () -> [Double: Int] in [.nan: 1] }
            Function("nilKey", "A key that Lua refuses.") { () -> [Int?: Int] in [nil: 1] }
            Function("nilValue", "A key without a value.") { () -> [String: Int?] in ["a": nil, "b": 2] }
            Function("referenceKey", "A reference to nothing as a key.", Argument("reference", LuaReference.self, "")) { (reference: LuaReference) -> LuaValue in
                .table([.reference(reference): 1])
            }
        }
    }

    @Test func `an optional is nil, absent or the explicit null`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("return probe.maybe(), probe.maybe(nil), probe.maybe(...), probe.maybe(5)", arguments: [.null])
        #expect(results == [.nil, .nil, .nil, 5])
        #expect(try await lua.complaint("probe.maybe('x')").hasPrefix("argument 1 'value': integer expected, got string"))
    }

    @Test func `lists go both ways`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.ints{1, 2, 3}, probe.ints{}, probe.nested{{1}, {}, {2, 3}}") == [[1, 2, 3], [], [[1], [], [2, 3]]])
        #expect(try await lua.probe("local t = {} for i = 1, 100000 do t[i] = i end t = probe.ints(t) return #t, t[1], t[100000]") == [100_000, 1, 100_000])
    }

    @Test func `an empty list is known to be one`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.ints{}, {}, getmetatable(probe.ints{}).__name, next(probe.ints{})") == [[], [:], "list", .nil])
    }

    @Test func `a hole is an error where nil is none, with its place`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.ints{1, nil, 3}").hasPrefix("argument 1 'value'[2]: integer expected, got nil"))
        #expect(try await lua.complaint("probe.nested{{1}, {2, 'x'}}").hasPrefix("argument 1 'value'[2][2]: integer expected, got string"))
        #expect(try await lua.complaint("probe.ints(5)").hasPrefix("argument 1 'value': list of integer expected, got integer"))
    }

    @Test func `an absent element becomes the explicit null`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local t = probe.maybes{1, nil, 3} return t, #t, type(t[2])")
        #expect(results == [.list([1, .null, 3]), 3, "userdata"])
        #expect(try await lua.probe("return probe.maybes(probe.maybes{1, nil, 3})") == [.list([1, .null, 3])])
    }

    @Test func `metatables of lists are asked`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local squares = setmetatable({}, { __len = function() return 4 end, __index = function(_, i) return i * i end })
            return probe.ints(squares)
            """)
        #expect(results == [[1, 4, 9, 16]])
    }

    @Test func `errors of metatables come through whole`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local mark = {}
            local bad = setmetatable({}, { __len = function() error(mark) end })
            local worse = setmetatable({}, { __len = function() return 2 end, __index = function() error(mark) end })
            local _, a = pcall(probe.ints, bad)
            local _, b = pcall(probe.ints, worse)
            return a == mark, b == mark
            """)
        #expect(results == [true, true])
    }

    @Test(arguments: ["-1", "math.mininteger", "math.maxinteger", "1 << 40"])
    func `a length that cannot be is an error`(_ length: String) async throws {
        let lua = try Self.probe()
        let message = try await lua.complaint("probe.count(setmetatable({}, { __len = function() return \(length) end }))")
        #expect(message.hasPrefix("argument 1 'list': list of any expected, got a table whose length is"), "\(message)")
    }

    @Test func `a length that exceeds the memory limit is refused before anything is read`() async throws {
        let lua = try makeProbe(LuaConfiguration(limits: LuaLimits(memory: 4 << 20))) {
            Function("count", "The length of a list.", Argument("list", [LuaValue].self, "")) { (list: [LuaValue]) -> Int in list.count }
        }
        let error = await lua.failure("return probe.count(setmetatable({}, { __len = function() return 1000000 end }))")
        #expect(error?.kind == .memory)
    }

    @Test func `a length that is no integer is an error`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.ints(setmetatable({}, { __len = function() return 'x' end }))").contains("object length is not an integer"))
    }

    @Test func `a set is a list without repetitions`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local t = probe.set{'a', 'b', 'a'} table.sort(t) return t, probe.set{}")
        #expect(results == [["a", "b"], []])
    }

    @Test func `dictionaries go both ways`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.map{a = 1, b = 2}, probe.map{}, probe.numbered{[1] = 'x', [-5] = 'y'}")
            == [["a": 1, "b": 2], [:], [1: "x", -5: "y"]])
        #expect(try await lua.probe("return probe.maps{a = {b = 1}}") == [["a": ["b": 1]]])
    }

    @Test func `errors in dictionaries name the key`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.map{a = 1, b = 'x'}").hasPrefix("argument 1 'value'.b: integer expected, got string"))
        #expect(try await lua.complaint("probe.map{['two words'] = 'x'}").hasPrefix("argument 1 'value'[\"two words\"]: integer expected, got string"))
        #expect(try await lua.complaint("probe.map{['end'] = 'x'}").hasPrefix("argument 1 'value'[\"end\"]: integer expected, got string"))
        #expect(try await lua.complaint("probe.maps{a = {b = {}}}").hasPrefix("argument 1 'value'.a.b: integer expected, got table"))
        #expect(try await lua.complaint("probe.map{[true] = 1}").hasPrefix("argument 1 'value'[\"true\"]: string expected, got boolean"))
        #expect(try await lua.complaint("probe.map{7}").hasPrefix("argument 1 'value'[1]: string expected, got integer"))
    }

    @Test(arguments: [("notANumberKey()", "a table key cannot be NaN"), ("nilKey()", "a table key cannot be nil"), ("referenceKey(nil)", "a table key cannot be nil")])
    func `keys that Lua refuses are errors`(_ call: String, _ message: String) async throws {
        let lua = try Self.probe()
        #expect(try await lua.complaint("probe.\(call)") == message)
    }

    @Test func `an absent value leaves its key out`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.nilValue()") == [["b": 2]])
    }
}
