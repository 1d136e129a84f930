// The matcher walks subject and pattern side by side, without recursion. Wherever it takes one of
// several ways to go on, it leaves a note of the ways not taken; where it is stuck it returns to
// the newest note. Patterns are read as they are met, because the stock library reports a malformed
// part only once the matching gets there.

#include "pattern.h"

#include <string.h>

#include <lauxlib.h>

#include "libraries.h"
#include "pattern_items.h"

// Bytes per piece when a libc function does the work, and bytes it handles in about one step.
enum { PIECE = 32768, BYTES_PER_STEP = 16 };

// A way not taken.
struct note {
    enum { NOTE_OPENED, NOTE_CLOSED, NOTE_OPTIONAL, NOTE_GREEDY, NOTE_LAZY } kind;
    int capture;         // NOTE_CLOSED: the capture to open again
    const char *at;      // where the repetition ends that is being tried
    const char *least;   // NOTE_GREEDY: where the shortest repetition ends
    const char *resume;  // the pattern after the item
    struct item item;    // NOTE_LAZY: what to repeat once more
};

struct trail {
    int depth;
    struct note notes[SHIM_MAX_PATTERN_DEPTH - 1];
};

// May raise: yes (interruption). Stack: unchanged. Out of line, to keep shim_spend small.
void shim_pattern_poll(struct shim_matcher *m) {
    m->budget = SHIM_POLL_INTERVAL;
    shim_poll(m->L);
}

// May raise: yes (interruption). Stack: unchanged.
// Exists because comparing long texts has to be interruptible too.
static bool same_text(struct shim_matcher *m, const char *a, const char *b, size_t length) {
    while (length > PIECE) {
        if (memcmp(a, b, PIECE) != 0)
            return false;
        shim_spend(m, PIECE / BYTES_PER_STEP);
        a += PIECE;
        b += PIECE;
        length -= PIECE;
    }
    if (length >= BYTES_PER_STEP)
        shim_spend(m, length / BYTES_PER_STEP);
    return memcmp(a, b, length) == 0;
}

// May raise: yes (too complex). Stack: unchanged.
// The limit is what the stock matcher's recursion has, so that the same patterns are refused.
static inline struct note *leave_note(struct shim_matcher *m, struct trail *trail) {
    if (trail->depth == SHIM_MAX_PATTERN_DEPTH - 1)
        luaL_error(m->L, "pattern too complex");
    return &trail->notes[trail->depth++];
}

// May raise: yes (too many captures, too complex). Stack: unchanged. Returns the pattern after it.
static const char *open_capture(struct shim_matcher *m, struct trail *trail, const char *s,
                                const char *p) {
    if (m->capture_count == SHIM_MAX_CAPTURES)
        luaL_error(m->L, "too many captures");
    const bool position = p[1] == ')';
    struct shim_capture *const capture = &m->captures[m->capture_count];
    capture->start = s;
    capture->length = position ? SHIM_CAPTURE_POSITION : SHIM_CAPTURE_OPEN;
    leave_note(m, trail)->kind = NOTE_OPENED;
    m->capture_count++;
    return position ? p + 2 : p + 1;
}

// May raise: yes (nothing to close, too complex). Stack: unchanged.
static void close_capture(struct shim_matcher *m, struct trail *trail, const char *s) {
    int index = m->capture_count;
    do {
        if (--index < 0)
            luaL_error(m->L, "invalid pattern capture");
    } while (m->captures[index].length != SHIM_CAPTURE_OPEN);
    struct note *const note = leave_note(m, trail);
    note->kind = NOTE_CLOSED;
    note->capture = index;
    m->captures[index].length = s - m->captures[index].start;
}

// May raise: yes (missing arguments, interruption). Stack: unchanged.
// Where the balanced text ends that starts at `s`, or NULL.
static inline const char *balanced_end(struct shim_matcher *m, const char *s, const char *p) {
    if (m->pattern_end - p < 4)
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    const char opening = p[2], closing = p[3];
    if (s == m->subject_end || *s != opening)
        return NULL;
    size_t open = 1;
    for (;;) {
        const char *const start = s;
        const char *const stop = m->subject_end - s > RUN ? s + RUN : m->subject_end;
        while (++s < stop) {
            if (*s == closing) {  // first, for the case that both are the same character
                if (--open == 0)
                    break;
            } else if (*s == opening) {
                open++;
            }
        }
        shim_spend(m, (size_t)(s - start));
        if (open == 0)
            return s + 1;
        if (s >= m->subject_end)
            return NULL;
        s--;
    }
}

// May raise: yes (malformed set, interruption). Stack: unchanged.
// The pattern after the frontier, or NULL if there is none at `s`. Both ends of the subject count
// as a NUL, which the subject has as its terminator anyway.
static const char *pass_frontier(struct shim_matcher *m, const char *s, const char *p) {
    if (p[2] != '[')
        luaL_error(m->L, "missing '[' after '%%f' in pattern");
    struct item set;
    const char *const after = read_set(m, p + 2, &set);
    const unsigned char before = s == m->subject ? '\0' : (unsigned char)s[-1];
    if (set_holds(m, &set, before) || !set_holds(m, &set, (unsigned char)*s))
        return NULL;
    return after;
}

// May raise: yes (no such capture, interruption). Stack: unchanged.
// Where the repetition of a capture ends that starts at `s`, or NULL.
static const char *repetition_end(struct shim_matcher *m, const char *s, const char *p) {
    const int index = p[1] - '1';
    if (index < 0 || index >= m->capture_count || m->captures[index].length == SHIM_CAPTURE_OPEN)
        luaL_error(m->L, "invalid capture index %%%d", index + 1);
    const struct shim_capture *const capture = &m->captures[index];
    if (capture->length == SHIM_CAPTURE_POSITION || capture->length > m->subject_end - s)
        return NULL;
    if (!same_text(m, capture->start, s, (size_t)capture->length))
        return NULL;
    return s + capture->length;
}

// May raise: yes (interruption). Stack: unchanged.
// Goes back to the newest way not taken: says where in the subject and in the pattern to go on, or
// returns NULL if there is no way left.
SHIM_INNER const char *retreat(struct shim_matcher *m, struct trail *trail, const char **p) {
    while (trail->depth > 0) {
        struct note *const note = &trail->notes[trail->depth - 1];
        *p = note->resume;
        switch (note->kind) {
        case NOTE_GREEDY:
            if (note->at > note->least)
                return --note->at;
            break;
        case NOTE_LAZY:
            if (accepts(m, &note->item, note->at))
                return ++note->at;
            break;
        case NOTE_OPTIONAL:
            trail->depth--;
            return note->at;
        case NOTE_OPENED:
            m->capture_count--;
            break;
        case NOTE_CLOSED:
            m->captures[note->capture].length = SHIM_CAPTURE_OPEN;
            break;
        }
        trail->depth--;
    }
    return NULL;
}

// May raise: yes (malformed item, too complex, interruption). Stack: unchanged.
// Matches one item with its suffix: says where in the subject and in the pattern to go on, or
// returns NULL if it does not match.
SHIM_INNER const char *pass_item(struct shim_matcher *m, struct trail *trail, const char *s,
                                    const char **p) {
    struct item item;
    const char *after = *p + 1;
    bool once = s < m->subject_end;
    switch (**p) {
    case '.':
        item.kind = ITEM_ANY;
        break;
    case '[':
        after = read_set(m, *p, &item);
        once = once && set_holds(m, &item, (unsigned char)*s);
        break;
    case '%':
        if (after == m->pattern_end)
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        item.kind = ITEM_CLASS;
        item.what = (unsigned char)*after++;
        once = once && class_holds(item.what, (unsigned char)*s);
        break;
    default:
        item.kind = ITEM_LITERAL;
        item.what = (unsigned char)**p;
        once = once && (unsigned char)*s == item.what;
        break;
    }
    const char suffix = *after;  // a NUL at the end of the pattern
    if (suffix != '*' && suffix != '+' && suffix != '-' && suffix != '?') {
        *p = after;
        return once ? s + 1 : NULL;
    }
    *p = after + 1;
    if (!once)
        return suffix == '+' ? NULL : s;
    const char *const run_end =
        suffix == '*' || suffix == '+' ? longest_run(m, &item, s + 1) : s;
    struct note *const note = leave_note(m, trail);
    note->resume = after + 1;
    note->at = run_end;
    switch (suffix) {
    case '?':
        note->kind = NOTE_OPTIONAL;
        return s + 1;
    case '-':
        note->kind = NOTE_LAZY;
        note->item = item;
        return s;
    default:
        note->kind = NOTE_GREEDY;
        note->least = suffix == '+' ? s + 1 : s;
        return run_end;
    }
}

// May raise: yes. Stack: unchanged.
// Where the match ends that starts at `s`, or NULL.
SHIM_INNER const char *match_at(struct shim_matcher *m, struct trail *trail, const char *s) {
    const char *p = m->pattern;
    const char *const pattern_end = m->pattern_end;
    trail->depth = 0;
    m->capture_count = 0;
    while (p != pattern_end) {
        if (--m->budget <= 0)
            shim_pattern_poll(m);
        switch (*p) {
        case '(':
            p = open_capture(m, trail, s, p);
            continue;
        case ')':
            close_capture(m, trail, s);
            p++;
            continue;
        case '$':
            if (p + 1 != pattern_end) {
                s = pass_item(m, trail, s, &p);
            } else {
                p++;
                s = s == m->subject_end ? s : NULL;
            }
            break;
        case '%':
            if (p[1] == 'b') {
                s = balanced_end(m, s, p);
                p += 4;
            } else if (p[1] == 'f') {
                p = pass_frontier(m, s, p);
                s = p == NULL ? NULL : s;
            } else if (p[1] >= '0' && p[1] <= '9') {
                s = repetition_end(m, s, p);
                p += 2;
            } else {
                s = pass_item(m, trail, s, &p);
            }
            break;
        default:
            s = pass_item(m, trail, s, &p);
            break;
        }
        if (s == NULL && (s = retreat(m, trail, &p)) == NULL)
            return NULL;
    }
    return s;
}

// May raise: yes (interruption). Stack: unchanged.
// Finds a character, as a shortcut past all the places where no match can start.
static inline const char *find_character(struct shim_matcher *m, const char *from, const char *to,
                                         int c) {
    while (from < to) {
        const size_t length = to - from > PIECE ? PIECE : (size_t)(to - from);
        const char *const hit = memchr(from, c, length);
        if (hit != NULL) {
            shim_spend(m, 1 + (size_t)(hit - from) / BYTES_PER_STEP);
            return hit;
        }
        shim_spend(m, 1 + length / BYTES_PER_STEP);
        from += length;
    }
    return NULL;
}

// May raise: no. Stack: unchanged. See the header.
void shim_pattern_prepare(struct shim_matcher *m, lua_State *L, const char *subject,
                          size_t subject_length, const char *pattern, size_t pattern_length,
                          bool anchors) {
    m->L = L;
    m->subject = subject;
    m->subject_end = subject + subject_length;
    m->anchored = anchors && *pattern == '^';
    m->pattern = m->anchored ? pattern + 1 : pattern;
    m->pattern_end = pattern + pattern_length;
    m->lead = -1;
    m->budget = SHIM_POLL_INTERVAL;
    m->capture_count = 0;
    if (m->anchored || m->pattern == m->pattern_end)
        return;
    // Skipping ahead must not hide an error in the pattern's first part: only a plain character
    // that has to be there qualifies.
    switch (m->pattern[0]) {
    case '(': case ')': case '[': case '%': case '.': case '$':
        return;
    default:
        break;
    }
    const char suffix = m->pattern[1];
    if (suffix != '*' && suffix != '?' && suffix != '-')
        m->lead = (unsigned char)m->pattern[0];
}

// May raise: yes. Stack: unchanged. See the header.
bool shim_pattern_search(struct shim_matcher *m, const char *from, const char *excluded_end,
                         const char **match_start, const char **match_end) {
    struct trail trail;
    for (const char *s = from;; s++) {
        if (m->lead >= 0) {
            s = find_character(m, s, m->subject_end, m->lead);
            if (s == NULL)
                return false;
        }
        const char *const end = match_at(m, &trail, s);
        if (end != NULL && end != excluded_end) {
            *match_start = s;
            *match_end = end;
            return true;
        }
        if (m->anchored || s >= m->subject_end)
            return false;
    }
}
