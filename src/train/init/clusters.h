/* clusters.h: finds clusters of training rows, from which the cluster structure makes its initial rules. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_clusters {
    size_t rows, k;
    size_t inputs;       /* number of inputs, which are the first columns of a row */
    size_t width;        /* number of columns that distances include: the inputs, and for kmeans-y the targets */
    size_t targets;      /* number of targets, which are the columns after the first `width` */
    double *x;           /* (rows, width + targets) */
    double *centre;      /* (k, width) */
    double *sigma;       /* (k, inputs): on entry, standard deviations of the inputs; on return, widths of the
                            clusters, or 0 if the rule has no condition on the input */
    double *target_mean; /* (k, targets): initial biases, set if has_target_means is true */
    bool has_target_means;
} sg_clusters;

static inline const double *sg_clusters_row(const sg_clusters *c, size_t i)
{
    return c->x + i * (c->width + c->targets);
}

/* Finds clusters by k-means: k-means++ and Lloyd's iterations. Leaves sigma as it is. */
sg_status sg_clusters_kmeans(sg_clusters *c, uint64_t seed);
/* Finds clusters by fuzzy c-means with exponent 2 (Bezdek, 1981). Weights sigma and target_mean by memberships. */
sg_status sg_clusters_fcm(sg_clusters *c, uint64_t seed);
/* Makes a cluster of each leaf of a regression tree that is grown best-first: centre and sigma are the centre and half
 * the widths of its box. May reduce k. Does not use the seed. */
sg_status sg_clusters_tree(sg_clusters *c, uint64_t seed);
