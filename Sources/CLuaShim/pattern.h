// Interruptible matching of Lua patterns, used by the string library only.

#ifndef SHIM_PATTERN_H
#define SHIM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

// The same limits as the stock library, so that the same patterns are refused.
enum { SHIM_MAX_CAPTURES = 32, SHIM_MAX_PATTERN_DEPTH = 200 };

// Stand in for a capture's length.
enum { SHIM_CAPTURE_OPEN = -1, SHIM_CAPTURE_POSITION = -2 };

struct shim_capture {
    const char *start;
    ptrdiff_t length;  // or SHIM_CAPTURE_OPEN, SHIM_CAPTURE_POSITION
};

// One subject with one pattern. Lives on the C stack of a library function and owns no memory,
// since any poll may leave that function for good.
struct shim_matcher {
    lua_State *L;
    const char *subject, *subject_end;
    const char *pattern, *pattern_end;  // without the anchor
    bool anchored;
    int lead;    // the character every match starts with, or -1 if unknown
    int budget;  // steps left until the next poll
    int capture_count;
    struct shim_capture captures[SHIM_MAX_CAPTURES];
};

// May raise: yes (interruption). Stack: unchanged.
// Exists as the slow path of shim_spend.
void shim_pattern_poll(struct shim_matcher *m);

// May raise: yes (interruption). Stack: unchanged.
// Exists to pay for work that is not proportional to the number of steps taken, such as copying.
static inline void shim_spend(struct shim_matcher *m, size_t steps) {
    if (steps < (size_t)m->budget)
        m->budget -= (int)steps;
    else
        shim_pattern_poll(m);
}

// May raise: no. Stack: unchanged. Both texts have to outlive the matcher, and end in a NUL.
// Exists to set up a matcher; `anchors` is false where '^' has no special meaning.
void shim_pattern_prepare(struct shim_matcher *m, lua_State *L, const char *subject,
                          size_t subject_length, const char *pattern, size_t pattern_length,
                          bool anchors);

// May raise: yes (malformed pattern, interruption). Stack: unchanged.
// Finds the first match that starts at `from` or later and does not end at `excluded_end` (NULL
// excludes none), which is how iterations avoid to find an empty match twice. Exists as the one
// entry to the matcher; the captures are those of the match found.
bool shim_pattern_search(struct shim_matcher *m, const char *from, const char *excluded_end,
                         const char **match_start, const char **match_end);

#endif
