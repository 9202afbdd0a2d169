/* tree_ensemble.h: trains ensembles of regression trees with soft splits, by gradient boosting (GBDT), bagging or
 * extreme randomisation. They fit the residuals of ridge regression, or the targets. */
#pragma once

#include "auto/search/search_data.h"
#include "auto/search/search_progress.h"
#include "model/model.h"

enum { SG_TREES_MAX_OUTPUTS = 8 };

typedef enum sg_tree_ensemble_kind {
    SG_TREES_GBDT_LINEAR, /* boosted trees whose Gaussian leaves have linear models               */
    SG_TREES_GBDT,        /* boosted trees whose nearly hard leaves have constants                */
    SG_TREES_BAGGED,      /* averaged trees on bootstrap rows, with random columns for each split */
    SG_TREES_EXTRA        /* averaged trees on all rows, with random thresholds                   */
} sg_tree_ensemble_kind;

typedef struct sg_tree_config {
    sg_tree_ensemble_kind kind;
    bool fit_raw_targets;     /* fit the targets instead of the residuals of ridge regression */
    size_t trees, max_leaves; /* max_leaves limits each tree                                  */
    size_t min_leaf_rows;
    double learning_rate;   /* 1 / trees if trees are averaged */
    double softness;        /* width of a soft bound, relative to half the leaf (GBDT_LINEAR) or to the gap between the
                               threshold and the nearest row */
    double l2;              /* L2 penalty on the coefficients of the leaves          */
    double column_fraction; /* fraction of the columns tried for each split (BAGGED) */
} sg_tree_config;

typedef struct sg_tree_ensemble sg_tree_ensemble;
/* Returns the name of the kind of trees, for reports. */
const char *sg_tree_config_name(const sg_tree_config *config);
/* Trains `trees` trees on top of ridge regression with the options o. The caller frees *out. */
sg_status sg_tree_ensemble_train(const sg_options *o, const sg_tree_config *config, size_t trees,
                                 const sg_search_data *data, const sg_source *rows, uint64_t seed,
                                 sg_search_progress *progress, sg_tree_ensemble **out);
/* Adds a reference, which must also be freed with sg_tree_ensemble_free. */
sg_status sg_tree_ensemble_ref(sg_tree_ensemble *e, sg_tree_ensemble **out);
void sg_tree_ensemble_free(sg_tree_ensemble *e);
/* Writes to y (eval_points + 1, rows, outputs) the predictions of the first trees * k / eval_points trees, for each k
 * from 0 to eval_points. */
sg_status sg_tree_ensemble_predict(const sg_tree_ensemble *e, const sg_source *rows, size_t trees, size_t eval_points,
                                   double *y);
/* Return the estimated cost of training or prediction in nominal nanoseconds. */
size_t sg_tree_config_train_cost(const sg_tree_config *config, size_t rows, size_t inputs);
size_t sg_tree_config_predict_cost(const sg_tree_config *config, size_t rows);
