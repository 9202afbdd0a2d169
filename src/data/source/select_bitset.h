/* select_bitset.h: a bitset of rows that finds the k-th set row quickly. A subset of a billion rows uses 140 MB; a list
 * of row numbers would use eight bytes for each selected row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_select_bitset {
    size_t size, set_count; /* number of rows, and number of set rows */
    uint64_t *words;        /* (size / 64, rounded up to a block) */
    uint64_t *rank;         /* (blocks + 1) set rows before each block of 512 rows, and the total */
} sg_select_bitset;

/* Creates an empty set. Returns false if memory is exhausted. */
bool sg_select_bitset_init(sg_select_bitset *m, size_t total);
void sg_select_bitset_release(sg_select_bitset *m);
/* Sets a row. Rows may be set in any order, but only before sg_select_bitset_build. */
static inline void sg_select_bitset_set(sg_select_bitset *m, size_t row)
{
    m->words[row / 64] |= (uint64_t)1 << row % 64;
}
/* Builds the index. Call it after the last row is set. */
void sg_select_bitset_build(sg_select_bitset *m);

/* Returns the k-th set row, counted from 0; k must be less than set_count. */
size_t sg_select_bitset_select(const sg_select_bitset *m, size_t k);
/* Returns the first set row after `row`; there must be one. */
size_t sg_select_bitset_next(const sg_select_bitset *m, size_t row);
