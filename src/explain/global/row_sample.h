/* row_sample.h: a sample of rows in memory, as features, and predictions for modified copies of them. */
#pragma once

#include "train/fit/even_sample.h"

/* Reads all rows, or a random sample of 10,000 if there are more. Fails if there are none. m must outlive *s. */
sg_status sg_row_sample_init(sg_row_sample *s, const sg_model *m, const sg_source *from);

typedef struct sg_row_perturbation {
    void (*perturb)(void *arg, size_t row, double *x);             /* modifies a copy of the row */
    void (*on_prediction)(void *arg, size_t row, const double *y); /* y[outputs]                 */
    void *arg;
} sg_row_perturbation;
/* Predicts a perturbed copy of every row, in order, on the calling thread. */
sg_status sg_row_sample_predict(const sg_row_sample *s, const sg_row_perturbation *c);

/* Set an input in the row of features x, and the effects derived from this input: either copy them from the row `from`,
 * or set them according to a value (for a category, a level index). */
void sg_features_copy_input(const sg_model *m, size_t input, const double *from, double *x);
void sg_features_set_input(const sg_model *m, size_t input, double value, double *x);
