/* reference_eval.h: evaluates a whole model one row at a time: transforms, firing and prediction. It is simple and
 * slow. */
#pragma once

#include "model/reference_forward_backward.h"

typedef struct sg_reference_eval {
    const sg_model *model;
    double *imputed, *missing;       /* (features) */
    double *a, *z;                   /* transformed row; z == a if the pipeline is shared */
    double *a_with_nan, *z_with_nan; /* a and z with NaN for missing inputs */
    double *scratch;
    double *additive;         /* (outputs): sum of the additive part */
    sg_block_workspace *work; /* (blocks) */
} sg_reference_eval;

/* The model must outlive *l. */
sg_status sg_reference_eval_init(sg_reference_eval *l, const sg_model *m);
void sg_reference_eval_release(sg_reference_eval *l);
/* Sets the row to x[features]. Missing values are NaN. */
void sg_reference_eval_set_row(sg_reference_eval *l, const double *x);
/* Returns the row as the conditions of a block see it. */
const double *sg_reference_eval_antecedents(const sg_reference_eval *l, size_t block);
/* Returns the normalised firing levels of a block's rules, valid until the next call for this block. */
const double *sg_reference_eval_firing(sg_reference_eval *l, size_t block);
/* Returns the features of the row, for the additive part. */
sg_feature_columns sg_reference_eval_features(const sg_reference_eval *l);
/* Computes the prediction y[outputs] in the units of the target. */
void sg_reference_eval_predict(sg_reference_eval *l, double *y);
