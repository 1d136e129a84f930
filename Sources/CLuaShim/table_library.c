// table.sort, concat, move, insert and remove, interruptible.

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lauxlib.h>
#include <lua.h>

#include "libraries.h"

// What a function does with its table; a value that is no table has to have the metamethods for it.
enum { USES_READ = 1, USES_WRITE = 2, USES_LENGTH = 4 };

// May raise: yes (out of memory). Stack: unchanged.
// Exists to look for a metamethod the way the interpreter does, without running any.
static bool has_field(lua_State *L, int metatable, const char *name) {
    lua_pushstring(L, name);
    const bool present = lua_rawget(L, metatable) != LUA_TNIL;
    lua_pop(L, 1);
    return present;
}

// May raise: yes (no table). Stack: unchanged.
// Exists to accept everything that behaves like a table. Tells whether the value is a table without
// a metatable, with which the raw operations may be used. That is worth it only for the length and
// for appending: on elements that exist, lua_geti and lua_seti are faster than their raw
// counterparts.
static bool check_table(lua_State *L, int index, int uses) {
    const bool is_table = lua_istable(L, index);
    if (!lua_getmetatable(L, index)) {
        if (!is_table)
            luaL_checktype(L, index, LUA_TTABLE);
        return true;
    }
    if (!is_table) {
        const int metatable = lua_gettop(L);
        if (((uses & USES_READ) && !has_field(L, metatable, "__index")) ||
            ((uses & USES_WRITE) && !has_field(L, metatable, "__newindex")) ||
            ((uses & USES_LENGTH) && !has_field(L, metatable, "__len")))
            luaL_checktype(L, index, LUA_TTABLE);
    }
    lua_pop(L, 1);
    return false;
}

// May raise: yes (what __len raises). Stack: unchanged.
// Exists because the raw length is cheaper where it is the same. The table is argument 1.
static inline lua_Integer length_of(lua_State *L, bool raw) {
    return raw ? (lua_Integer)lua_rawlen(L, 1) : luaL_len(L, 1);
}

// May raise: yes (interruption). Stack: unchanged.
// Exists to poll at intervals; `budget` counts the elements until the next poll.
static inline void step(lua_State *L, int *budget) {
    if (--*budget <= 0) {
        *budget = SHIM_POLL_INTERVAL;
        shim_poll(L);
    }
}

// May raise: yes. Stack: unchanged.
// Copies `count` elements, from the last to the first if `backward`, as overlapping ranges need.
// Exists because insert, remove and move all shift elements.
static void copy_elements(lua_State *L, int source, lua_Integer from, int target, lua_Integer to,
                          lua_Integer count, bool backward) {
    const lua_Integer direction = backward ? -1 : 1;
    if (backward) {
        from += count - 1;
        to += count - 1;
    }
    while (count > 0) {
        const lua_Integer piece = count < SHIM_POLL_INTERVAL ? count : SHIM_POLL_INTERVAL;
        for (lua_Integer i = 0; i != piece * direction; i += direction) {
            lua_geti(L, source, from + i);
            lua_seti(L, target, to + i);
        }
        count -= piece;
        if (count == 0)
            return;
        from += piece * direction;
        to += piece * direction;
        shim_poll(L);
    }
}

// May raise: yes. Stack: (table, [position,] value) -> nothing.
// Exists because the stock function cannot be interrupted while it shifts a long table.
static int table_insert(lua_State *L) {
    const bool raw = check_table(L, 1, USES_READ | USES_WRITE | USES_LENGTH);
    // A length metamethod may return anything: wrap around instead of overflowing.
    const lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, raw) + 1);
    lua_Integer position = end;
    switch (lua_gettop(L)) {
    case 2:
        if (raw) {
            lua_rawseti(L, 1, end);
            return 0;
        }
        break;
    case 3:
        position = luaL_checkinteger(L, 2);
        luaL_argcheck(L, (lua_Unsigned)position - 1 < (lua_Unsigned)end, 2,
                      "position out of bounds");
        if (position < end)
            copy_elements(L, 1, position, 1, position + 1, end - position, true);
        break;
    default:
        return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    lua_seti(L, 1, position);
    return 0;
}

// May raise: yes. Stack: (table [, position]) -> removed element.
// Exists because the stock function cannot be interrupted while it shifts a long table.
static int table_remove(lua_State *L) {
    enum { BLAMED_ARGUMENT = LUA_VERSION_RELEASE_NUM < 50405 ? 1 : 2 };  // as in the stock library
    const bool raw = check_table(L, 1, USES_READ | USES_WRITE | USES_LENGTH);
    const lua_Integer length = length_of(L, raw);
    lua_Integer position = luaL_optinteger(L, 2, length);
    if (position != length)
        luaL_argcheck(L, (lua_Unsigned)position - 1 <= (lua_Unsigned)length, BLAMED_ARGUMENT,
                      "position out of bounds");
    lua_geti(L, 1, position);
    if (position < length) {
        copy_elements(L, 1, position + 1, 1, position, length - position, false);
        position = length;
    }
    lua_pushnil(L);
    lua_seti(L, 1, position);
    return 1;
}

// May raise: yes. Stack: (source, from, to, position [, target]) -> target.
// Exists because the stock function cannot be interrupted.
static int table_move(lua_State *L) {
    const lua_Integer from = luaL_checkinteger(L, 2);
    const lua_Integer last = luaL_checkinteger(L, 3);
    const lua_Integer to = luaL_checkinteger(L, 4);
    const int target = lua_isnoneornil(L, 5) ? 1 : 5;
    check_table(L, 1, USES_READ);
    check_table(L, target, USES_WRITE);
    if (last >= from) {
        luaL_argcheck(L, from > 0 || last < LUA_MAXINTEGER + from, 3, "too many elements to move");
        const lua_Integer count = last - from + 1;
        luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
        const bool overlap = to > from && to <= last &&
                             (target == 1 || lua_compare(L, 1, target, LUA_OPEQ));
        copy_elements(L, 1, from, target, to, count, overlap);
    }
    lua_pushvalue(L, target);
    return 1;
}

// May raise: yes (no string, out of memory). Stack: as luaL_addvalue.
static inline void append_element(lua_State *L, lua_Integer i, luaL_Buffer *buffer) {
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
                   (LUAI_UACINT)i);
    luaL_addvalue(buffer);
}

// May raise: yes. Stack: (table [, separator [, from [, to]]]) -> string.
// Exists because the stock function cannot be interrupted.
static int table_concat(lua_State *L) {
    enum { BYTES_PER_POLL = 256 * 1024 };
    const bool raw = check_table(L, 1, USES_READ | USES_LENGTH);
    const lua_Integer length = length_of(L, raw);
    size_t separator_length;
    const char *const separator = luaL_optlstring(L, 2, "", &separator_length);
    lua_Integer i = luaL_optinteger(L, 3, 1);
    const lua_Integer last = luaL_optinteger(L, 4, length);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    int budget = SHIM_POLL_INTERVAL;
    size_t polled = 0;
    for (; i < last; i++) {
        append_element(L, i, &buffer);
        if (separator_length > 0)
            luaL_addlstring(&buffer, separator, separator_length);
        if (luaL_bufflen(&buffer) - polled > BYTES_PER_POLL) {
            polled = luaL_bufflen(&buffer);
            budget = 0;
        }
        step(L, &budget);
    }
    if (i == last)
        append_element(L, i, &buffer);
    luaL_pushresult(&buffer);
    return 1;
}

// Sorting: quicksort with the median of three as the pivot. Ranges that wait for their turn are
// kept in a fixed array, since the smaller part of a range is always sorted first.

// Ranges up to this size take their middle as the pivot even when those before were unbalanced.
enum { ALWAYS_MIDDLE = 100, MAX_WAITING = 32 };

struct range {
    lua_Integer low, high;
    bool scattered;  // the pivot is to be picked at random
};

struct sorter {
    lua_State *L;
    bool by_function;  // the comparator is at index 2
    int budget;
    uint32_t random;
};

// May raise: yes (what the comparison raises, interruption). Stack: unchanged.
// Whether the value at `a` comes before the one at `b`; both count from the top of the stack.
static inline bool comes_before(struct sorter *sorter, int a, int b) {
    lua_State *const L = sorter->L;
    step(L, &sorter->budget);
    if (!sorter->by_function)
        return lua_compare(L, a, b, LUA_OPLT);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, a - 1);
    lua_pushvalue(L, b - 2);
    lua_call(L, 2, 1);
    const bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

// May raise: yes. Stack: unchanged.
// Puts two elements, i < j, in order; true if they had to be exchanged.
static bool put_in_order(struct sorter *sorter, lua_Integer i, lua_Integer j) {
    lua_geti(sorter->L, 1, i);
    lua_geti(sorter->L, 1, j);
    if (comes_before(sorter, -1, -2)) {
        lua_seti(sorter->L, 1, i);
        lua_seti(sorter->L, 1, j);
        return true;
    }
    lua_pop(sorter->L, 2);
    return false;
}

// May raise: no. Stack: unchanged.
// An element in the middle half of the range, so that no prepared input is slow every time.
static lua_Integer pick_pivot(struct sorter *sorter, const struct range *range) {
    const lua_Integer size = range->high - range->low;
    if (!range->scattered || size <= ALWAYS_MIDDLE)
        return range->low + size / 2;
    sorter->random ^= sorter->random << 13;
    sorter->random ^= sorter->random >> 17;
    sorter->random ^= sorter->random << 5;
    return range->low + size / 4 + (lua_Integer)sorter->random % (size / 2);
}

// May raise: yes (a comparator that is no order). Stack: pops the pivot's value.
// Parts a range around the pivot, which is in place `high - 1`; returns where the pivot ends up.
// The ends of the range are in order already and need no look.
static lua_Integer part(struct sorter *sorter, lua_Integer low, lua_Integer high) {
    lua_State *const L = sorter->L;
    lua_Integer i = low, j = high - 1;
    for (;;) {
        // The pivot and the first element stop these loops, unless the comparator is no order.
        for (lua_geti(L, 1, ++i); comes_before(sorter, -1, -2); lua_geti(L, 1, ++i)) {
            if (i == high - 1)
                luaL_error(L, "invalid order function for sorting");
            lua_pop(L, 1);
        }
        for (lua_geti(L, 1, --j); comes_before(sorter, -3, -1); lua_geti(L, 1, --j)) {
            if (j < i)
                luaL_error(L, "invalid order function for sorting");
            lua_pop(L, 1);
        }
        if (j < i)
            break;
        lua_seti(L, 1, i);
        lua_seti(L, 1, j);
    }
    lua_pop(L, 1);
    lua_seti(L, 1, high - 1);
    lua_seti(L, 1, i);
    return i;
}

// May raise: yes. Stack: unchanged.
// Sorts a range of up to three elements, or finds the place of a pivot; 0 if nothing is left to do.
static lua_Integer sort_around_pivot(struct sorter *sorter, const struct range *range) {
    const lua_Integer low = range->low, high = range->high;
    put_in_order(sorter, low, high);
    if (high - low == 1)
        return 0;
    const lua_Integer pivot = pick_pivot(sorter, range);
    if (!put_in_order(sorter, low, pivot))
        put_in_order(sorter, pivot, high);
    if (high - low == 2)
        return 0;
    lua_geti(sorter->L, 1, pivot);
    lua_pushvalue(sorter->L, -1);
    lua_geti(sorter->L, 1, high - 1);
    lua_seti(sorter->L, 1, pivot);
    lua_seti(sorter->L, 1, high - 1);
    return part(sorter, low, high);
}

// May raise: yes. Stack: unchanged. Exists to sort elements 1 to `length`.
static void sort_all(struct sorter *sorter, lua_Integer length) {
    struct range waiting[MAX_WAITING];
    int count = 0;
    struct range range = {1, length, false};
    for (;;) {
        lua_Integer pivot = 0;
        if (range.low < range.high)
            pivot = sort_around_pivot(sorter, &range);
        if (pivot == 0) {
            if (count == 0)
                return;
            range = waiting[--count];
            continue;
        }
        struct range smaller = {range.low, pivot - 1, range.scattered};
        struct range larger = {pivot + 1, range.high, range.scattered};
        if (pivot - range.low >= range.high - pivot) {
            const struct range other = smaller;
            smaller = larger;
            larger = other;
        }
        if ((larger.high - larger.low) / 128 > smaller.high - smaller.low + 1)
            larger.scattered = true;
        waiting[count++] = larger;
        range = smaller;
    }
}

// May raise: yes. Stack: (table [, comparator]) -> nothing.
// Exists because the stock function cannot be interrupted.
static int table_sort(lua_State *L) {
    struct sorter sorter;
    const bool raw = check_table(L, 1, USES_READ | USES_WRITE | USES_LENGTH);
    const lua_Integer length = length_of(L, raw);
    if (length < 2)
        return 0;
    luaL_argcheck(L, length < INT_MAX, 1, "array too big");
    sorter.by_function = !lua_isnoneornil(L, 2);
    if (sorter.by_function)
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    sorter.L = L;
    sorter.budget = SHIM_POLL_INTERVAL;
    sorter.random = 0x9E3779B9u;
    sort_all(&sorter, length);
    return 0;
}

// May raise: yes (out of memory). Stack: see the header.
void shim_open_table_library(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"sort", table_sort},     {"concat", table_concat}, {"move", table_move},
        {"insert", table_insert}, {"remove", table_remove}, {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
}
