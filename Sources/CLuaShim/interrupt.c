// Stopping Lua code that runs: from a signal, from another thread, from a budget.
//
// Whoever wants a task stopped sets `task->stop` and, when the task runs right now, sends a signal
// to its thread. The handler reads one thread-local pointer. If the thread is inside a state, it
// puts a hook on the coroutine that runs; the hook raises before the next instruction. Nothing is
// paid while nobody asks. A signal that arrives late finds NULL, or a state whose task is not to be
// stopped, and the hook takes itself off.
//
// A stop is level-triggered: pcall, xpcall and coroutine.resume do not catch it (they raise it
// again), and awaits raise it. After the first raise only `<close>` handlers run, for at most the
// task's grace; from then on every instruction raises.

#include "internal.h"
#include "libraries.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

/// The state that the thread is inside of; read by the signal handler.
static _Thread_local shim_state *volatile inside;

static pthread_once_t installed = PTHREAD_ONCE_INIT;

uint64_t shim_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// MARK: - Raising

static int stop_reason(shim_task *task) {
    return atomic_load_explicit(&task->stop, memory_order_relaxed);
}

bool shim_stop_due(shim_task *task) {
    if (LIKELY(stop_reason(task) == SHIM_STOP_NONE)) return false;
    if (__atomic_load_n(&task->raises, __ATOMIC_ACQUIRE) == 0) return true;
    if (atomic_load_explicit(&task->hard, memory_order_relaxed)) return true;
    return shim_now() >= __atomic_load_n(&task->grace_end, __ATOMIC_RELAXED);
}

int shim_raise_stop(lua_State *L) {
    shim_state *state = shim_state_of(L);
    shim_task *task = state->task;
    // Written here only; `shim_task_nudge` reads both on other threads.
    if (task->raises == 0) __atomic_store_n(&task->grace_end, shim_now() + task->grace_length, __ATOMIC_RELAXED);
    __atomic_store_n(&task->raises, task->raises + 1, __ATOMIC_RELEASE);
    shim_arm(state, L);
    luaL_checkstack(L, 6, NULL);
    int in_lua = state->in_lua;
    state->in_lua = 0;
    state->callbacks->push_stop(L, state->host, stop_reason(task));
    state->in_lua = in_lua;
    return lua_error(L);
}

void shim_check_stop(lua_State *L) {
    shim_task *task = shim_state_of(L)->task;
    if (task != NULL && UNLIKELY(shim_stop_due(task))) shim_raise_stop(L);
}

void shim_poll(lua_State *L) {
    shim_check_stop(L);
}

// MARK: - Hook

static void hook(lua_State *L, lua_Debug *event);

/// Instructions from one hook to the next for the task as it is now; 0 for no hook.
static int wanted_step(shim_state *state, shim_task *task) {
    if (task != NULL && stop_reason(task) != SHIM_STOP_NONE) return shim_stop_due(task) ? 1 : SHIM_GRACE_STEP;
    return state->counts_instructions ? SHIM_COUNT_STEP : 0;
}

void shim_arm(shim_state *state, lua_State *co) {
    shim_task *task = state->task;
    int reason;
    // A signal may come between reading `stop` and setting the hook: then its hook was overwritten.
    do {
        reason = task != NULL ? atomic_load(&task->stop) : SHIM_STOP_NONE;
        int step = wanted_step(state, task);
        int mask = (step != 0 ? LUA_MASKCOUNT : 0) | (state->call_depth != 0 ? LUA_MASKCALL : 0);
        // Setting a hook starts its count again: a budget would never be used up by short stays.
        bool is_set = lua_gethookmask(co) == mask && (step == 0 || lua_gethookcount(co) == step);
        if (!is_set) lua_sethook(co, mask != 0 ? hook : NULL, mask, step);
        atomic_signal_fence(memory_order_seq_cst);
    } while (task != NULL && atomic_load(&task->stop) != reason);
}

static void hook(lua_State *L, lua_Debug *event) {
    shim_state *state = shim_state_of(L);
    shim_task *task = state->task;
    if (event->event != LUA_HOOKCOUNT) {
        lua_Debug level;
        if (state->call_depth != 0 && lua_getstack(L, state->call_depth, &level)) {
            luaL_error(L, "stack overflow (more than %d nested calls)", state->call_depth);
        }
        return;
    }
    if (task == NULL) return;
    if (state->counts_instructions && stop_reason(task) == SHIM_STOP_NONE) {
        *task->budget -= lua_gethookcount(L);
        if (*task->budget <= 0) shim_task_stop(task, SHIM_STOP_INSTRUCTIONS);
    }
    if (shim_stop_due(task)) shim_raise_stop(L);
    if (lua_gethookcount(L) != wanted_step(state, task)) shim_arm(state, L);
}

// MARK: - Signal

/// Async-signal-safe: reads thread-local memory that was touched before the first signal, and
/// lua_sethook, which the manual allows in handlers.
static void on_interrupt(int number) {
    (void)number;
    int saved = errno;
    shim_state *state = inside;
    if (state != NULL) {
        lua_State *co = state->running;
        if (co != NULL) lua_sethook(co, hook, LUA_MASKCOUNT | (state->call_depth != 0 ? LUA_MASKCALL : 0), 1);
    }
    errno = saved;
}

int shim_interrupt_signal(void) {
    // Ignored by default, so a stray one ends nothing, and not in use by libc or the debuggers.
    return SIGURG;
}

static void install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    // Without SA_RESTART: a read that blocks in `io.read` comes back, and the hook ends the script.
    sigaction(SIGURG, &action, NULL);
}

void shim_interrupt_install(void) {
    pthread_once(&installed, install);
}

void shim_interrupt_listen(void) {
    sigset_t blocked;
    sigfillset(&blocked);
    static const int heard[] = {SIGURG, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++) sigdelset(&blocked, heard[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

void shim_enter(shim_state *state, shim_state **outer) {
    *outer = inside;
    inside = state;
}

void shim_leave(shim_state *outer) {
    inside = outer;
}

// MARK: - Requests

void shim_task_stop(shim_task *task, int reason) {
    int seen = atomic_load(&task->stop);
    while (seen < reason && !atomic_compare_exchange_weak(&task->stop, &seen, reason)) {}
    // Either this load sees the task inside, or its next resume sees `stop`.
    if (atomic_load(&task->state->inside) == task) pthread_kill(task->state->thread, SIGURG);
}

void shim_task_stop_hard(shim_task *task) {
    atomic_store(&task->hard, 1);
    if (atomic_load(&task->state->inside) == task) pthread_kill(task->state->thread, SIGURG);
}

void shim_task_nudge(shim_task *task) {
    if (shim_stop_due(task) && atomic_load(&task->state->inside) == task) pthread_kill(task->state->thread, SIGURG);
}
