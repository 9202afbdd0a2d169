/* optimiser.c: the table of optimisers. */
#include "train/optim/optimiser.h"

#include "base/memory.h"
#include "base/number/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sg_optim_kind *const kinds[] = {&sg_optim_jang, &sg_optim_sgd, &sg_optim_adam, &sg_optim_adabound,
                                             &sg_optim_adabelief};

const char *sg_optim_name(size_t i) { return i < sizeof kinds / sizeof *kinds ? kinds[i]->name : NULL; }

const sg_optim_kind *sg_optim_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    return NULL;
}

sg_status sg_optimiser_init(sg_optimiser *s, size_t n)
{
    if (!s->ops) s->ops = &sg_vector_ops_portable;
    s->n = n;
    s->k = 0;
    s->m = s->v = NULL;
    if (!s->kind->moments) return SG_OK;
    s->m = sg_calloc(n, sizeof *s->m);
    s->v = sg_calloc(n, sizeof *s->v);
    if (s->m && s->v) return SG_OK;
    sg_optimiser_release(s);
    return sg_fail(SG_ENOMEM, "out of memory for %zu parameters", n);
}

void sg_optimiser_release(sg_optimiser *s)
{
    free(s->m);
    free(s->v);
    s->m = s->v = NULL;
}

void sg_optimiser_descend(size_t n, double rate, double *restrict theta, double *restrict grad)
{
    for (size_t i = 0; i < n; i++) {
        double was = theta[i];
        theta[i] = was - rate * grad[i];
        grad[i] = was;
    }
}

/* Powerball (Yuan et al., 2016). */
static void apply_powerball(size_t n, double power, double *grad)
{
    for (size_t i = 0; i < n; i++) {
        double size = fabs(grad[i]);
        double raised = power == 0.5 ? sqrt(size) : size == 0 ? 0 : sg_exp(power * sg_log(size));
        grad[i] = copysign(raised, grad[i]);
    }
}

double sg_optimiser_step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    s->k++;
    if (s->power < 1) apply_powerball(s->n, s->power, grad);
    return s->kind->step(s, loss, theta, grad);
}
