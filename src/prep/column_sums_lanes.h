/* column_sums_lanes.h: see column_sums.h. To be included by a file of its own for each instruction set.
 *
 * A few vectors of columns at a time stay in registers, so that one addition does not wait for another. The last
 * vector of a row may begin among columns that are done already: doing them again changes nothing. */
#ifndef SG_PREP_COLUMN_SUMS_LANES_H
#define SG_PREP_COLUMN_SUMS_LANES_H

#include "prep/column_sums.h"
#include "prep/lanes.h"

#define INLINE static inline __attribute__((always_inline))

enum { VECTORS = 4 };

/* Vectors that are worked on together: where they begin. */
typedef struct group {
    size_t vectors, at[VECTORS];
} group;

/* From column c on. */
static group group_at(size_t c, size_t columns)
{
    group g = {0};
    for (; g.vectors < VECTORS && c < columns; c += SG_LANES)
        g.at[g.vectors++] = c + SG_LANES <= columns ? c : columns - SG_LANES;
    return g;
}

INLINE void range_of(const group *g, size_t vectors, const double *x, size_t rows, size_t columns, double *sum,
                     double *low, double *high)
{
    sg_lanes all[VECTORS], least[VECTORS], most[VECTORS];
    for (size_t j = 0; j < vectors; j++) all[j] = least[j] = most[j] = sg_lanes_at(x + g->at[j]);
    for (size_t r = 1; r < rows; r++) {
        x += columns;
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes v = sg_lanes_at(x + g->at[j]);
            all[j] = sg_lanes_add(all[j], v);
            least[j] = sg_lanes_min(v, least[j]);
            most[j] = sg_lanes_max(v, most[j]);
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_put(sum + g->at[j], all[j]);
        sg_lanes_put(low + g->at[j], least[j]);
        sg_lanes_put(high + g->at[j], most[j]);
    }
}

INLINE void spread_of(const group *g, size_t vectors, const double *x, size_t rows, size_t columns, const double *mean,
                      double *squares, double *beside)
{
    sg_lanes middle[VECTORS], square[VECTORS], off[VECTORS];
    for (size_t j = 0; j < vectors; j++) {
        middle[j] = sg_lanes_at(mean + g->at[j]);
        square[j] = off[j] = sg_lanes_all(0);
    }
    for (size_t r = 0; r < rows; r++, x += columns)
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes v = sg_lanes_sub(sg_lanes_at(x + g->at[j]), middle[j]);
            off[j] = sg_lanes_add(off[j], v);
            square[j] = sg_lanes_add(square[j], sg_lanes_mul(v, v));
        }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_put(squares + g->at[j], square[j]);
        sg_lanes_put(beside + g->at[j], off[j]);
    }
}

/* The product of two halves, each of which has a key of its own in every cell (NH of Black and others, "UMAC: fast and
 * secure message authentication", 1999): a value that changes is missed once in 2^32 times. */
INLINE void hash_of(const group *g, size_t vectors, const double *x, size_t rows, size_t columns, uint64_t first,
                    const uint64_t *key, uint64_t *sum)
{
    const uint64_t apart = UINT64_C(0x9E3779B97F4A7C15);
    const sg_words step = sg_words_all(apart);
    sg_words all[VECTORS], own[VECTORS], number = sg_words_all(first * apart);
    for (size_t j = 0; j < vectors; j++) {
        own[j] = sg_words_at(key + g->at[j]);
        all[j] = sg_words_all(0);
    }
    for (size_t r = 0; r < rows; r++, x += columns) {
        for (size_t j = 0; j < vectors; j++) {
            sg_words v = sg_words_xor(sg_words_at(x + g->at[j]), sg_words_xor(own[j], number));
            all[j] = sg_words_add(all[j], sg_words_fold(v));
        }
        number = sg_words_add(number, step);
    }
    for (size_t j = 0; j < vectors; j++) sg_words_put(sum + g->at[j], all[j]);
}

/* --- a loop for each number of vectors --- */

static void range(const double *x, size_t rows, size_t columns, double *sum, double *low, double *high)
{
    for (size_t c = 0; c < columns; c += (size_t)VECTORS * SG_LANES) {
        group g = group_at(c, columns);
        switch (g.vectors) {
        case 1: range_of(&g, 1, x, rows, columns, sum, low, high); break;
        case 2: range_of(&g, 2, x, rows, columns, sum, low, high); break;
        case 3: range_of(&g, 3, x, rows, columns, sum, low, high); break;
        default: range_of(&g, VECTORS, x, rows, columns, sum, low, high);
        }
    }
}

static void spread(const double *x, size_t rows, size_t columns, const double *mean, double *squares, double *beside)
{
    for (size_t c = 0; c < columns; c += (size_t)VECTORS * SG_LANES) {
        group g = group_at(c, columns);
        switch (g.vectors) {
        case 1: spread_of(&g, 1, x, rows, columns, mean, squares, beside); break;
        case 2: spread_of(&g, 2, x, rows, columns, mean, squares, beside); break;
        case 3: spread_of(&g, 3, x, rows, columns, mean, squares, beside); break;
        default: spread_of(&g, VECTORS, x, rows, columns, mean, squares, beside);
        }
    }
}

static void hash(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key, uint64_t *sum)
{
    for (size_t c = 0; c < columns; c += (size_t)VECTORS * SG_LANES) {
        group g = group_at(c, columns);
        switch (g.vectors) {
        case 1: hash_of(&g, 1, x, rows, columns, first, key, sum); break;
        case 2: hash_of(&g, 2, x, rows, columns, first, key, sum); break;
        case 3: hash_of(&g, 3, x, rows, columns, first, key, sum); break;
        default: hash_of(&g, VECTORS, x, rows, columns, first, key, sum);
        }
    }
}

#endif
