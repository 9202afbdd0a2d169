/* moments.c: see moments.h. */
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

/* A block without weights and gaps, which most are. False where something is missing, or sums are infinite; then
 * nothing that was done counts. */
static bool sum_plain(const sg_column_sums *sums, const sg_column_block *b, sg_moments *s)
{
    double all = 0;
    if (b->w || b->rows == 0) return false;
    sums->range(b, s);
    *s->rows = *s->weight = (double)b->rows;
    for (size_t c = 0; c < s->columns; c++) {
        all += s->mean[c] * 0;
        s->cells[c] = s->weights[c] = (double)b->rows;
    }
    return all == 0;
}

static void sum_any(const sg_column_sums *sums, const sg_column_block *b, sg_moments *s)
{
    *s->rows = *s->weight = 0;
    for (size_t r = 0; r < b->rows; r++) {
        double w = b->w ? b->w[r * b->stride] : 1;
        *s->rows += w > 0;
        *s->weight += w > 0 ? w : 0;
    }
    sums->range_with_gaps(b, s);
}

void sg_moments_block(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows)
{
    const sg_column_sums *sums = sg_column_sums_choose(s->columns);
    const sg_column_block b = {x, w, stride, rows};
    bool plain = sum_plain(sums, &b, s);
    if (!plain) sum_any(sums, &b, s);
    for (size_t c = 0; c < s->columns; c++) s->mean[c] = s->weights[c] > 0 ? s->mean[c] / s->weights[c] : 0;
    if (plain) sums->spread(&b, s);
    else sums->spread_with_gaps(&b, s);
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
