/* moments.c: computes the mean, variance and range of columns, block by block, and merges those of the blocks. */
#include "prep/moments.h"

#include "base/memory.h"
#include "prep/column_sums/column_sums.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t sg_moments_size(size_t columns) { return 2 + 7 * columns; }

sg_moments sg_moments_wrap(double *numbers, size_t columns)
{
    double *p = numbers;
    return (sg_moments){.columns = columns,
                        .rows = p,
                        .weight_sum = p + 1,
                        .mean = p + 2,
                        .m2 = p + 2 + columns,
                        .low = p + 2 + 2 * columns,
                        .high = p + 2 + 3 * columns,
                        .column_count = p + 2 + 4 * columns,
                        .column_weight = p + 2 + 5 * columns,
                        .deviation_sum = p + 2 + 6 * columns};
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
    double *p = columns <= (SIZE_MAX - 2) / 7 ? sg_calloc(sg_moments_size(columns), sizeof *p) : NULL;
    if (!p) return false;
    *s = sg_moments_wrap(p, columns);
    sg_moments_clear(s);
    return true;
}

void sg_moments_release(sg_moments *s)
{
    free(s->rows);
    *s = (sg_moments){0};
}

/* --- one block --- */

/* Handles the common case of no weights and no missing values. Returns false in any other case, or if a sum is
 * infinite; the results are then invalid. */
static bool sum_unweighted(const sg_column_sums *sums, const sg_column_block *b, sg_moments *s)
{
    double all = 0;
    if (b->w || b->rows == 0) return false;
    sums->sum_min_max(b, s);
    *s->rows = *s->weight_sum = (double)b->rows;
    for (size_t c = 0; c < s->columns; c++) {
        all += s->mean[c] * 0;
        s->column_count[c] = s->column_weight[c] = (double)b->rows;
    }
    return all == 0;
}

static void sum_weighted(const sg_column_sums *sums, const sg_column_block *b, sg_moments *s)
{
    *s->rows = *s->weight_sum = 0;
    for (size_t r = 0; r < b->rows; r++) {
        double w = b->w ? b->w[r * b->stride] : 1;
        *s->rows += w > 0;
        *s->weight_sum += w > 0 ? w : 0;
    }
    sums->sum_min_max_missing(b, s);
}

void sg_moments_compute(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows)
{
    const sg_column_sums *sums = sg_column_sums_select(s->columns);
    const sg_column_block b = {x, w, stride, rows};
    bool plain = sum_unweighted(sums, &b, s);
    if (!plain) sum_weighted(sums, &b, s);
    for (size_t c = 0; c < s->columns; c++) s->mean[c] = s->column_weight[c] > 0 ? s->mean[c] / s->column_weight[c] : 0;
    if (plain) sums->squared_deviations(&b, s);
    else sums->squared_deviations_missing(&b, s);
    for (size_t c = 0; c < s->columns; c++) {
        if (!(s->column_weight[c] > 0)) continue;
        double error = s->deviation_sum[c] / s->column_weight[c];
        s->mean[c] += error;
        s->m2[c] = fmax(0, s->m2[c] - error * s->deviation_sum[c]);
    }
}

void sg_moments_merge(sg_moments *s, const sg_moments *more)
{
    *s->rows += *more->rows;
    *s->weight_sum += *more->weight_sum;
    for (size_t c = 0; c < s->columns; c++) {
        double all = s->column_weight[c] + more->column_weight[c], delta = more->mean[c] - s->mean[c];
        s->column_count[c] += more->column_count[c];
        s->low[c] = fmin(s->low[c], more->low[c]);
        s->high[c] = fmax(s->high[c], more->high[c]);
        if (!(more->column_weight[c] > 0)) continue;
        double share = more->column_weight[c] / all;
        s->mean[c] += delta * share;
        s->m2[c] += more->m2[c] + delta * delta * (s->column_weight[c] * share);
        s->column_weight[c] = all;
    }
}

double sg_moments_stddev(const sg_moments *s, size_t column)
{
    double n = s->column_count[column];
    return n < 2 ? 0 : sqrt(s->m2[column] / s->column_weight[column] * (n / (n - 1)));
}

bool sg_moments_is_constant(const sg_moments *s, size_t column)
{
    return !(s->high[column] > s->low[column]) || !(sg_moments_stddev(s, column) > 1e-100);
}
