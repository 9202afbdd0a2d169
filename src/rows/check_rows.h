/* check_rows.h: checks the values of rows, and finds rows that lack a target or a weight. */
#pragma once

#include "data/source/subset_source.h"
#include "rows/column_roles.h"

/* The largest absolute value in training data, chosen so that variances stay within SG_MODEL_MAX_ABS. */
#define SG_MAX_VALUE 1e99

/* Checks the targets and the weight of x, which is row number `row`, and its inputs if `inputs` is set. */
sg_status sg_check_row(const sg_source *s, const sg_column_roles *c, bool inputs, const double *x, size_t row);
/* Selects the complete rows of s. Rows of weight 0 are left out unless `zeros` is set. s must outlive *out. */
sg_status sg_complete_rows(const sg_source *s, const sg_column_roles *roles, bool zeros, sg_subset **out);
/* Returns the weight of a row, which is 1 without a weight column, or NaN if the row is incomplete. */
double sg_row_weight(const sg_column_roles *c, const double *row);
/* Fails if all rows are incomplete, or if `weight`, the sum of the weights, is 0 or nearly so. */
sg_status sg_check_row_weights(const sg_source *s, const sg_column_roles *c, size_t incomplete, double weight);
/* Sends a notice about incomplete rows, if there are any. `which` describes the rows: "" or "validation ". */
void sg_notify_incomplete_rows(const sg_options *o, const sg_column_roles *roles, size_t incomplete, const char *which);
