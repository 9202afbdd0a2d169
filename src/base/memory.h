/* memory.h: allocation whose size can't overflow. Freed with free(). */
#ifndef SG_BASE_MEMORY_H
#define SG_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* a * b into *out; false where that overflows. */
static inline bool sg_checked_mul(size_t a, size_t b, size_t *out) { return !__builtin_mul_overflow(a, b, out); }

/* count * size bytes, zeroed; NULL on overflow or without memory. A count of 0 gives a pointer too. */
void *sg_calloc(size_t count, size_t size);

/* Bytes, not zeroed, that begin with a cache line; much memory asks for large pages. */
void *sg_alloc_cache_aligned(size_t bytes);

/* *block, which holds *room items, gets room for at least `need`; at least doubles.
 * Large blocks ask for large pages. */
bool sg_array_reserve(void *block, size_t *room, size_t need, size_t size);

/* A copy of the text, or NULL. */
char *sg_strdup(const char *text);

#endif
