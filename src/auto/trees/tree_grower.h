/* tree_grower.h: grows one regression tree on residuals, making the best split first. */
#pragma once

#include "auto/trees/soft_leaf.h"
#include "base/random/random.h"

enum { SG_LEAF_MAX_BOUNDS = 16, SG_MAX_BINS = 256 }; /* SG_LEAF_MAX_BOUNDS limits leaves with a linear model */

typedef struct sg_tree_grower {
    const sg_tree_ensemble *ensemble;
    const sg_tree_config *config;
    size_t rows, width, outputs, bins;
    double *x;                                /* (rows, width), with NaN for missing features           */
    double *residual;                         /* (rows, outputs), in standard deviations of the target  */
    double *row_weight;                       /* (rows)                                                 */
    unsigned char *bin;                       /* (rows, width)                                          */
    double *bin_edge;                         /* (width, SG_MAX_BINS): upper edges of the bins          */
    size_t *row_order;                        /* (rows): row numbers, grouped by leaf                   */
    unsigned char *feature_mask;              /* (width): features to try in this tree or split         */
    sg_random_stream rng;                     /* random numbers of this tree                            */
    double *bin_sum, *bin_weight, *bin_count; /* bin_sum: (SG_MAX_BINS, outputs); others: (SG_MAX_BINS) */
} sg_tree_grower;

/* Divides each feature into bins of about equal size, and sets feature_min and feature_max. scratch: (rows). */
void sg_tree_grower_bin_features(sg_tree_grower *g, sg_tree_ensemble *e, double *scratch);
/* Grows a tree on the first `rows` entries of g->row_order, which may contain a row more than once. The coefficients of
 * linear leaves are left at 0. */
sg_status sg_tree_grower_grow(sg_tree_grower *g, size_t rows, sg_tree *out);

/* A leaf of a tree that is being grown, with its best split so far. */
typedef struct sg_grow_leaf {
    size_t first, rows;                        /* its range in g->row_order     */
    double *low, *high;                        /* (width)                       */
    double *inv_width_below, *inv_width_above; /* (width): constant leaves only */
    double gain;
    size_t split_feature, split_bin; /* split_bin is the last bin on the left       */
    double threshold;                /* threshold of the split; SG_TREES_EXTRA only */
} sg_grow_leaf;
