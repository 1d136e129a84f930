// The items of a pattern: what matches a single character. Part of pattern.c, which includes it.

#ifndef SHIM_PATTERN_ITEMS_H
#define SHIM_PATTERN_ITEMS_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

#include <lauxlib.h>

#include "pattern.h"

// What the inner loop of the matcher consists of. Left to themselves, compilers part it
// differently, and some of them badly.
#define SHIM_INNER static inline __attribute__((always_inline))

// Bytes of a set that are searched for free, and of the subject that are matched between payments.
enum { SHORT_SET = 64, RUN = 256 };

// Part of a pattern that matches one character.
struct item {
    enum { ITEM_ANY, ITEM_LITERAL, ITEM_CLASS, ITEM_SET } kind;
    unsigned char what;  // the literal, or the letter of the class
    bool negated;
    const char *first, *last;  // the text of a set, without brackets
};

// May raise: no. Stack: unchanged. Exists because class letters mean the same in and out of sets.
SHIM_INNER bool class_holds(unsigned char letter, unsigned char c) {
    int holds;
    switch (letter | 0x20) {  // no other character becomes one of these letters
    case 'a': holds = isalpha(c); break;
    case 'c': holds = iscntrl(c); break;
    case 'd': holds = isdigit(c); break;
    case 'g': holds = isgraph(c); break;
    case 'l': holds = islower(c); break;
    case 'p': holds = ispunct(c); break;
    case 's': holds = isspace(c); break;
    case 'u': holds = isupper(c); break;
    case 'w': holds = isalnum(c); break;
    case 'x': holds = isxdigit(c); break;
    case 'z': holds = c == '\0'; break;  // no longer documented, still there
    default: return letter == c;
    }
    return (holds != 0) == ((letter & 0x20) != 0);
}

// May raise: no. Stack: unchanged.
// Whether `c` is in the part of a set from `*q` to `stop`, which moves `*q` past the last range or
// class it read. `last` is the end of the whole set.
SHIM_INNER bool part_holds(const char **q, const char *stop, const char *last, unsigned char c) {
    const char *at = *q;
    bool found = false;
    while (at < stop && !found) {
        if (*at == '%') {
            found = class_holds((unsigned char)at[1], c);
            at += 2;
        } else if (at[1] == '-' && last - at > 2) {
            found = (unsigned char)at[0] <= c && c <= (unsigned char)at[2];
            at += 3;
        } else {
            found = (unsigned char)*at++ == c;
        }
    }
    *q = at;
    return found;
}

// May raise: yes (interruption). Stack: unchanged.
// A short set is one step of its caller; a long one is paid for here, as it may be of any length.
static inline bool set_holds(struct shim_matcher *m, const struct item *set, unsigned char c) {
    const char *q = set->first;
    const char *const last = set->last;
    while (last - q > SHORT_SET) {
        if (part_holds(&q, q + SHORT_SET, last, c))
            return !set->negated;
        shim_spend(m, SHORT_SET / 4);
    }
    return part_holds(&q, last, last, c) != set->negated;
}

// May raise: yes (missing bracket, interruption). Stack: unchanged.
// Reads the set whose bracket is at `p`; returns the pattern after it.
static const char *read_set(struct shim_matcher *m, const char *p, struct item *item) {
    const char *const end = m->pattern_end;
    size_t pending = 0;
    item->kind = ITEM_SET;
    item->negated = *++p == '^';
    if (item->negated)
        p++;
    item->first = p;
    // A bracket in the first place stands for itself.
    for (const char *q = p; q < end; q++) {
        if (*q == ']' && q > p) {
            item->last = q;
            shim_spend(m, pending);
            return q + 1;
        }
        if (*q == '%')
            q++;
        if (++pending == SHIM_POLL_INTERVAL / 4) {
            shim_spend(m, pending);
            pending = 0;
        }
    }
    luaL_error(m->L, "malformed pattern (missing ']')");
    return NULL;
}

// May raise: yes (interruption). Stack: unchanged.
// Whether the item matches the character at `s`, which may be the end of the subject.
static inline bool accepts(struct shim_matcher *m, const struct item *item, const char *s) {
    if (s >= m->subject_end)
        return false;
    const unsigned char c = (unsigned char)*s;
    switch (item->kind) {
    case ITEM_ANY: return true;
    case ITEM_LITERAL: return c == item->what;
    case ITEM_CLASS: return class_holds(item->what, c);
    default: return set_holds(m, item, c);
    }
}

// May raise: no. Stack: unchanged.
// Where a run of a class' characters ends, at `stop` at the latest. Exists because finding out once
// which class it is makes long runs faster.
static inline const char *class_run(unsigned char letter, const char *s, const char *stop) {
    const bool wanted = (letter & 0x20) != 0;
#define RUN_OF(holds)                                             \
    while (s < stop && (holds((unsigned char)*s) != 0) == wanted) \
        s++;                                                      \
    return s
    switch (letter | 0x20) {
    case 'a': RUN_OF(isalpha);
    case 'd': RUN_OF(isdigit);
    case 's': RUN_OF(isspace);
    case 'w': RUN_OF(isalnum);
    default: break;
    }
#undef RUN_OF
    while (s < stop && class_holds(letter, (unsigned char)*s))
        s++;
    return s;
}

// May raise: yes (interruption). Stack: unchanged.
// Where the longest repetition of the item ends that starts at `s`.
static inline const char *longest_run(struct shim_matcher *m, const struct item *item,
                                      const char *s) {
    const char *const end = m->subject_end;
    if (item->kind == ITEM_ANY)
        return end;
    for (;;) {
        const char *const start = s;
        const char *const stop = end - s > RUN ? s + RUN : end;
        if (item->kind == ITEM_CLASS) {
            s = class_run(item->what, s, stop);
        } else if (item->kind == ITEM_LITERAL) {
            while (s < stop && (unsigned char)*s == item->what)
                s++;
        } else if (item->last - item->first == 1) {
            const char only = *item->first;
            const bool wanted = !item->negated;
            while (s < stop && (*s == only) == wanted)
                s++;
        } else {
            while (s < stop && set_holds(m, item, (unsigned char)*s))
                s++;
            shim_spend(m, (size_t)(s - start) * 8);
        }
        shim_spend(m, (size_t)(s - start));
        if (s < stop || stop == end)
            return s;
    }
}

#endif
