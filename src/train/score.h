/* score.h: RMSE, MAE and R^2 of a model on the rows of a source, in one pass over them (sweep.h). Rows that lack a
 * target or their weight do not count. */
#ifndef SG_TRAIN_SCORE_H
#define SG_TRAIN_SCORE_H

#include "kernel/seer.h"
#include "train/roles.h"
#include "train/sweep.h"

enum { SG_SCORE_ROWS = 8 * SG_CHUNK };

/* Sums over rows, for one output. */
typedef struct sg_sums {
    double weight, squares, absolute; /* of the errors                     */
    double first, second;             /* of y - mean, for the spread of y  */
} sg_sums;

typedef struct sg_score_worker {
    sg_seer seer;
    bool loaded;        /* the seer has the parameters of this run      */
    double *raw, *y;    /* (SG_SCORE_ROWS, columns or outputs)          */
    const double *rows; /* those of the block at hand: raw, or where the source has them */
} sg_score_worker;

typedef struct sg_score {
    const sg_model *model;
    const sg_roles *columns;
    sg_sweep sweep; /* sums: a sg_sums for each output, then the number of rows that count */
    size_t workers;
    sg_score_worker *worker;
    size_t lacking; /* rows that did not count in the last run */
    /* Rows that are looked at again and again are kept as the kernels see them, from the first of sg_sweep_source on;
     * NULL: they are read each time. */
    double *kept;    /* (chunks, a and z, SG_PITCH) */
    double *missing; /* (chunks, a, SG_PITCH), as of sg_chunk; NULL: nothing is */
    double *targets; /* (rows, outputs)             */
    double *weights; /* (rows): 0 for those that do not count */
    sg_sums *spread; /* (blocks, outputs): what does not depend on the model, */
    size_t *counted; /* (blocks): and how many count                          */
} sg_score;

/* again: there will be many runs; rows are kept where they take little memory. Collective for rows of a team, like
 * the run. */
sg_status sg_score_init(sg_score *s, const sg_model *m, const sg_source *source, const sg_roles *columns,
                        const char *precision, bool again, sg_pool *pool);
void sg_score_release(sg_score *s);
/* Reads the rows of a block, which are w->rows then, and predicts them: y (n, outputs). */
sg_status sg_score_block(const sg_score *s, sg_score_worker *w, size_t first, size_t n, double *y);
/* One sg_metrics for each output, with the model's parameters as they are. Allocates nothing. */
sg_status sg_score_run(sg_score *s, sg_metrics *out);

/* The RMSE over all outputs together. */
double sg_metrics_rmse(const sg_metrics *m, size_t outputs);

#endif
