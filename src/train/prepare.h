/* prepare.h: from rows to an untrained model: fits the transforms. */
#ifndef SG_TRAIN_PREPARE_H
#define SG_TRAIN_PREPARE_H

#include "model/model.h"
#include "train/survey.h"

typedef struct sg_prepared {
    sg_model *model;      /* views and target transform, no blocks yet    */
    sg_roles columns;     /* constant inputs are out                      */
    sg_moments seen;      /* of the view a: where MFs are put             */
    double weight_scale;  /* brings the mean of the positive weights to 1 */
    size_t rows;          /* of positive weight                           */
    double *spread;       /* (outputs): standard deviations of the targets, in their own units */
    double deviation;     /* of the targets together                      */
    double *ridge;        /* (terms + 1, outputs): where consequents start; NULL: at 0 */
    uint64_t fingerprint; /* of the numbers that were used                */
} sg_prepared;

/* The value of --target in force: --scale none implies none. */
const char *sg_target_transform(const sg_options *o);

/* The value of --pca in force: --scale quantile implies 0. */
size_t sg_components(const sg_options *o);

/* roles are those in s; coding is what made their inputs, all features of it in order, or NULL; survey is one of these
 * rows in these roles. pool may be NULL. Collective for rows of a team. */
sg_status sg_prepare(const sg_options *o, const sg_source *s, const sg_roles *roles, const sg_coding *coding,
                     const sg_survey *survey, sg_pool *pool, sg_prepared *out);
/* The same for rows as the user has them. */
sg_status sg_prepare_raw(const sg_options *o, const sg_source *s, sg_pool *pool, sg_prepared *out);
void sg_prepared_release(sg_prepared *p);
/* Their spread. raw: of all columns. */
sg_status sg_prepared_targets(sg_prepared *p, const sg_moments *raw);

#endif
