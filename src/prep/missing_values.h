/* missing_values.h: handles missing inputs, which are NaN.
 *
 * Consequents use the training mean in place of a missing input. A condition on a missing input is ignored if the
 * pipeline maps inputs one by one; with PCA, the condition uses the imputed value. */
#pragma once

#include "prep/transform_pipeline.h"

/* Replaces each NaN in x (columns, pitch) with mean[column], for n <= pitch rows. Sets `missing`, which is laid out
 * like x, to 1 where x was NaN and to 0 elsewhere. Returns whether any value was NaN. */
bool sg_missing_impute(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing);
/* Undoes the imputation of one row: sets x to NaN where `missing` is 1. */
void sg_missing_restore(size_t columns, const double *missing, double *x);
/* Returns whether each output k depends on input k alone, which is true without PCA. */
bool sg_pipeline_is_elementwise(const sg_pipeline *v);
