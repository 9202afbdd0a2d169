/* effects_fit.h: the effects that inputs of numbers have beyond ridge regression, as derived inputs. */
#ifndef SG_TRAIN_FIT_EFFECTS_FIT_H
#define SG_TRAIN_FIT_EFFECTS_FIT_H

#include "base/options.h"
#include "base/thread/thread_pool.h"
#include "predict/column_roles.h"
#include "prep/encoder.h"

/* By the option effects: *coding, of the rows in these roles, is replaced by one with effects of all rows (it may be
 * NULL before), and *folds are those to train with. Both stay as they are where the option names nothing. */
sg_status sg_effects_fit(const sg_options *o, const sg_source *rows, const sg_column_roles *roles, sg_thread_pool *pool,
                         sg_encoder **coding, sg_effect_folds **folds);

#endif
