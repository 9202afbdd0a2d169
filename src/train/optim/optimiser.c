/* optimiser.c: SGD, Jang's rule and the Adam family; the cosine schedule; averages of iterates. */
#include "train/optim/optimiser.h"

#include "base/memory.h"
#include "base/number/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Subtracts rate * grad from theta. Overwrites grad with the previous theta. */
static void descend(size_t n, double rate, double *restrict theta, double *restrict grad)
{
    for (size_t i = 0; i < n; i++) {
        double was = theta[i];
        theta[i] = was - rate * grad[i];
        grad[i] = was;
    }
}

/* --- SGD: theta <- theta - alpha g, Eq. (11) of the paper --- */

static double sgd_step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    double rate = s->rate * s->rate_factor;
    descend(s->n, rate, theta, grad);
    return rate;
}

/* --- Jang's normalised step (ANFIS, 1993): theta <- theta - alpha g / |g| --- */

/* Raises alpha after the loss has decreased four times in succession, and lowers it after the loss has gone up, down,
 * up, down. */
static void adapt_rate(sg_optimiser *s, double loss)
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

static double jang_step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    double norm2 = 0, rate = s->rate * s->rate_factor;
    for (size_t i = 0; i < s->n; i++) norm2 += grad[i] * grad[i];
    descend(s->n, norm2 > 0 ? rate / sqrt(norm2) : 0, theta, grad);
    adapt_rate(s, loss);
    return rate;
}

/* --- the Adam family ---
 *
 *     m <- b1 m + (1 - b1) g          v <- b2 v + (1 - b2) s^2
 *     theta <- theta - max(l, min(u, alpha / (sqrt(v^) + eps))) m^
 *
 * with bias-corrected m^, v^. Adam: s = g, no bounds. AdaBound (Luo et al., 2019; Algorithm 1 and Eqs. (12), (13) of
 * the paper): s = g, l and u converge to the final rate. AdaBelief (Zhuang et al., 2020): s = g - m, no bounds. */

/* Returns 1 / (1 - beta^k), which is exactly 1 if beta^k <= e^-(k (1 - beta)) is below half an ulp. */
static double bias_correction(double beta, uint64_t k)
{
    return (double)k * (1 - beta) > 40 ? 1 : 1 / (1 - sg_pow_uint(beta, k));
}

/* high may be infinite; it then stays infinite even if the schedule's factor is 0. */
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

static double adam_step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    return adam_family_step(s, theta, grad, 0, INFINITY, false);
}

/* Uses the bounds of Eqs. (12) and (13), eq:lk and eq:uk, with the final rate instead of 0.01. */
static double adabound_step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    double t = (1 - s->beta2) * (double)s->k;
    return adam_family_step(s, theta, grad, s->final_rate * (1 - 1 / (t + 1)), s->final_rate * (1 + 1 / t), false);
}

static double adabelief_step(sg_optimiser *s, double loss, double *theta, double *grad)
{
    (void)loss;
    return adam_family_step(s, theta, grad, 0, INFINITY, true);
}

/* --- the table --- */

static const sg_optim_kind kinds[] = {{"jang", jang_step, false},
                                      {"sgd", sgd_step, false},
                                      {"adam", adam_step, true},
                                      {"adabound", adabound_step, true},
                                      {"adabelief", adabelief_step, true}};

const char *sg_optim_name(size_t i) { return i < sizeof kinds / sizeof *kinds ? kinds[i].name : NULL; }

const sg_optim_kind *sg_optim_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

sg_status sg_optimiser_init(sg_optimiser *s, size_t n)
{
    if (!s->ops) s->ops = &sg_vector_ops_portable;
    s->n = n;
    s->k = 0;
    s->m = s->v = NULL;
    if (!s->kind->has_moments) return SG_OK;
    s->m = sg_calloc(n, sizeof *s->m);
    s->v = sg_calloc(n, sizeof *s->v);
    if (s->m && s->v) return SG_OK;
    sg_optimiser_release(s);
    return sg_fail(SG_ENOMEM, "out of memory while allocating the moments of %zu parameters", n);
}

void sg_optimiser_release(sg_optimiser *s)
{
    free(s->m);
    free(s->v);
    s->m = s->v = NULL;
}

/* Powerball (Yuan et al., 2016): g becomes sign(g) |g|^power. */
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

/* --- schedule and average --- */

double sg_rate_schedule_factor(const sg_rate_schedule *s, size_t k)
{
    const double pi = 3.141592653589793;
    double at = (double)k;
    if (at < s->warmup) return at / s->warmup;
    if (!s->cosine) return 1;
    return 0.5 * (1 + sg_cos(pi * (at - s->warmup) / (s->iterations - s->warmup + 1)));
}

sg_status sg_iterate_average_init(sg_iterate_average *a, size_t n, const double *theta, double decay)
{
    *a = (sg_iterate_average){.n = n, .decay = decay};
    if (decay == 0) return SG_OK;
    a->theta = sg_calloc(n, sizeof *a->theta);
    if (!a->theta) return sg_fail(SG_ENOMEM, "out of memory while allocating the average of %zu parameters", n);
    memcpy(a->theta, theta, n * sizeof *theta);
    return SG_OK;
}

void sg_iterate_average_release(sg_iterate_average *a)
{
    free(a->theta);
    *a = (sg_iterate_average){0};
}

/* Computes the arithmetic mean of the iterates until 1 / k falls below 1 - decay, then the exponential average. */
void sg_iterate_average_add(sg_iterate_average *a, size_t k, const double *theta)
{
    double equal = 1 / (double)k, share = 1 - a->decay > equal ? 1 - a->decay : equal;
    for (size_t i = 0; a->theta && i < a->n; i++) {
        double mean = k > 1 ? a->theta[i] : 0; /* the initial theta leaves no rounding residue */
        a->theta[i] = mean + share * (theta[i] - mean);
    }
}

void sg_iterate_average_swap(const sg_iterate_average *a, double *theta)
{
    for (size_t i = 0; a->theta && i < a->n; i++) {
        double mean = a->theta[i];
        a->theta[i] = theta[i];
        theta[i] = mean;
    }
}
