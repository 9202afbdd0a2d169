/* additive_sums.h: the sums over all rows from which an additive part is fitted and cross-validated.
 *
 * Least squares needs only the Gram matrix G = sum w phi phi' of the regressors phi, c = sum w phi y' and sum w y^2.
 * One pass over the rows computes them for each fold. The fit without a fold, and its error on that fold, follow
 * without another pass: the squared error of coefficients b is y'y - 2 c'b + b'Gb. The sums for fewer knots or pairs
 * are linear functions of the sums for more of them. */
#pragma once

#include "base/thread/thread_pool.h"
#include "model/additive.h"
#include "train/additive/additive_folds.h"
#include "train/additive/additive_progress.h"
#include "train/fit/preprocess.h"

typedef struct sg_additive_sums {
    size_t columns, outputs;
    size_t length; /* number of values per fold                                       */
    double *fold;  /* (SG_ADDITIVE_FOLDS, length), followed by the sum over the folds */
} sg_additive_sums;

/* The parts of one fold, or of the sum over the folds for fold == SG_ADDITIVE_FOLDS. */
typedef struct sg_normal_equations {
    double *squares; /* (outputs): sum of w y^2         */
    double *cross;   /* (columns, outputs)              */
    double *gram;    /* (columns, columns): lower triangle */
} sg_normal_equations;
sg_normal_equations sg_additive_sums_at(const sg_additive_sums *s, size_t fold);

/* Computes the sums over all rows of s for the curves and pairs of `layout`. Targets are transformed by p->model.
 * progress may be NULL; after a cancellation, some of the rows are left out. Collective if the source is distributed.
 * Release *out with sg_additive_sums_release. */
sg_status sg_additive_sums_compute(const sg_source *s, const sg_preprocessed *p, const sg_additive *layout,
                                   const sg_additive_grouping *grouping, sg_additive_progress *progress,
                                   sg_thread_pool *pool, sg_additive_sums *out);
/* Computes the sums for the layout `to`. Its curves and pairs must be among those of `from`, and their knots and terms
 * must be among those of the same curves in `from`. */
sg_status sg_additive_sums_project(const sg_additive_sums *s, const sg_additive *from, const sg_additive *to,
                                   sg_additive_sums *out);
void sg_additive_sums_release(sg_additive_sums *s);
