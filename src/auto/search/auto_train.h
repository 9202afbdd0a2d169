/* auto_train.h: parts of sg_train that cross-validation uses for each fold. */
#ifndef SG_AUTO_SEARCH_AUTO_TRAIN_H
#define SG_AUTO_SEARCH_AUTO_TRAIN_H

#include "base/thread/thread_pool.h"
#include "train/fit/preprocess.h"

/* Like sg_train, but computes neither support nor intervals, except for intervals that a search gets for free. */
sg_status sg_train_uncalibrated(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                                void *arg, sg_model **out);
/* Checks all rows once, so that errors and notices do not refer to a fold, and replaces *rows by the usable ones:
 * complete and, unless keep_zero_weights, of positive weight. *usable is that subset, or NULL if all rows are usable.
 * The caller releases roles, *usable and *all, also on failure. pool may be NULL. Collective for distributed rows. */
sg_status sg_prepare_usable_rows(const sg_options *o, bool keep_zero_weights, sg_thread_pool *pool, sg_source *rows,
                                 sg_column_roles *roles, sg_subset **usable, sg_preprocessed *all);

#endif
