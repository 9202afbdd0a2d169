/* clusters.h: finds the clusters of training rows that rules with their own MFs start from. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_clusters {
    size_t rows, k;
    size_t inputs;       /* columns of a row: inputs first, ...                                     */
    size_t width;        /* ... then whatever else counts in distances (width includes the inputs), */
    size_t targets;      /* ... then the targets                                                    */
    double *x;           /* (rows, width + targets)                                                 */
    double *centre;      /* (k, width)                                                              */
    double *sigma;       /* (k, inputs): on entry standard deviations of the inputs; on return widths, 0 if the
                            rule has no condition on the input */
    double *target_mean; /* (k, targets), if has_target_means: initial biases */
    bool has_target_means;
} sg_clusters;

static inline const double *sg_clusters_row(const sg_clusters *c, size_t i)
{
    return c->x + i * (c->width + c->targets);
}

/* k-means: k-means++ and Lloyd's iterations. sigma stays as it is. */
sg_status sg_clusters_kmeans(sg_clusters *c, uint64_t seed);
/* Fuzzy c-means with exponent 2 (Bezdek, 1981). sigma becomes standard deviations weighted by memberships. */
sg_status sg_clusters_fcm(sg_clusters *c, uint64_t seed);
/* Leaves of a regression tree, grown best-first: centres of their boxes and half their widths. May return fewer than k
 * clusters. The seed is not used. */
sg_status sg_clusters_tree(sg_clusters *c, uint64_t seed);
