/* check_rows.h: checks the values of rows, and finds rows that lack a target or a weight. */
#pragma once

#include "data/source/subset_source.h"
#include "rows/column_roles.h"

/* Largest absolute value of training data: variances must stay within SG_MODEL_MAX_ABS. */
#define SG_MAX_VALUE 1e99

/* Checks targets and weight of row number `row`, and its inputs if set. */
sg_status sg_check_row(const sg_source *s, const sg_column_roles *c, bool inputs, const double *x, size_t row);
/* Selects the complete rows of s, without rows of weight 0 unless zeros is set. s must outlive *out. */
sg_status sg_complete_rows(const sg_source *s, const sg_column_roles *roles, bool zeros, sg_subset **out);
/* The weight of a row; NaN if the row is incomplete. */
double sg_row_weight(const sg_column_roles *c, const double *row);
/* Fails if all rows are incomplete or if their weights sum to 0. */
sg_status sg_check_row_weights(const sg_source *s, const sg_column_roles *c, size_t incomplete, double weight);
/* Sends a notice about incomplete rows, if there are any. which: "" or "validation ". */
void sg_notify_incomplete_rows(const sg_options *o, const sg_column_roles *roles, size_t incomplete, const char *which);
