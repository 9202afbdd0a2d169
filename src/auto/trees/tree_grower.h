/* tree_grower.h: grows one regression tree on residuals, best split first. */
#pragma once

#include "auto/trees/soft_leaf.h"
#include "base/random/random.h"

enum { SG_LEAF_MAX_BOUNDS = 16, SG_MAX_BINS = 256 }; /* SG_LEAF_MAX_BOUNDS: of a leaf with a linear model */

typedef struct sg_tree_grower {
    const sg_tree_ensemble *ensemble;
    const sg_tree_config *config;
    size_t rows, width, outputs, bins;
    double *x;                                /* (rows, width), NaN for missing features               */
    double *residual;                         /* (rows, outputs), in standard deviations of the target */
    double *row_weight;                       /* (rows)                                                */
    unsigned char *bin;                       /* (rows, width)                                         */
    double *bin_edge;                         /* (width, SG_MAX_BINS): upper edges                     */
    size_t *row_order;                        /* (rows): grouped by leaf                               */
    unsigned char *feature_mask;              /* (width): features of this tree, or of this split      */
    sg_random_stream rng;                     /* of this tree                                          */
    double *bin_sum, *bin_weight, *bin_count; /* (SG_MAX_BINS, outputs), (SG_MAX_BINS)                 */
} sg_tree_grower;

/* Makes bins of equal numbers of rows, and sets feature_min and feature_max. scratch: (rows). */
void sg_tree_grower_bin_features(sg_tree_grower *g, sg_tree_ensemble *e, double *scratch);
/* Grows a tree on the first `rows` entries of g->row_order, which may repeat rows. Linear leaves are left without
 * coefficients. */
sg_status sg_tree_grower_grow(sg_tree_grower *g, size_t rows, sg_tree *out);

/* A leaf of a growing tree, and its best split so far. */
typedef struct sg_grow_leaf {
    size_t first, rows;                        /* range of g->row_order          */
    double *low, *high;                        /* (width)                        */
    double *inv_width_below, *inv_width_above; /* (width): constant leaves only  */
    double gain;
    size_t split_feature, split_bin; /* split_bin: the last one on the left      */
    double threshold;                /* SG_TREES_EXTRA                           */
} sg_grow_leaf;
