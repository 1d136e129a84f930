// pcall and xpcall that a stop cannot be caught with, and a `load` for sandboxes.

#include "internal.h"

/// Extra values below the results while xpcall runs: the function, its handler, what guards that.
enum { XPCALL_BELOW = 3 };

static lua_KContext protected_context(lua_State *L, int below) {
    shim_task *task = shim_state_of(L)->task;
    return ((task != NULL ? (lua_KContext)task->raises : 0) << 2) | below;
}

/// may raise: yes · a stop raised inside the protected call goes on outwards.
static int protected_finish(lua_State *L, int status, lua_KContext context) {
    if (LIKELY(status == LUA_OK || status == LUA_YIELD)) return lua_gettop(L) - (int)(context & 3);
    shim_task *task = shim_state_of(L)->task;
    if (task != NULL && UNLIKELY((lua_KContext)task->raises != context >> 2)) return shim_raise_stop(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

/// may raise: yes.
static int base_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    lua_KContext context = protected_context(L, 0);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, context, protected_finish);
    return protected_finish(L, status, context);
}

/// may raise: yes · the script's message handler, but not for a stop: hooks raise that, and what runs
/// below a hook cannot be interrupted.
static int guarded_handler(lua_State *L) {
    shim_task *task = shim_state_of(L)->task;
    if (task != NULL && (lua_Integer)task->raises != lua_tointeger(L, lua_upvalueindex(2))) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

/// may raise: yes.
static int base_xpcall(lua_State *L) {
    int arguments = lua_gettop(L) - 2;
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_KContext context = protected_context(L, XPCALL_BELOW);
    lua_pushvalue(L, 2);
    // Handlers in C, like debug.traceback, end by themselves, and count the levels of the stack.
    if (!lua_iscfunction(L, 2)) {
        lua_pushinteger(L, (lua_Integer)(context >> 2));
        lua_pushcclosure(L, guarded_handler, 2);
    }
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 3);
    int status = lua_pcallk(L, arguments, LUA_MULTRET, 3, context, protected_finish);
    return protected_finish(L, status, context);
}

int shim_getinfo(lua_State *L) {
    lua_Debug frame;
    if (!lua_getstack(L, (int)luaL_checkinteger(L, 1), &frame)) return 0;
    lua_getinfo(L, "St", &frame);
    lua_createtable(L, 0, 2);
    lua_pushstring(L, frame.source);
    lua_setfield(L, -2, "source");
    lua_pushboolean(L, frame.istailcall);
    lua_setfield(L, -2, "istailcall");
    return 1;
}

void shim_open_base_library(lua_State *L) {
    static const luaL_Reg functions[] = {{"pcall", base_pcall}, {"xpcall", base_xpcall}, {NULL, NULL}};
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
