/* iterate_average.h: a running mean of a training's iterates, which is often better than the last of them. */
#ifndef SG_TRAIN_OPTIM_ITERATE_AVERAGE_H
#define SG_TRAIN_OPTIM_ITERATE_AVERAGE_H

#include "base/status.h"

typedef struct sg_iterate_average {
    size_t parameters;
    double decay;  /* 0: there is none */
    double *theta; /* (n)              */
} sg_iterate_average;

/* It is theta, where a training starts, until there is an iterate. */
sg_status sg_iterate_average_init(sg_iterate_average *a, size_t n, const double *theta, double decay);
void sg_iterate_average_release(sg_iterate_average *a);
/* Iterate k, from 1 on. All count the same until there are so many that older ones fade. */
void sg_iterate_average_add(sg_iterate_average *a, size_t k, const double *theta);
/* The mean and the iterate change places. */
void sg_iterate_average_swap(const sg_iterate_average *a, double *theta);

#endif
