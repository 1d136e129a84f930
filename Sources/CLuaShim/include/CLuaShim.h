// The border between Swift and liblua 5.4.
//
// Rules that hold for every function here:
//  * This library is the only place where a Lua error (longjmp) or a yield may happen.
//  * Swift never calls a function marked "may raise: yes". Those run only inside Lua.
//  * A Swift frame is on the stack exactly while `shim_state.in_lua` is 0. During that time the
//    allocator never fails: it overdraws the limit, marks `exceeded`, and the error is raised here
//    after the Swift frame has returned.
//  * Whoever pushes makes room first. C functions called by Lua start with LUA_MINSTACK free
//    slots; helpers that push say how many they need.
//
// Above each function: may raise (yes/no), stack effect, what must not be alive.

#ifndef CLUASHIM_H
#define CLUASHIM_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if LUA_VERSION_NUM != 504
#error "CLuaShim needs Lua 5.4"
#endif

// MARK: - Codes

/// What a Swift entry hands back when it has no results to return: C raises or yields for it.
enum {
    SHIM_ERROR = -1,  ///< raise the value on top of the stack
    SHIM_AWAIT = -2,  ///< suspend the coroutine until the driver resumes it
};

/// How `shim_resume` came back.
typedef enum {
    SHIM_FINISHED,  ///< the body returned; its results are on top of the task's thread
    SHIM_AWAITING,  ///< the body awaits the operation that Swift stored before it returned SHIM_AWAIT
    SHIM_FAILED,    ///< the body raised; the error value is on top of the task's thread
} shim_outcome;

/// Why a task is asked to stop. Greater values win over smaller ones.
typedef enum {
    SHIM_STOP_NONE = 0,
    SHIM_STOP_CANCELLED = 1,
    SHIM_STOP_INSTRUCTIONS = 2,
    SHIM_STOP_TIME = 3,
    SHIM_STOP_CLOSED = 4,
} shim_stop_reason;

// MARK: - Frames

/// One level of a captured call stack, small enough to be copied at every raise.
typedef struct {
    int line;          ///< current line, -1 when unknown
    char kind;         ///< 'L' Lua function, 'M' main chunk, 'C' C or host function, 'S' site of a spawn
    char source[43];   ///< as luaL_where shows it, cut
    char name[32];     ///< name of the function as its caller knows it, empty when unknown
} shim_frame;

enum { SHIM_MAX_FRAMES = 16 };

/// The stack of the error that is leaving a task, from the raise outwards.
typedef struct {
    int count;
    shim_frame frames[SHIM_MAX_FRAMES];
} shim_trace;

// MARK: - Structures

typedef struct shim_state shim_state;
typedef struct shim_task shim_task;

/// The entry of a host function: decodes, works, pushes. Runs with Swift frames alive.
/// Returns the number of results on top of the stack, or SHIM_ERROR, or SHIM_AWAIT.
typedef int (*shim_entry)(lua_State *L, void *context);

/// What the C side asks of Swift. All run with `in_lua` 0 and may not raise.
typedef struct {
    /// Pushes what the awaited operation came to; returns like `shim_entry`.
    int (*deliver)(lua_State *L, void *host);
    /// Pushes the error value of a stopped task (reason: SHIM_STOP_…); one value.
    void (*push_stop)(lua_State *L, void *host, int reason);
    /// Releases an object that userdata or a host function held.
    void (*release)(void *object);
    /// Pushes the text of the error userdata at `index`; one value.
    void (*push_error_text)(lua_State *L, int index, void *object);
    /// Pushes the field of the error `object` that the string at `key` names and returns 1; 0
    /// without pushing when errors have no such field.
    int (*push_error_field)(lua_State *L, int key, void *object);
} shim_callbacks;

/// One task: a root coroutine that a driver resumes, and how it is to be stopped.
struct shim_task {
    lua_State *thread;
    shim_state *state;
    /// Set from any thread; read by hooks, polls and awaits of the state's thread.
    _Atomic int stop;
    /// Set from any thread: the grace of a stopped task is over.
    _Atomic int hard;
    /// How often the stop was raised; 0 while it has not been.
    unsigned raises;
    /// Instructions that the run may still use, and where those of this task are counted: in the
    /// task that the run began with.
    int64_t instructions, *budget;
    /// Monotonic nanoseconds until which handlers of a stopped task may run; 0 when not stopped.
    uint64_t grace_end;
    uint64_t grace_length;
    /// Set while a suspension of the host travels out through script coroutines.
    bool awaiting;
    /// The error that `trace` belongs to while it goes on outwards from a wrapped coroutine or a
    /// task that was awaited; an error that is another value does not continue the trace.
    const void *joins;
    shim_trace trace;
};

/// Size classes of small blocks.
enum { SHIM_POOLS = 32 };

/// One Lua universe. Found by one load from any of its coroutines (extra space).
struct shim_state {
    // Allocator.
    size_t used, peak, limit;  ///< bytes; limit 0 means none
    int in_lua;                ///< 1: Lua code runs, an allocation may fail; 0: host code runs, or a
                               ///< finalizer of Lua inside it
    int exceeded;              ///< the host side went over the limit
    bool closing;              ///< the last finalizers run; host functions are not called any more
    uint64_t fail_after;       ///< fault injection: the n-th allocation from now fails; 0: none
    uint64_t fail_more;        ///< and so many after it: liblua collects garbage and asks again
    uint64_t allocations;
    struct shim_free_block *pools[SHIM_POOLS];  ///< freed blocks by size class
    struct shim_chunk *chunks;                  ///< what the pools are cut from
    char *chunk_next;                           ///< the uncut rest of the newest chunk
    size_t chunk_left;

    // Execution.
    shim_task *task;              ///< the task that runs, if any
    lua_State *volatile running;  ///< the innermost coroutine that runs, if any
    lua_State *main;
    /// The innermost coroutine whose resumer cannot be suspended, if any: then nothing inside can.
    lua_State *blocked;
    const char *blocked_by;       ///< what stands in the way there, when `blocked` does not show it
    pthread_t thread;             ///< the thread inside this state while `task` is set
    _Atomic(shim_task *) inside;  ///< the same task for other threads

    // Limits that hold per state.
    bool counts_instructions;  ///< tasks have a budget of instructions
    int call_depth;         ///< greatest number of nested calls in one coroutine; 0: Lua's own limit

    // Swift.
    int decoding;           ///< nested records that are being decoded
    void *host;
    const shim_callbacks *callbacks;
    int error_metatable;    ///< registry reference
    const void *box_mark;   ///< first word of every userdata of this state
};

/// A host object inside a Lua userdata.
typedef struct {
    const void *mark;  ///< equals `shim_state.box_mark`
    const void *type;  ///< identity of the Swift class that the object was registered as
    void *object;      ///< retained; NULL once closed
} shim_box;

// MARK: - State

/// may raise: no · returns NULL when memory ran out, or `limit` bytes (0: no limit) do not suffice ·
/// the libraries in `libraries` are opened (see SHIM_LIB_…) with interruptible and suspendable
/// functions in place of the stock ones.
shim_state *shim_state_new(void *host, const shim_callbacks *callbacks, int libraries, size_t limit);
/// may raise: no · runs all finalizers · no task of the state may be running.
void shim_state_close(shim_state *state);

enum {
    SHIM_LIB_SAFE = 0,      ///< base (without loaders of files and bytecode), coroutine, string, table, math, utf8, os (clock, date, difftime, time)
    SHIM_LIB_TRUSTED = 1,   ///< all, `io`, `os`, `debug`, `package` with C modules too
};

/// may raise: no · one load.
static inline shim_state *shim_state_of(lua_State *L) {
    return (shim_state *)(*(uintptr_t *)lua_getextraspace(L) & ~(uintptr_t)3);
}

/// Bytes that may still be allocated; PTRDIFF_MAX without limit (Swift sees sizes as signed).
/// may raise: no.
static inline size_t shim_memory_left(const shim_state *state) {
    if (state->limit == 0) return PTRDIFF_MAX;
    return state->used < state->limit ? state->limit - state->used : 0;
}

// MARK: - Plain stack helpers (macros of lua.h as functions)

static inline void shim_pop(lua_State *L, int n) { lua_settop(L, -n - 1); }
static inline void shim_new_table(lua_State *L, int list, int map) { lua_createtable(L, list, map); }
static inline void shim_push_globals(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS); }
static inline int shim_registry(void) { return LUA_REGISTRYINDEX; }
static inline int shim_upvalue(int i) { return lua_upvalueindex(i); }
static inline void shim_insert(lua_State *L, int index) { lua_rotate(L, index, 1); }
static inline void shim_remove(lua_State *L, int index) { lua_rotate(L, index, -1); lua_settop(L, -2); }

/// Whether no byte has its high bit set. may raise: no.
static inline bool shim_is_ascii(const unsigned char *bytes, size_t length) {
    const uint64_t high = 0x8080808080808080u;
    uint64_t seen = 0, word;
    size_t i = 0;
    for (; i + 8 <= length; i += 8) {
        memcpy(&word, bytes + i, 8);
        seen |= word;
    }
    unsigned char last = 0;
    for (; i < length; i++) last |= bytes[i];
    return ((seen & high) | (last & 0x80)) == 0;
}

// MARK: - Host functions

/// Pushes a closure that calls `entry(L, context)`; takes over one retain of `context`, which
/// `callbacks->release` gives back when the function is collected.
/// may raise: no (host side) · stack: +1, needs 3 slots.
void shim_push_function(lua_State *L, shim_entry entry, void *context);

/// Whether the running coroutine can be suspended; when not, `*place` names the function of the
/// standard library that stands in the way ("table.sort"), or NULL when none is known.
/// may raise: no · stack: 0, needs 2 slots.
bool shim_can_await(lua_State *L, const char **place);

// MARK: - Userdata

/// Pushes a userdata that holds `object` (one retain is taken over); its metatable is the value at
/// the registry reference `metatable`.
/// may raise: no (host side) · stack: +1, needs 2 slots.
void shim_push_box(lua_State *L, const void *type, void *object, int metatable);

/// The box at `index` when it is one of this state's, else NULL. may raise: no · stack: 0.
static inline shim_box *shim_any_box(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || lua_rawlen(L, index) < sizeof(shim_box)) return NULL;
    shim_box *box = (shim_box *)lua_touserdata(L, index);
    return box->mark == shim_state_of(L)->box_mark ? box : NULL;
}

/// The box at `index` when it holds a `type`, else NULL. may raise: no · stack: 0.
static inline shim_box *shim_box_of(lua_State *L, int index, const void *type) {
    shim_box *box = shim_any_box(L, index);
    return box != NULL && box->type == type ? box : NULL;
}

/// `__gc` of boxes: releases the object. may raise: no.
int shim_box_gc(lua_State *L);
/// Releases the object of a box now; later uses find NULL. may raise: no · stack: 0.
void shim_box_clear(lua_State *L, shim_box *box);
/// `__index` of classes with properties; upvalues: methods, getters (name → host function).
/// may raise: yes.
int shim_class_index(lua_State *L);
/// Pushes the bare userdata of a host function, the form in which `shim_class_index` keeps getters.
/// may raise: no (host side) · stack: +1, needs 3 slots.
void shim_push_getter(lua_State *L, shim_entry entry, void *context);
/// `__newindex` of classes; upvalues: setters (name → host function), class name. may raise: yes.
int shim_class_newindex(lua_State *L);

// MARK: - Memory

/// Whether host code left the state without the memory it may use: then an error is due. Takes
/// note of it, so that it is told once. may raise: no · stack: 0.
bool shim_settle_memory(lua_State *L);

// MARK: - Errors

/// Pushes an error userdata for `object` (one retain is taken over) with the frames of the running
/// coroutine. may raise: no (host side) · stack: +1, needs 3 slots.
void shim_push_error(lua_State *L, void *object);
/// `__index`, `__concat` and `__tostring` of error userdata: fields from the host, methods of strings on the text.
/// may raise: yes.
int shim_error_index(lua_State *L);
int shim_error_concat(lua_State *L);
int shim_error_tostring(lua_State *L);
/// The object of the error userdata at `index`, else NULL; `*trace` its frames. may raise: no.
void *shim_error_object(lua_State *L, int index, const shim_trace **trace);
/// Captures at most SHIM_MAX_FRAMES levels of `L`, the outermost ones when there are more are
/// dropped. may raise: no · stack: 0, needs 1 slot.
void shim_capture(lua_State *L, int level, shim_trace *into);
/// Makes the trace of the running task that of the error value on top, which is about to be raised
/// again, and empties it; does nothing outside tasks. may raise: no · stack: 0.
void shim_join(lua_State *L);
/// Adds a frame to the trace that `shim_join` began. may raise: no · stack: 0.
void shim_join_frame(lua_State *L, char kind, int line, const char *source, const char *name);
/// The text of the value at `index` for a message, without running metamethods: pushes it.
/// may raise: no (host side) · stack: +1.
void shim_push_plain_text(lua_State *L, int index);

// MARK: - Protected operations: each runs under lua_pcall, so no error reaches Swift

// All: may raise: no · return LUA_OK or the status, then one error value replaces the operands.
/// stack: -1 key, +1 value
int shim_get(lua_State *L, int index);
/// A table whose fields can be read without running code. may raise: no · stack: 0, needs 1 slot.
static inline bool shim_is_plain_table(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE) return false;
    if (!lua_getmetatable(L, index)) return true;
    lua_settop(L, -2);
    return false;
}
/// stack: -2 key and value
int shim_set(lua_State *L, int index);
/// stack: +1 value; `name` is a C string
int shim_get_field(lua_State *L, int index, const char *name);
/// stack: +1 value, which is nil after the last one
int shim_get_index(lua_State *L, int index, lua_Integer i);
/// stack: +1 text
int shim_tostring(lua_State *L, int index);
/// stack: +1 length as integer
int shim_length(lua_State *L, int index);
/// stack: -(1 + arguments) +results
int shim_call(lua_State *L, int arguments, int results);
/// stack: +1 function; `mode` "t", "b" or "bt"
int shim_load(lua_State *L, const char *bytes, size_t length, const char *name, const char *mode);
/// The next pair of the table at `index` (raw): pops a key, pushes key and value and returns true.
/// False at the end, and when `*status` is not LUA_OK: then the key is unknown, or memory ran out.
/// stack: -1 +2, -1 at the end, -1 +1 error value.
bool shim_next(lua_State *L, int index, int *status);

/// `debug.getinfo(level, what)` reduced to `source` and `istailcall`, also where there is no `debug`.
/// may raise: yes.
int shim_getinfo(lua_State *L);
/// A full garbage collection. may raise: no (errors of finalizers are warnings) · stack: 0.
void shim_collect(lua_State *L);

// MARK: - Tasks

/// Sets up `task` with a fresh coroutine; the coroutine is pushed on `L` and must be kept alive by
/// the caller. may raise: no (host side) · stack: +1.
void shim_task_init(shim_task *task, lua_State *L);
/// Runs the task until it finishes, fails or awaits. Before the first resume its thread holds the
/// body and `arguments` arguments; later resumes pass 0.
/// may raise: no · the calling thread is the state's; no other task of the state runs on it now
/// unless this call is nested inside it.
shim_outcome shim_resume(shim_task *task, int arguments, int *results);
/// Asks the task to stop. Callable from any thread while task and state live.
/// may raise: no · stack: not touched.
void shim_task_stop(shim_task *task, int reason);
/// Ends the grace of a stopped task. Callable from any thread while task and state live.
void shim_task_stop_hard(shim_task *task);
/// Signals the thread again if the task is to stop and still runs: a signal that comes just before a
/// blocking call of the system does not end that. Callable from any thread while task and state live.
void shim_task_nudge(shim_task *task);
/// Closes the task's coroutine, whatever it was doing. may raise: no.
void shim_task_close(shim_task *task);
/// Whether the task was asked to stop. may raise: no.
static inline bool shim_task_is_stopped(shim_task *task) { return atomic_load(&task->stop) != SHIM_STOP_NONE; }
/// Whether the grace of the task was ended. may raise: no.
static inline bool shim_task_is_hard(shim_task *task) { return atomic_load(&task->hard) != 0; }
/// Nanoseconds of a monotonic clock.
uint64_t shim_now(void);
/// Signal that interrupts a busy state; its handler only reads thread-local memory, so that one
/// which comes late, or to a thread that runs no Lua, does nothing.
int shim_interrupt_signal(void);
/// Sets the handler, once in the process.
void shim_interrupt_install(void);
/// Lets the calling thread, which is to run Lua, hear interrupts and no other asynchronous signal.
/// Threads start with the mask of the one that made them; those of thread pools block everything.
void shim_interrupt_listen(void);

#endif
