/* calibration.h: what a model knows of how sure it is: how far it is off rows that it was not trained on, and how its
 * rules fire where they were trained. Either may be unknown. */
#ifndef SG_MODEL_CALIBRATION_H
#define SG_MODEL_CALIBRATION_H

#include "base/status.h"

#include <stdbool.h>

/* Sizes of an output's errors that are kept, however many there were. */
enum { SG_ERROR_QUANTILES_MAX = 512 };

/* Some of the errors of an output by their rank among all: the rank-th smallest is `size`. Both rise; the last rank is
 * that of the largest. */
typedef struct sg_error_quantiles {
    size_t points;
    double *rank, *abs_error; /* one allocation, at rank */
} sg_error_quantiles;

typedef struct sg_calibration {
    size_t
        effective_rows; /* whose errors they are; of rows that weigh unlike the number of alike ones that say as much */
    size_t outputs;
    sg_error_quantiles *errors; /* (outputs), or NULL: nobody knows */
    size_t support_rows;        /* rows whose firing was looked at; 0: nobody looked */
    double min_log_firing;      /* next to none of them has a smaller one: see support.h */
} sg_calibration;

void sg_calibration_release(sg_calibration *s);
bool sg_calibration_copy(const sg_calibration *s, sg_calibration *out);
/* Without their errors. */
void sg_calibration_clear_errors(sg_calibration *s);
/* Room for `points` of one output. False without memory. */
bool sg_error_quantiles_init(sg_error_quantiles *e, size_t points);

/* Errors of rows: each has the absolute ones of `outputs` outputs, then its weight; those whose weight is not above 0
 * do not count. SG_EDATA where none does. What s knew of errors before is forgotten. */
sg_status sg_calibration_fit(sg_calibration *s, const double *row, size_t rows, size_t outputs);

#endif
