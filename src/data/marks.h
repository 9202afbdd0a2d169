/* marks.h: some of many rows, a bit each, so that the k-th of them is found quickly: a choice among a
 * billion rows takes 140 MB, where their numbers would take eight bytes a row. */
#ifndef SG_DATA_MARKS_H
#define SG_DATA_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_marks {
    size_t total, n;  /* rows, and how many of them are marked                     */
    uint64_t *bit;    /* (total), 64 in a word                                     */
    uint64_t *before; /* (blocks of 512 rows): the marked ones before each, and n  */
} sg_marks;

/* None is marked. False: no memory. */
bool sg_marks_init(sg_marks *m, size_t total);
void sg_marks_release(sg_marks *m);
/* To be called for rows in any order, before sg_marks_count. */
static inline void sg_marks_set(sg_marks *m, size_t row) { m->bit[row / 64] |= (uint64_t)1 << row % 64; }
/* After the last has been set. */
void sg_marks_count(sg_marks *m);

/* The k-th marked row, k < n. */
size_t sg_marks_find(const sg_marks *m, size_t k);
/* The first marked row after `row`; there must be one. */
size_t sg_marks_next(const sg_marks *m, size_t row);

#endif
