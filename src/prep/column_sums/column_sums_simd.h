/* column_sums_simd.h: the column sum kernels, to be included by one source file per instruction set.
 *
 * Several vectors of columns are summed at a time to hide the latency of additions. The last vector of a row may
 * overlap the one before it; columns that are in both are computed twice, with the same result. */
#pragma once

#include "prep/column_sums/column_sums.h"
#include "prep/column_sums/simd_vector.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

enum { MAX_VECTORS = 4, MAX_VECTORS_MISSING = 2 };

/* Vectors that are processed together, and their first columns. */
typedef struct vector_group {
    size_t vectors, column[MAX_VECTORS];
} vector_group;

/* Returns up to `most` vectors starting at column c. */
static vector_group group_at(size_t c, size_t columns, size_t most)
{
    vector_group g = {0};
    for (; g.vectors < most && c < columns; c += SG_LANES)
        g.column[g.vectors++] = c + SG_LANES <= columns ? c : columns - SG_LANES;
    return g;
}

/* Makes the call with `vectors` as a compile-time constant, so that the accumulators stay in registers. */
/* clang-format off */
#define WITH_CONSTANT_VECTORS(count, call)                 \
    switch (count) {                                       \
    case 1: { enum { vectors = 1 }; call; break; }         \
    case 2: { enum { vectors = 2 }; call; break; }         \
    case 3: { enum { vectors = 3 }; call; break; }         \
    default: { enum { vectors = MAX_VECTORS }; call; }     \
    }
/* clang-format on */

/* --- without weights or missing values --- */

INLINE void group_sum_min_max(const sg_column_block *b, sg_moments *s, const vector_group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes_f64 sum[MAX_VECTORS], low[MAX_VECTORS], high[MAX_VECTORS];
    for (size_t j = 0; j < vectors; j++) sum[j] = low[j] = high[j] = sg_lanes_f64_load(x + g->column[j]);
    for (size_t r = 1; r < b->rows; r++) {
        x += s->columns;
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes_f64 v = sg_lanes_f64_load(x + g->column[j]);
            sum[j] += v;
            low[j] = sg_lanes_f64_min(v, low[j]);
            high[j] = sg_lanes_f64_max(v, high[j]);
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_f64_store(s->mean + g->column[j], sum[j]);
        sg_lanes_f64_store(s->low + g->column[j], low[j]);
        sg_lanes_f64_store(s->high + g->column[j], high[j]);
    }
}

INLINE void group_squared_deviations(const sg_column_block *b, sg_moments *s, const vector_group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes_f64 mean[MAX_VECTORS], m2[MAX_VECTORS], deviation_sum[MAX_VECTORS];
    for (size_t j = 0; j < vectors; j++) {
        mean[j] = sg_lanes_f64_load(s->mean + g->column[j]);
        m2[j] = deviation_sum[j] = sg_lanes_f64_broadcast(0);
    }
    for (size_t r = 0; r < b->rows; r++, x += s->columns)
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes_f64 off = sg_lanes_f64_load(x + g->column[j]) - mean[j];
            deviation_sum[j] += off;
            m2[j] += off * off;
        }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_f64_store(s->m2 + g->column[j], m2[j]);
        sg_lanes_f64_store(s->deviation_sum + g->column[j], deviation_sum[j]);
    }
}

static void sum_min_max(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)MAX_VECTORS * SG_LANES) {
        vector_group g = group_at(c, s->columns, MAX_VECTORS);
        WITH_CONSTANT_VECTORS(g.vectors, group_sum_min_max(b, s, &g, vectors));
    }
}

static void squared_deviations(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)MAX_VECTORS * SG_LANES) {
        vector_group g = group_at(c, s->columns, MAX_VECTORS);
        WITH_CONSTANT_VECTORS(g.vectors, group_squared_deviations(b, s, &g, vectors));
    }
}

/* --- with weights or missing values --- */

INLINE double row_weight(const sg_column_block *b, size_t r) { return b->w ? b->w[r * b->stride] : 1; }

INLINE void group_sum_min_max_missing(const sg_column_block *b, sg_moments *s, const vector_group *g, size_t vectors)
{
    const double *x = b->x;
    sg_lanes_f64 sum[MAX_VECTORS_MISSING], low[MAX_VECTORS_MISSING], high[MAX_VECTORS_MISSING],
        cells[MAX_VECTORS_MISSING], weights[MAX_VECTORS_MISSING];
    for (size_t j = 0; j < vectors; j++) {
        sum[j] = cells[j] = weights[j] = sg_lanes_f64_broadcast(0);
        low[j] = sg_lanes_f64_broadcast(INFINITY);
        high[j] = sg_lanes_f64_broadcast(-INFINITY);
    }
    for (size_t r = 0; r < b->rows; r++, x += s->columns) {
        const double weight = row_weight(b, r);
        if (!(weight > 0)) continue;
        const sg_lanes_f64 w = sg_lanes_f64_broadcast(weight);
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes_f64 v = sg_lanes_f64_load(x + g->column[j]);
            sum[j] += sg_lanes_f64_zero_if_nan(v, w * v);
            weights[j] += sg_lanes_f64_zero_if_nan(v, w);
            cells[j] += sg_lanes_f64_zero_if_nan(v, sg_lanes_f64_broadcast(1));
            low[j] = sg_lanes_f64_min(v, low[j]);
            high[j] = sg_lanes_f64_max(v, high[j]);
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_f64_store(s->mean + g->column[j], sum[j]);
        sg_lanes_f64_store(s->column_weight + g->column[j], weights[j]);
        sg_lanes_f64_store(s->column_count + g->column[j], cells[j]);
        sg_lanes_f64_store(s->low + g->column[j], low[j]);
        sg_lanes_f64_store(s->high + g->column[j], high[j]);
    }
}

INLINE void group_squared_deviations_missing(const sg_column_block *b, sg_moments *s, const vector_group *g,
                                             size_t vectors)
{
    const double *x = b->x;
    sg_lanes_f64 mean[MAX_VECTORS_MISSING], m2[MAX_VECTORS_MISSING], deviation_sum[MAX_VECTORS_MISSING];
    for (size_t j = 0; j < vectors; j++) {
        mean[j] = sg_lanes_f64_load(s->mean + g->column[j]);
        m2[j] = deviation_sum[j] = sg_lanes_f64_broadcast(0);
    }
    for (size_t r = 0; r < b->rows; r++, x += s->columns) {
        const double weight = row_weight(b, r);
        if (!(weight > 0)) continue;
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes_f64 v = sg_lanes_f64_load(x + g->column[j]), off = sg_lanes_f64_zero_if_nan(v, v - mean[j]);
            sg_lanes_f64 part = sg_lanes_f64_broadcast(weight) * off;
            deviation_sum[j] += part;
            m2[j] += part * off;
        }
    }
    for (size_t j = 0; j < vectors; j++) {
        sg_lanes_f64_store(s->m2 + g->column[j], m2[j]);
        sg_lanes_f64_store(s->deviation_sum + g->column[j], deviation_sum[j]);
    }
}

static void sum_min_max_missing(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)MAX_VECTORS_MISSING * SG_LANES) {
        vector_group g = group_at(c, s->columns, MAX_VECTORS_MISSING);
        if (g.vectors == 1) group_sum_min_max_missing(b, s, &g, 1);
        else group_sum_min_max_missing(b, s, &g, MAX_VECTORS_MISSING);
    }
}

static void squared_deviations_missing(const sg_column_block *b, sg_moments *s)
{
    for (size_t c = 0; c < s->columns; c += (size_t)MAX_VECTORS_MISSING * SG_LANES) {
        vector_group g = group_at(c, s->columns, MAX_VECTORS_MISSING);
        if (g.vectors == 1) group_squared_deviations_missing(b, s, &g, 1);
        else group_squared_deviations_missing(b, s, &g, MAX_VECTORS_MISSING);
    }
}

/* --- hashing --- */

/* Computes the hash NH of Black et al. ("UMAC: fast and secure message authentication", 1999): the sum of the products
 * of each cell's halves, with a different key per cell. A changed value goes unnoticed with probability 2^-32. */
INLINE void group_hash(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key,
                       const vector_group *g, size_t vectors, uint64_t *sum)
{
    const uint64_t apart = UINT64_C(0x9E3779B97F4A7C15);
    sg_lanes_u64 all[MAX_VECTORS], own[MAX_VECTORS];
    uint64_t number = first * apart;
    for (size_t j = 0; j < vectors; j++) {
        own[j] = sg_lanes_u64_load(key + g->column[j]);
        all[j] = (sg_lanes_u64){0};
    }
    for (size_t r = 0; r < rows; r++, x += columns) {
        for (size_t j = 0; j < vectors; j++) {
            sg_lanes_u64 v = sg_lanes_u64_load(x + g->column[j]) ^ (own[j] ^ number);
            all[j] += sg_lanes_u64_multiply_halves(v);
        }
        number += apart;
    }
    for (size_t j = 0; j < vectors; j++) sg_lanes_u64_store(sum + g->column[j], all[j]);
}

static void hash_columns(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key,
                         uint64_t *sum)
{
    for (size_t c = 0; c < columns; c += (size_t)MAX_VECTORS * SG_LANES) {
        vector_group g = group_at(c, columns, MAX_VECTORS);
        WITH_CONSTANT_VECTORS(g.vectors, group_hash(x, rows, columns, first, key, &g, vectors, sum));
    }
}
