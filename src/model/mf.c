/* mf.c: the table of membership function kinds. */
#include "model/mf.h"

#include <string.h>

static const sg_mf_kind *const kinds[] = {&sg_mf_gauss, &sg_mf_gauss_a, &sg_mf_gbell, &sg_mf_tri,
                                          &sg_mf_trap};

const char *sg_mf_name(size_t i)
{
    return i < sizeof kinds / sizeof *kinds ? kinds[i]->name : NULL;
}

const sg_mf_kind *sg_mf_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    return NULL;
}
