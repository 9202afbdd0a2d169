/* feature_contributions.h: what each feature of a row adds to what consequents see, beyond a row of training means. */
#ifndef SG_EXPLAIN_ROW_FEATURE_CONTRIBUTIONS_H
#define SG_EXPLAIN_ROW_FEATURE_CONTRIBUTIONS_H

#include "model/model.h"

typedef struct sg_contributions {
    const sg_pipeline *pipeline;
    size_t max_width;             /* of all its columns                                                             */
    double *mean;                 /* (steps + 2, widest): the means, what each step makes of them, the same bounded */
    double *row;                  /* what `now` and `next` are parts of                                             */
    double *current, *next;       /* (widest): a row, before and after a step                                       */
    double *matrix, *next_matrix; /* (widest, features): parts of columns, once a step mixed features: components   */
    bool mixes, mixed;            /* whether any step does, and one did                                             */
} sg_contributions;

sg_status sg_contributions_init(sg_contributions *p, const sg_model *m);
void sg_contributions_release(sg_contributions *p);
/* What the view makes of the means (its width). */
const double *sg_contributions_at_mean(const sg_contributions *p);
/* Takes a row of features, none of them missing. A limit that cuts a component cuts all parts of it alike. */
void sg_contributions_set_row(sg_contributions *p, const double *x);
/* Of that row, to out (features): the sum over columns t of weight[t] times the feature's part in it. */
void sg_contributions_sum(const sg_contributions *p, const double *weight, double *out);

#endif
