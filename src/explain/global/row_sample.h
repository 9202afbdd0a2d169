/* row_sample.h: some rows of a source, as features, and what a model predicts where one input of them is another. */
#ifndef SG_EXPLAIN_GLOBAL_ROW_SAMPLE_H
#define SG_EXPLAIN_GLOBAL_ROW_SAMPLE_H

#include "model/model.h"

typedef struct sg_row_sample {
    const sg_model *model;
    size_t rows;
    double *x; /* (rows, features) */
} sg_row_sample;

/* All rows, or 10,000 of them; there must be one. */
sg_status sg_row_sample_init(sg_row_sample *s, const sg_model *m, const sg_source *from);
void sg_row_sample_release(sg_row_sample *s);

/* Rows are changed, a copy of each, and predicted, a few at a time, by one thread. */
typedef struct sg_row_perturbation {
    void (*perturb)(void *arg, size_t row, double *x);
    void (*on_prediction)(void *arg, size_t row, const double *y); /* y (outputs) */
    void *arg;
} sg_row_perturbation;
sg_status sg_row_sample_predict(const sg_row_sample *s, const sg_row_perturbation *c);

/* An input of a row of features becomes that of another row, or a value (of a category the number of a level); and so
 * does what is derived of it. */
void sg_features_copy_input(const sg_model *m, size_t input, const double *from, double *x);
void sg_features_set_input(const sg_model *m, size_t input, double value, double *x);

#endif
