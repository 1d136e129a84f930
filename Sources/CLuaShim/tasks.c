// Root coroutines: what a driver resumes.

#include "internal.h"

/// may raise: no · keeps the frames of an error that is about to leave the task. A trace that
/// belongs to this very error, begun in a wrapped coroutine or in another task, is continued.
static int on_error(lua_State *L) {
    shim_task *task = shim_state_of(L)->task;
    if (task == NULL) return 1;
    if (task->joins == NULL || task->joins != lua_topointer(L, 1)) task->trace.count = 0;
    task->joins = NULL;
    shim_capture(L, 1, &task->trace);
    return 1;
}

/// may raise: yes · the body's results, or its error once its `<close>` handlers ran.
static int body_finished(lua_State *L, int status, lua_KContext context) {
    (void)context;
    if (status != LUA_OK && status != LUA_YIELD) return lua_error(L);
    return lua_gettop(L) - 1;
}

/// Runs the body under a protected call inside the coroutine: errors then close `<close>` variables
/// in a place where they may still suspend.
static int task_body(lua_State *L) {
    lua_pushcfunction(L, on_error);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 1, 0, body_finished);
    return body_finished(L, status, 0);
}

void shim_task_init(shim_task *task, lua_State *L) {
    memset(task, 0, sizeof *task);
    task->state = shim_state_of(L);
    task->thread = lua_newthread(L);
    task->budget = &task->instructions;
    shim_mark_root(task->thread);
    lua_sethook(task->thread, NULL, 0, 0);
    lua_pushcfunction(task->thread, task_body);
}

shim_outcome shim_resume(shim_task *task, int arguments, int *results) {
    shim_state *state = task->state;
    // Saved and restored, because a host function may run one task inside another.
    shim_task *outer_task = state->task;
    lua_State *outer_running = state->running;
    lua_State *outer_blocked = state->blocked;
    const char *outer_blocked_by = state->blocked_by;
    pthread_t outer_thread = state->thread;
    int outer_in_lua = state->in_lua;
    shim_state *outer_state;

    state->task = task;
    state->blocked = NULL;
    state->blocked_by = NULL;
    state->thread = pthread_self();
    state->running = task->thread;
    task->awaiting = false;
    shim_enter(state, &outer_state);
    atomic_store(&state->inside, task);
    shim_mark_awaiting(task->thread, false);
    shim_arm(state, task->thread);
    state->in_lua = 1;
    // The first time, the body is one more argument: of the function that protects it.
    if (lua_status(task->thread) == LUA_OK) arguments++;
    int status = lua_resume(task->thread, NULL, arguments, results);
    state->in_lua = outer_in_lua;
    atomic_store(&state->inside, outer_task);
    shim_leave(outer_state);
    state->running = outer_running;
    state->thread = outer_thread;
    state->blocked = outer_blocked;
    state->blocked_by = outer_blocked_by;
    state->task = outer_task;
    if (status == LUA_OK) return SHIM_FINISHED;
    if (status == LUA_YIELD) {
        shim_mark_awaiting(task->thread, true);
        return SHIM_AWAITING;
    }
    return SHIM_FAILED;
}

int shim_close_thread(lua_State *co, lua_State *from) {
#if LUA_VERSION_RELEASE_NUM >= 50406
    return lua_closethread(co, from);
#else
    (void)from;
    return lua_resetthread(co);
#endif
}

void shim_task_close(shim_task *task) {
    shim_state *state = task->state;
    int in_lua = state->in_lua;
    state->in_lua = 1;
    shim_mark_awaiting(task->thread, false);
    shim_close_thread(task->thread, NULL);
    state->in_lua = in_lua;
}
