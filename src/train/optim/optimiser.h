/* optimiser.h: turns gradients into steps of theta: optimisers, learning-rate schedules and averages of iterates. Each
 * kind of optimiser is one row of a table. */
#pragma once

#include "kernel/kernel.h"

#include <stdint.h>

typedef struct sg_optimiser sg_optimiser;

typedef struct sg_optim_kind {
    const char *name;
    /* Makes step number s->k. Overwrites grad with the theta from before the step. Returns the mean effective learning
     * rate of the parameters. */
    double (*step)(sg_optimiser *s, double loss, double *theta, double *grad);
    bool has_moments; /* needs m and v */
} sg_optim_kind;

struct sg_optimiser {
    const sg_optim_kind *kind;
    const sg_vector_ops *ops;  /* operations of the kernel in use; NULL: the portable ones */
    bool f32_rates;            /* the kernel computes in float, so Adam's rates may be float too */
    size_t n;                  /* number of parameters */
    double rate;               /* alpha; adapted by Jang's rule */
    double rate_factor;        /* factor that the schedule gives the rate in this step */
    double power;              /* Powerball's exponent; 1: plain gradients */
    double final_rate;         /* AdaBound: the rate that the bounds converge to */
    double rate_up, rate_down; /* Jang: factors by which the rate is raised and lowered */
    double beta1, beta2, epsilon;
    uint64_t k;               /* number of steps so far */
    double *m, *v;            /* (n): moments, or NULL */
    double loss[5];           /* Jang: the last five losses, newest first */
    uint64_t raised, lowered; /* Jang: steps in which the rate was last raised and lowered; 0: never */
};

const sg_optim_kind *sg_optim_find(const char *name);
/* Returns the name of optimiser i, or NULL after the last one. */
const char *sg_optim_name(size_t i);

/* Allocates the state for n parameters. The hyperparameters must be set: kind, rate, power, final_rate, rate_up,
 * rate_down, beta1, beta2, epsilon. */
sg_status sg_optimiser_init(sg_optimiser *s, size_t n);
void sg_optimiser_release(sg_optimiser *s);
/* Makes the next step of the n parameters, as the step function of sg_optim_kind does. */
double sg_optimiser_step(sg_optimiser *s, double loss, double *theta, double *grad);

typedef struct sg_rate_schedule {
    double iterations, warmup; /* number of iterations; number of those at the start in which the rate rises from 0 */
    bool cosine;               /* cosine decay after the warm-up; else constant                                     */
} sg_rate_schedule;

/* Returns the factor of the learning rate in iteration k, counted from 1. */
double sg_rate_schedule_factor(const sg_rate_schedule *s, size_t k);

/* Running average of the iterates (Polyak averaging), with exponential decay once there are many. */
typedef struct sg_iterate_average {
    size_t n;
    double decay;  /* 0: no average     */
    double *theta; /* (n), or NULL      */
} sg_iterate_average;

/* Initialises the average, which is the given theta until the first iterate is added. */
sg_status sg_iterate_average_init(sg_iterate_average *a, size_t n, const double *theta, double decay);
void sg_iterate_average_release(sg_iterate_average *a);
/* Adds iterate k, counted from 1. */
void sg_iterate_average_add(sg_iterate_average *a, size_t k, const double *theta);
/* Swaps the average and theta, if there is an average. */
void sg_iterate_average_swap(const sg_iterate_average *a, double *theta);
