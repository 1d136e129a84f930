// A type that Lua has no counterpart for is no argument.
// expected: requires that 'Opaque' conform to 'LuaDecodable'
import Lua

struct Opaque: Sendable {}

let function = Function("open", "Opens.", Argument("value", Opaque.self, "what")) { (value: Opaque) -> Int in 1 }
