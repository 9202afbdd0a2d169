/* memory_shares.h: divides the memory that the option `memory` allows.
 *
 * One eighth is working memory, which does not grow with the number of rows (rows/training_memory.h). The rows of a
 * dataset use at most half of the total. Rows that are not in memory are prefetched (data/source/prefetch_source.h)
 * into three eighths, or into what resident rows (sg_source.resident_bytes) leave: some files of a dataset may be in
 * memory and others not. Validation rows, a second dataset, use what the training rows and prefetching leave. */
#pragma once

#include "data/read_options.h"

static inline size_t sg_memory_remaining(size_t budget, size_t used) { return used < budget ? budget - used : 0; }

static inline size_t sg_memory_for_rows(const sg_options *o) { return sg_memory_limit(o) / 2; }

/* Returns the bytes available for prefetching if rows already use `resident` bytes. */
static inline size_t sg_memory_for_prefetch(const sg_options *o, size_t resident)
{
    size_t eighth = sg_memory_limit(o) / 8, left = sg_memory_remaining(7 * eighth, resident);
    return left < 3 * eighth ? left : 3 * eighth;
}

/* Returns the bytes available for the validation rows that accompany the rows of `train`. */
static inline size_t sg_memory_for_valid(const sg_options *o, const sg_source *train)
{
    size_t prefetch = train->slow_gather ? sg_memory_for_prefetch(o, train->resident_bytes) : 0;
    size_t left = sg_memory_remaining(sg_memory_limit(o) / 8 * 7, train->resident_bytes + prefetch),
           half = sg_memory_for_rows(o);
    return left < half ? left : half;
}
