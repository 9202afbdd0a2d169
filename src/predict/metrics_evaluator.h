/* metrics_evaluator.h: computes RMSE, MAE and R^2 of a model on the rows of a source in one pass. Rows that lack a
 * target or their weight are ignored. */
#pragma once

#include "predict/predict_worker.h"
#include "rows/column_roles.h"
#include "rows/parallel_reduce.h"

enum { SG_EVAL_ROWS = 8 * SG_CHUNK }; /* of a block */

/* Weighted sums over rows, for one output. */
typedef struct sg_error_sums {
    double weight, squared_error, absolute_error;
    double first, second; /* of y - mean and (y - mean)^2, for the variance of y */
} sg_error_sums;

typedef struct sg_evaluator {
    const sg_model *model;
    const sg_column_roles *columns;
    sg_parallel_reduce reduce; /* sums: an sg_error_sums for each output, then the number of complete rows */
    size_t workers;
    sg_predict_worker *worker;
    size_t incomplete; /* rows that the last run ignored */
    /* Local rows of sg_parallel_reduce_source as chunks, if they are evaluated repeatedly; NULL: read in every run. */
    double *cached;             /* (chunks, a and z, SG_PITCH)                   */
    double *missing;            /* (chunks, a, SG_PITCH), as in sg_chunk; NULL: no missing values */
    double *targets;            /* (rows, outputs)                               */
    double *weights;            /* (rows): 0 for incomplete rows                 */
    sg_error_sums *target_sums; /* (blocks, outputs): the sums that do not depend on the model */
    size_t *counted;            /* (blocks): complete rows                       */
} sg_evaluator;

/* reuse: there will be many runs, so that rows are cached if they need little memory. The model, source and columns
 * must outlive the evaluator. Collective if the source is distributed, as is the run. */
sg_status sg_evaluator_init(sg_evaluator *s, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            const char *precision, bool reuse, sg_thread_pool *pool);
void sg_evaluator_release(sg_evaluator *s);
/* Reads the rows of a block into w->rows and predicts them: y (n, outputs). */
sg_status sg_evaluator_predict_block(const sg_evaluator *s, sg_predict_worker *w, size_t first, size_t n, double *y);
/* Stores one sg_metrics for each output, with the model's current theta. Allocates nothing. */
sg_status sg_evaluator_run(sg_evaluator *s, sg_metrics *out);

/* The RMSE over all outputs together. */
double sg_metrics_rmse(const sg_metrics *m, size_t outputs);
