// The script's own coroutines. They behave as in the manual, and let suspensions of the host pass
// through: when code inside a coroutine awaits, its resumers suspend too, up to the task's driver,
// and all are resumed again from the outside in.

#include "internal.h"

enum { FAILED = -1, SUSPENDED = -2 };

/// Whether nothing of `co` runs or can run any more. may raise: no.
static bool is_dead(lua_State *co) {
    lua_Debug frame;
    if (lua_status(co) == LUA_YIELD) return false;
    if (lua_status(co) != LUA_OK) return true;
    return !lua_getstack(co, 0, &frame) && (shim_is_root(co) || lua_gettop(co) == 0);
}

/// may raise: no · closes `co`, whose handlers cannot suspend; as `lua_closethread`.
static int close_coroutine(lua_State *L, lua_State *co, const char *place) {
    shim_state *state = shim_state_of(L);
    lua_State *outer_blocked = state->blocked;
    const char *outer_blocked_by = state->blocked_by;
    if (state->blocked == NULL) {
        state->blocked = L;
        state->blocked_by = place;
    }
    state->running = co;
    atomic_signal_fence(memory_order_seq_cst);
    if (state->task != NULL && UNLIKELY(atomic_load(&state->task->stop) != SHIM_STOP_NONE)) shim_arm(state, co);
    int status = shim_close_thread(co, L);
    state->running = L;
    state->blocked = outer_blocked;
    state->blocked_by = outer_blocked_by;
    return status;
}

/// may raise: no · runs `co` with `arguments` values on its stack · leaves results on `co`.
static int run(lua_State *L, lua_State *co, int arguments) {
    shim_state *state = shim_state_of(L);
    lua_State *outer_blocked = state->blocked;
    const char *outer_blocked_by = state->blocked_by;
    if (state->blocked == NULL && !lua_isyieldable(L)) {
        state->blocked = L;
        state->blocked_by = NULL;
    }
    state->running = co;
    // From here on a signal finds `co`; one that came before has left its request in the task.
    atomic_signal_fence(memory_order_seq_cst);
    if (state->task != NULL && UNLIKELY(atomic_load(&state->task->stop) != SHIM_STOP_NONE)) shim_arm(state, co);
    int results;
    int status = lua_resume(co, L, arguments, &results);
    state->running = L;
    state->blocked = outer_blocked;
    state->blocked_by = outer_blocked_by;
    if (LIKELY(status == LUA_OK)) return results;
    if (status == LUA_YIELD) {
        if (state->task == NULL || !state->task->awaiting) return results;
        shim_mark_awaiting(co, true);
        return SUSPENDED;
    }
    return FAILED;
}

/// may raise: no · moves what `run` left to `L`: results, or one error value.
static int collect(lua_State *L, lua_State *co, int results) {
    if (results == FAILED) {
        lua_xmove(co, L, 1);
        return FAILED;
    }
    if (UNLIKELY(!lua_checkstack(L, results + 1))) {
        lua_pop(co, results);
        lua_pushliteral(L, "too many results to resume");
        return FAILED;
    }
    lua_xmove(co, L, results);
    return results;
}

/// may raise: no · the first resume of `co` by this call. Returns as `run` and `collect`.
static int start(lua_State *L, lua_State *co, int arguments) {
    const char *complaint = NULL;
    if (UNLIKELY(shim_is_root(co))) {
        complaint = is_dead(co) ? "cannot resume dead coroutine" : "cannot resume non-suspended coroutine";
    } else if (UNLIKELY(shim_is_awaiting(co))) {
        complaint = "cannot resume a coroutine that waits for a host call";
    } else if (UNLIKELY(!lua_checkstack(co, arguments))) {
        complaint = "too many arguments to resume";
    }
    if (complaint != NULL) {
        lua_pushstring(L, complaint);
        return FAILED;
    }
    lua_xmove(L, co, arguments);
    int results = run(L, co, arguments);
    return results == SUSPENDED ? SUSPENDED : collect(L, co, results);
}

/// may raise: no · goes on with `co` after the host resumed `L`.
static int go_on(lua_State *L, lua_State *co) {
    shim_mark_awaiting(co, false);
    int results = run(L, co, 0);
    return results == SUSPENDED ? SUSPENDED : collect(L, co, results);
}

/// may raise: yes · a stop that was raised inside a coroutine goes on outside it.
static void pass_stop_on(lua_State *L, lua_KContext raises) {
    shim_task *task = shim_state_of(L)->task;
    if (UNLIKELY(task != NULL && (lua_KContext)task->raises != raises)) shim_raise_stop(L);
}

static lua_KContext raises_so_far(lua_State *L) {
    shim_task *task = shim_state_of(L)->task;
    return task != NULL ? (lua_KContext)task->raises : 0;
}

static lua_State *coroutine_argument(lua_State *L) {
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "coroutine");
    return co;
}

// MARK: - resume

static int resume_continue(lua_State *L, int status, lua_KContext raises);

/// may raise: yes.
static int resume_finish(lua_State *L, int results, lua_KContext raises) {
    if (results == SUSPENDED) return lua_yieldk(L, 0, raises, resume_continue);
    if (results == FAILED) {
        // Nobody will close what a stop ended.
        shim_task *task = shim_state_of(L)->task;
        lua_State *co = lua_tothread(L, 1);
        if (UNLIKELY(task != NULL && (lua_KContext)task->raises != raises) && lua_status(co) > LUA_YIELD) {
            close_coroutine(L, co, "the <close> handlers of a cancelled coroutine");
        }
        pass_stop_on(L, raises);
        lua_pushboolean(L, 0);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushboolean(L, 1);
    lua_insert(L, -(results + 1));
    return results + 1;
}

static int resume_continue(lua_State *L, int status, lua_KContext raises) {
    (void)status;
    return resume_finish(L, go_on(L, lua_tothread(L, 1)), raises);
}

/// may raise: yes.
static int coroutine_resume(lua_State *L) {
    lua_State *co = coroutine_argument(L);
    // Before the coroutine runs: arguments are evaluated in any order.
    lua_KContext raises = raises_so_far(L);
    return resume_finish(L, start(L, co, lua_gettop(L) - 1), raises);
}

// MARK: - wrap

static int wrap_continue(lua_State *L, int status, lua_KContext raises);

/// may raise: yes · an error inside is raised here again, its frames joined to those of the task.
static int wrap_finish(lua_State *L, lua_State *co, int results, lua_KContext raises) {
    if (results == SUSPENDED) return lua_yieldk(L, 0, raises, wrap_continue);
    if (results != FAILED) return results;
    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD) {
        shim_task *task = shim_state_of(L)->task;
        shim_trace *trace = task != NULL ? shim_task_trace(task) : NULL;
        if (trace != NULL) {
            if (task->joins == NULL || task->joins != lua_topointer(L, -1)) trace->count = 0;
            shim_capture(co, 0, trace);
        }
        close_coroutine(L, co, "the <close> handlers of a failed coroutine.wrap");
        pass_stop_on(L, raises);
        // A handler of the coroutine may have replaced the error.
        if (lua_gettop(co) > 0) {
            lua_xmove(co, L, 1);
            lua_replace(L, -2);
        }
        if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
            luaL_where(L, 1);
            lua_insert(L, -2);
            lua_concat(L, 2);
        }
        if (task != NULL) task->joins = lua_topointer(L, -1);
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int wrap_continue(lua_State *L, int status, lua_KContext raises) {
    (void)status;
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    return wrap_finish(L, co, go_on(L, co), raises);
}

/// may raise: yes.
static int wrap_call(lua_State *L) {
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    lua_KContext raises = raises_so_far(L);
    return wrap_finish(L, co, start(L, co, lua_gettop(L)), raises);
}

/// may raise: yes.
static int coroutine_create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

/// may raise: yes.
static int coroutine_wrap(lua_State *L) {
    coroutine_create(L);
    lua_pushcclosure(L, wrap_call, 1);
    return 1;
}

// MARK: - The rest

/// may raise: yes.
static int coroutine_yield(lua_State *L) {
    if (UNLIKELY(shim_is_root(L))) return luaL_error(L, "attempt to yield from outside a coroutine");
    return lua_yield(L, lua_gettop(L));
}

/// may raise: yes.
static int coroutine_status(lua_State *L) {
    lua_State *co = coroutine_argument(L);
    const char *text;
    if (L == co) {
        text = "running";
    } else if (shim_is_awaiting(co)) {
        text = "normal";
    } else if (is_dead(co)) {
        text = "dead";
    } else {
        lua_Debug frame;
        bool runs = lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame);
        text = runs ? "normal" : "suspended";
    }
    lua_pushstring(L, text);
    return 1;
}

/// may raise: yes.
static int coroutine_isyieldable(lua_State *L) {
    lua_State *co = lua_isnone(L, 1) ? L : coroutine_argument(L);
    lua_pushboolean(L, !shim_is_root(co) && lua_isyieldable(co));
    return 1;
}

/// may raise: yes.
static int coroutine_running(lua_State *L) {
    int is_main = lua_pushthread(L);
    lua_pushboolean(L, is_main || shim_is_root(L));
    return 2;
}

/// may raise: yes · handlers of the closed coroutine cannot suspend.
static int coroutine_close(lua_State *L) {
    lua_State *co = coroutine_argument(L);
    lua_settop(L, 1);
    coroutine_status(L);
    const char *status = lua_tostring(L, -1);
    if (strcmp(status, "dead") != 0 && strcmp(status, "suspended") != 0) {
        return luaL_error(L, "cannot close a %s coroutine", status);
    }
    // What is left of a task's coroutine are its results, and they are not the script's to drop.
    if (shim_is_root(co)) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_KContext raises = raises_so_far(L);
    int closed = close_coroutine(L, co, "coroutine.close");
    pass_stop_on(L, raises);
    if (closed == LUA_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushboolean(L, 0);
    lua_xmove(co, L, 1);
    return 2;
}

void shim_open_coroutine_library(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"create", coroutine_create}, {"wrap", coroutine_wrap}, {"resume", coroutine_resume},
        {"yield", coroutine_yield}, {"status", coroutine_status}, {"isyieldable", coroutine_isyieldable},
        {"running", coroutine_running}, {"close", coroutine_close}, {NULL, NULL},
    };
    lua_getglobal(L, LUA_COLIBNAME);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
