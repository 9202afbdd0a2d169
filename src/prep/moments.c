/* moments.c: see moments.h. */
#include "prep/moments.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

bool sg_moments_init(sg_moments *s, size_t columns)
{
    double *p = sg_alloc(columns, 6 * sizeof *p);
    if (!p) return false;
    *s = (sg_moments){.columns = columns,
                      .mean = p,
                      .m2 = p + columns,
                      .low = p + 2 * columns,
                      .high = p + 3 * columns,
                      .cells = p + 4 * columns,
                      .weights = p + 5 * columns};
    for (size_t c = 0; c < columns; c++) {
        s->low[c] = INFINITY;
        s->high[c] = -INFINITY;
    }
    return true;
}

void sg_moments_release(sg_moments *s)
{
    free(s->mean);
    *s = (sg_moments){0};
}

static void add_row(sg_moments *s, const double *x, double w)
{
    s->rows++;
    s->weight += w;
    double of_all = w / s->weight; /* a division a row, where nothing is missing */
    for (size_t c = 0; c < s->columns; c++) {
        if (isnan(x[c])) continue;
        s->cells[c]++;
        s->weights[c] += w;
        double delta = x[c] - s->mean[c], share = s->weights[c] == s->weight ? of_all : w / s->weights[c];
        s->mean[c] += delta * share;
        s->m2[c] += w * delta * (x[c] - s->mean[c]);
        s->low[c] = fmin(s->low[c], x[c]);
        s->high[c] = fmax(s->high[c], x[c]);
    }
}

void sg_moments_add(sg_moments *s, const double *x, const double *w, size_t rows)
{
    for (size_t r = 0; r < rows; r++)
        if (!w || w[r] > 0) add_row(s, x + r * s->columns, w ? w[r] : 1);
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
