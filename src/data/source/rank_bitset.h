/* rank_bitset.h: some of many rows, a bit each, so that the k-th of them is found quickly: a choice among a
 * billion rows takes 140 MB, where their numbers would take eight bytes a row. */
#ifndef SG_DATA_SOURCE_RANK_BITSET_H
#define SG_DATA_SOURCE_RANK_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_rank_bitset {
    size_t size, set_count; /* rows, and how many of them are marked                     */
    uint64_t *words;        /* (total), 64 in a word                                     */
    uint64_t *rank;         /* (blocks of 512 rows): the marked ones before each, and n  */
} sg_rank_bitset;

/* None is marked. False: no memory. */
bool sg_rank_bitset_init(sg_rank_bitset *m, size_t total);
void sg_rank_bitset_release(sg_rank_bitset *m);
/* To be called for rows in any order, before sg_rank_bitset_build. */
static inline void sg_rank_bitset_set(sg_rank_bitset *m, size_t row) { m->words[row / 64] |= (uint64_t)1 << row % 64; }
/* After the last has been set. */
void sg_rank_bitset_build(sg_rank_bitset *m);

/* The k-th marked row, k < n. */
size_t sg_rank_bitset_select(const sg_rank_bitset *m, size_t k);
/* The first marked row after `row`; there must be one. */
size_t sg_rank_bitset_next(const sg_rank_bitset *m, size_t row);

#endif
