/* clusters.h: where rules that own their MFs begin: groups of training rows, found in a sample of them. */
#ifndef SG_TRAIN_INIT_CLUSTERS_H
#define SG_TRAIN_INIT_CLUSTERS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_clusters {
    size_t rows, k;
    size_t inputs, width, targets; /* the inputs; with what else counts for distances; the targets behind it */
    double *x;                     /* (rows, width + targets)                                        */
    double *centre;                /* (k, width)                                                     */
    double *sigma;       /* (k, inputs): the inputs' deviations, then widths; 0: the rule does not ask for this input */
    double *target_mean; /* (k, targets): targets there                                    */
    bool has_target_means; /* ... which consequents begin with                               */
} sg_clusters;

static inline const double *sg_clusters_row(const sg_clusters *c, size_t i)
{
    return c->x + i * (c->width + c->targets);
}

/* k-means: k-means++ and Lloyd's iterations. Spreads stay as they are. */
sg_status sg_clusters_kmeans(sg_clusters *c, uint64_t seed);
/* Fuzzy c-means with exponent 2 (Bezdek, 1981): rows belong to every cluster, more or less. Spreads are standard
 * deviations under these memberships, levels means. */
sg_status sg_clusters_fcm(sg_clusters *c, uint64_t seed);
/* The boxes of a regression tree that is grown leaf by leaf, always where that helps most: centres are their middles,
 * spreads half their widths. */
sg_status sg_clusters_tree(sg_clusters *c, uint64_t seed);

#endif
