// Memory of a Lua universe: accounted, limited, and for small blocks taken from pools.
//
// Lua says the size of a block when it frees it, so pools need no headers: a free list per size
// class is quicker than malloc and packs denser. Pools give memory back when the state is closed.

#include "internal.h"

#include <stdlib.h>

enum { GRAIN = 16, LARGEST_POOLED = 512, CHUNK = 64 * 1024 };

typedef struct shim_free_block {
    struct shim_free_block *next;
} free_block;

typedef struct shim_chunk {
    struct shim_chunk *next;
    void *padding;  // keeps blocks aligned to GRAIN
} chunk;

_Static_assert(LARGEST_POOLED / GRAIN == SHIM_POOLS, "one free list per size class");

#if defined(__SANITIZE_ADDRESS__)
#define POOLED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
// The sanitizer sees a use after free only when freed blocks go back to malloc.
#define POOLED 0
#endif
#endif
#ifndef POOLED
#define POOLED 1
#endif

static inline bool is_pooled(size_t size) { return POOLED && size <= LARGEST_POOLED; }

static inline size_t pool_of(size_t size) { return (size - 1) / GRAIN; }

/// A block of the pool, NULL when the system has no memory left.
static void *take(shim_state *state, size_t pool) {
    free_block *block = state->pools[pool];
    if (LIKELY(block != NULL)) {
        state->pools[pool] = block->next;
        return block;
    }
    size_t size = (pool + 1) * GRAIN;
    if (state->chunk_left < size) {
        chunk *fresh = malloc(CHUNK);
        if (fresh == NULL) return NULL;
        fresh->next = state->chunks;
        state->chunks = fresh;
        state->chunk_next = (char *)(fresh + 1);
        state->chunk_left = CHUNK - sizeof *fresh;
    }
    void *result = state->chunk_next;
    state->chunk_next += size;
    state->chunk_left -= size;
    return result;
}

static inline void give_back(shim_state *state, void *block, size_t size) {
    if (is_pooled(size)) {
        free_block *freed = block;
        freed->next = state->pools[pool_of(size)];
        state->pools[pool_of(size)] = freed;
    } else {
        free(block);
    }
}

/// Memory for `new_size` bytes with the contents of `block`; NULL leaves `block` as it is.
static void *resize(shim_state *state, void *block, size_t old_size, size_t new_size) {
    if (block != NULL && is_pooled(old_size) == is_pooled(new_size)) {
        if (!is_pooled(new_size)) return realloc(block, new_size);
        if (pool_of(old_size) == pool_of(new_size)) return block;
    }
    void *result = is_pooled(new_size) ? take(state, pool_of(new_size)) : malloc(new_size);
    if (block != NULL && result != NULL) {
        memcpy(result, block, old_size < new_size ? old_size : new_size);
        give_back(state, block, old_size);
    }
    return result;
}

/// The slow half: limits and injected faults. Returns whether the allocation may go on.
static bool may_allocate(shim_state *state, size_t grow) {
    bool over = state->limit != 0 && (grow > state->limit || state->used > state->limit - grow);
    if (state->fail_after > 1) {
        state->fail_after--;
    } else if (state->fail_after == 1) {
        over = true;
        if (state->fail_more > 0) state->fail_more--; else state->fail_after = 0;
    }
    if (!over) return true;
    if (state->in_lua) return false;
    state->exceeded = 1;
    return true;
}

/// Fails only while Lua code runs: liblua then raises a memory error on its own side of the border.
/// Host code is never refused; the overdraft is settled when it returns. When the system itself has
/// no memory left there is no way on for host code, as everywhere in Swift.
void *shim_allocate(void *opaque, void *block, size_t old_size, size_t new_size) {
    shim_state *state = opaque;
    size_t old = block != NULL ? old_size : 0;
    if (new_size == 0) {
        state->used -= old;
        if (block != NULL) give_back(state, block, old_size);
        return NULL;
    }
    if (new_size > old) {
        state->allocations++;
        if (UNLIKELY(state->limit != 0 || state->fail_after != 0) && !may_allocate(state, new_size - old)) return NULL;
    }
    void *result = resize(state, block, old, new_size);
    if (UNLIKELY(result == NULL)) {
        if (new_size <= old) return block;
        if (!state->in_lua) abort();
        return NULL;
    }
    state->used = state->used - old + new_size;
    if (state->used > state->peak) state->peak = state->used;
    return result;
}

void shim_free_pools(shim_state *state) {
    while (state->chunks != NULL) {
        chunk *next = state->chunks->next;
        free(state->chunks);
        state->chunks = next;
    }
}
