/* fast_optim_ops.h: vector operations on all parameters, in double: the l2 gradient, a step of the Adam family
 * (src/train/optim/optimiser.c) and a bounds check. */
#pragma once

#include "kernel/fast/fast_lane_sum.h"

#include <math.h>
#include <string.h>

/* --- L2 penalty --- */

/* Processes eight parameters. */
static inline void l2_gradient_eight(const double *lambda, const double *l2_center, const double *x, double *grad,
                                     lane_sums *s)
{
    EACH(k, 2)
    {
        vec at = v_sub(v_load(x + k * LANES), v_load(l2_center + k * LANES));
        vec g = v_mul(v_load(lambda + k * LANES), at);
        v_store(grad + k * LANES, v_add(v_load(grad + k * LANES), g));
        s->part[k] = v_fma(g, at, s->part[k]);
    }
}

static double fast_l2_gradient(size_t n, size_t period, const double *lambda, const double *l2_center, const double *x,
                               double *grad)
{
    lane_sums s = zero_lane_sums();
    size_t i = 0;
    for (size_t at = 0; i + 8 <= n; i += 8) {
        l2_gradient_eight(lambda + at, l2_center + at, x + i, grad + i, &s);
        at = at + 8 < 8 * period ? at + 8 : 0;
    }
    if (i == n) return reduce_lane_sums(s);
    double rest[2][8] = {{0}};
    l2_center += i % (8 * period);
    memcpy(rest[0], l2_center, sizeof rest[0]); /* padding at the centre has no gradient */
    memcpy(rest[0], x + i, (n - i) * sizeof *x);
    memcpy(rest[1], grad + i, (n - i) * sizeof *grad);
    l2_gradient_eight(lambda + i % (8 * period), l2_center, rest[0], rest[1], &s);
    memcpy(grad + i, rest[1], (n - i) * sizeof *grad);
    return reduce_lane_sums(s);
}

/* --- Adam --- */

/* The constants of a step, in registers. Read through a pointer, they would be reloaded after every store to theta,
 * which might alias them. */
typedef struct adam_consts {
    vec rate, epsilon, beta1, rest1, beta2, rest2, unbias1, unbias2, low, high;
    float single_rate, single_epsilon, single_unbias2;
} adam_consts;

static inline adam_consts broadcast_adam_consts(const sg_adam *s)
{
    return (adam_consts){.rate = v_set1(s->rate),
                         .epsilon = v_set1(s->epsilon),
                         .beta1 = v_set1(s->beta1),
                         .rest1 = v_set1(1 - s->beta1),
                         .beta2 = v_set1(s->beta2),
                         .rest2 = v_set1(1 - s->beta2),
                         .unbias1 = v_set1(-s->bias_correction1),
                         .unbias2 = v_set1(sqrt(s->bias_correction2)),
                         .low = v_set1(s->low),
                         .high = v_set1(s->high),
                         .single_rate = (float)s->rate,
                         .single_epsilon = (float)s->epsilon,
                         .single_unbias2 = (float)sqrt(s->bias_correction2)};
}

/* Turns second moments into rates. The square root and the division dominate the time of a step; in float, they take a
 * third as long. */
TILE void adam_rates(const adam_consts *s, bool single, vec second[2])
{
    if (single) v_f32_rates(second, s->single_rate, s->single_unbias2, s->single_epsilon);
    else EACH(k, 2) second[k] = v_div(s->rate, v_fma(v_sqrt(second[k]), s->unbias2, s->epsilon));
    EACH(k, 2) second[k] = v_max(v_min(second[k], s->high), s->low);
}

/* Updates two vectors of parameters and stores their rates. */
TILE void adam_lanes(const adam_consts *s, bool belief, bool single, double *grad, double *theta, double *m, double *v,
                     vec rate[2])
{
    vec first[2];
    EACH(k, 2)
    {
        vec g = v_load(grad + k * LANES);
        first[k] = v_fma(s->beta1, v_load(m + k * LANES), v_mul(s->rest1, g));
        vec deviation = belief ? v_sub(g, first[k]) : g;
        rate[k] = v_fma(s->beta2, v_load(v + k * LANES), v_mul(s->rest2, v_mul(deviation, deviation)));
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

/* Updates the last parameters, which are fewer than two vectors. Returns the sum of their rates. */
static double adam_tail(const adam_consts *s, bool belief, bool single, size_t n, double *const *from)
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
    const adam_consts numbers = broadcast_adam_consts(s);
    vec sum[2] = {v_set1(0), v_set1(0)}, rate[2];
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        adam_lanes(&numbers, belief, single, grad + i, theta + i, m + i, v + i, rate);
        EACH(k, 2) sum[k] = v_add(sum[k], rate[k]);
    }
    double all = v_reduce_add(v_add(sum[0], sum[1]));
    double *const from[4] = {grad + i, theta + i, m + i, v + i};
    return i == n ? all : all + adam_tail(&numbers, belief, single, n - i, from);
}

static double fast_adam(const sg_adam *s, size_t n, double *grad, double *theta, double *m, double *v)
{
    if (s->f32_rates)
        return s->belief ? adam_all(s, true, true, n, grad, theta, m, v)
                         : adam_all(s, false, true, n, grad, theta, m, v);
    return s->belief ? adam_all(s, true, false, n, grad, theta, m, v) : adam_all(s, false, false, n, grad, theta, m, v);
}

/* --- Bounds check --- */

static double sum_squares(size_t n, const double *x)
{
    vec sum[4] = {v_set1(0), v_set1(0), v_set1(0), v_set1(0)};
    double rest = 0;
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) EACH(k, 4)
        {
            vec a = v_load(x + i + (size_t)k * LANES);
            sum[k] = v_fma(a, a, sum[k]);
        }
    for (; i < n; i++) rest += x[i] * x[i];
    return v_reduce_add(v_add(v_add(sum[0], sum[1]), v_add(sum[2], sum[3]))) + rest;
}

/* If the sum of squares is below limit^2 / 2, all numbers are within the limit and none is NaN. Otherwise each number
 * is checked. */
static bool fast_all_within(size_t n, const double *x, double limit)
{
    if (sum_squares(n, x) < 0.5 * limit * limit) return true;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= limit)) return false;
    return true;
}
