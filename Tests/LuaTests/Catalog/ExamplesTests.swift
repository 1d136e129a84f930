@testable import Lua
import Testing

@Suite struct ExamplesTests {
    @Test(arguments: ExampleCatalog.catalog.examples)
    func `an example runs`(example: Catalog.Example) async throws {
        let lua = try LuaState(LuaConfiguration(modules: [ExampleCatalog.reviews]))
        do {
            _ = try await lua.run(example.script, name: "=" + example.name)
        } catch {
            Issue.record("\(error)\n\(example.code)")
        }
    }

    @Test(arguments: Catalog([taskModule, dataModule]).examples)
    func `an example runs in a sandbox`(example: Catalog.Example) async throws {
        let lua = try LuaState(LuaConfiguration(libraries: .sandbox))
        do {
            _ = try await lua.run(example.script, name: "=" + example.name)
        } catch {
            Issue.record("\(error)\n\(example.code)")
        }
    }

    @Test func `functions and methods have examples`() {
        let names = Set(ExampleCatalog.catalog.examples.map(\.name))
        #expect(names.isSuperset(of: ["reviews.search", "task.spawn", "Task:await", "Player:play", "Channel:send"]))
    }

    @Test func `an example keeps its line numbers`() throws {
        let example = try #require(ExampleCatalog.catalog.examples.first { $0.name == "reviews.search" })
        #expect(example.script.split(separator: "\n").count == example.code.split(separator: "\n").count)
        #expect(example.description == "reviews.search: " + example.code)
    }
}
