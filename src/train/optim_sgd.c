/* optim_sgd.c: theta <- theta - alpha g, Eq. (11) of the paper. */
#include "train/optimiser.h"

static double step(sg_optimiser *s, double loss, double *theta, const double *grad)
{
    (void)loss;
    for (size_t i = 0; i < s->n; i++) theta[i] -= s->rate * grad[i];
    return s->rate;
}

const sg_optim_kind sg_optim_sgd = {"sgd", step};
