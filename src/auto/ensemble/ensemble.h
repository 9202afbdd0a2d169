/* ensemble.h: selects weighted averages of models and trees, predicts with them and converts them to one model. */
#pragma once

#include "auto/search/candidate.h"

/* Computes the weight of each candidate by greedy forward selection with replacement on out-of-fold predictions
 * (Caruana et al., "Ensemble selection from libraries of models", 2004). If bagged, averages selections on random
 * halves of the rows, which overfits less and selects more members. Sets *error to the error of the ensemble, defined
 * as for a candidate. */
sg_status sg_ensemble_select(const sg_search_data *data, const sg_candidate *c, size_t count, bool bagged,
                             double *weight, double *error);

typedef struct sg_ensemble_member {
    sg_model *model;                 /* rules or curves, or NULL */
    sg_tree_ensemble *tree_ensemble; /* trees, or NULL           */
    size_t trees;                    /* number of trees to use   */
    double weight;
} sg_ensemble_member;
typedef struct sg_ensemble {
    size_t members, capacity;
    sg_ensemble_member *member;
} sg_ensemble;
/* Adds a member and takes ownership of it, even on failure. */
sg_status sg_ensemble_add(sg_ensemble *e, const sg_ensemble_member *m);
void sg_ensemble_release(sg_ensemble *e);
/* Writes the predictions, clipped to the range of the targets, to y (rows, outputs). */
sg_status sg_ensemble_predict(const sg_ensemble *e, const sg_search_data *data, const sg_source *rows, double *y);

/* Combines all members into one model. They must have been trained on the same rows. All members with effects must have
 * the same effects, and at most one may have curves. */
sg_status sg_ensemble_to_model(const sg_ensemble *e, sg_model **out);
