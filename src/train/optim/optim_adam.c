/* optim_adam.c: the family of Adam. They differ in the second moment and in bounds on the rate:
 *
 *     m <- b1 m + (1 - b1) g          v <- b2 v + (1 - b2) s^2
 *     theta <- theta - max(l, min(u, alpha / (sqrt(v^) + eps))) m^
 *
 * with m^, v^ corrected for their start at 0. Adam: s = g, no bounds. AdaBound (Luo et al., 2019;
 * Algorithm 1 and Eqs. (12), (13) of the paper): s = g, l and u close in on the final rate.
 * AdaBelief (Zhuang et al., 2020): s = g - m, no bounds. */
#include "train/optim/optimiser.h"

#include "base/number/portable_math.h"

#include <math.h>

/* 1 / (1 - beta^k), which is exactly 1 where beta^k <= e^-(k (1 - beta)) is below half an ulp. */
static double bias_correction(double beta, uint64_t k)
{
    return (double)k * (1 - beta) > 40 ? 1 : 1 / (1 - sg_pow_uint(beta, k));
}

/* high may be infinite, and is then for a factor of 0, too. */
static double adam_family_step(sg_optimiser *s, double *theta, double *grad, double low, double high, bool belief)
{
    const sg_adam step = {.rate = s->rate * s->rate_factor,
                          .epsilon = s->epsilon,
                          .beta1 = s->beta1,
                          .beta2 = s->beta2,
                          .bias_correction1 = bias_correction(s->beta1, s->k),
                          .bias_correction2 = bias_correction(s->beta2, s->k),
                          .low = low * s->rate_factor,
                          .high = isinf(high) ? high : high * s->rate_factor,
                          .belief = belief,
                          .f32_rates = s->f32_rates};
    double sum = s->ops->adam(&step, s->n, grad, theta, s->m, s->v);
    return s->n ? sum / (double)s->n : 0;
}

static double adam(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    return adam_family_step(s, theta, grad, 0, INFINITY, false);
}

/* Eqs. (12) and (13), eq:lk and eq:uk, whose 0.01 is the final rate. */
static double adabound(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    double t = (1 - s->beta2) * (double)s->k;
    return adam_family_step(s, theta, grad, s->final_rate * (1 - 1 / (t + 1)), s->final_rate * (1 + 1 / t), false);
}

static double adabelief(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    return adam_family_step(s, theta, grad, 0, INFINITY, true);
}

const sg_optim_kind sg_optim_adam = {"adam", adam, true};
const sg_optim_kind sg_optim_adabound = {"adabound", adabound, true};
const sg_optim_kind sg_optim_adabelief = {"adabelief", adabelief, true};
