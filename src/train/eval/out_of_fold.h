/* out_of_fold.h: the rows of a source, each predicted by the model that was trained without it. */
#ifndef SG_TRAIN_EVAL_OUT_OF_FOLD_H
#define SG_TRAIN_EVAL_OUT_OF_FOLD_H

#include "base/thread/thread_pool.h"
#include "model/model.h"
#include "predict/column_roles.h"
#include "train/eval/folds.h"

typedef struct sg_out_of_fold {
    const sg_source *rows;
    const size_t *target;    /* (outputs): columns of the rows                              */
    const sg_subset *subset; /* that the rows are, where they are told by the numbers below; or NULL */
    const sg_folds *folds;
    sg_model *const *model; /* (models): of the folds from the first on; rows of others are passed over */
    size_t models, outputs;
    sg_out_of_fold_fn *emit;
    void *arg;
} sg_out_of_fold;

/* In the order of the rows, in memory that does not depend on their number. Collective for rows of a team, whose first
 * member takes them all. pool may be NULL. */
sg_status sg_out_of_fold_predict(const sg_out_of_fold *o, sg_thread_pool *pool);

#endif
