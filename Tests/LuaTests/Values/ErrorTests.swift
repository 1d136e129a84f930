import Lua
import Testing

private struct ServiceError: LuaErrorConvertible, Equatable {
    var status: Int

    var luaError: LuaError {
        LuaError("not_found", "no such album", hint: "search first", details: ["status": .integer(Int64(status)), "fields": ["title": "missing"]],
            cause: LuaError("network", "the line is down", cause: LuaError("dns", "no name")))
    }
}

private struct PlainError: Error, Equatable, CustomStringConvertible {
    var number: Int
    var description: String { "plain \(number)" }
}

@Suite struct ErrorTests {
    private static func probe() throws -> LuaState {
        try makeProbe {
            Function("service", "Throws.", Argument("status", Int.self, "", default: 404)) { (status: Int) throws in throw ServiceError(status: status) }
            Function("serviceLater", "Throws later.", Argument("status", Int.self, "", default: 404)) { (status: Int) async throws in
                await Task.yield()
                throw ServiceError(status: status)
            }
            Function("plain", "Throws what says nothing.") { () throws in throw PlainError(number: 7) }
            Function("cancelled", "Throws.") { () throws in throw CancellationError() }
            Function("log", "Takes text.", Argument("text", String.self, "")) { (text: String) -> String in text }
        }
    }

    // MARK: - Host errors in scripts

    @Test(arguments: ["service", "serviceLater"])
    func `a host error has fields in scripts`(_ function: String) async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local ok, e = pcall(probe.\(function), 410)
            return ok, type(e), e.kind, e.message, e.hint, e.status, e.fields, e.cause.kind, e.cause.message, e.cause.cause.kind, e.cause.cause.cause, e.nothing
            """)
        #expect(results == [false, "userdata", "not_found", "no such album", "search first", 410, ["title": "missing"], "network", "the line is down", "dns", .nil, .nil])
    }

    @Test func `a host error works where scripts expect a string`() async throws {
        let lua = try Self.probe()
        let text = "not_found: no such album (search first)"
        let results = try await lua.probe("""
            local _, e = pcall(probe.service)
            return tostring(e), 'failed: ' .. e, e .. '!', e .. e == tostring(e) .. tostring(e), e:match('^[%w_]+'), e:upper(), e:len(), e:sub(1, 3), (e:find('album', 1, true)),
                ('%s'):format(e), probe.log(e), string.format('%s', e), e:gsub('album', 'disc')
            """)
        #expect(results.map(\.stringValue).prefix(3) == [text, "failed: " + text, text + "!"])
        #expect(Array(results.dropFirst(3)) == [
            true, "not_found", .string(text.uppercased()), .integer(Int64(text.utf8.count)), "not", 20, .string(text), .string(text), .string(text),
            .string(text.replacing("album", with: "disc")), 1,
        ])
    }

    @Test func `functions of strings take a host error for its text`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("""
            local _, e = pcall(probe.plain)
            local words = {} for word in string.gmatch(e, '%a+') do words[#words + 1] = word end
            return string.match(e, 'plain %d'), (string.find(e, '7')), (string.gsub(e, '7', '8')), words
            """)
        #expect(results == ["plain 7", 16, "unknown: plain 8", ["unknown", "plain"]])
    }

    @Test func `concatenation with what is no text is Lua's own error`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local _, e = pcall(probe.plain) local _, m = pcall(function() return e .. {} end) return m")
        #expect(results.first?.stringValue?.hasSuffix("attempt to concatenate a table value") == true, "\(results)")
    }

    @Test func `a host error cannot be changed`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local _, e = pcall(probe.plain) return pcall(function() e.kind = 'x' end), getmetatable(e), e.kind")
        #expect(results == [false, false, "unknown"])
    }

    @Test func `errors that say nothing have a kind all the same`() async throws {
        let lua = try Self.probe()
        let results = try await lua.probe("local _, a = pcall(probe.plain) local _, b = pcall(probe.cancelled) return a.kind, a.message, b.kind")
        #expect(results == ["unknown", "plain 7", "cancelled"])
    }

    // MARK: - Back to Swift

    @Test(arguments: ["probe.service(410)", "probe.serviceLater(410)", "local ok, e = pcall(probe.service, 410) error(e)", "local ok, e = pcall(probe.service, 410) error(e, 0)",
        "coroutine.wrap(function() probe.serviceLater(410) end)()", "local t = require 'nightjar.task' t.spawn(probe.service, 410):await()",
        "local t = require 'nightjar.task' t.all { probe.cancelled and function() probe.serviceLater(410) end }", "assert(pcall(probe.service, 410))",
        "local e <close> = setmetatable({}, { __close = function() probe.serviceLater(410) end })"])
    func `a host error comes back whole`(_ script: String) async throws {
        let lua = try Self.probe()
        let error = try #require(await lua.failure(script))
        if script.hasPrefix("assert") {
            // assert raises its second argument as it is.
            #expect(error.kind == "not_found")
        }
        #expect(error.kind == "not_found")
        #expect(error.message == "no such album")
        #expect(error.hint == "search first")
        #expect(error.details == ["status": 410, "fields": ["title": "missing"]])
        #expect(error.cause?.kind == "network")
        #expect(error.cause?.cause?.message == "no name")
        #expect(error.underlying as? ServiceError == ServiceError(status: 410))
        #expect(error.value == nil)
        #expect(error.description == "not_found: no such album (search first)\ncaused by network: the line is down\ncaused by dns: no name")
    }

    // MARK: - What scripts raise

    @Test(arguments: ["%@", "pcall(%@)", "task", "coroutine", "close"])
    func `what a script raises arrives unchanged`(_ way: String) async throws {
        let lua = try Self.probe()
        let raise = switch way {
        case "task": "select(2, pcall(function() local h = task.spawn(error, mark) h:await() end))"
        case "coroutine": "select(2, coroutine.resume(coroutine.create(function() error(mark, 0) end)))"
        case "close": "select(2, pcall(function() local c <close> = setmetatable({}, { __close = function(_, e) assert(rawequal(e, mark)) end }) error(mark, 0) end))"
        case "pcall(%@)": "select(2, pcall(error, mark))"
        default: "select(2, xpcall(error, function(e) return e end, mark))"
        }
        let results = try await lua.probe("""
            local task = require 'nightjar.task'
            local results = {}
            for i, value in ipairs { {}, 'text', 5, 2.5, true, print, coroutine.create(print) } do
              mark = value
              local e = \(raise)
              results[i] = rawequal(e, value) and math.type(e) == math.type(value)
            end
            return results
            """)
        #expect(results == [.list(Array(repeating: true, count: 7))])
    }

    @Test func `a raised table comes out as a value`() async throws {
        let lua = try Self.probe()
        let error = try #require(await lua.failure("error({ code = 5, list = { 1, 2 } })"))
        #expect(error.kind == .runtime)
        #expect(error.value == ["code": 5, "list": [1, 2]])
        let described = try #require(await lua.failure("error(setmetatable({}, { __tostring = function() return 'described' end }))"))
        #expect(described.message == "described")
        let broken = try #require(await lua.failure("error(setmetatable({}, { __tostring = function() error('worse') end }))"))
        #expect(broken.message.hasPrefix("table: 0x"))
        let text = try #require(await lua.failure("error('plain', 0)"))
        #expect(text.value == "plain" && text.message == "plain" && text.text == "plain")
        #expect(await lua.failure("error()")?.message == "nil")
        #expect(await lua.failure("error(42)")?.value == 42)
    }

    @Test func `a text about memory that a script raises is the script's own`() async throws {
        let lua = try Self.probe()
        let error = try #require(await lua.failure("error({ 'not enough memory' })"))
        #expect(error.kind == .runtime)
    }

    // MARK: - Source

    @Test(arguments: [("if true then", LuaError.Kind.incomplete), ("local t = {", .incomplete), ("x = = 1", .syntax), ("return 'open", .incomplete), ("end", .syntax), ("for i = 1, 2 do print(i)", .incomplete)])
    func `what does not parse is told from what is not finished`(_ source: String, _ kind: LuaError.Kind) async throws {
        let lua = try LuaState()
        do {
            _ = try await lua.run(source, name: "@a.lua")
            Issue.record("it ran")
        } catch let error as LuaError {
            #expect(error.kind == kind)
            #expect(error.message.hasPrefix("a.lua:1: "), "\(error.message)")
        }
    }
}
