/* calibrate.h: how far a model is off rows. */
#ifndef SG_TRAIN_EVAL_CALIBRATE_H
#define SG_TRAIN_EVAL_CALIBRATE_H

#include "model/model.h"

/* Rows whose errors are looked at, all parts of a dataset together: of more some will do, which are spread evenly. */
enum { SG_MAX_RESIDUALS = 65536 };

/* Errors of rows, as sg_calibration_fit takes them. */
typedef struct sg_residuals {
    size_t rows;
    double *row; /* (rows, outputs + 1), to be freed */
} sg_residuals;

/* Of at most so many rows. weights: the name of their column, or NULL or "". Collective for rows of a team, all of
 * whose members get the same. */
sg_status sg_residuals_compute(const sg_model *m, const sg_source *rows, const char *weights, size_t most,
                               sg_residuals *out);

#endif
