/* metrics_evaluator.h: computes the RMSE, MAE and R^2 of a model on the rows of a source in one pass. Rows that lack a
 * target or their weight are ignored. */
#pragma once

#include "predict/predict_worker.h"
#include "rows/column_roles.h"
#include "rows/parallel_reduce.h"

enum { SG_EVAL_ROWS = 8 * SG_CHUNK }; /* rows per block */

/* Weighted sums over rows, for one output. */
typedef struct sg_error_sums {
    double weight, squared_error, absolute_error;
    double first, second; /* sums of y - mean and (y - mean)^2, for the variance of y */
} sg_error_sums;

typedef struct sg_evaluator {
    const sg_model *model;
    const sg_column_roles *columns;
    sg_parallel_reduce reduce; /* each sum holds an sg_error_sums per output, then the number of complete rows */
    size_t workers;
    sg_predict_worker *worker;
    size_t incomplete; /* rows that the last run ignored */
    /* The local rows of sg_parallel_reduce_source as chunks. These are NULL if the rows are read in every run. */
    double *cached;             /* (chunks, a and z, SG_PITCH)                                        */
    double *missing;            /* (chunks, a, SG_PITCH), as in sg_chunk; NULL if no value is missing */
    double *targets;            /* (rows, outputs)                                                    */
    double *weights;            /* (rows): 0 for incomplete rows                                      */
    sg_error_sums *target_sums; /* (blocks, outputs): those sums that do not depend on predictions    */
    size_t *counted;            /* (blocks): number of complete rows                                  */
} sg_evaluator;

/* With `reuse`, rows that need little memory are cached for repeated runs. The model, source and columns must outlive
 * the evaluator. If the source is distributed, this function and sg_evaluator_run are collective. */
sg_status sg_evaluator_init(sg_evaluator *s, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            const char *precision, bool reuse, sg_thread_pool *pool);
void sg_evaluator_release(sg_evaluator *s);
/* Reads the rows of a block, sets w->rows to them, and predicts y (n, outputs). */
sg_status sg_evaluator_predict_block(const sg_evaluator *s, sg_predict_worker *w, size_t first, size_t n, double *y);
/* Evaluates the model with its current theta and stores one sg_metrics for each output. Allocates no memory. */
sg_status sg_evaluator_run(sg_evaluator *s, sg_metrics *out);

/* Returns the RMSE over all outputs together. */
double sg_metrics_rmse(const sg_metrics *m, size_t outputs);
