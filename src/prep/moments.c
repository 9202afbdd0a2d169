/* moments.c: see moments.h. Loops over neighbouring columns have no branch: compilers make vector code of them. */
#include "prep/moments.h"

#include "base/memory.h"
#include "prep/column_sums.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t sg_moments_size(size_t columns) { return 2 + 7 * columns; }

sg_moments sg_moments_at(double *numbers, size_t columns)
{
    double *p = numbers;
    return (sg_moments){.columns = columns,
                        .rows = p,
                        .weight = p + 1,
                        .mean = p + 2,
                        .m2 = p + 2 + columns,
                        .low = p + 2 + 2 * columns,
                        .high = p + 2 + 3 * columns,
                        .cells = p + 2 + 4 * columns,
                        .weights = p + 2 + 5 * columns,
                        .beside = p + 2 + 6 * columns};
}

void sg_moments_clear(sg_moments *s)
{
    memset(s->rows, 0, sg_moments_size(s->columns) * sizeof(double));
    for (size_t c = 0; c < s->columns; c++) {
        s->low[c] = INFINITY;
        s->high[c] = -INFINITY;
    }
}

bool sg_moments_init(sg_moments *s, size_t columns)
{
    double *p = columns <= (SIZE_MAX - 2) / 7 ? sg_alloc(sg_moments_size(columns), sizeof *p) : NULL;
    if (!p) return false;
    *s = sg_moments_at(p, columns);
    sg_moments_clear(s);
    return true;
}

void sg_moments_release(sg_moments *s)
{
    free(s->rows);
    *s = (sg_moments){0};
}

/* --- a block --- */

/* Sums go to where means will be. */
static void add_values(size_t n, const double *restrict x, double *restrict sum, double *restrict low, double *restrict high,
                       double *restrict cells)
{
    for (size_t c = 0; c < n; c++) {
        double v = x[c];
        sum[c] += v == v ? v : 0;
        cells[c] += v == v ? 1 : 0;
        low[c] = v < low[c] ? v : low[c];
        high[c] = v > high[c] ? v : high[c];
    }
}

static void add_weighted(size_t n, double w, const double *restrict x, double *restrict sum, double *restrict weights)
{
    for (size_t c = 0; c < n; c++) {
        sum[c] += x[c] == x[c] ? w * x[c] : 0;
        weights[c] += x[c] == x[c] ? w : 0;
    }
}

/* beside: sums of what the mean is off by, which is its rounding error. */
static void add_squares(size_t n, double w, const double *restrict x, const double *restrict mean, double *restrict m2,
                        double *restrict beside)
{
    for (size_t c = 0; c < n; c++) {
        double off = x[c] == x[c] ? x[c] - mean[c] : 0, part = w * off;
        beside[c] += part;
        m2[c] += part * off;
    }
}

/* --- a block without weights and gaps, which most are --- */

/* False where something is missing, or sums are infinite; then nothing that was done counts. */
static bool sum_plain(sg_moments *s, const double *x, size_t rows)
{
    double all = 0;
    if (s->columns < 2) return false;
    sg_column_sums_choose(s->columns)->range(x, rows, s->columns, s->mean, s->low, s->high);
    *s->rows = *s->weight = (double)rows;
    for (size_t c = 0; c < s->columns; c++) {
        all += s->mean[c] * 0;
        s->cells[c] = s->weights[c] = (double)rows;
    }
    return all == 0;
}

/* --- any block --- */

static bool counts(const double *w, size_t stride, size_t row) { return !w || w[row * stride] > 0; }

static void sum_any(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows)
{
    size_t n = s->columns;
    for (size_t r = 0; r < rows; r++, x += n) {
        if (!counts(w, stride, r)) continue;
        *s->rows += 1;
        *s->weight += w ? w[r * stride] : 1;
        add_values(n, x, w ? s->beside : s->mean, s->low, s->high, s->cells);
        if (w) add_weighted(n, w[r * stride], x, s->mean, s->weights);
    }
    if (!w) memcpy(s->weights, s->cells, n * sizeof *s->cells);
}

static void square_any(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows)
{
    size_t n = s->columns;
    memset(s->beside, 0, n * sizeof *s->beside);
    for (size_t r = 0; r < rows; r++, x += n)
        if (counts(w, stride, r)) add_squares(n, w ? w[r * stride] : 1, x, s->mean, s->m2, s->beside);
}

void sg_moments_block(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows)
{
    bool plain = !w && rows && sum_plain(s, x, rows);
    if (!plain) {
        sg_moments_clear(s);
        sum_any(s, x, w, stride, rows);
    }
    for (size_t c = 0; c < s->columns; c++) s->mean[c] = s->weights[c] > 0 ? s->mean[c] / s->weights[c] : 0;
    if (plain) sg_column_sums_choose(s->columns)->spread(x, rows, s->columns, s->mean, s->m2, s->beside);
    else square_any(s, x, w, stride, rows);
    for (size_t c = 0; c < s->columns; c++) {
        if (!(s->weights[c] > 0)) continue;
        double error = s->beside[c] / s->weights[c];
        s->mean[c] += error;
        s->m2[c] = fmax(0, s->m2[c] - error * s->beside[c]);
    }
}

void sg_moments_merge(sg_moments *s, const sg_moments *more)
{
    *s->rows += *more->rows;
    *s->weight += *more->weight;
    for (size_t c = 0; c < s->columns; c++) {
        double all = s->weights[c] + more->weights[c], delta = more->mean[c] - s->mean[c];
        s->cells[c] += more->cells[c];
        s->low[c] = fmin(s->low[c], more->low[c]);
        s->high[c] = fmax(s->high[c], more->high[c]);
        if (!(more->weights[c] > 0)) continue;
        double share = more->weights[c] / all;
        s->mean[c] += delta * share;
        s->m2[c] += more->m2[c] + delta * delta * (s->weights[c] * share);
        s->weights[c] = all;
    }
}

double sg_moments_deviation(const sg_moments *s, size_t column)
{
    double n = s->cells[column];
    return n < 2 ? 0 : sqrt(s->m2[column] / s->weights[column] * (n / (n - 1)));
}

bool sg_moments_constant(const sg_moments *s, size_t column)
{
    return !(s->high[column] > s->low[column]) || !(sg_moments_deviation(s, column) > 1e-100);
}
