/* optim_jang.c: Jang's normalised step (ANFIS, 1993): theta <- theta - alpha g / |g|, alpha
 * raised after four decreases of the loss in a row, lowered after up, down, up, down. */
#include "train/optim/optimiser.h"

#include <math.h>
#include <string.h>

static void adapt(sg_optimiser *s, double loss)
{
    const double *l = s->loss; /* newest first */
    memmove(s->loss + 1, s->loss, 4 * sizeof *s->loss);
    s->loss[0] = loss;
    if (s->k < 5) return;
    if (l[4] > l[3] && l[3] > l[2] && l[2] > l[1] && l[1] > l[0]) {
        if (s->raised && s->k - s->raised < 4) return;
        s->rate *= s->rate_up;
        s->raised = s->k;
    } else if (l[4] < l[3] && l[3] > l[2] && l[2] < l[1] && l[1] > l[0]) {
        if (s->lowered && s->k - s->lowered < 4) return;
        s->rate *= s->rate_down;
        s->lowered = s->k;
    }
}

static double step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    double norm2 = 0, used = s->rate * s->rate_factor;
    for (size_t i = 0; i < s->n; i++) norm2 += grad[i] * grad[i];
    sg_optimiser_descend(s->n, norm2 > 0 ? used / sqrt(norm2) : 0, theta, grad);
    adapt(s, loss);
    return used;
}

const sg_optim_kind sg_optim_jang = {"jang", step, false};
