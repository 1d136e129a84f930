// A stack of Lua does not go to another actor: it is lent for one synchronous call.
// expected: sending 'lua' risks causing data races
import Lua

actor Keeper {
    func take(_ lua: LuaContext) {}
}

func hand(over lua: LuaContext, to keeper: Keeper) async {
    await keeper.take(lua)
    lua.pushNil()
}
