/* ensemble.h: weighted averages of models and tree ensembles: selection, prediction, conversion to one model. */
#pragma once

#include "auto/search/candidate.h"

/* Computes weight (count) by greedy forward selection with replacement on out-of-fold predictions (Caruana et al.,
 * "Ensemble selection from libraries of models", 2004). Bagged: averages the selections on random halves of the rows,
 * which overfits less and selects more members. *error: the ensemble's, like a candidate's. */
sg_status sg_ensemble_select(const sg_search_data *data, const sg_candidate *c, size_t count, bool bagged,
                             double *weight, double *error);

typedef struct sg_ensemble_member {
    sg_model *model;                 /* either rules ...       */
    sg_tree_ensemble *tree_ensemble; /* ... or trees           */
    size_t trees;                    /* of these, the first    */
    double weight;
} sg_ensemble_member;
typedef struct sg_ensemble {
    size_t members, capacity;
    sg_ensemble_member *member;
} sg_ensemble;
/* Takes ownership of the member, even on failure. */
sg_status sg_ensemble_add(sg_ensemble *e, const sg_ensemble_member *m);
void sg_ensemble_release(sg_ensemble *e);
/* Writes y (rows, outputs), clipped to the range of the targets. */
sg_status sg_ensemble_predict(const sg_ensemble *e, const sg_search_data *data, const sg_source *rows, double *y);

/* Makes one model of all members. They must have been trained on the same rows, and members with effects must have the
 * same ones. */
sg_status sg_ensemble_to_model(const sg_ensemble *e, sg_model **out);
