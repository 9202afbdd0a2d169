/* memory_share.h: how much of --memory is for what.
 *
 * Half of it is for the rows of a dataset: a table, or a file that is kept. A training may have a second dataset, its
 * validation rows. Rows that are not in memory are fetched ahead (data/ahead.h), three eighths of it at a time. What is
 * left is for work, which is little and does not grow with the rows (train/budget.h). */
#ifndef SG_DATA_MEMORY_SHARE_H
#define SG_DATA_MEMORY_SHARE_H

#include "base/options.h"

/* o may be NULL: the default. */
static inline size_t sg_memory_for_rows(const sg_options *o)
{
    return (o && sg_options_get(o, "memory") ? sg_options_bytes(o, "memory") : (size_t)256 << 20) / 2;
}

static inline size_t sg_memory_ahead(const sg_options *o) { return sg_memory_for_rows(o) / 4 * 3; }

#endif
