/* soft_leaf.h: soft boxes, the leaves of trees, and what they say of rows; for the files that make up a boost. */
#ifndef SG_AUTO_BOOST_SOFT_LEAF_H
#define SG_AUTO_BOOST_SOFT_LEAF_H

#include "auto/boost/tree_ensemble.h"
#include "base/random/random.h"

enum { SG_LEAF_MAX_BOUNDS = 16, SG_LEAF_CHUNK = 64, SG_MAX_BINS = 256 }; /* sides of a box with a line */

/* One condition of a box: all from low to high is inside, shoulders fall beside it. */
typedef struct sg_leaf_bound {
    size_t feature;
    double low, high;                        /* the same for a bell */
    double inv_width_below, inv_width_above; /* 1 / width of the shoulders; 0: open, all that lies there is inside */
} sg_leaf_bound;

typedef struct sg_soft_leaf {
    size_t bounds, slopes; /* as many slopes as sides, or none */
    sg_leaf_bound *bound;  /* (sides)                          */
    double *coef;          /* (slopes + 1, outputs)            */
} sg_soft_leaf;

typedef struct sg_tree {
    size_t leaves;
    sg_soft_leaf *leaf;
} sg_tree;

struct sg_tree_ensemble {
    atomic_size_t refcount;
    sg_model *base_model;
    size_t width, outputs, trees, max_leaves;
    double learning_rate;
    double *feature_min, *feature_max; /* (width): of the features                  */
    double *imputed;                   /* (width): what a missing one counts as     */
    sg_tree *tree;
};

/* A chunk of rows, feature by feature, and the boxes' firing on them. Floats will do: twice as many fit into a vector.
 */
typedef struct sg_leaf_chunk {
    size_t n;
    float *x;       /* (width, SG_LEAF_CHUNK)  */
    float *present; /* (width, SG_LEAF_CHUNK): 0 where one is missing, on which no box has a condition then, else 1 */
    float *firing;  /* (leaves, SG_LEAF_CHUNK): firing, which adds up to 1 in each row */
} sg_leaf_chunk;

/* Room for the boxes of a boost. */
sg_status sg_leaf_chunk_init(const sg_tree_ensemble *b, sg_leaf_chunk *c);
void sg_leaf_chunk_release(sg_leaf_chunk *c);
/* x: (n, width), NaN where one is missing */
void sg_leaf_chunk_load(const sg_tree_ensemble *b, const double *x, size_t n, sg_leaf_chunk *c);
void sg_leaf_chunk_fire(const sg_tree *s, sg_leaf_chunk *c);
/* What the boxes say, times the rate, is added to y (n, outputs). */
void sg_leaf_chunk_predict(const sg_tree_ensemble *b, const sg_tree *s, const sg_leaf_chunk *c, double *y);

/* The two, for one kind of machine. */
typedef struct sg_soft_leaf_kernel {
    void (*fire)(const sg_tree *s, sg_leaf_chunk *c);
    void (*predict)(const sg_tree_ensemble *b, const sg_tree *s, const sg_leaf_chunk *c, double *y);
} sg_soft_leaf_kernel;
extern const sg_soft_leaf_kernel sg_soft_leaf_portable, sg_soft_leaf_avx2;

/* Grows a tree on what is left over. */
typedef struct sg_tree_grower {
    const sg_tree_ensemble *ensemble;
    const sg_tree_config *config;
    size_t rows, width, outputs, bins;
    const double *x;                          /* (rows, width), NaN where one is missing */
    double *residual;                         /* (rows, outputs): what is left over, in deviations */
    const double *row_weight;                 /* (rows)         */
    unsigned char *bin;                       /* (rows, width) */
    double *bin_edge;                         /* (width, SG_MAX_BINS): upper edges */
    size_t *row_order;                        /* (rows): those of leaves, together */
    unsigned char *feature_mask;              /* (width): of this tree, or split */
    sg_random_stream rng;                     /* of this tree */
    double *bin_sum, *bin_weight, *bin_count; /* (SG_MAX_BINS, outputs), (SG_MAX_BINS) */
} sg_tree_grower;

static inline double sg_tree_feature_value(const sg_tree_ensemble *b, const double *x, size_t feature)
{
    return x[feature] == x[feature] ? x[feature] : b->imputed[feature];
}

/* Bins of equal numbers of rows, and the ends of b's features. column: room for one. */
void sg_tree_grower_bin_features(sg_tree_grower *g, sg_tree_ensemble *b, double *column);
/* On the first `rows` of g->order, which may name one several times. Boxes of boosted trees have no lines yet. */
sg_status sg_tree_grower_grow(sg_tree_grower *g, size_t rows, sg_tree *out);

/* A leaf while a tree grows, and the best split of it that is known. */
typedef struct sg_grow_leaf {
    size_t first, rows;                        /* of g->order */
    double *low, *high;                        /* (width) */
    double *inv_width_below, *inv_width_above; /* (width): 1 / width of shoulders there; averaged trees */
    double gain;
    size_t split_feature, split_bin; /* the last one below the cut */
    double threshold;                /* of scattered trees */
} sg_grow_leaf;

/* How much of the squares of left-over sums a part of the rows explains. */
static inline double sg_split_score(const double *sum, size_t outputs, double weight)
{
    double s = 0;
    for (size_t o = 0; o < outputs; o++) s += sum[o] * sum[o];
    return weight > 0 ? s / weight : 0;
}

/* One cut of a feature, by chance; taken where it is better than what the leaf has. */
void sg_extra_trees_try_split(sg_tree_grower *g, sg_grow_leaf *l, size_t feature);
void sg_tree_release(sg_tree *s);

#endif
