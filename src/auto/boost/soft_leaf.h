/* soft_leaf.h: the trees of a tree ensemble as lists of soft leaves, their evaluation on chunks of rows, and the state
 * of a tree while it grows. Private to src/auto. */
#ifndef SG_AUTO_BOOST_SOFT_LEAF_H
#define SG_AUTO_BOOST_SOFT_LEAF_H

#include "auto/boost/tree_ensemble.h"
#include "base/random/random.h"

/* SG_LEAF_MAX_BOUNDS: of a leaf with a linear model. */
enum { SG_LEAF_MAX_BOUNDS = 16, SG_LEAF_CHUNK = 64, SG_MAX_BINS = 256 };

/* A two-sided Gaussian membership function: 1 from low to high. */
typedef struct sg_leaf_bound {
    size_t feature;
    double low, high;                        /* equal for a Gaussian             */
    double inv_width_below, inv_width_above; /* 1 / sigma; 0: unbounded          */
} sg_leaf_bound;

typedef struct sg_soft_leaf {
    size_t bounds, slopes; /* slopes: 0, or one for each bound */
    sg_leaf_bound *bound;  /* (bounds)                         */
    double *coef;          /* (slopes + 1, outputs)            */
} sg_soft_leaf;

typedef struct sg_tree {
    size_t leaves;
    sg_soft_leaf *leaf;
} sg_tree;

struct sg_tree_ensemble {
    atomic_size_t refcount;
    sg_model *base_model; /* ridge regression, or zero */
    size_t width, outputs, trees, max_leaves;
    double learning_rate;
    double *feature_min, *feature_max; /* (width)                       */
    double *imputed;                   /* (width): for missing features */
    sg_tree *tree;
};

/* Column-major features of up to SG_LEAF_CHUNK rows. Single precision is enough, and doubles the vector width. */
typedef struct sg_leaf_chunk {
    size_t n;
    float *x;       /* (width, SG_LEAF_CHUNK)                                                */
    float *present; /* (width, SG_LEAF_CHUNK): 0 if missing, which ignores all bounds; or 1  */
    float *firing;  /* (leaves, SG_LEAF_CHUNK): adds up to 1 for each row                    */
} sg_leaf_chunk;

sg_status sg_leaf_chunk_init(const sg_tree_ensemble *e, sg_leaf_chunk *c);
void sg_leaf_chunk_release(sg_leaf_chunk *c);
/* x: (n, width), NaN for missing features. */
void sg_leaf_chunk_load(const sg_tree_ensemble *e, const double *x, size_t n, sg_leaf_chunk *c);
/* Computes c->firing. */
void sg_leaf_chunk_fire(const sg_tree *tree, sg_leaf_chunk *c);
/* Adds the tree's predictions, times the learning rate, to y (n, outputs). */
void sg_leaf_chunk_predict(const sg_tree_ensemble *e, const sg_tree *tree, const sg_leaf_chunk *c, double *y);

/* These two functions compiled for one instruction set. */
typedef struct sg_soft_leaf_kernel {
    void (*fire)(const sg_tree *tree, sg_leaf_chunk *c);
    void (*predict)(const sg_tree_ensemble *e, const sg_tree *tree, const sg_leaf_chunk *c, double *y);
} sg_soft_leaf_kernel;
extern const sg_soft_leaf_kernel sg_soft_leaf_portable, sg_soft_leaf_avx2;

/* Grows trees on residuals. */
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

static inline double sg_tree_feature_value(const sg_tree_ensemble *e, const double *x, size_t feature)
{
    return x[feature] == x[feature] ? x[feature] : e->imputed[feature];
}

/* Makes bins of equal numbers of rows, and sets feature_min and feature_max. scratch: (rows). */
void sg_tree_grower_bin_features(sg_tree_grower *g, sg_tree_ensemble *e, double *scratch);
/* Grows a tree on the first `rows` entries of g->row_order, which may repeat rows. Linear leaves are left without
 * coefficients. */
sg_status sg_tree_grower_grow(sg_tree_grower *g, size_t rows, sg_tree *out);
void sg_tree_release(sg_tree *tree);

/* A leaf of a growing tree, and its best split so far. */
typedef struct sg_grow_leaf {
    size_t first, rows;                        /* range of g->row_order          */
    double *low, *high;                        /* (width)                        */
    double *inv_width_below, *inv_width_above; /* (width): constant leaves only  */
    double gain;
    size_t split_feature, split_bin; /* split_bin: the last one on the left      */
    double threshold;                /* SG_TREES_EXTRA                           */
} sg_grow_leaf;

/* Returns the reduction of the squared residuals by the mean of rows with this weighted sum. */
static inline double sg_split_score(const double *sum, size_t outputs, double weight)
{
    double s = 0;
    for (size_t o = 0; o < outputs; o++) s += sum[o] * sum[o];
    return weight > 0 ? s / weight : 0;
}

/* Tries one random threshold of a feature; keeps the split if it is better than the leaf's best. */
void sg_extra_trees_try_split(sg_tree_grower *g, sg_grow_leaf *leaf, size_t feature);

#endif
