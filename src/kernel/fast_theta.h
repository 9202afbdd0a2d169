/* fast_theta.h: what is done to all parameters in every step, in double: a step of the family of Adam
 * (see src/train/optim_adam.c), and a look at how large they are. */
#ifndef SG_KERNEL_FAST_THETA_H
#define SG_KERNEL_FAST_THETA_H

#include "kernel/fast_real.h"

#include <math.h>
#include <string.h>

/* LANES parameters; returns their rates. */
static inline vec adam_lanes(const sg_adam *s, const double *grad, double *theta, double *m, double *v)
{
    vec g = v_load(grad);
    vec first = v_fma(v_all(s->beta1), v_load(m), v_mul(v_all(1 - s->beta1), g));
    vec spread = v_fma(v_all(-s->belief), first, g);
    vec second = v_fma(v_all(s->beta2), v_load(v), v_mul(v_all(1 - s->beta2), v_mul(spread, spread)));
    vec root = v_sqrt(v_mul(second, v_all(s->unbias2)));
    vec rate = v_div(v_all(s->rate), v_add(root, v_all(s->epsilon)));
    rate = v_max(v_min(rate, v_all(s->high)), v_all(s->low));
    v_store(m, first);
    v_store(v, second);
    v_store(theta, v_sub(v_load(theta), v_mul(rate, v_mul(first, v_all(s->unbias1)))));
    return rate;
}

static double fast_adam(const sg_adam *s, size_t n, const double *grad, double *theta, double *m,
                        double *v)
{
    vec sum = v_all(0);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        sum = v_add(sum, adam_lanes(s, grad + i, theta + i, m + i, v + i));
    if (i == n) return v_sum(sum);
    double rest[4][LANES] = {{0}}, *from[4] = {theta + i, m + i, v + i, NULL}, rate[LANES] = {0};
    memcpy(rest[3], grad + i, (n - i) * sizeof *grad);
    for (int k = 0; k < 3; k++) memcpy(rest[k], from[k], (n - i) * sizeof *theta);
    v_store(rate, adam_lanes(s, rest[3], rest[0], rest[1], rest[2]));
    for (int k = 0; k < 3; k++) memcpy(from[k], rest[k], (n - i) * sizeof *theta);
    double total = v_sum(sum);
    for (size_t k = 0; k < n - i; k++) total += rate[k];
    return total;
}

static double fast_largest(size_t n, const double *x)
{
    vec most = v_all(0), finite = v_all(0); /* 0 times a number is 0, unless it is none */
    double rest = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        vec a = v_load(x + i);
        most = v_max(v_max(a, v_sub(v_all(0), a)), most);
        finite = v_fma(a, v_all(0), finite);
    }
    for (; i < n; i++) rest = rest + x[i] * 0 + (fabs(x[i]) > rest ? fabs(x[i]) - rest : 0);
    real lane[LANES];
    v_store(lane, most);
    for (int k = 0; k < LANES; k++) rest = lane[k] > rest ? lane[k] : rest;
    return rest + v_sum(finite);
}

#endif
