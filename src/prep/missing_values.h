/* missing_values.h: handling of missing inputs, which are NaN.
 *
 * Consequents use the training mean in their place. A condition on a missing input is ignored if the pipeline maps
 * inputs one by one; with PCA the imputed value is used. */
#pragma once

#include "prep/transform_pipeline.h"

/* Replaces each NaN in x (columns, pitch) by mean[column], for n <= pitch rows. Sets missing, laid out like x, to 1
 * there and to 0 elsewhere. Returns whether there were any. */
bool sg_missing_impute(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing);
/* Undoes the imputation for one row: sets x to NaN where `missing` is 1. */
void sg_missing_restore(size_t columns, const double *missing, double *x);
/* Reports whether output k depends on input k alone, for all k: there is no PCA. */
bool sg_pipeline_is_elementwise(const sg_pipeline *v);
