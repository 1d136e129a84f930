// A stack of Lua is not kept by a closure that may run at any time, on any thread.
// expected: capture of 'lua' with non-Sendable type 'LuaContext' in a '@Sendable' closure
import Lua

func later(_ work: @escaping @Sendable () -> Void) {}

func keep(_ lua: LuaContext) {
    later { lua.pushNil() }
}
