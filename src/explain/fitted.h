/* fitted.h: rows in memory on which consequents are found anew by ridge regression, and others on which that is judged.
 */
#ifndef SG_EXPLAIN_FITTED_H
#define SG_EXPLAIN_FITTED_H

#include "model/look.h"

/* As a model of one block sees them. */
typedef struct sg_fitted {
    const sg_model *model;
    size_t rows, judged; /* all, and those that judge */
    double *a, *z, *t;   /* (rows, widths of the views), (rows, outputs): targets as they are trained */
    bool *judges;        /* (rows) */
    double *variance;    /* (terms): of z */
} sg_fitted;

/* Rows of s that have all targets, but no more than `most` that are spread evenly; a third judges, by the seed. The
 * model must outlive it. */
sg_status sg_fitted_init(sg_fitted *f, const sg_model *m, const sg_source *s, uint64_t seed, size_t most);
void sg_fitted_release(sg_fitted *f);

/* RMSE on the rows that judge, in the targets' units, over all outputs together. m: of the same views. */
sg_status sg_fitted_judge(const sg_fitted *f, const sg_model *m, double *rmse);
/* How much predictions of the other rows would change without each rule: mean squares (rules), in the units that are
 * trained. */
sg_status sg_fitted_importance(const sg_fitted *f, const sg_model *m, double *out);
/* Consequents of m anew, near those it has: the stronger the pull, the nearer. *pull is the one that judges best, if it
 * is 0, of the rows that do not judge; else it is taken, of all rows. */
sg_status sg_fitted_refit(const sg_fitted *f, sg_model *m, double *pull, double *rmse);

#endif
