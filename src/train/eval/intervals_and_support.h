/* intervals_and_support.h: residuals of a model on held-out rows, for its prediction intervals. */
#pragma once

#include "model/model.h"

/* Maximum number of residuals that calibration uses; if there are more rows, it takes an evenly spaced sample of
 * them. */
enum { SG_MAX_RESIDUALS = 65536 };

/* Absolute residuals and weights, as sg_calibration_fit expects them. */
typedef struct sg_residuals {
    size_t rows;
    double *row; /* (rows, outputs + 1), owned by the caller */
} sg_residuals;

/* Computes the residuals of at most max_rows rows. weights: the name of the weight column, NULL or "". Collective if
 * the source is distributed; all ranks get the same result. */
sg_status sg_residuals_compute(const sg_model *m, const sg_source *rows, const char *weights, size_t max_rows,
                               sg_residuals *out);
