/* sampled.h: some rows of a source, as features, and what a model predicts where one input of them is another. */
#ifndef SG_EXPLAIN_SAMPLED_H
#define SG_EXPLAIN_SAMPLED_H

#include "model/model.h"

typedef struct sg_sampled {
    const sg_model *model;
    size_t rows;
    double *x; /* (rows, features) */
} sg_sampled;

/* All rows, or 10,000 of them; there must be one. */
sg_status sg_sampled_init(sg_sampled *s, const sg_model *m, const sg_source *from);
void sg_sampled_release(sg_sampled *s);

/* Rows are changed, a copy of each, and predicted, a few at a time, by one thread. */
typedef struct sg_change {
    void (*change)(void *arg, size_t row, double *x);
    void (*take)(void *arg, size_t row, const double *y); /* y (outputs) */
    void *arg;
} sg_change;
sg_status sg_sampled_predict(const sg_sampled *s, const sg_change *c);

/* An input of a row of features becomes that of another row, or a value (of a category the number of a level); and so
 * does what is derived of it. */
void sg_sampled_copy(const sg_model *m, size_t input, const double *from, double *x);
void sg_sampled_set(const sg_model *m, size_t input, double value, double *x);

#endif
