/* ensemble.h: several models that answer together. */
#ifndef SG_AUTO_ENSEMBLE_ENSEMBLE_H
#define SG_AUTO_ENSEMBLE_ENSEMBLE_H

#include "auto/search/candidate.h"

/* weight (count): how much each candidate shall count, by greedy choice on rows left out: a member at a time is added,
 * the one with which the mean errs least, and one may come again. *error: of the committee, as a candidate's. */
sg_status sg_ensemble_select(const sg_search_data *g, const sg_candidate *c, size_t count, double *weight,
                             double *error);
/* The same, for a committee that need not be small: the mean of what is chosen by different halves of the rows, which
 * is less a matter of luck. */
sg_status sg_ensemble_select_bagged(const sg_search_data *g, const sg_candidate *c, size_t count, double *weight,
                                    double *error);

/* One of the two. */
typedef struct sg_ensemble_member {
    sg_model *model;
    sg_tree_ensemble *tree_ensemble;
    size_t trees; /* so many of the boost's count */
    double weight;
} sg_ensemble_member;
typedef struct sg_ensemble {
    size_t members, capacity;
    sg_ensemble_member *member;
} sg_ensemble;
/* Takes the member over, also on failure. */
sg_status sg_ensemble_add(sg_ensemble *c, const sg_ensemble_member *m);
void sg_ensemble_release(sg_ensemble *c);
/* y: (rows, outputs), within the range of the ground's. */
sg_status sg_ensemble_predict(const sg_ensemble *c, const sg_search_data *g, const sg_source *rows, double *y);

/* The work of that, nearly, in nanoseconds. */
size_t sg_ensemble_predict_cost(const sg_ensemble *c, size_t rows);
/* The part's own of a candidate joins: what it was when it had not seen the part. The trees stay the candidate's. */
sg_status sg_candidate_add_fold_member(const sg_candidate *c, size_t part, double weight, sg_ensemble *to);
/* The candidate trained anew; the member's weight stays as it is. */
sg_status sg_candidate_retrain(const sg_candidate *c, const sg_search_data *g, const sg_source *rows, uint64_t seed,
                               sg_search_progress *w, sg_ensemble_member *out);

/* What it says as one model; its members were trained on the same rows, and effects, where some have them, are the
 * same. */
sg_status sg_ensemble_to_model(const sg_ensemble *c, sg_model **out);

#endif
