/* outside_training.h: detects rows outside the region that the rules were trained on.
 *
 * The firing strength of a row is the weighted mean over blocks of the largest log firing level, before normalisation:
 * 0 at the centre of a rule, and lower the farther the row is from all rules. */
#pragma once

#include "model/reference_eval.h"

/* Returns the firing strength of a row of features, which is at least -SG_MODEL_MAX_ABS. A missing feature is NaN. */
double sg_support_log_firing(sg_reference_eval *l, const double *feature);
/* Sets outside[i] to 1 for each input i that is beyond its range in the training rows or has an unknown level, and to 0
 * for the others. If no input is outside, but the row fires more weakly than almost all training rows, marks the input
 * whose removal raises the firing strength most. scratch: (features). */
void sg_support_mark_outside(sg_reference_eval *l, const double *feature, double *scratch, double *outside);
/* Returns the cost of sg_support_log_firing: roughly the number of terms that it computes. */
size_t sg_support_cost(const sg_model *m);
