/* optim_sgd.c: theta <- theta - alpha g, Eq. (11) of the paper. */
#include "train/optim/optimiser.h"

static double step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    double used = s->rate * s->rate_factor;
    sg_optimiser_descend(s->n, used, theta, grad);
    return used;
}

const sg_optim_kind sg_optim_sgd = {"sgd", step, false};
