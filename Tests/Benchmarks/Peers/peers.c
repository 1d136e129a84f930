#include "Peers.h"

#include <stdio.h>
#include <string.h>

static int add(lua_State *L) {
    lua_pushinteger(L, luaL_checkinteger(L, 1) + luaL_checkinteger(L, 2));
    return 1;
}

static int join(lua_State *L) {
    size_t a_length, b_length;
    const char *a = luaL_checklstring(L, 1, &a_length), *b = luaL_checklstring(L, 2, &b_length);
    char text[64];
    if (a_length + b_length > sizeof text) return luaL_error(L, "too long");
    memcpy(text, a, a_length);
    memcpy(text + a_length, b, b_length);
    lua_pushlstring(L, text, a_length + b_length);
    return 1;
}

static int make_record(lua_State *L) {
    lua_Integer id = luaL_checkinteger(L, 1);
    lua_createtable(L, 0, 5);
    lua_pushinteger(L, id);
    lua_setfield(L, -2, "id");
    lua_pushstring(L, "Kind of Blue");
    lua_setfield(L, -2, "title");
    lua_pushstring(L, "Miles Davis");
    lua_setfield(L, -2, "artist");
    lua_pushinteger(L, 1959);
    lua_setfield(L, -2, "year");
    lua_pushnumber(L, 4.5);
    lua_setfield(L, -2, "rating");
    return 1;
}

static int read_record(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t title, artist;
    lua_getfield(L, 1, "id");
    lua_Integer id = luaL_checkinteger(L, -1);
    lua_getfield(L, 1, "title");
    luaL_checklstring(L, -1, &title);
    lua_getfield(L, 1, "artist");
    luaL_checklstring(L, -1, &artist);
    lua_getfield(L, 1, "year");
    lua_Integer year = luaL_checkinteger(L, -1);
    lua_getfield(L, 1, "rating");
    lua_Number rating = luaL_checknumber(L, -1);
    lua_pushinteger(L, id + year + (lua_Integer)rating + (lua_Integer)(title + artist));
    return 1;
}

static int fail(lua_State *L) { return luaL_error(L, "no such album"); }

typedef struct { lua_Integer value; } counter;

static int counter_add(lua_State *L) {
    counter *self = luaL_checkudata(L, 1, "Counter");
    self->value += luaL_checkinteger(L, 2);
    lua_pushinteger(L, self->value);
    return 1;
}

static int counter_index(lua_State *L) {
    counter *self = luaL_checkudata(L, 1, "Counter");
    const char *key = luaL_checkstring(L, 2);
    if (strcmp(key, "value") == 0) {
        lua_pushinteger(L, self->value);
        return 1;
    }
    lua_getmetatable(L, 1);
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    return 1;
}

static int counter_new(lua_State *L) {
    counter *self = lua_newuserdatauv(L, sizeof *self, 0);
    self->value = 0;
    if (luaL_newmetatable(L, "Counter")) {
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, counter_add);
        lua_setfield(L, -2, "add");
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
    return 1;
}

/// The same class with a property: `__index` is a function then.
static int property_new(lua_State *L) {
    counter *self = lua_newuserdatauv(L, sizeof *self, 0);
    self->value = 7;
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, counter_index);
    lua_setfield(L, -2, "__index");
    luaL_getmetatable(L, "Counter");
    lua_pop(L, 2);
    counter_new(L);
    lua_getmetatable(L, -1);
    lua_pushcfunction(L, counter_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, counter_add);
    lua_setfield(L, -2, "add");
    lua_pop(L, 1);
    return 1;
}

static int yield_continue(lua_State *L, int status, lua_KContext context) {
    (void)status;
    (void)context;
    lua_pushinteger(L, 1);
    return 1;
}

static int yield_once(lua_State *L) { return lua_yieldk(L, 0, 0, yield_continue); }

lua_State *peer_state(void) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    static const luaL_Reg functions[] = {
        {"add", add}, {"join", join}, {"make_record", make_record}, {"read_record", read_record}, {"fail", fail},
        {"Counter", counter_new}, {"Property", property_new}, {"yield_once", yield_once}, {NULL, NULL},
    };
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
    return L;
}

int peer_run(lua_State *L, const char *source, lua_Integer n) {
    int status = luaL_loadstring(L, source);
    if (status == LUA_OK) {
        lua_pushinteger(L, n);
        status = lua_pcall(L, 1, 0, 0);
    }
    if (status == LUA_OK) return 0;
    fprintf(stderr, "peer: %s\n", lua_tostring(L, -1));
    lua_pop(L, 1);
    return 1;
}

void peer_yield_loop(lua_State *L, lua_Integer n) {
    lua_State *co = lua_newthread(L);
    luaL_loadstring(co, "local f, n = yield_once, ... for i = 1, n do f() end");
    lua_pushinteger(co, n);
    int results, status = lua_resume(co, L, 1, &results);
    while (status == LUA_YIELD) status = lua_resume(co, L, 0, &results);
    lua_pop(L, 1);
}
