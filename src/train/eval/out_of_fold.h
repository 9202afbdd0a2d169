/* out_of_fold.h: predicts each row with the model that was trained without it. */
#pragma once

#include "train/eval/folds.h"

typedef struct sg_out_of_fold {
    const sg_source *rows;
    const size_t *target;    /* (outputs): columns of the targets */
    const sg_subset *subset; /* NULL, or the subset that `rows` reads, whose base row numbers are emitted */
    const sg_folds *folds;
    sg_model *const *model; /* (models): models of the first folds; rows of other folds are skipped */
    size_t models, outputs;
    sg_out_of_fold_fn *emit;
    void *arg;
} sg_out_of_fold;

/* Predicts all rows and calls emit for each of them, in order. The memory used does not depend on the number of rows.
 * Collective if the source is distributed: rank 0 emits all rows. pool may be NULL. */
sg_status sg_out_of_fold_predict(const sg_out_of_fold *o, sg_thread_pool *pool);
