/* parts.h: what each feature of a row adds to what consequents see, beyond a row of training means. */
#ifndef SG_EXPLAIN_PARTS_H
#define SG_EXPLAIN_PARTS_H

#include "model/model.h"

typedef struct sg_parts {
    const sg_view *view;
    size_t widest;        /* of all its columns                                                             */
    double *mean;         /* (steps + 2, widest): the means, what each step makes of them, the same bounded */
    double *row;          /* what `now` and `next` are parts of                                             */
    double *now, *next;   /* (widest): a row, before and after a step                                       */
    double *part, *spare; /* (widest, features): parts of columns, once a step mixed features: components   */
    bool mixes, mixed;    /* whether any step does, and one did                                             */
} sg_parts;

sg_status sg_parts_init(sg_parts *p, const sg_model *m);
void sg_parts_release(sg_parts *p);
/* What the view makes of the means (its width). */
const double *sg_parts_at_mean(const sg_parts *p);
/* Takes a row of features, none of them missing. A limit that cuts a component cuts all parts of it alike. */
void sg_parts_row(sg_parts *p, const double *x);
/* Of that row, to out (features): the sum over columns t of weight[t] times the feature's part in it. */
void sg_parts_sum(const sg_parts *p, const double *weight, double *out);

#endif
