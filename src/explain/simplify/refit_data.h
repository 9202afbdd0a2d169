/* refit_data.h: rows in memory on which consequents are found anew by ridge regression, and others on which that is
 * judged. */
#ifndef SG_EXPLAIN_SIMPLIFY_REFIT_DATA_H
#define SG_EXPLAIN_SIMPLIFY_REFIT_DATA_H

#include "model/reference_eval.h"

/* As a model of one block sees them. */
typedef struct sg_refit_data {
    const sg_model *model;
    size_t rows, holdout_rows; /* all, and those that judge */
    double *a, *z, *targets;   /* (rows, widths of the views), (rows, outputs): targets as they are trained */
    bool *is_holdout;          /* (rows) */
    double *variance;          /* (terms): of z */
} sg_refit_data;

/* Rows of s that have all targets, but no more than `most` that are spread evenly; a third judges, by the seed. The
 * model must outlive it. */
sg_status sg_refit_data_init(sg_refit_data *f, const sg_model *m, const sg_source *s, uint64_t seed, size_t most);
void sg_refit_data_release(sg_refit_data *f);

/* RMSE on the rows that judge, in the targets' units, over all outputs together. m: of the same views. */
sg_status sg_refit_data_holdout_rmse(const sg_refit_data *f, const sg_model *m, double *rmse);
/* How much predictions of the other rows would change without each rule: mean squares (rules), in the units that are
 * trained. */
sg_status sg_refit_data_rule_importance(const sg_refit_data *f, const sg_model *m, double *out);
/* Consequents of m anew, near those it has: the stronger the pull, the nearer. *pull is the one that judges best, if it
 * is 0, of the rows that do not judge; else it is taken, of all rows. */
sg_status sg_refit_data_fit_consequents(const sg_refit_data *f, sg_model *m, double *pull, double *rmse);

#endif
