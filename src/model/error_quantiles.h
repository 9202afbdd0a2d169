/* error_quantiles.h: error quantiles on held-out rows and the firing range of the training rows. Either may be unknown.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* The maximum number of stored quantiles per output. */
enum { SG_ERROR_QUANTILES_MAX = 512 };

/* Selected absolute errors of one output: the rank[i]-th smallest is abs_error[i]. Both arrays ascend; the last entry
 * is the largest error. */
typedef struct sg_error_quantiles {
    size_t points;
    double *rank, *abs_error; /* one allocation, at rank */
} sg_error_quantiles;

typedef struct sg_calibration {
    size_t effective_rows; /* number of held-out rows; for weighted rows, Kish's effective sample size */
    size_t outputs;
    sg_error_quantiles *errors; /* (outputs), or NULL if unknown */
    size_t support_rows;        /* number of rows whose firing was measured; 0 if unknown */
    double min_log_firing;      /* a lower bound on the log firing of nearly all of them; see outside_training.h */
} sg_calibration;

void sg_calibration_release(sg_calibration *s);
bool sg_calibration_copy(const sg_calibration *s, sg_calibration *out);
/* Removes the errors and leaves the firing range as it is. */
void sg_calibration_clear_errors(sg_calibration *s);
/* Returns the mean square of the errors over all outputs, estimated from their quantiles; 0 if they are unknown. */
double sg_calibration_mean_square(const sg_calibration *s);
/* Allocates `points` points. Returns false if memory is exhausted. */
bool sg_error_quantiles_init(sg_error_quantiles *e, size_t points);

/* Replaces the errors with quantiles of new ones. Each row of `row` holds the absolute errors of `outputs` outputs,
 * then the row's weight. Rows with a weight of 0 or less are ignored. Fails with SG_EDATA if no row is left. */
sg_status sg_calibration_fit(sg_calibration *s, const double *row, size_t rows, size_t outputs);
