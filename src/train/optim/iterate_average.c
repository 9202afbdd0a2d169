/* iterate_average.c: see iterate_average.h. */
#include "train/optim/iterate_average.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

sg_status sg_iterate_average_init(sg_iterate_average *a, size_t n, const double *theta, double decay)
{
    *a = (sg_iterate_average){.parameters = n, .decay = decay};
    if (decay == 0) return SG_OK;
    a->theta = sg_calloc(n, sizeof *a->theta);
    if (!a->theta) return sg_fail(SG_ENOMEM, "out of memory for a mean of %zu parameters", n);
    memcpy(a->theta, theta, n * sizeof *theta);
    return SG_OK;
}

void sg_iterate_average_release(sg_iterate_average *a)
{
    free(a->theta);
    *a = (sg_iterate_average){0};
}

void sg_iterate_average_add(sg_iterate_average *a, size_t k, const double *theta)
{
    double same = 1 / (double)k, share = 1 - a->decay > same ? 1 - a->decay : same;
    for (size_t i = 0; a->theta && i < a->parameters; i++) {
        double mean = k > 1 ? a->theta[i] : 0; /* nothing is left of the start, to the last bit */
        a->theta[i] = mean + share * (theta[i] - mean);
    }
}

void sg_iterate_average_swap(const sg_iterate_average *a, double *theta)
{
    for (size_t i = 0; a->theta && i < a->parameters; i++) {
        double mean = a->theta[i];
        a->theta[i] = theta[i];
        theta[i] = mean;
    }
}
