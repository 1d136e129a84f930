import Lua
import Testing

@Suite struct NumbersTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            echo("Int", Int.self)
            echo("Int8", Int8.self)
            echo("Int16", Int16.self)
            echo("Int32", Int32.self)
            echo("Int64", Int64.self)
            echo("UInt", UInt.self)
            echo("UInt8", UInt8.self)
            echo("UInt16", UInt16.self)
            echo("UInt32", UInt32.self)
            echo("UInt64", UInt64.self)
            echo("Double", Double.self)
            echo("Float", Float.self)
            echo("Bool", Bool.self)
            Function("widest", "The greatest of all.", returns: "") { () -> UInt64 in .max }
            Function("wide", "The greatest that fits.") { () -> UInt64 in UInt64(Int64.max) }
        }
    }

    private static let widths: [(name: String, least: Int64, greatest: Int64, range: String)] = [
        ("Int8", -128, 127, "(-128 to 127)"), ("Int16", -32768, 32767, "(-32768 to 32767)"),
        ("Int32", -2_147_483_648, 2_147_483_647, "(-2147483648 to 2147483647)"),
        ("UInt8", 0, 255, "(0 to 255)"), ("UInt16", 0, 65535, "(0 to 65535)"), ("UInt32", 0, 4_294_967_295, "(0 to 4294967295)"),
    ]

    @Test(arguments: widths)
    func `narrow integers go both ways at both ends and never wrap`(_ width: (name: String, least: Int64, greatest: Int64, range: String)) async throws {
        let lua = try Self.probe()
        let ends = try await lua.probe("return probe.\(width.name)(\(width.least)), probe.\(width.name)(\(width.greatest))")
        #expect(ends == [.integer(width.least), .integer(width.greatest)])
        for outside in [width.least - 1, width.greatest + 1] {
            let message = try await lua.complaint("probe.\(width.name)(\(outside))")
            #expect(message.hasPrefix("argument 1 'value': \(outside) is out of range \(width.range)"), "\(message)")
        }
    }

    @Test(arguments: ["Int", "Int64"])
    func `wide integers hold what Lua holds`(_ name: String) async throws {
        let lua = try Self.probe()
        let ends = try await lua.probe("return probe.\(name)(math.mininteger), probe.\(name)(math.maxinteger), probe.\(name)(-2^63)")
        #expect(ends == [.integer(.min), .integer(.max), .integer(.min)])
        let message = try await lua.complaint("probe.\(name)(2^63)")
        #expect(message.hasPrefix("argument 1 'value': 9.223372036854776e+18 is out of range (-9223372036854775808 to 9223372036854775807)"), "\(message)")
    }

    @Test(arguments: ["UInt", "UInt64"])
    func `unsigned integers are not negative`(_ name: String) async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.\(name)(0), probe.\(name)(math.maxinteger)") == [0, .integer(.max)])
        let message = try await lua.complaint("probe.\(name)(-1)")
        #expect(message.hasPrefix("argument 1 'value': -1 is out of range (0 to 18446744073709551615)"), "\(message)")
    }

    @Test func `an integer that Lua cannot hold is an error`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.wide()") == [.integer(.max)])
        let error = await lua.failure("return probe.widest()")
        #expect(error?.kind == .conversion)
        #expect(error?.message == "18446744073709551615 is out of range of a Lua integer")
    }

    @Test(arguments: ["Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"])
    func `a whole float is an integer and nothing else is`(_ name: String) async throws {
        let lua = try Self.probe()
        let value = try await lua.probe("local n = probe.\(name)(3.0) return n, math.type(n)")
        #expect(value == [3, "integer"])
        for (literal, complaint) in [
            ("3.5", "integer expected, got 3.5"), ("'3'", "integer expected, got string"), ("0/0", "integer expected, got "),
            ("math.huge", "integer expected, got inf"), ("nil", "integer expected, got nil"), ("true", "integer expected, got boolean"),
            ("{}", "integer expected, got table"), ("1e300", "1e+300 is out of range"),
        ] {
            let message = try await lua.complaint("probe.\(name)(\(literal))")
            #expect(message.hasPrefix("argument 1 'value': \(complaint)"), "\(literal): \(message)")
        }
    }

    @Test func `floats take any number and no text`() async throws {
        let lua = try Self.probe()
        let values = try await lua.probe("return probe.Double(1), probe.Double(0.1), probe.Double(math.huge), probe.Float(0.5), probe.Float(-math.huge)")
        #expect(values == [1.0, 0.1, .number(.infinity), 0.5, .number(-.infinity)])
        let nan = try await lua.probe("local n = probe.Double(0/0) return n ~= n")
        #expect(nan == [true])
        #expect(try await lua.complaint("probe.Double('1')").hasPrefix("argument 1 'value': number expected, got string"))
        #expect(try await lua.complaint("probe.Float(1e300)").hasPrefix("argument 1 'value': 1e+300 is out of range"))
    }

    @Test func `a boolean is true or false`() async throws {
        let lua = try Self.probe()
        #expect(try await lua.probe("return probe.Bool(true), probe.Bool(false)") == [true, false])
        for literal in ["nil", "0", "''"] {
            #expect(try await lua.complaint("probe.Bool(\(literal))").hasPrefix("argument 1 'value': boolean expected, got "))
        }
    }
}
