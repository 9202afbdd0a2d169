/* gaps.c: see gaps.h. */
#include "prep/gaps.h"

#include <math.h>

bool sg_gaps_fill(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing)
{
    bool any = false;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = k * pitch; i < k * pitch + n; i++) {
            bool gap = isnan(x[i]);
            missing[i] = gap;
            if (gap) x[i] = mean[k];
            any = any || gap;
        }
    return any;
}

void sg_gaps_open(size_t columns, const double *missing, double *x)
{
    for (size_t k = 0; k < columns; k++)
        if (missing[k] > 0) x[k] = NAN;
}

bool sg_gaps_pass(const sg_view *v)
{
    for (size_t i = 0; i < v->steps; i++)
        if (!v->step[i].kind->each) return false;
    return true;
}
