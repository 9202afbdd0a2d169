/* prepare.h: from rows to an untrained model: checks the data and fits the transforms. */
#ifndef SG_TRAIN_PREPARE_H
#define SG_TRAIN_PREPARE_H

#include "model/model.h"
#include "prep/moments.h"
#include "train/roles.h"

typedef struct sg_prepared {
    sg_model *model;      /* views and target transform, no blocks yet    */
    sg_roles columns;     /* constant inputs are out                      */
    sg_moments seen;      /* of the view a: where MFs are put             */
    double weight_scale;  /* brings the mean of the positive weights to 1 */
    size_t rows;          /* of positive weight                           */
    double deviation;     /* of the targets together, in their own units  */
    uint64_t fingerprint; /* of the numbers that were used                */
} sg_prepared;

/* The value of --target in force: --scale none implies none. */
const char *sg_target_transform(const sg_options *o);

/* Of the numbers in these roles, whatever the order in which rows are seen. */
sg_status sg_fingerprint(const sg_source *s, const sg_roles *roles, uint64_t *out);

/* The rows must have passed sg_check_rows. roles are those in s; coding is what made their inputs, all features
 * of it in order, or NULL. */
sg_status sg_prepare(const sg_options *o, const sg_source *s, const sg_roles *roles, const sg_coding *coding,
                     sg_prepared *out);
/* The same for rows as the user has them. */
sg_status sg_prepare_raw(const sg_options *o, const sg_source *s, sg_prepared *out);
void sg_prepared_release(sg_prepared *p);

#endif
