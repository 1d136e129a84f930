import CLuaShim

/// `nightjar`: what Lua has no literal for.
let dataModule = Module("nightjar", "Values of data formats that Lua has no literal for.") {
    Constant("null", "the explicit null: says that there is no value, where nil says nothing; equal to itself only", LuaValue.null)

    Function(raw: "array", "Marks a table as a list, so that an empty one is written as `[]` and not as `{}`; returns it.", [
        FieldDescription("list", .table, "the table, without a metatable"),
    ], returns: [FieldDescription("", .table, "the same table")]) { lua in
        guard shim_is_plain_table(lua.L, 1) || (lua_type(lua.L, 1) == LUA_TTABLE && lua.isMarkedList(at: 1)) else {
            throw LuaError(.argument, "argument 1 'list': table without a metatable expected, got \(lua.typeName(at: 1))")
        }
        lua_rawgeti(lua.L, shim_registry(), lua_Integer(lua.host.listMetatable))
        lua_setmetatable(lua.L, 1)
        lua_settop(lua.L, 1)
        return 1
    }
    .example("local empty = nightjar.array {} assert(#empty == 0)")
}
