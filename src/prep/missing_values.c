/* missing_values.c: replaces missing inputs (NaN) with the training mean. */
#include "prep/missing_values.h"

#include <math.h>

bool sg_missing_impute(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing)
{
    bool any = false;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = k * pitch; i < k * pitch + n; i++) {
            bool is_missing = isnan(x[i]);
            missing[i] = is_missing;
            if (is_missing) x[i] = mean[k];
            any = any || is_missing;
        }
    return any;
}

void sg_missing_restore(size_t columns, const double *missing, double *x)
{
    for (size_t k = 0; k < columns; k++)
        if (missing[k] > 0) x[k] = NAN;
}

bool sg_pipeline_is_elementwise(const sg_pipeline *v)
{
    for (size_t i = 0; i < v->steps; i++)
        if (!v->step[i].kind->values_per_feature) return false;
    return true;
}
