// Error values: a Swift error in a userdata, with the frames of the place where it was raised.

#include "internal.h"
#include "libraries.h"

const char shim_error_type = 'e';

typedef struct {
    shim_box box;
    shim_trace trace;  ///< allocated only as far as its frames reach
} shim_error_box;

/// Sources are cut from the left: the end of a path tells more than its beginning.
static void set_texts(shim_frame *target, const char *source, const char *name) {
    size_t length = strlen(source);
    size_t skip = length >= sizeof target->source ? length - sizeof target->source + 1 : 0;
    memcpy(target->source, source + skip, length - skip + 1);
    target->name[0] = '\0';
    if (name != NULL) {
        strncpy(target->name, name, sizeof target->name - 1);
        target->name[sizeof target->name - 1] = '\0';
    }
}

void shim_capture(lua_State *L, int level, shim_trace *into) {
    lua_Debug frame;
    while (into->count < SHIM_MAX_FRAMES && lua_getstack(L, level++, &frame)) {
        lua_getinfo(L, "Sln", &frame);
        shim_frame *target = &into->frames[into->count++];
        target->line = frame.currentline;
        target->kind = *frame.what == 'm' ? 'M' : *frame.what;
        set_texts(target, frame.short_src, frame.name);
    }
}

void shim_join(lua_State *L) {
    shim_task *task = shim_state_of(L)->task;
    shim_trace *trace = task != NULL ? shim_task_trace(task) : NULL;
    if (trace == NULL) return;
    task->joins = lua_topointer(L, -1);
    trace->count = 0;
}

void shim_join_frame(lua_State *L, char kind, int line, const char *source, const char *name) {
    shim_task *task = shim_state_of(L)->task;
    shim_trace *trace = task != NULL ? task->trace : NULL;
    // The site of a spawn always has a place, and half of the frames are left for the raise.
    if (trace == NULL || trace->count >= (kind == 'S' ? SHIM_MAX_FRAMES : SHIM_MAX_FRAMES / 2)) return;
    shim_frame *target = &trace->frames[trace->count++];
    target->kind = kind;
    target->line = line;
    set_texts(target, source, name);
}

void shim_push_error(lua_State *L, void *object) {
    shim_state *state = shim_state_of(L);
    shim_trace trace;
    trace.count = 0;
    shim_capture(L, 0, &trace);
    size_t size = offsetof(shim_error_box, trace.frames) + (size_t)trace.count * sizeof(shim_frame);
    shim_error_box *error = lua_newuserdatauv(L, size, 0);
    error->box = (shim_box){state->box_mark, &shim_error_type, object};
    error->trace.count = trace.count;
    memcpy(error->trace.frames, trace.frames, (size_t)trace.count * sizeof(shim_frame));
    lua_rawgeti(L, LUA_REGISTRYINDEX, state->error_metatable);
    lua_setmetatable(L, -2);
}

void *shim_error_object(lua_State *L, int index, const shim_trace **trace) {
    shim_box *box = shim_box_of(L, index, &shim_error_type);
    if (box == NULL) return NULL;
    if (trace != NULL) *trace = &((shim_error_box *)box)->trace;
    return box->object;
}

const char *shim_error_text(lua_State *L, int index, size_t *length) {
    shim_box *box = shim_box_of(L, index, &shim_error_type);
    if (box == NULL || box->object == NULL) return NULL;
    shim_state *state = shim_state_of(L);
    index = lua_absindex(L, index);
    luaL_checkstack(L, 4, NULL);
    int in_lua = state->in_lua;
    state->in_lua = 0;
    state->callbacks->push_error_text(L, index, box->object);
    state->in_lua = in_lua;
    lua_replace(L, index);
    return lua_tolstring(L, index, length);
}

void shim_push_plain_text(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        lua_pushvalue(L, index);
        break;
    case LUA_TNUMBER:
        lua_pushvalue(L, index);
        lua_tolstring(L, -1, NULL);
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TNIL:
    case LUA_TNONE:
        lua_pushstring(L, "nil");
        break;
    default:
        lua_pushfstring(L, "%s: %p", luaL_typename(L, index), lua_topointer(L, index));
    }
}

/// may raise: yes · a string function whose first argument is an error: it gets the text.
static int text_method(lua_State *L) {
    shim_error_text(L, 1, NULL);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

int shim_error_index(lua_State *L) {
    shim_box *box = shim_box_of(L, 1, &shim_error_type);
    if (box == NULL || box->object == NULL || lua_type(L, 2) != LUA_TSTRING) return 0;
    shim_state *state = shim_state_of(L);
    int in_lua = state->in_lua;
    state->in_lua = 0;
    int found = state->callbacks->push_error_field(L, 2, box->object);
    state->in_lua = in_lua;
    if (found) return 1;
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_STRLIBNAME);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TFUNCTION) return 0;
    lua_pushcclosure(L, text_method, 1);
    return 1;
}

int shim_error_concat(lua_State *L) {
    for (int i = 1; i <= 2; i++) {
        if (shim_error_text(L, i, NULL) == NULL && !lua_isstring(L, i)) {
            return luaL_error(L, "attempt to concatenate a %s value", luaL_typename(L, i));
        }
    }
    lua_concat(L, 2);
    return 1;
}

int shim_error_tostring(lua_State *L) {
    if (shim_error_text(L, 1, NULL) == NULL) lua_pushliteral(L, "Error");
    lua_settop(L, 1);
    return 1;
}
