/* quantile_transform.h: inputs by their rank among the training rows, as normal scores: what is skewed or has long
 * tails becomes evenly spread. Between knots, and beyond the outer ones, it goes on along straight lines. */
#ifndef SG_PREP_QUANTILE_TRANSFORM_H
#define SG_PREP_QUANTILE_TRANSFORM_H

#include "prep/pipeline.h"

/* Knots of a feature, at most; where it has fewer the last one stands in all that are left over. */
enum { SG_QUANTILE_KNOTS = 64 };

/* The number below which a normal one lies with probability p, 1e-11 < p < 1 - 1e-11. */
double sg_normal_quantile(double p);

void sg_sort_doubles(double *value, size_t n);
/* The number below which a share of n sorted ones lies, n > 0: along the line between two neighbours. */
double sg_quantile_sorted(const double *value, size_t n, double share);

/* Knots and scores (SG_QUANTILE_KNOTS) of a feature from n of its values, which it sorts; low and high are the outer
 * ones of all rows, low < high. */
void sg_quantile_transform_fit(double *value, size_t n, double low, double high, double *knot, double *score);

#endif
