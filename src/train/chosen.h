/* chosen.h: which of a user's rows are trained on, and what is known of them before the first step. */
#ifndef SG_TRAIN_CHOSEN_H
#define SG_TRAIN_CHOSEN_H

#include "data/expanded.h"
#include "train/prepare.h"

typedef struct sg_chosen {
    sg_source rows;               /* to train on, as the user has them */
    sg_subset *aside, *not_aside; /* where some were set aside to validate with */
    sg_subset *usable;            /* where some lack a target, or have no weight */
    sg_coding *coding;            /* of categories and effects, or NULL */
    sg_effect_folds *folds;       /* of effects, or NULL */
    sg_expanded *expanded;
} sg_chosen;

/* `features` are the chosen rows as they are trained on, valid until the release. `train` must outlive it. */
sg_status sg_chosen_init(sg_chosen *c, const sg_options *o, const sg_source *train, bool set_aside, sg_source *features,
                         sg_prepared *out);
void sg_chosen_release(sg_chosen *c);

#endif
