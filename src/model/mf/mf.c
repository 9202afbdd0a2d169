/* mf.c: the table of membership function kinds. */
#include "model/mf/mf.h"

#include <string.h>

static const sg_mf_kind *const kinds[] = {&sg_mf_gauss, &sg_mf_gauss_a, &sg_mf_gbell,
                                          &sg_mf_tri,   &sg_mf_trap,    &sg_mf_gauss2};

const char *sg_mf_name(size_t i) { return i < sizeof kinds / sizeof *kinds ? kinds[i]->name : NULL; }

const sg_mf_kind *sg_mf_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    return NULL;
}

/* Uses four counters and no branches, so that compilers vectorise the loop. */
bool sg_mf_any_below(size_t n, const double *x, double least)
{
    double below[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) below[k] += x[i + k] >= least ? 0 : 1;
    for (; i < n; i++) below[0] += x[i] >= least ? 0 : 1;
    return below[0] + below[1] + below[2] + below[3] > 0;
}
