/* memory.h: memory allocation with overflow checks. Free the results with free(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Stores a * b in *out. Returns false on overflow. */
static inline bool sg_checked_mul(size_t a, size_t b, size_t *out) { return !__builtin_mul_overflow(a, b, out); }

/* Allocates count * size zeroed bytes. Returns NULL on overflow or if memory is exhausted. If the count is 0, returns a
 * valid pointer. */
void *sg_calloc(size_t count, size_t size);

/* Allocates uninitialised bytes, aligned to a cache line. Large blocks use huge pages. Returns NULL on failure. */
void *sg_alloc_cache_aligned(size_t bytes);

/* Ensures that the array *block has room for `need` items of `size` bytes. If it must grow, its capacity at least
 * doubles. Large blocks use huge pages. Returns false and leaves *block unchanged if memory is exhausted. */
bool sg_array_reserve(void *block, size_t *capacity, size_t need, size_t size);

/* Describes an array for sg_alloc_doubles, which points *at to n doubles. */
typedef struct sg_double_array {
    double **at;
    size_t n;
} sg_double_array;
/* Allocates zeroed arrays in one block. Returns the block, which the caller frees, or NULL on failure. */
double *sg_alloc_doubles(const sg_double_array *array, size_t arrays);

/* Frees several blocks; those that are NULL are ignored. */
#define sg_free_all(...) sg_free_blocks((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void sg_free_blocks(void *const *block, size_t blocks);

/* Returns a copy of the text, or NULL if memory is exhausted. */
char *sg_strdup(const char *text);
