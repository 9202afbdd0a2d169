/* prefetch_source.h: prefetches the rows of future batches in a background thread.
 *
 * Batches are numbered in the order of their use, and a function lists the rows of each. The rows of many batches are
 * fetched together, sorted by position, so that adjacent rows are read at once: a file that is several times as large
 * as memory is read at sequential speed. The source provides the rows of the current batch, and reads all others from
 * the base source. Prefetching does not change results. */
#pragma once

#include "data/source/source_util.h"

typedef struct sg_prefetch sg_prefetch;

/* Stores the row numbers of a batch in `rows`. The thread calls it with increasing batch numbers. */
typedef void sg_prefetch_fn(void *arg, size_t number, size_t *rows);

/* Prefetches batches of n rows of base, which must outlive it, with at most `memory` bytes. Sets *out to NULL if that
 * is too little for two batches. `sorted` says whether the rows of each batch are in ascending order. */
sg_status sg_prefetch_new(const sg_source *base, size_t n, bool sorted, sg_prefetch_fn *fn, void *arg, size_t memory,
                          sg_prefetch **out);
/* Stops the thread and frees `a`. */
void sg_prefetch_free(sg_prefetch *a);

/* Makes batch `number` current; batches up to `last` will follow. Returns its row numbers, or NULL if it was not
 * prefetched. Must not be called while rows are gathered. */
const size_t *sg_prefetch_advance(sg_prefetch *a, size_t number, size_t last);

sg_source sg_prefetch_source(const sg_prefetch *a);
