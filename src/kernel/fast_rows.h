/* fast_rows.h: what is done around the kernel with rows that are transformed already, in double:
 * rows become columns; outputs become errors and slopes, or numbers in the target's units. */
#ifndef SG_KERNEL_FAST_ROWS_H
#define SG_KERNEL_FAST_ROWS_H

#include "kernel/fast_sum.h"

#include <float.h>

_Static_assert(LANES == 4, "rows are padded to four numbers");

/* Four rows become four places of all columns. */
TILE void turn_four(const double *const *row, size_t width, double *column)
{
    for (size_t k = 0; k < width; k += LANES) {
        const double *from[LANES] = {row[0] + k, row[1] + k, row[2] + k, row[3] + k};
        vec out[LANES];
        v_load_turned(from, out);
        EACH(i, LANES) v_store(column + (k + (size_t)i) * SG_PITCH, out[i]);
    }
}

/* Rows that will be asked for, from memory: they lie anywhere. */
static inline void fetch_four(const double *rows, size_t width, const size_t *index)
{
    EACH(i, LANES)
    for (size_t k = 0; k < width; k += 8) __builtin_prefetch(rows + index[i] * width + k);
}

TILE void turn_rows(const double *rows, size_t width, const size_t *index, size_t n, double *column)
{
    enum { AHEAD = 16, NEAR = 1 << 12 }; /* what lies within 32 KB is in a core's nearest cache */
    const size_t fetched = index && (index[0] | index[n - 1]) * width > NEAR && n > AHEAD + LANES ? n - AHEAD - 3 : 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const double *row[LANES];
        if (i < fetched) fetch_four(rows, width, index + i + AHEAD);
        EACH(k, LANES) row[k] = rows + (index ? index[i + (size_t)k] : i + (size_t)k) * width;
        turn_four(row, width, column + i);
    }
    for (; i < (n + 7) / 8 * 8; i += LANES) {
        const double *row[LANES];
        for (size_t k = 0; k < LANES; k++) {
            size_t at = i + k < n ? i + k : n - 1;
            row[k] = rows + (index ? index[at] : at) * width;
        }
        turn_four(row, width, column + i);
    }
}

static void fast_turn(const double *rows, size_t width, const size_t *index, size_t n, double *column)
{
    if (width == 8) turn_rows(rows, 8, index, n, column); /* a cache line, as in the paper's systems */
    else turn_rows(rows, width, index, n, column);
}

static double fast_errors(size_t n, const double *y, const double *t, const double *w, double *slope)
{
    sums s = no_sums();
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) EACH(k, 2)
        {
            size_t at = i + (size_t)k * LANES;
            vec e = v_sub(v_load(y + at), v_load(t + at)), pull = v_mul(v_load(w + at), e);
            v_store(slope + at, pull);
            s.part[k] = v_fma(pull, e, s.part[k]);
        }
    if (i == n) return sum_up(s);
    double e[2 * LANES] = {0};
    for (size_t k = 0; k < 2 * LANES; k++) {
        if (i + k < n) e[k] = y[i + k] - t[i + k];
        slope[i + k] = i + k < n ? w[i + k] * e[k] : 0;
    }
    add_products(&s, slope + i, e);
    return sum_up(s);
}

static inline vec in_units(vec x, vec mean, vec scale, vec low, vec high)
{
    vec y = v_add(mean, v_mul(scale, x));
    return v_min(high, v_max(low, y));
}

static void fast_units(size_t n, double mean, double scale, double low, double high, const double *x, double *y)
{
    vec m = v_all(mean), s = v_all(scale), least = v_all(low), most = v_all(high);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) v_store(y + i, in_units(v_load(x + i), m, s, least, most));
    for (; i < n; i++) {
        double lane[LANES];
        v_store(lane, in_units(v_all(x[i]), m, s, least, most));
        y[i] = lane[0];
    }
}

#endif
