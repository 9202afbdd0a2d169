/* tree_ensemble.h: ensembles of regression trees with soft splits: gradient boosting (GBDT), bagging, or extremely
 * randomized trees, fitted to the residuals of ridge regression or to the targets. */
#pragma once

#include "auto/search/search_data.h"
#include "auto/search/search_progress.h"
#include "model/model.h"

enum { SG_TREES_MAX_OUTPUTS = 8 };

typedef enum sg_tree_ensemble_kind {
    SG_TREES_GBDT_LINEAR, /* boosted: Gaussian leaves with a linear model each        */
    SG_TREES_GBDT,        /* boosted: nearly hard leaves with a constant each         */
    SG_TREES_BAGGED,      /* averaged: bootstrap rows, random columns for each split  */
    SG_TREES_EXTRA        /* averaged: all rows, random thresholds                    */
} sg_tree_ensemble_kind;

typedef struct sg_tree_config {
    sg_tree_ensemble_kind kind;
    bool fit_raw_targets;     /* fit the targets instead of the residuals of ridge regression */
    size_t trees, max_leaves; /* max_leaves: of a tree                                        */
    size_t min_leaf_rows;
    double learning_rate;   /* 1 / trees for averaged trees                                   */
    double softness;        /* width of a soft bound: relative to half the leaf (GBDT_LINEAR), or to the gap between
                               the threshold and the nearest row */
    double l2;              /* penalty of the leaves' coefficients                            */
    double column_fraction; /* columns tried for each split (BAGGED)                          */
} sg_tree_config;

typedef struct sg_tree_ensemble sg_tree_ensemble;
/* The name of the kind in reports. */
const char *sg_tree_config_name(const sg_tree_config *config);
/* Trains `trees` trees with the options of a single training. */
sg_status sg_tree_ensemble_train(const sg_options *o, const sg_tree_config *config, size_t trees,
                                 const sg_search_data *data, const sg_source *rows, uint64_t seed,
                                 sg_search_progress *progress, sg_tree_ensemble **out);
/* Adds a reference. Every reference must be freed. */
sg_status sg_tree_ensemble_ref(sg_tree_ensemble *e, sg_tree_ensemble **out);
void sg_tree_ensemble_free(sg_tree_ensemble *e);
/* Writes y (eval_points + 1, rows, outputs): predictions of the first trees * k / eval_points trees. */
sg_status sg_tree_ensemble_predict(const sg_tree_ensemble *e, const sg_source *rows, size_t trees, size_t eval_points,
                                   double *y);
/* Costs in nominal nanoseconds. */
size_t sg_tree_config_train_cost(const sg_tree_config *config, size_t rows, size_t inputs);
size_t sg_tree_config_predict_cost(const sg_tree_config *config, size_t rows);
