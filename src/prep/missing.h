/* missing.h: inputs that are missing, which a row has as NaN.
 *
 * A consequent takes the training mean in their place; a condition on one of them is left out, if what it
 * sees is made of that input alone. */
#ifndef SG_PREP_MISSING_H
#define SG_PREP_MISSING_H

#include "prep/pipeline.h"

/* n <= pitch rows side by side: each NaN of x (columns, pitch) becomes its column's `mean`; missing, laid
 * out like x, is 1 there, else 0. Returns whether there are any. */
bool sg_missing_impute(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing);
/* One row: NaN again where `missing` is 1. */
void sg_missing_restore(size_t columns, const double *missing, double *x);
/* Whether each of the view's columns is made of the input at its place: no components. */
bool sg_pipeline_is_elementwise(const sg_pipeline *v);

#endif
