/* memory.h: allocation with overflow checks. Free the results with free(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Stores a * b in *out. Returns false on overflow. */
static inline bool sg_checked_mul(size_t a, size_t b, size_t *out) { return !__builtin_mul_overflow(a, b, out); }

/* Allocates count * size zeroed bytes. Returns NULL on overflow or if memory is exhausted. A count of 0 gives a valid
 * pointer. */
void *sg_calloc(size_t count, size_t size);

/* Allocates uninitialised bytes aligned to a cache line. Large blocks use huge pages. */
void *sg_alloc_cache_aligned(size_t bytes);

/* Grows *block, an array of *capacity items, to at least `need` items, and at least doubles it. Large blocks use huge
 * pages. Returns false if memory is exhausted; *block is unchanged then. */
bool sg_array_reserve(void *block, size_t *capacity, size_t need, size_t size);

/* An array to allocate: sets *at to n doubles. */
typedef struct sg_double_array {
    double **at;
    size_t n;
} sg_double_array;
/* Allocates arrays of doubles, zeroed, in one block. Returns the block, to be freed, or NULL. */
double *sg_alloc_doubles(const sg_double_array *array, size_t arrays);

/* Returns a copy of the text, or NULL if memory is exhausted. */
char *sg_strdup(const char *text);
