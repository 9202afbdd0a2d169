/* evaluator.h: RMSE, MAE and R^2 of a model on the rows of a source, in one pass over them (parallel_reduce.h). Rows
 * that lack a target or their weight do not count. */
#ifndef SG_PREDICT_EVALUATOR_H
#define SG_PREDICT_EVALUATOR_H

#include "predict/column_roles.h"
#include "predict/parallel_reduce.h"
#include "predict/predict_worker.h"

enum { SG_EVAL_ROWS = 8 * SG_CHUNK };

/* Sums over rows, for one output. */
typedef struct sg_error_sums {
    double weight, squared_error, absolute_error; /* of the errors                     */
    double first, second;                         /* of y - mean, for the spread of y  */
} sg_error_sums;

typedef struct sg_evaluator_worker {
    sg_predict_worker predictor;
    bool loaded;        /* the seer has the parameters of this run      */
    double *raw, *y;    /* (SG_EVAL_ROWS, columns or outputs)          */
    const double *rows; /* those of the block at hand: raw, or where the source has them */
} sg_evaluator_worker;

typedef struct sg_evaluator {
    const sg_model *model;
    const sg_column_roles *columns;
    sg_parallel_reduce reduce; /* sums: a sg_error_sums for each output, then the number of rows that count */
    size_t workers;
    sg_evaluator_worker *worker;
    size_t incomplete; /* rows that did not count in the last run */
    /* Rows that are looked at again and again are kept as the kernels see them, from the first of
     * sg_parallel_reduce_source on; NULL: they are read each time. */
    double *cached;             /* (chunks, a and z, SG_PITCH) */
    double *missing;            /* (chunks, a, SG_PITCH), as of sg_chunk; NULL: nothing is */
    double *targets;            /* (rows, outputs)             */
    double *weights;            /* (rows): 0 for those that do not count */
    sg_error_sums *target_sums; /* (blocks, outputs): what does not depend on the model, */
    size_t *counted;            /* (blocks): and how many count                          */
} sg_evaluator;

/* again: there will be many runs; rows are kept where they take little memory. Collective for rows of a team, like
 * the run. */
sg_status sg_evaluator_init(sg_evaluator *s, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            const char *precision, bool reuse, sg_thread_pool *pool);
void sg_evaluator_release(sg_evaluator *s);
/* Reads the rows of a block, which are w->rows then, and predicts them: y (n, outputs). */
sg_status sg_evaluator_predict_block(const sg_evaluator *s, sg_evaluator_worker *w, size_t first, size_t n, double *y);
/* One sg_metrics for each output, with the model's parameters as they are. Allocates nothing. */
sg_status sg_evaluator_run(sg_evaluator *s, sg_metrics *out);

/* The RMSE over all outputs together. */
double sg_metrics_rmse(const sg_metrics *m, size_t outputs);

#endif
