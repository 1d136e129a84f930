// What an argument becomes may go over an await: its type is Sendable.
// expected: stored property 'count' of 'Sendable'-conforming class 'Counter' is mutable
import Lua

final class Counter: LuaDecodable {
    var count = 0
    static var luaType: LuaType { .integer }
    static func decode(from lua: LuaContext, at index: Int32) throws -> Counter { Counter() }
}

let function = Function("count", "Counts.", Argument("counter", Counter.self, "what counts")) { (counter: Counter) -> Int in counter.count }
