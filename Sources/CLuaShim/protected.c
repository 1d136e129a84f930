// Operations that may run metamethods or raise, each under lua_pcall, for Swift to call.
//
// They cannot be written in Swift: an error would jump over Swift frames.

#include "internal.h"

/// may raise: no · calls `function` with the top `arguments` values in the mode where allocations
/// may fail and interrupts are heard. Leaves the results, or one error value.
static int protect(lua_State *L, lua_CFunction function, int arguments, int results) {
    shim_state *state = shim_state_of(L);
    if (function != NULL) {
        lua_pushcfunction(L, function);
        lua_insert(L, -arguments - 1);
    }
    int in_lua = state->in_lua;
    lua_State *running = state->running;
    state->in_lua = 1;
    state->running = L;
    int status = lua_pcall(L, arguments, results, 0);
    state->running = running;
    state->in_lua = in_lua;
    return status;
}

/// may raise: yes · stack: table, key → value
static int get(lua_State *L) {
    lua_gettable(L, 1);
    return 1;
}

int shim_get(lua_State *L, int index) {
    lua_pushvalue(L, index);
    lua_insert(L, -2);
    return protect(L, get, 2, 1);
}

/// may raise: yes · stack: table, key, value
static int set(lua_State *L) {
    lua_settable(L, 1);
    return 0;
}

int shim_set(lua_State *L, int index) {
    lua_pushvalue(L, index);
    lua_insert(L, -3);
    return protect(L, set, 3, 0);
}

int shim_get_field(lua_State *L, int index, const char *name) {
    if (shim_is_plain_table(L, index)) {
        lua_getfield(L, index, name);
        return LUA_OK;
    }
    lua_pushvalue(L, index);
    lua_pushstring(L, name);
    return protect(L, get, 2, 1);
}

int shim_get_index(lua_State *L, int index, lua_Integer i) {
    if (shim_is_plain_table(L, index)) {
        lua_rawgeti(L, index, i);
        return LUA_OK;
    }
    lua_pushvalue(L, index);
    lua_pushinteger(L, i);
    return protect(L, get, 2, 1);
}

/// may raise: yes · stack: value → text
static int text(lua_State *L) {
    luaL_tolstring(L, 1, NULL);
    return 1;
}

int shim_tostring(lua_State *L, int index) {
    lua_pushvalue(L, index);
    return protect(L, text, 1, 1);
}

/// may raise: yes · stack: value → length
static int length(lua_State *L) {
    lua_pushinteger(L, luaL_len(L, 1));
    return 1;
}

int shim_length(lua_State *L, int index) {
    if (shim_is_plain_table(L, index)) {
        lua_pushinteger(L, (lua_Integer)lua_rawlen(L, index));
        return LUA_OK;
    }
    lua_pushvalue(L, index);
    return protect(L, length, 1, 1);
}

int shim_call(lua_State *L, int arguments, int results) {
    return protect(L, NULL, arguments, results);
}

int shim_load(lua_State *L, const char *bytes, size_t size, const char *name, const char *mode) {
    shim_state *state = shim_state_of(L);
    int in_lua = state->in_lua;
    state->in_lua = 1;
    int status = luaL_loadbufferx(L, bytes, size, name, mode);
    state->in_lua = in_lua;
    return status;
}

/// may raise: yes, when the key is not in the table · stack: table, key → key, value
static int next(lua_State *L) {
    return lua_next(L, 1) ? 2 : 0;
}

bool shim_next(lua_State *L, int index, int *status) {
    int top = lua_gettop(L);
    lua_pushvalue(L, index);
    lua_insert(L, -2);
    *status = protect(L, next, 2, LUA_MULTRET);
    return *status == LUA_OK && lua_gettop(L) > top;
}

void shim_collect(lua_State *L) {
    shim_state *state = shim_state_of(L);
    int in_lua = state->in_lua;
    state->in_lua = 1;
    lua_gc(L, LUA_GCCOLLECT, 0);
    state->in_lua = in_lua;
}
