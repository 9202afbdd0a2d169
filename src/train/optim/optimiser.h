/* optimiser.h: how a gradient becomes a step: a pure function of (n, theta, gradient, state).
 * A kind is one file and one row of a table. */
#ifndef SG_TRAIN_OPTIM_OPTIMISER_H
#define SG_TRAIN_OPTIM_OPTIMISER_H

#include "kernel/kernel.h"

#include <stdint.h>

typedef struct sg_optimiser sg_optimiser;

typedef struct sg_optim_kind {
    const char *name;
    /* One step at iteration s->k. Returns the mean of the effective rates over the parameters.
     * grad, which is of no more use then, becomes theta as it was. */
    double (*step)(sg_optimiser *s, double loss, double *theta, double *grad);
    bool moments; /* it needs m and v */
} sg_optim_kind;

struct sg_optimiser {
    const sg_optim_kind *kind;
    const sg_vector_ops *ops; /* of the kernel in use; NULL: plain ones */
    bool f32_rates;           /* the kernel computes in float: Adam's rates may be, too */
    size_t n;
    double rate;               /* alpha; Jang's rule changes it */
    double rate_factor;        /* of the rate, in this step     */
    double power;              /* Powerball's; 1: gradients as they are */
    double final_rate;         /* AdaBound's limit              */
    double rate_up, rate_down; /* Jang: factors of a change of rate */
    double beta1, beta2, epsilon;
    uint64_t k;               /* iteration, from 1             */
    double *m, *v;            /* (n): moments, or NULL         */
    double loss[5];           /* Jang: the last five, newest first       */
    uint64_t raised, lowered; /* Jang: iterations of the last changes of rate, 0: never */
};

const sg_optim_kind *sg_optim_find(const char *name);
/* The i-th kind's name, NULL after the last. */
const char *sg_optim_name(size_t i);

/* kind, rate, factor, power, final_rate, rate_up, rate_down, beta1, beta2, epsilon must be set. */
sg_status sg_optimiser_init(sg_optimiser *s, size_t n);
void sg_optimiser_release(sg_optimiser *s);
double sg_optimiser_step(sg_optimiser *s, double loss, double *theta, double *grad);

/* For kinds: n numbers of theta go down by rate times grad, which becomes theta as it was. */
void sg_optimiser_descend(size_t n, double rate, double *theta, double *grad);

extern const sg_optim_kind sg_optim_jang, sg_optim_sgd, sg_optim_adam, sg_optim_adabound, sg_optim_adabelief;

#endif
