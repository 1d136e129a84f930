// The other side of the runtime benchmarks: what a careful C programmer writes by hand.

#ifndef PEERS_H
#define PEERS_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

/// A plain state of liblua with its standard library and, as globals, the functions that the
/// benchmarks call: `add`, `join`, `make_record`, `read_record`, `fail`, `Counter`.
lua_State *peer_state(void);

/// Runs `source`, which gets `n` as `...`. Returns 0, or prints the error and returns 1.
int peer_run(lua_State *L, const char *source, lua_Integer n);

/// Resumes a coroutine that yields `n` times from a C function with a continuation.
void peer_yield_loop(lua_State *L, lua_Integer n);

#endif
