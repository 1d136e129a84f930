// Lua universes: creation, libraries, end.

#include "internal.h"
#include "libraries.h"

#include <stdlib.h>

// MARK: - Life

/// may raise: yes (it runs under lua_pcall) · opens the libraries.
static int open_libraries(lua_State *L) {
    int libraries = (int)lua_tointeger(L, 1);
    static const luaL_Reg safe[] = {
        {LUA_GNAME, luaopen_base}, {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
        {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8},
        {LUA_OSLIBNAME, luaopen_os}, {NULL, NULL},
    };
    static const luaL_Reg trusted[] = {
        {LUA_LOADLIBNAME, luaopen_package}, {LUA_IOLIBNAME, luaopen_io}, {LUA_DBLIBNAME, luaopen_debug}, {NULL, NULL},
    };
    for (const luaL_Reg *library = safe; library->func != NULL; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    if (libraries == SHIM_LIB_TRUSTED) {
        for (const luaL_Reg *library = trusted; library->func != NULL; library++) {
            luaL_requiref(L, library->name, library->func, 1);
            lua_pop(L, 1);
        }
    } else {
        static const char *const unsafe_os[] = {"execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname", NULL};
        lua_getglobal(L, LUA_OSLIBNAME);
        for (const char *const *name = unsafe_os; *name != NULL; name++) {
            lua_pushnil(L);
            lua_setfield(L, -2, *name);
        }
        lua_pop(L, 1);
        // Bytecode can be made to crash the interpreter.
        lua_getglobal(L, LUA_STRLIBNAME);
        lua_pushnil(L);
        lua_setfield(L, -2, "dump");
        lua_pop(L, 1);
        lua_pushnil(L);
        lua_setglobal(L, "dofile");
        lua_pushnil(L);
        lua_setglobal(L, "loadfile");
    }
    shim_open_coroutine_library(L);
    shim_open_base_library(L);
    lua_getglobal(L, LUA_STRLIBNAME);
    shim_open_string_library(L);
    lua_pop(L, 1);
    lua_getglobal(L, LUA_TABLIBNAME);
    shim_open_table_library(L);
    lua_pop(L, 1);

    shim_note_places(L);

    lua_createtable(L, 0, 6);
    lua_pushcfunction(L, shim_box_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "Error");
    lua_setfield(L, -2, "__name");
    lua_pushcfunction(L, shim_error_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, shim_error_concat);
    lua_setfield(L, -2, "__concat");
    lua_pushcfunction(L, shim_error_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    shim_state_of(L)->error_metatable = luaL_ref(L, LUA_REGISTRYINDEX);

    // liblua makes this string outside of every protected call, for errors inside error handling:
    // were there no memory for it then, the jump would have no place to go to. Kept here, it is
    // found among the interned strings.
    lua_pushliteral(L, "error in error handling");
    luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

shim_state *shim_state_new(void *host, const shim_callbacks *callbacks, int libraries, size_t limit) {
    shim_state *state = calloc(1, sizeof *state);
    if (state == NULL) return NULL;
    state->limit = limit;
    state->in_lua = 1;
    state->host = host;
    state->callbacks = callbacks;
    state->box_mark = state;
    lua_State *L = lua_newstate(shim_allocate, state);
    if (L == NULL) {
        shim_free_pools(state);
        free(state);
        return NULL;
    }
    state->main = L;
    *(uintptr_t *)lua_getextraspace(L) = (uintptr_t)state;
    shim_interrupt_install();
    lua_pushcfunction(L, open_libraries);
    lua_pushinteger(L, libraries);
    int status = lua_pcall(L, 1, 0, 0);
    state->in_lua = 0;
    if (status != LUA_OK) {
        lua_close(L);
        shim_free_pools(state);
        free(state);
        return NULL;
    }
    return state;
}

void shim_state_close(shim_state *state) {
    state->limit = 0;
    state->fail_after = 0;
    state->closing = true;
    state->in_lua = 1;
    lua_close(state->main);
    shim_free_pools(state);
    free(state);
}
