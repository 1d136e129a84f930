// What the files of the shim share. Nothing here is visible to Swift.

#ifndef CLUASHIM_INTERNAL_H
#define CLUASHIM_INTERNAL_H

#include "CLuaShim.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/// Instructions between two looks at the clock while a stopped task cleans up.
enum { SHIM_GRACE_STEP = 1000 };

/// Instructions between two checks of the instruction budget.
enum { SHIM_COUNT_STEP = 1000 };

extern const char shim_error_type;

// Memory (allocator.c).

/// The lua_Alloc of all states; `opaque` is the shim_state. may raise: no.
void *shim_allocate(void *opaque, void *block, size_t old_size, size_t new_size);
/// After the state was closed. may raise: no.
void shim_free_pools(shim_state *state);

// Interrupts (interrupt.c).

/// may raise: yes, when the running task is to stop now · stack: as lua_error.
void shim_check_stop(lua_State *L);
/// may raise: yes (always) · needs 4 slots.
int shim_raise_stop(lua_State *L);
/// Whether the running task must be stopped at this point. may raise: no.
bool shim_stop_due(shim_task *task);
/// Prepares the hook of a coroutine that is about to run. may raise: no.
void shim_arm(shim_state *state, lua_State *co);
/// may raise: no.
void shim_enter(shim_state *state, shim_state **outer);
void shim_leave(shim_state *outer);

// Tasks (tasks.c).

/// The task's trace, allocated when first asked for; NULL when there is no memory. may raise: no.
shim_trace *shim_task_trace(shim_task *task);

// Coroutines (coroutine_library.c).

// The low bits beside the pointer to the state in a coroutine's extra space.
enum { SHIM_MARK_AWAITING = 1, SHIM_MARK_ROOT = 2 };

/// A coroutine that waits for the host cannot be resumed or closed by a script. may raise: no.
static inline bool shim_is_awaiting(lua_State *co) {
    return (*(uintptr_t *)lua_getextraspace(co) & SHIM_MARK_AWAITING) != 0;
}
/// Nor can the coroutine of a task, whose stack keeps the task's results. may raise: no.
static inline bool shim_is_root(lua_State *co) {
    return (*(uintptr_t *)lua_getextraspace(co) & SHIM_MARK_ROOT) != 0;
}
static inline void shim_mark_root(lua_State *co) {
    *(uintptr_t *)lua_getextraspace(co) |= SHIM_MARK_ROOT;
}
static inline void shim_mark_awaiting(lua_State *co, bool awaiting) {
    uintptr_t *space = (uintptr_t *)lua_getextraspace(co);
    *space = awaiting ? *space | SHIM_MARK_AWAITING : *space & ~(uintptr_t)SHIM_MARK_AWAITING;
}
/// lua_closethread or its older form. may raise: no.
int shim_close_thread(lua_State *co, lua_State *from);

// Library openers; each expects nothing and leaves nothing. may raise: yes (memory).
void shim_open_base_library(lua_State *L);
void shim_open_coroutine_library(lua_State *L);

/// Remembers which library functions call back without letting the call suspend. may raise: yes.
void shim_note_places(lua_State *L);

/// Finishes a call into Swift that came back with something else than plain results.
/// may raise: yes · Swift frames: none alive.
int shim_settle(lua_State *L, shim_state *state, int code);

#endif
