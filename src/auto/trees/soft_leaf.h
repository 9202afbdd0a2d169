/* soft_leaf.h: represents trees as lists of soft leaves, and evaluates them on chunks of rows. */
#pragma once

#include "auto/trees/tree_ensemble.h"

enum { SG_LEAF_CHUNK = 64 };

/* A two-sided Gaussian membership function, which is 1 between low and high. */
typedef struct sg_leaf_bound {
    size_t feature;
    double low, high;                        /* equal for an ordinary Gaussian         */
    double inv_width_below, inv_width_above; /* 1 / sigma; 0 if that side is unbounded */
} sg_leaf_bound;

typedef struct sg_soft_leaf {
    size_t bounds, slopes; /* slopes is 0 or equal to bounds */
    sg_leaf_bound *bound;  /* (bounds)                       */
    double *coef;          /* (slopes + 1, outputs)          */
} sg_soft_leaf;

typedef struct sg_tree {
    size_t leaves;
    sg_soft_leaf *leaf;
} sg_tree;

struct sg_tree_ensemble {
    atomic_size_t refcount;
    sg_model *base_model; /* ridge regression, or the mean of the targets */
    size_t width, outputs, trees, max_leaves;
    double learning_rate;
    double *feature_min, *feature_max; /* (width)                                      */
    double *imputed;                   /* (width): values in place of missing features */
    sg_tree *tree;
};

/* Up to SG_LEAF_CHUNK rows, stored column by column. Single precision suffices, and doubles the vector width. */
typedef struct sg_leaf_chunk {
    size_t n;
    float *x;       /* (width, SG_LEAF_CHUNK)                                                     */
    float *present; /* (width, SG_LEAF_CHUNK): 1, or 0 if missing, so that all bounds on it are ignored */
    float *firing;  /* (leaves, SG_LEAF_CHUNK): firing levels, which sum to 1 for each row        */
} sg_leaf_chunk;

sg_status sg_leaf_chunk_init(const sg_tree_ensemble *e, sg_leaf_chunk *c);
void sg_leaf_chunk_release(sg_leaf_chunk *c);
/* Loads n <= SG_LEAF_CHUNK rows. x: (n, width), with NaN for missing features. */
void sg_leaf_chunk_load(const sg_tree_ensemble *e, const double *x, size_t n, sg_leaf_chunk *c);
/* Computes c->firing, the firing levels of the leaves of a tree. */
void sg_leaf_chunk_fire(const sg_tree *tree, sg_leaf_chunk *c);
/* Adds the predictions of a tree, times the learning rate, to y (n, outputs). c->firing must be that of the tree. */
void sg_leaf_chunk_predict(const sg_tree_ensemble *e, const sg_tree *tree, const sg_leaf_chunk *c, double *y);

/* The two functions above, compiled for one instruction set. */
typedef struct sg_soft_leaf_kernel {
    void (*fire)(const sg_tree *tree, sg_leaf_chunk *c);
    void (*predict)(const sg_tree_ensemble *e, const sg_tree *tree, const sg_leaf_chunk *c, double *y);
} sg_soft_leaf_kernel;
extern const sg_soft_leaf_kernel sg_soft_leaf_portable, sg_soft_leaf_avx2;

static inline double sg_tree_feature_value(const sg_tree_ensemble *e, const double *x, size_t feature)
{
    return x[feature] == x[feature] ? x[feature] : e->imputed[feature];
}

void sg_tree_release(sg_tree *tree);
