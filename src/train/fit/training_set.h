/* training_set.h: which of a user's rows are trained on, and what is known of them before the first step. */
#ifndef SG_TRAIN_FIT_TRAINING_SET_H
#define SG_TRAIN_FIT_TRAINING_SET_H

#include "data/source/encoded_source.h"
#include "train/fit/preprocess.h"

typedef struct sg_training_set {
    sg_source rows;            /* to train on, as the user has them */
    sg_subset *holdout, *rest; /* where some were set aside to validate with */
    sg_subset *usable;         /* where some lack a target, or have no weight */
    sg_encoder *coding;        /* of categories and effects, or NULL */
    sg_effect_folds *folds;    /* of effects, or NULL */
    sg_encoded_source *expanded;
} sg_training_set;

/* `features` are the chosen rows as they are trained on, valid until the release. `train` must outlive it. */
sg_status sg_training_set_init(sg_training_set *c, const sg_options *o, const sg_source *train, bool use_holdout,
                               sg_source *features, sg_preprocessed *out);
void sg_training_set_release(sg_training_set *c);

#endif
