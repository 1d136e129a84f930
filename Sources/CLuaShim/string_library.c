// string.find, match, gmatch, gsub and rep, interruptible.

#include <stdbool.h>
#include <stdint.h>
#include <limits.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "libraries.h"
#include "pattern.h"

// Bytes that libc handles in about one step, searches between two polls, and copies between two.
enum { BYTES_PER_STEP = 16, PIECE = 32 * 1024, REPEAT_PIECE = 256 * 1024 };

// May raise: yes (no string). Stack: an error object at `index` becomes its text, a number its
// digits. Exists so that scripts can search an error object like the message it carries.
static const char *subject_text(lua_State *L, int index, size_t *length) {
    const char *text = lua_tolstring(L, index, length);
    if (text == NULL && lua_type(L, index) == LUA_TUSERDATA)
        text = shim_error_text(L, index, length);
    return text != NULL ? text : luaL_checklstring(L, index, length);
}

// May raise: yes (no string). Stack: a number at `index` becomes its digits.
// Exists because the check takes longer than reading the string, and nearly always it is one.
static const char *pattern_text(lua_State *L, int index, size_t *length) {
    const char *const text = lua_tolstring(L, index, length);
    return text != NULL ? text : luaL_checklstring(L, index, length);
}

// May raise: yes (no integer). Stack: unchanged.
// Turns an optional `init` argument into an offset, which may lie behind the subject's end.
static size_t start_offset(lua_State *L, int index, size_t length) {
    const lua_Integer init = luaL_optinteger(L, index, 1);
    if (init > 0)
        return (size_t)init - 1;
    if (init == 0 || init < -(lua_Integer)length)
        return 0;
    return length - (size_t)-init;
}

// May raise: yes (unfinished capture, no such capture). Stack: pushes one value.
// Capture 0 of a pattern without captures is the whole match.
static void push_capture(struct shim_matcher *m, int index, const char *start, const char *end) {
    if (index >= m->capture_count) {
        if (index != 0)
            luaL_error(m->L, "invalid capture index %%%d", index + 1);
        lua_pushlstring(m->L, start, (size_t)(end - start));
        return;
    }
    const struct shim_capture *const capture = &m->captures[index];
    if (capture->length == SHIM_CAPTURE_POSITION) {
        lua_pushinteger(m->L, (lua_Integer)(capture->start - m->subject) + 1);
    } else {
        if (capture->length == SHIM_CAPTURE_OPEN)
            luaL_error(m->L, "unfinished capture");
        lua_pushlstring(m->L, capture->start, (size_t)capture->length);
    }
}

// May raise: yes (unfinished capture, stack overflow). Stack: pushes as many values as it returns.
static int push_captures(struct shim_matcher *m, int count, const char *start, const char *end) {
    if (count > LUA_MINSTACK / 2)  // fewer have room anyway
        luaL_checkstack(m->L, count, "too many captures");
    for (int index = 0; index < count; index++)
        push_capture(m, index, start, end);
    return count;
}

// May raise: yes (interruption). Stack: unchanged.
// Exists because a pattern that is plain text can be searched for much faster.
static inline bool is_plain(lua_State *L, const char *pattern, size_t length) {
    for (size_t i = 0; i < length; i++) {
        switch (pattern[i]) {
        case '^': case '$': case '*': case '+': case '?':
        case '.': case '(': case '[': case '%': case '-':
            return false;
        default:
            break;
        }
        if (i % SHIM_POLL_INTERVAL == SHIM_POLL_INTERVAL - 1)
            shim_poll(L);
    }
    return true;
}

// May raise: yes (interruption). Stack: unchanged.
// Exists because comparing long texts has to be interruptible too.
static bool same_text(lua_State *L, const char *a, const char *b, size_t length) {
    for (; length > PIECE; length -= PIECE, a += PIECE, b += PIECE) {
        if (memcmp(a, b, PIECE) != 0)
            return false;
        shim_poll(L);
    }
    return memcmp(a, b, length) == 0;
}

// May raise: yes (interruption). Stack: unchanged.
// Finds the first place in `text` where `needle` is, or NULL.
static inline const char *find_plain(lua_State *L, const char *text, size_t length,
                                     const char *needle, size_t needle_length) {
    if (needle_length == 0)
        return text;
    if (length < needle_length)
        return NULL;
    const char *const stop = text + (length - needle_length) + 1;
    const char final = needle[needle_length - 1];
    // What one candidate costs at most until same_text polls by itself.
    const size_t cost = 1 + (needle_length < PIECE ? needle_length : PIECE) / BYTES_PER_STEP;
    size_t spent = 0;
    while (text < stop) {
        const size_t rest = (size_t)(stop - text);
        const size_t window = rest < PIECE ? rest : PIECE;
        const char *const hit = memchr(text, (unsigned char)*needle, window);
        if (hit != NULL && hit[needle_length - 1] == final &&
            same_text(L, hit, needle, needle_length))
            return hit;
        const char *const next = hit == NULL ? text + window : hit + 1;
        spent += cost + (size_t)(next - text) / BYTES_PER_STEP;
        text = next;
        if (spent > SHIM_POLL_INTERVAL) {
            spent = 0;
            shim_poll(L);
        }
    }
    return NULL;
}

// May raise: no. Stack: pushes two integers, and returns that number.
static int push_bounds(lua_State *L, const char *subject, const char *start, const char *end) {
    lua_pushinteger(L, (lua_Integer)(start - subject) + 1);
    lua_pushinteger(L, (lua_Integer)(end - subject));
    return 2;
}

// May raise: yes. Stack: pushes the results it returns the number of.
// Exists because find and match differ only in what they report.
static inline int search_once(lua_State *L, bool reports_bounds) {
    size_t subject_length, pattern_length;
    const char *const subject = subject_text(L, 1, &subject_length);
    const char *const pattern = pattern_text(L, 2, &pattern_length);
    const int arguments = lua_gettop(L);
    const size_t offset = arguments > 2 ? start_offset(L, 3, subject_length) : 0;
    if (offset > subject_length) {
        luaL_pushfail(L);
        return 1;
    }
    const char *start, *end;
    if (reports_bounds &&
        ((arguments > 3 && lua_toboolean(L, 4)) || is_plain(L, pattern, pattern_length))) {
        start = find_plain(L, subject + offset, subject_length - offset, pattern, pattern_length);
        if (start != NULL)
            return push_bounds(L, subject, start, start + pattern_length);
        luaL_pushfail(L);
        return 1;
    }
    struct shim_matcher m;
    shim_pattern_prepare(&m, L, subject, subject_length, pattern, pattern_length, true);
    if (!shim_pattern_search(&m, subject + offset, NULL, &start, &end)) {
        luaL_pushfail(L);
        return 1;
    }
    if (!reports_bounds)
        return push_captures(&m, m.capture_count == 0 ? 1 : m.capture_count, start, end);
    return push_bounds(L, subject, start, end) + push_captures(&m, m.capture_count, start, end);
}

// May raise: yes. Stack: (subject, pattern [, init [, plain]]) -> bounds and captures, or nil.
// Exists because the stock function cannot be interrupted.
static int string_find(lua_State *L) {
    return search_once(L, true);
}

// May raise: yes. Stack: (subject, pattern [, init]) -> captures, or nil.
// Exists because the stock function cannot be interrupted.
static int string_match(lua_State *L) {
    return search_once(L, false);
}

// An iteration; its upvalues keep the strings alive which the matcher points to.
struct iteration {
    struct shim_matcher m;
    const char *from;          // behind the subject's end if there is nothing left
    const char *excluded_end;  // where the match before ended
};

// May raise: yes. Stack: -> captures, or nothing at the end. Upvalues: iteration, subject, pattern.
// Exists as the iterator gmatch returns.
static int next_match(lua_State *L) {
    struct iteration *const iteration = lua_touserdata(L, lua_upvalueindex(1));
    struct shim_matcher *const m = &iteration->m;
    const char *start, *end;
    m->L = L;  // perhaps another coroutine than the one before
    if (iteration->from > m->subject_end)
        return 0;
    if (!shim_pattern_search(m, iteration->from, iteration->excluded_end, &start, &end)) {
        iteration->from = m->subject_end + 1;
        return 0;
    }
    iteration->from = iteration->excluded_end = end;
    return push_captures(m, m->capture_count == 0 ? 1 : m->capture_count, start, end);
}

// May raise: yes. Stack: (subject, pattern [, init]) -> iterator.
// Exists because the stock iterator cannot be interrupted.
static int string_gmatch(lua_State *L) {
    size_t subject_length, pattern_length;
    const char *const subject = subject_text(L, 1, &subject_length);
    const char *const pattern = pattern_text(L, 2, &pattern_length);
    size_t offset = start_offset(L, 3, subject_length);
    if (offset > subject_length)
        offset = subject_length + 1;
    lua_settop(L, 2);
    struct iteration *const iteration = lua_newuserdatauv(L, sizeof *iteration, 0);
    shim_pattern_prepare(&iteration->m, L, subject, subject_length, pattern, pattern_length, false);
    iteration->from = subject + offset;
    iteration->excluded_end = NULL;
    lua_insert(L, 1);
    lua_pushcclosure(L, next_match, 3);
    return 1;
}

// One call of gsub. The buffer's box may be on top of the Lua stack whenever it is used.
struct substitution {
    struct shim_matcher m;
    luaL_Buffer result;
    int type;          // of the replacement
    const char *text;  // the replacement, if it is a string
    size_t length;
    bool literal;  // the string has no '%'
};

// May raise: yes (out of memory, interruption). Stack: as luaL_addlstring.
static inline void append(struct substitution *g, const char *text, size_t length) {
    if (length == 0)
        return;
    shim_spend(&g->m, length / BYTES_PER_STEP);
    luaL_addlstring(&g->result, text, length);
}

// May raise: yes (invalid escape, invalid capture). Stack: as luaL_addlstring.
// Appends the replacement string with its escapes expanded.
static void append_expansion(struct substitution *g, const char *start, const char *end) {
    const char *p = g->text;
    const char *const stop = g->text + g->length;
    const char *escape;
    while ((escape = memchr(p, '%', (size_t)(stop - p))) != NULL) {
        append(g, p, (size_t)(escape - p));
        shim_spend(&g->m, 1);
        const char c = escape[1];  // a NUL at the end
        if (c == '%') {
            luaL_addchar(&g->result, c);
        } else if (c == '0') {
            append(g, start, (size_t)(end - start));
        } else if (c >= '1' && c <= '9') {
            const int index = c - '1';
            if (index < g->m.capture_count && g->m.captures[index].length >= 0) {
                append(g, g->m.captures[index].start, (size_t)g->m.captures[index].length);
            } else {
                push_capture(&g->m, index, start, end);
                luaL_addvalue(&g->result);
            }
        } else {
            luaL_error(g->m.L, "invalid use of '%c' in replacement string", '%');
        }
        p = escape + 2;
    }
    append(g, p, (size_t)(stop - p));
}

// May raise: yes (whatever the callback raises, invalid value). Stack: as luaL_addvalue.
// Appends what replaces one match; false if the match is to be kept.
static bool append_replacement(struct substitution *g, const char *start, const char *end) {
    lua_State *const L = g->m.L;
    switch (g->type) {
    case LUA_TFUNCTION: {
        lua_pushvalue(L, 3);
        const int captures = g->m.capture_count == 0 ? 1 : g->m.capture_count;
        lua_call(L, push_captures(&g->m, captures, start, end), 1);
        break;
    }
    case LUA_TTABLE:
        push_capture(&g->m, 0, start, end);
        lua_gettable(L, 3);
        break;
    default:
        if (g->literal)
            append(g, g->text, g->length);
        else
            append_expansion(g, start, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        return false;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(&g->result);
    return true;
}

// May raise: yes. Stack: (subject, pattern, replacement [, limit]) -> result, number of matches.
// Exists because the stock function cannot be interrupted.
static int string_gsub(lua_State *L) {
    struct substitution g;
    size_t subject_length, pattern_length;
    const char *const subject = subject_text(L, 1, &subject_length);
    const char *const pattern = pattern_text(L, 2, &pattern_length);
    g.type = lua_type(L, 3);
    const lua_Integer limit = luaL_optinteger(L, 4, (lua_Integer)subject_length + 1);
    if (g.type == LUA_TSTRING || g.type == LUA_TNUMBER) {
        g.text = lua_tolstring(L, 3, &g.length);
        g.literal = memchr(g.text, '%', g.length) == NULL;
    } else if (g.type != LUA_TFUNCTION && g.type != LUA_TTABLE) {
        return luaL_typeerror(L, 3, "string/function/table");
    }
    shim_pattern_prepare(&g.m, L, subject, subject_length, pattern, pattern_length, true);
    luaL_buffinit(L, &g.result);
    const char *const subject_end = subject + subject_length;
    const char *from = subject, *copied = subject, *excluded_end = NULL;
    const char *start, *end;
    lua_Integer count = 0;
    bool changed = false;
    while (count < limit && shim_pattern_search(&g.m, from, excluded_end, &start, &end)) {
        count++;
        append(&g, copied, (size_t)(start - copied));
        copied = start;
        if (append_replacement(&g, start, end)) {
            changed = true;
            copied = end;
        }
        from = excluded_end = end;
        if (g.m.anchored)
            break;
    }
    if (changed) {
        append(&g, copied, (size_t)(subject_end - copied));
        luaL_pushresult(&g.result);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, count);
    return 2;
}

// May raise: yes (interruption). Stack: unchanged. Returns the end of the copy.
// Exists because copying a huge string in one go takes long.
static char *copy_in_pieces(lua_State *L, char *to, const char *from, size_t length) {
    while (length > REPEAT_PIECE) {
        memcpy(to, from, REPEAT_PIECE);
        to += REPEAT_PIECE;
        from += REPEAT_PIECE;
        length -= REPEAT_PIECE;
        shim_poll(L);
    }
    memcpy(to, from, length);
    return to + length;
}

// May raise: yes. Stack: (subject, count [, separator]) -> string.
// Exists because the stock function cannot be interrupted, even while it repeats an empty string.
static int string_rep(lua_State *L) {
    size_t length, separator_length;
    const char *const text = subject_text(L, 1, &length);
    const lua_Integer count = luaL_checkinteger(L, 2);
    const char *const separator = luaL_optlstring(L, 3, "", &separator_length);
    const size_t unit = length + separator_length;
    if (count <= 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (unit < length || (lua_Unsigned)unit > (lua_Unsigned)INT_MAX / (lua_Unsigned)count)
        return luaL_error(L, "resulting string too large");
    if (count == 1 || unit == 0) {
        lua_pushvalue(L, 1);
        return 1;
    }
    luaL_Buffer buffer;
    const size_t total = unit * (size_t)count - separator_length;
    char *const result = luaL_buffinitsize(L, &buffer, total);
    char *end = copy_in_pieces(L, result, text, length);
    end = copy_in_pieces(L, end, separator, separator_length);
    size_t done = (size_t)(end - result);
    // What is there already serves as the source: any part of it that starts as far into a unit as
    // the part that is missing.
    while (done < total) {
        const size_t shift = done % unit;
        size_t piece = done - shift;
        if (piece > total - done)
            piece = total - done;
        copy_in_pieces(L, result + done, result + shift, piece);
        done += piece;
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

// May raise: yes (out of memory). Stack: see the header.
void shim_open_string_library(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch},
        {"gsub", string_gsub}, {"rep", string_rep},     {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
}
