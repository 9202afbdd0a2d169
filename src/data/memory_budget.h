/* memory_budget.h: how much of --memory is for what.
 *
 * An eighth of it is for work, which is little and does not grow with the rows (predict/memory_plan.h). The rest is
 * shared: rows of a dataset (a table, or a file that is kept) take half of all at most. Rows that are not in memory are
 * fetched ahead (data/source/prefetch_source.h), three eighths at a time, or what rows that are held (sg_source.held)
 * leave over: of a dataset of several files some may be in memory and others not. A training may have a second dataset,
 * its validation rows: it takes what the first one and reading ahead leave. */
#ifndef SG_DATA_MEMORY_BUDGET_H
#define SG_DATA_MEMORY_BUDGET_H

#include "base/options.h"

/* o may be NULL: the default. */
static inline size_t sg_memory_limit(const sg_options *o)
{
    return o && sg_options_get(o, "memory") ? sg_options_bytes(o, "memory") : (size_t)256 << 20;
}

static inline size_t sg_memory_remaining(size_t share, size_t held) { return held < share ? share - held : 0; }

static inline size_t sg_memory_for_rows(const sg_options *o) { return sg_memory_limit(o) / 2; }

/* Where rows take so much already. */
static inline size_t sg_memory_for_prefetch(const sg_options *o, size_t held)
{
    size_t eighth = sg_memory_limit(o) / 8, left = sg_memory_remaining(7 * eighth, held);
    return left < 3 * eighth ? left : 3 * eighth;
}

/* For the rows of a second dataset. */
static inline size_t sg_memory_for_valid(const sg_options *o, const sg_source *first)
{
    size_t ahead = first->slow_gather ? sg_memory_for_prefetch(o, first->resident_bytes) : 0;
    size_t left = sg_memory_remaining(sg_memory_limit(o) / 8 * 7, first->resident_bytes + ahead),
           half = sg_memory_for_rows(o);
    return left < half ? left : half;
}

#endif
