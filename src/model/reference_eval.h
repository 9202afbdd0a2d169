/* reference_eval.h: one row of features through a whole model: its views, the firing of its rules, its prediction. Slow
 * and plain. */
#ifndef SG_MODEL_REFERENCE_EVAL_H
#define SG_MODEL_REFERENCE_EVAL_H

#include "model/inference.h"

typedef struct sg_reference_eval {
    const sg_model *model;
    double *imputed, *missing;       /* (inputs) */
    double *a, *z;                   /* views of the row; z is a where they are one */
    double *a_with_nan, *z_with_nan; /* a and z, with NaN where an input is missing */
    double *scratch;
    sg_block_workspace *work; /* (blocks) */
} sg_reference_eval;

/* The model must outlive it. */
sg_status sg_reference_eval_init(sg_reference_eval *l, const sg_model *m);
void sg_reference_eval_release(sg_reference_eval *l);
/* Takes a row: x (inputs of the model, features that is), NaN where one is missing. */
void sg_reference_eval_set_row(sg_reference_eval *l, const double *x);
/* What the conditions of a block see of that row. */
const double *sg_reference_eval_antecedents(const sg_reference_eval *l, size_t block);
/* Normalised firing levels of a block's rules for that row: valid until the next call for this block. */
const double *sg_reference_eval_firing(sg_reference_eval *l, size_t block);
/* The prediction for that row, in the target's units: y (outputs). */
void sg_reference_eval_predict(sg_reference_eval *l, double *y);

#endif
