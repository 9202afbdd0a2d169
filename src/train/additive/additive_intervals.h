/* additive_intervals.h: fits the prediction intervals of an additive model. */
#pragma once

#include "train/additive/additive_fit.h"

/* Returns the expected ratio of the root mean square error on new rows to the cross-validated error, which does not
 * reflect that the knots were chosen using all rows. Each chosen knot costs one parameter, as in the criterion of MARS
 * (Friedman, "Multivariate adaptive regression splines", Annals of Statistics 19(1), 1991). */
double sg_additive_optimism(size_t chosen_knots, double rows);

/* Fits m->calibration to the residuals of the rows, each predicted by the fit without its fold, multiplied by
 * `optimism`. The fits share curves, knots, pairs and strengths. p->model must be m, before sg_additive_to_model is
 * called. Leaves m without intervals if all rows are in one fold. Overwrites the work space of f. */
sg_status sg_additive_calibrate(sg_additive_fit *f, const sg_source *rows, const sg_preprocessed *p,
                                const sg_additive_grouping *grouping, double optimism, sg_model *m);
