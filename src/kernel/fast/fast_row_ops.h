/* fast_row_ops.h: vector operations on transformed rows, in double: transposition to columns, residuals,
 * and predictions in target units. */
#pragma once

#include "kernel/fast/fast_lane_sum.h"

#include <float.h>

_Static_assert(LANES == 4, "rows are padded to a multiple of four values");

/* Transposes four rows of `width` numbers. */
TILE void transpose_four(const double *const *row, size_t width, double *column)
{
    for (size_t k = 0; k < width; k += LANES) {
        const double *from[LANES] = {row[0] + k, row[1] + k, row[2] + k, row[3] + k};
        vec out[LANES];
        v_load_transposed(from, out);
        EACH(i, LANES) v_store(column + (k + (size_t)i) * SG_PITCH, out[i]);
    }
}

/* Prefetches the four rows with the given indices. */
static inline void prefetch_four(const double *rows, size_t width, const size_t *index)
{
    EACH(i, LANES)
    for (size_t k = 0; k < width; k += 8) __builtin_prefetch(rows + index[i] * width + k);
}

TILE void transpose_rows(const double *rows, size_t width, const size_t *index, size_t n, double *column)
{
    enum { AHEAD = 16, NEAR = 1 << 12 }; /* 32 KB, the size of the L1 cache */
    const size_t fetched = index && (index[0] | index[n - 1]) * width > NEAR && n > AHEAD + LANES ? n - AHEAD - 3 : 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const double *row[LANES];
        if (i < fetched) prefetch_four(rows, width, index + i + AHEAD);
        EACH(k, LANES) row[k] = rows + (index ? index[i + (size_t)k] : i + (size_t)k) * width;
        transpose_four(row, width, column + i);
    }
    for (; i < (n + 7) / 8 * 8; i += LANES) {
        const double *row[LANES];
        for (size_t k = 0; k < LANES; k++) {
            size_t at = i + k < n ? i + k : n - 1;
            row[k] = rows + (index ? index[at] : at) * width;
        }
        transpose_four(row, width, column + i);
    }
}

static void fast_transpose(const double *rows, size_t width, const size_t *index, size_t n, double *column)
{
    if (width == 8) transpose_rows(rows, 8, index, n, column); /* a row is one cache line, as in the paper's systems */
    else transpose_rows(rows, width, index, n, column);
}

static double fast_residuals(size_t n, const double *y, const double *t, const double *w, double *out_grad)
{
    lane_sums s = zero_lane_sums();
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) EACH(k, 2)
        {
            size_t at = i + (size_t)k * LANES;
            vec e = v_sub(v_load(y + at), v_load(t + at)), weighted = v_mul(v_load(w + at), e);
            v_store(out_grad + at, weighted);
            s.part[k] = v_fma(weighted, e, s.part[k]);
        }
    if (i == n) return reduce_lane_sums(s);
    double e[2 * LANES] = {0};
    for (size_t k = 0; k < 2 * LANES; k++) {
        if (i + k < n) e[k] = y[i + k] - t[i + k];
        out_grad[i + k] = i + k < n ? w[i + k] * e[k] : 0;
    }
    add_products(&s, out_grad + i, e);
    return reduce_lane_sums(s);
}

static inline vec denormalise(vec x, vec mean, vec scale, vec low, vec high)
{
    vec y = v_add(mean, v_mul(scale, x));
    return v_min(high, v_max(low, y));
}

static void fast_denormalise(size_t n, double mean, double scale, double low, double high, const double *x, double *y)
{
    vec m = v_set1(mean), s = v_set1(scale), least = v_set1(low), most = v_set1(high);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) v_store(y + i, denormalise(v_load(x + i), m, s, least, most));
    for (; i < n; i++) {
        double lane[LANES];
        v_store(lane, denormalise(v_set1(x[i]), m, s, least, most));
        y[i] = lane[0];
    }
}
