/* memory_share.h: how much of --memory is for what.
 *
 * An eighth of it is for work, which is little and does not grow with the rows (train/budget.h). The rest is shared:
 * rows of a dataset (a table, or a file that is kept) take half of all at most. Rows that are not in memory are
 * fetched ahead (data/ahead.h), three eighths at a time, or what rows that are held (sg_source.held) leave over: of a
 * dataset of several files some may be in memory and others not. A training may have a second dataset, its validation
 * rows: it takes what the first one and reading ahead leave. */
#ifndef SG_DATA_MEMORY_SHARE_H
#define SG_DATA_MEMORY_SHARE_H

#include "base/options.h"

/* o may be NULL: the default. */
static inline size_t sg_memory(const sg_options *o)
{
    return o && sg_options_get(o, "memory") ? sg_options_bytes(o, "memory") : (size_t)256 << 20;
}

static inline size_t sg_memory_left(size_t share, size_t held) { return held < share ? share - held : 0; }

static inline size_t sg_memory_for_rows(const sg_options *o) { return sg_memory(o) / 2; }

/* Where rows take so much already. */
static inline size_t sg_memory_ahead(const sg_options *o, size_t held)
{
    size_t eighth = sg_memory(o) / 8, left = sg_memory_left(7 * eighth, held);
    return left < 3 * eighth ? left : 3 * eighth;
}

/* For the rows of a second dataset. */
static inline size_t sg_memory_beside(const sg_options *o, const sg_source *first)
{
    size_t ahead = first->slow ? sg_memory_ahead(o, first->held) : 0;
    size_t left = sg_memory_left(sg_memory(o) / 8 * 7, first->held + ahead), half = sg_memory_for_rows(o);
    return left < half ? left : half;
}

#endif
