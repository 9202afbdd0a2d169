/* effects.h: the effects that inputs of numbers have beyond ridge regression, as derived inputs. */
#ifndef SG_TRAIN_EFFECTS_H
#define SG_TRAIN_EFFECTS_H

#include "base/options.h"
#include "base/pool.h"
#include "prep/coding.h"
#include "train/roles.h"

/* By the option effects: *coding, of the rows in these roles, is replaced by one with effects of all rows (it may be
 * NULL before), and *folds are those to train with. Both stay as they are where the option names nothing. */
sg_status sg_effects_fit(const sg_options *o, const sg_source *rows, const sg_roles *roles, sg_pool *pool,
                         sg_coding **coding, sg_effect_folds **folds);

#endif
