/* column_sums_lanes.h: see column_sums.h. To be included by a file of its own for each instruction set.
 *
 * A few vectors of columns at a time stay in registers, so that one addition does not wait for another. The last
 * vector of a row may begin among columns that are done already: doing them again changes nothing. */
#ifndef SG_PREP_COLUMN_SUMS_LANES_H
#define SG_PREP_COLUMN_SUMS_LANES_H

#include "prep/column_sums.h"
#include "prep/lanes.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

enum { MOST = 4, FEW = 2 };

/* Vectors that are worked on together, and where they begin. */
typedef struct group {
    size_t vectors, at[MOST];
} group;

/* At most so many, from column c on. */
static group group_at(size_t c, size_t columns, size_t most)
{
    group g = {0};
    for (; g.vectors < most && c < columns; c += SG_LANES)
        g.at[g.vectors++] = c + SG_LANES <= columns ? c : columns - SG_LANES;
    return g;
}

/* --- without weights and gaps --- */

INLINE void range_of(const sg_column_block *b, sg_moments *s, const group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes sum[MOST], low[MOST], high[MOST];
    for (size_t j = 0; j < vectors; j++) sum[j] = low[j] = high[j] = sg_lanes_at(x + g->at[j]);
    for (size_t r = 1; r < b->rows; r++) {
        x += s->columns;
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes v = sg_lanes_at(x + g->at[j]);
            sum[j] = sg_lanes_add(sum[j], v);
            low[j] = sg_lanes_min(v, low[j]);
            high[j] = sg_lanes_max(v, high[j]);
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_put(s->mean + g->at[j], sum[j]);
        sg_lanes_put(s->low + g->at[j], low[j]);
        sg_lanes_put(s->high + g->at[j], high[j]);
    }
}

INLINE void spread_of(const sg_column_block *b, sg_moments *s, const group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes mean[MOST], m2[MOST], beside[MOST];
    for (size_t j = 0; j < vectors; j++) {
        mean[j] = sg_lanes_at(s->mean + g->at[j]);
        m2[j] = beside[j] = sg_lanes_all(0);
    }
    for (size_t r = 0; r < b->rows; r++, x += s->columns)
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes off = sg_lanes_sub(sg_lanes_at(x + g->at[j]), mean[j]);
            beside[j] = sg_lanes_add(beside[j], off);
            m2[j] = sg_lanes_add(m2[j], sg_lanes_mul(off, off));
        }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_put(s->m2 + g->at[j], m2[j]);
        sg_lanes_put(s->beside + g->at[j], beside[j]);
    }
}

static void range(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)MOST * SG_LANES) {
        group g = group_at(c, s->columns, MOST);
        switch (g.vectors) {
        case 1:
            range_of(b, s, &g, 1);
            break;
        case 2:
            range_of(b, s, &g, 2);
            break;
        case 3:
            range_of(b, s, &g, 3);
            break;
        default:
            range_of(b, s, &g, MOST);
        }
    }
}

static void spread(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)MOST * SG_LANES) {
        group g = group_at(c, s->columns, MOST);
        switch (g.vectors) {
        case 1:
            spread_of(b, s, &g, 1);
            break;
        case 2:
            spread_of(b, s, &g, 2);
            break;
        case 3:
            spread_of(b, s, &g, 3);
            break;
        default:
            spread_of(b, s, &g, MOST);
        }
    }
}

/* --- with them --- */

INLINE double weight_of(const sg_column_block *b, size_t r) { return b->w ? b->w[r * b->stride] : 1; }

INLINE void gaps_range_of(const sg_column_block *b, sg_moments *s, const group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes sum[FEW], low[FEW], high[FEW], cells[FEW], weights[FEW];
    for (size_t j = 0; j < vectors; j++) {
        sum[j] = cells[j] = weights[j] = sg_lanes_all(0);
        low[j] = sg_lanes_all(INFINITY);
        high[j] = sg_lanes_all(-INFINITY);
    }
    for (size_t r = 0; r < b->rows; r++, x += s->columns) {
        const double weight = weight_of(b, r);
        if (!(weight > 0)) continue;
        const sg_lanes w = sg_lanes_all(weight);
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes v = sg_lanes_at(x + g->at[j]);
            sum[j] = sg_lanes_add(sum[j], sg_lanes_if(v, sg_lanes_mul(w, v)));
            weights[j] = sg_lanes_add(weights[j], sg_lanes_if(v, w));
            cells[j] = sg_lanes_add(cells[j], sg_lanes_if(v, sg_lanes_all(1)));
            low[j] = sg_lanes_min(v, low[j]);
            high[j] = sg_lanes_max(v, high[j]);
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_put(s->mean + g->at[j], sum[j]);
        sg_lanes_put(s->weights + g->at[j], weights[j]);
        sg_lanes_put(s->cells + g->at[j], cells[j]);
        sg_lanes_put(s->low + g->at[j], low[j]);
        sg_lanes_put(s->high + g->at[j], high[j]);
    }
}

INLINE void gaps_spread_of(const sg_column_block *b, sg_moments *s, const group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes mean[FEW], m2[FEW], beside[FEW];
    for (size_t j = 0; j < vectors; j++) {
        mean[j] = sg_lanes_at(s->mean + g->at[j]);
        m2[j] = beside[j] = sg_lanes_all(0);
    }
    for (size_t r = 0; r < b->rows; r++, x += s->columns) {
        const double weight = weight_of(b, r);
        if (!(weight > 0)) continue;
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes v = sg_lanes_at(x + g->at[j]), off = sg_lanes_if(v, sg_lanes_sub(v, mean[j]));
            sg_lanes part = sg_lanes_mul(sg_lanes_all(weight), off);
            beside[j] = sg_lanes_add(beside[j], part);
            m2[j] = sg_lanes_add(m2[j], sg_lanes_mul(part, off));
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_put(s->m2 + g->at[j], m2[j]);
        sg_lanes_put(s->beside + g->at[j], beside[j]);
    }
}

static void range_with_gaps(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)FEW * SG_LANES) {
        group g = group_at(c, s->columns, FEW);
        if (g.vectors == 1) gaps_range_of(b, s, &g, 1);
        else gaps_range_of(b, s, &g, FEW);
    }
}

static void spread_with_gaps(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)FEW * SG_LANES) {
        group g = group_at(c, s->columns, FEW);
        if (g.vectors == 1) gaps_spread_of(b, s, &g, 1);
        else gaps_spread_of(b, s, &g, FEW);
    }
}

/* --- the fingerprint --- */

/* The product of two halves, each of which has a key of its own in every cell (NH of Black and others, "UMAC: fast and
 * secure message authentication", 1999): a value that changes is missed once in 2^32 times. */
INLINE void hash_of(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key, const group *g,
                    size_t vectors, uint64_t *sum)
{
    const uint64_t apart = UINT64_C(0x9E3779B97F4A7C15);
    const sg_words step = sg_words_all(apart);
    sg_words all[MOST], own[MOST], number = sg_words_all(first * apart);
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

static void hash(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key, uint64_t *sum)
{
    for (size_t c = 0; c < columns; c += (size_t)MOST * SG_LANES) {
        group g = group_at(c, columns, MOST);
        switch (g.vectors) {
        case 1:
            hash_of(x, rows, columns, first, key, &g, 1, sum);
            break;
        case 2:
            hash_of(x, rows, columns, first, key, &g, 2, sum);
            break;
        case 3:
            hash_of(x, rows, columns, first, key, &g, 3, sum);
            break;
        default:
            hash_of(x, rows, columns, first, key, &g, MOST, sum);
        }
    }
}

#endif
