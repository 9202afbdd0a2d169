/* quantile_transform.h: maps each feature to the normal score of its rank in the training rows, so that skewed or
 * heavy-tailed features become normally distributed. The map is linear between the knots and beyond the outer ones. */
#pragma once

#include "prep/transform_pipeline.h"

/* Maximum number of knots per feature. If there are fewer, the last one is repeated. */
enum { SG_QUANTILE_KNOTS = 64 };

/* Returns the p-quantile of the standard normal distribution, for 1e-11 < p < 1 - 1e-11. */
double sg_normal_quantile(double p);

void sg_sort_doubles(double *value, size_t n);
/* Returns the quantile of n > 0 sorted values at 0 <= share <= 1, with linear interpolation. */
double sg_quantile_sorted(const double *value, size_t n, double share);

/* Fits knots and scores (SG_QUANTILE_KNOTS each) to n values of a feature, and sorts the values. low and high, which
 * must differ, are the minimum and maximum over all rows. */
void sg_quantile_transform_fit(double *value, size_t n, double low, double high, double *knot, double *score);
