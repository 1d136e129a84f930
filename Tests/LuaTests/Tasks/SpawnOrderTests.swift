@testable import Lua
import Testing

@Suite struct SpawnOrderTests {
    @Test(arguments: [LuaConfiguration.Libraries.trusted, .sandbox])
    func `tasks first run in the order they were spawned, deferred ones after all that are ready`(libraries: LuaConfiguration.Libraries) async throws {
        let lua = try LuaState(LuaConfiguration(libraries: libraries))
        let results = try await lua.run("""
            local task = require "nightjar.task"
            local log, all = {}, {}
            for i = 1, 30 do
              local start = i % 3 == 0 and task.defer or task.spawn
              all[i] = start(function() log[#log + 1] = i end)
            end
            task.all(all)
            return table.concat(log, " ")
            """)
        let spawned = (1...30).filter { $0 % 3 != 0 }, deferred = (1...30).filter { $0 % 3 == 0 }
        #expect(results == [.string((spawned + deferred).map(String.init).joined(separator: " "))])
    }
}
