/* fast_theta.h: what is done to all parameters in every step, in double: the penalty's part of a gradient, a
 * step of the family of Adam (see src/train/optim_adam.c), and a look at how large they are. */
#ifndef SG_KERNEL_FAST_THETA_H
#define SG_KERNEL_FAST_THETA_H

#include "kernel/fast_sum.h"

#include <math.h>
#include <string.h>

/* --- the penalty --- */

/* Eight numbers. */
static inline void decay_eight(const double *lambda, const double *home, const double *x, double *grad, sums *s)
{
    EACH(k, 2)
    {
        vec at = v_sub(v_load(x + k * LANES), v_load(home + k * LANES));
        vec pull = v_mul(v_load(lambda + k * LANES), at);
        v_store(grad + k * LANES, v_add(v_load(grad + k * LANES), pull));
        s->part[k] = v_fma(pull, at, s->part[k]);
    }
}

static double fast_decay(size_t n, size_t period, const double *lambda, const double *home, const double *x,
                         double *grad)
{
    sums s = no_sums();
    size_t i = 0;
    for (size_t at = 0; i + 8 <= n; i += 8) {
        decay_eight(lambda + at, home + at, x + i, grad + i, &s);
        at = at + 8 < 8 * period ? at + 8 : 0;
    }
    if (i == n) return sum_up(s);
    double rest[2][8] = {{0}};
    home += i % (8 * period);
    memcpy(rest[0], home, sizeof rest[0]); /* at home nothing pulls */
    memcpy(rest[0], x + i, (n - i) * sizeof *x);
    memcpy(rest[1], grad + i, (n - i) * sizeof *grad);
    decay_eight(lambda + i % (8 * period), home, rest[0], rest[1], &s);
    memcpy(grad + i, rest[1], (n - i) * sizeof *grad);
    return sum_up(s);
}

/* --- Adam --- */

/* A step's numbers, in registers: stores to theta might change them where they are. */
typedef struct adam_numbers {
    vec rate, epsilon, beta1, rest1, beta2, rest2, unbias1, unbias2, low, high;
    float single_rate, single_epsilon, single_unbias2;
} adam_numbers;

static inline adam_numbers adam_numbers_of(const sg_adam *s)
{
    return (adam_numbers){.rate = v_all(s->rate),
                          .epsilon = v_all(s->epsilon),
                          .beta1 = v_all(s->beta1),
                          .rest1 = v_all(1 - s->beta1),
                          .beta2 = v_all(s->beta2),
                          .rest2 = v_all(1 - s->beta2),
                          .unbias1 = v_all(-s->unbias1),
                          .unbias2 = v_all(sqrt(s->unbias2)),
                          .low = v_all(s->low),
                          .high = v_all(s->high),
                          .single_rate = (float)s->rate,
                          .single_epsilon = (float)s->epsilon,
                          .single_unbias2 = (float)sqrt(s->unbias2)};
}

/* The second moments become rates. Square root and division are what a step waits for: in float they take a
 * third of the time. */
TILE void adam_rates(const adam_numbers *s, bool single, vec second[2])
{
    if (single) v_single_rates(second, s->single_rate, s->single_unbias2, s->single_epsilon);
    else EACH(k, 2) second[k] = v_div(s->rate, v_fma(v_sqrt(second[k]), s->unbias2, s->epsilon));
    EACH(k, 2) second[k] = v_max(v_min(second[k], s->high), s->low);
}

/* Two vectors of parameters, and their rates. */
TILE void adam_lanes(const adam_numbers *s, bool belief, bool single, double *grad, double *theta, double *m, double *v,
                     vec rate[2])
{
    vec first[2];
    EACH(k, 2)
    {
        vec g = v_load(grad + k * LANES);
        first[k] = v_fma(s->beta1, v_load(m + k * LANES), v_mul(s->rest1, g));
        vec spread = belief ? v_sub(g, first[k]) : g;
        rate[k] = v_fma(s->beta2, v_load(v + k * LANES), v_mul(s->rest2, v_mul(spread, spread)));
        v_store(m + k * LANES, first[k]);
        v_store(v + k * LANES, rate[k]);
    }
    adam_rates(s, single, rate);
    EACH(k, 2)
    {
        vec was = v_load(theta + k * LANES);
        v_store(grad + k * LANES, was);
        v_store(theta + k * LANES, v_fma(rate[k], v_mul(first[k], s->unbias1), was));
    }
}

/* The last few, fewer than two vectors; returns the sum of their rates. */
static double adam_rest(const adam_numbers *s, bool belief, bool single, size_t n, double *const *from)
{
    double rest[4][2 * LANES] = {{0}}, rates[2 * LANES], sum = 0;
    vec rate[2];
    for (int k = 0; k < 4; k++) memcpy(rest[k], from[k], n * sizeof **from);
    adam_lanes(s, belief, single, rest[0], rest[1], rest[2], rest[3], rate);
    EACH(k, 2) v_store(rates + k * LANES, rate[k]);
    for (int k = 0; k < 4; k++) memcpy(from[k], rest[k], n * sizeof **from);
    for (size_t k = 0; k < n; k++) sum += rates[k];
    return sum;
}

TILE double adam_all(const sg_adam *s, bool belief, bool single, size_t n, double *grad, double *theta, double *m,
                     double *v)
{
    const adam_numbers numbers = adam_numbers_of(s);
    vec sum[2] = {v_all(0), v_all(0)}, rate[2];
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        adam_lanes(&numbers, belief, single, grad + i, theta + i, m + i, v + i, rate);
        EACH(k, 2) sum[k] = v_add(sum[k], rate[k]);
    }
    double all = v_sum(v_add(sum[0], sum[1]));
    double *const from[4] = {grad + i, theta + i, m + i, v + i};
    return i == n ? all : all + adam_rest(&numbers, belief, single, n - i, from);
}

static double fast_adam(const sg_adam *s, size_t n, double *grad, double *theta, double *m, double *v)
{
    if (s->single)
        return s->belief ? adam_all(s, true, true, n, grad, theta, m, v)
                         : adam_all(s, false, true, n, grad, theta, m, v);
    return s->belief ? adam_all(s, true, false, n, grad, theta, m, v) : adam_all(s, false, false, n, grad, theta, m, v);
}

/* --- how large they are --- */

static double squares_of(size_t n, const double *x)
{
    vec sum[4] = {v_all(0), v_all(0), v_all(0), v_all(0)};
    double rest = 0;
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) EACH(k, 4)
        {
            vec a = v_load(x + i + (size_t)k * LANES);
            sum[k] = v_fma(a, a, sum[k]);
        }
    for (; i < n; i++) rest += x[i] * x[i];
    return v_sum(v_add(v_add(sum[0], sum[1]), v_add(sum[2], sum[3]))) + rest;
}

/* Numbers whose squares add up to less than that of the limit are all below it, and none is a NaN: a product
 * and an addition each. Only large numbers are looked at one by one. */
static bool fast_within(size_t n, const double *x, double limit)
{
    if (squares_of(n, x) < 0.5 * limit * limit) return true;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= limit)) return false;
    return true;
}

#endif
