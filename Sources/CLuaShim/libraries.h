// Interruptible replacements for the library functions that can run long.
//
// The interpreter can only be interrupted between two Lua instructions. A single call into the
// stock library (a backtracking pattern, the sort of a huge table) is one instruction, however
// long it takes. The replacements behave like the stock functions, and ask at short intervals
// whether the script was interrupted.

#ifndef SHIM_LIBRARIES_H
#define SHIM_LIBRARIES_H

#include <stddef.h>

#include <lua.h>

// May raise: yes (out of memory). Stack: expects the stock `string` table on top, leaves it there.
// Exists to overwrite find, match, gmatch, gsub and rep in that table.
void shim_open_string_library(lua_State *L);

// May raise: yes (out of memory). Stack: expects the stock `table` table on top, leaves it there.
// Exists to overwrite sort, concat, move, insert and remove in that table.
void shim_open_table_library(lua_State *L);

// Work done between two polls, in steps: one character or one table element is about one step.
// Small enough to stop within a millisecond, large enough that a poll costs nothing noticeable.
enum { SHIM_POLL_INTERVAL = 4096 };

// May raise: yes (ends the running script when it was interrupted); returns at once otherwise.
// Stack: unchanged on return. Callers hold nothing across it which a longjmp would leak.
void shim_poll(lua_State *L);

// May raise: yes. Stack: a host error at `index` is replaced in place by its text.
// Returns that text and stores its length, or returns NULL if the value is no host error.
// Exists so that string functions accept an error object where its message is meant.
const char *shim_error_text(lua_State *L, int index, size_t *length);

#endif
