/* preprocess.h: from rows to an untrained model: fits the transforms. */
#ifndef SG_TRAIN_FIT_PREPROCESS_H
#define SG_TRAIN_FIT_PREPROCESS_H

#include "model/model.h"
#include "predict/column_stats.h"

typedef struct sg_preprocessed {
    sg_model *model;            /* views and target transform, no blocks yet    */
    sg_column_roles columns;    /* constant inputs are out                      */
    sg_moments moments;         /* of the view a: where MFs are put             */
    double weight_scale;        /* brings the mean of the positive weights to 1 */
    size_t rows;                /* of positive weight                           */
    double *target_sigma;       /* (outputs): standard deviations of the targets, in their own units */
    double pooled_target_sigma; /* of the targets together                      */
    double *ridge;              /* (terms + 1, outputs): where consequents start; NULL: at 0 */
    uint64_t fingerprint;       /* of the numbers that were used                */
} sg_preprocessed;

/* The value of --target in force: --scale none implies none. */
const char *sg_effective_target_transform(const sg_options *o);

/* The value of --pca in force: --scale quantile implies 0. */
size_t sg_effective_pca(const sg_options *o);

/* roles are those in s; coding is what made their inputs, all features of it in order, or NULL; survey is one of these
 * rows in these roles. pool may be NULL. Collective for rows of a team. */
sg_status sg_preprocess_fit(const sg_options *o, const sg_source *s, const sg_column_roles *roles,
                            const sg_encoder *coding, const sg_column_stats *survey, sg_thread_pool *pool,
                            sg_preprocessed *out);
/* The same for rows as the user has them. */
sg_status sg_preprocess_fit_raw(const sg_options *o, const sg_source *s, sg_thread_pool *pool, sg_preprocessed *out);
void sg_preprocessed_release(sg_preprocessed *p);
/* Their spread. raw: of all columns. */
sg_status sg_preprocessed_set_target_stats(sg_preprocessed *p, const sg_moments *raw);

#endif
