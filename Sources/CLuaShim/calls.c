// Calls from Lua into Swift, and the userdata that hold Swift objects.

#include "internal.h"

typedef struct {
    shim_box box;  ///< keeps the Swift context alive; cleared by __gc
    shim_entry entry;
} shim_function;

static const char function_type = 'f';

// MARK: - Host functions

/// may raise: yes · Swift frames: none alive · stack: results of the awaited operation.
static int await_continue(lua_State *L, int status, lua_KContext context) {
    (void)status;
    (void)context;
    shim_state *state = shim_state_of(L);
    shim_task *task = state->task;
    if (UNLIKELY(task != NULL && shim_stop_due(task))) return shim_raise_stop(L);
    int in_lua = state->in_lua;
    state->in_lua = 0;
    int n = state->callbacks->deliver(L, state->host);
    state->in_lua = in_lua;
    if (LIKELY(n >= 0 && !state->exceeded)) return n;
    return shim_settle(L, state, n);
}

bool shim_settle_memory(lua_State *L) {
    shim_state *state = shim_state_of(L);
    if (!state->exceeded) return false;
    state->exceeded = 0;
    // What the host left behind may be garbage already; only what stays counts.
    shim_collect(L);
    return state->fail_after == 1 || (state->limit != 0 && state->used > state->limit);
}

int shim_settle(lua_State *L, shim_state *state, int code) {
    // A finalizer that runs inside host code settles nothing: that code does when it returns.
    if (state->exceeded && state->in_lua) {
        bool is_over = shim_settle_memory(L);
        if (is_over && code != SHIM_AWAIT) return luaL_error(L, "not enough memory");
    }
    if (code >= 0) return code;
    if (code == SHIM_AWAIT) {
        state->task->awaiting = true;
        return lua_yieldk(L, 0, 0, await_continue);
    }
    return lua_error(L);
}

/// may raise: yes · Swift frames: alive only inside `entry`.
///
/// What `in_lua` was is put back and not set to 1: a finalizer that calls this may itself run inside
/// host code, which is never refused memory.
static inline int call(lua_State *L, const shim_function *function) {
    shim_state *state = shim_state_of(L);
    // Finalizers can meet functions that were finalized before them, and at the end of a state all
    // its host is on the way out.
    if (UNLIKELY(function->box.object == NULL || state->closing)) return luaL_error(L, "the host function is gone");
    int in_lua = state->in_lua;
    state->in_lua = 0;
    int n = function->entry(L, function->box.object);
    state->in_lua = in_lua;
    if (LIKELY(n >= 0 && !state->exceeded)) return n;
    return shim_settle(L, state, n);
}

/// may raise: yes · Swift frames: none alive.
static int trampoline(lua_State *L) {
    return call(L, lua_touserdata(L, lua_upvalueindex(1)));
}

void shim_push_function(lua_State *L, shim_entry entry, void *context) {
    shim_state *state = shim_state_of(L);
    shim_function *function = lua_newuserdatauv(L, sizeof *function, 0);
    function->box = (shim_box){state->box_mark, &function_type, context};
    function->entry = entry;
    if (luaL_newmetatable(L, "nightjar.function")) {
        lua_pushcfunction(L, shim_box_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    lua_pushcclosure(L, trampoline, 1);
}

// MARK: - Boxes

void shim_push_box(lua_State *L, const void *type, void *object, int metatable) {
    shim_box *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (shim_box){shim_state_of(L)->box_mark, type, object};
    lua_rawgeti(L, LUA_REGISTRYINDEX, metatable);
    lua_setmetatable(L, -2);
}

void shim_box_clear(lua_State *L, shim_box *box) {
    void *object = box->object;
    box->object = NULL;
    if (object != NULL) {
        shim_state *state = shim_state_of(L);
        int in_lua = state->in_lua;
        state->in_lua = 0;
        state->callbacks->release(object);
        state->in_lua = in_lua;
    }
}

int shim_box_gc(lua_State *L) {
    shim_box *box = shim_any_box(L, 1);
    if (box != NULL) shim_box_clear(L, box);
    return 0;
}

int shim_class_index(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) == LUA_TNIL) return 1;
    // A getter is stored as the bare userdata of a host function: calling its entry here saves a
    // call through the interpreter.
    const shim_function *getter = lua_touserdata(L, -1);
    lua_settop(L, 1);
    return call(L, getter);
}

int shim_class_newindex(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) {
        return luaL_error(L, "cannot set '%s' of a %s", luaL_tolstring(L, 2, NULL), lua_tostring(L, lua_upvalueindex(2)));
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    lua_call(L, 2, 0);
    return 0;
}

void shim_push_getter(lua_State *L, shim_entry entry, void *context) {
    shim_push_function(L, entry, context);
    lua_getupvalue(L, -1, 1);
    lua_remove(L, -2);
}

// MARK: - Where suspension is impossible

/// Name of the place for xpcall, which is in the way only while its message handler runs.
static const char xpcall_place[] = "the message handler of xpcall";

/// may raise: no · whether one of the levels of `L` below `level` is the handler of the xpcall there.
static bool runs_handler(lua_State *L, int level, lua_Debug *xpcall) {
    if (lua_getlocal(L, xpcall, 2) == NULL) return false;
    lua_Debug frame;
    bool found = false;
    for (int inner = 0; inner < level && !found && lua_getstack(L, inner, &frame); inner++) {
        lua_getinfo(L, "f", &frame);
        found = lua_rawequal(L, -1, -2);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return found;
}

bool shim_can_await(lua_State *L, const char **place) {
    shim_state *state = shim_state_of(L);
    *place = NULL;
    lua_State *blocked = state->blocked;
    if (blocked == NULL && lua_isyieldable(L) && state->task != NULL) return true;
    if (blocked != NULL && state->blocked_by != NULL) {
        *place = state->blocked_by;
        return false;
    }
    if (blocked == NULL) blocked = L;
    lua_Debug frame;
    for (int level = blocked == L ? 1 : 0; *place == NULL && lua_getstack(blocked, level, &frame); level++) {
        if (!lua_checkstack(blocked, 4)) break;
        lua_rawgetp(blocked, LUA_REGISTRYINDEX, &function_type);
        lua_getinfo(blocked, "nf", &frame);
        lua_rawget(blocked, -2);
        *place = lua_tostring(blocked, -1);
        lua_pop(blocked, 2);
        if (*place != NULL && strcmp(*place, xpcall_place) == 0 && !runs_handler(blocked, level, &frame)) *place = NULL;
        if (frame.name != NULL && strcmp(frame.name, "__gc") == 0 && strcmp(frame.namewhat, "metamethod") == 0) *place = "a finalizer (__gc)";
    }
    return false;
}

/// may raise: yes · stack: function → (nothing); the table of places is at `index`.
static void note_place(lua_State *L, int index, const char *text) {
    lua_pushstring(L, text);
    lua_rawset(L, index);
}

void shim_note_places(lua_State *L) {
    static const struct { const char *library, *function, *text; } places[] = {
        {"table", "sort", "table.sort"}, {"table", "concat", "table.concat"}, {"table", "insert", "table.insert"},
        {"table", "remove", "table.remove"}, {"table", "move", "table.move"}, {"table", "unpack", "table.unpack"},
        {"string", "gsub", "string.gsub"}, {"string", "format", "string.format"}, {"string", "rep", "string.rep"},
        {LUA_GNAME, "tostring", "tostring"}, {LUA_GNAME, "print", "print"}, {LUA_GNAME, "load", "load"},
        {LUA_GNAME, "collectgarbage", "collectgarbage"},
        {LUA_GNAME, "xpcall", xpcall_place}, {"coroutine", "close", "coroutine.close"},
    };
    static const char *const arithmetic[] = {"__add", "__sub", "__mul", "__mod", "__pow", "__div", "__idiv", "__unm"};
    lua_createtable(L, 0, 32);
    int index = lua_gettop(L);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        lua_getglobal(L, places[i].library);
        lua_getfield(L, -1, places[i].function);
        note_place(L, index, places[i].text);
        lua_pop(L, 1);
    }
    // The iterator that ipairs returns.
    lua_getglobal(L, "ipairs");
    lua_createtable(L, 0, 0);
    lua_call(L, 1, 1);
    note_place(L, index, "ipairs");
    // Strings pass arithmetic on to the other operand.
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
            if (lua_getfield(L, -1, arithmetic[i]) == LUA_TFUNCTION) note_place(L, index, "arithmetic with a string");
            else lua_pop(L, 1);
        }
    }
    lua_settop(L, index);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &function_type);
}
