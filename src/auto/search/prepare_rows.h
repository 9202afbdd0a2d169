/* prepare_rows.h: rows that will be trained on in parts. */
#ifndef SG_AUTO_SEARCH_PREPARE_ROWS_H
#define SG_AUTO_SEARCH_PREPARE_ROWS_H

#include "base/thread/thread_pool.h"
#include "train/fit/preprocess.h"

/* Mistakes and notices are about all rows, once, and not about a part's. *rows become those that lack nothing, and
 * without `zeros` weigh something: *usable, where there are others. Roles, subset and *all, what is known of these
 * rows, are the caller's also on failure. Collective for rows of a team. */
sg_status sg_prepare_usable_rows(const sg_options *o, bool zeros, sg_thread_pool *pool, sg_source *rows,
                                 sg_column_roles *roles, sg_subset **usable, sg_preprocessed *all);

#endif
