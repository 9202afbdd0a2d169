/* prefetch_source.h: rows that will be asked for, fetched by a thread while others are worked on.
 *
 * Lists of rows have numbers, in the order in which they will be needed (iterations, for instance), and a function
 * says what is in each. The rows of many lists are fetched together, in the order in which they lie: so neighbours
 * among them are read at once, and a file that is a few times as large as the memory is read as fast as if that were
 * done from its beginning to its end. The source hands out the rows of the current list, and goes to the original for
 * any other. The same rows come either way. */
#ifndef SG_DATA_SOURCE_PREFETCH_SOURCE_H
#define SG_DATA_SOURCE_PREFETCH_SOURCE_H

#include "data/source/source.h"

typedef struct sg_prefetch sg_prefetch;

/* The rows of list `number`, n of them. Called by the thread, for one number after the other. */
typedef void sg_prefetch_fn(void *arg, size_t number, size_t *rows);

/* Lists of n rows of `of`, which must outlive it. At most `memory` bytes are used; where that is not enough for two
 * lists, *out is NULL. Rows of a list are in order if it says so. */
sg_status sg_prefetch_new(const sg_source *of, size_t n, bool in_order, sg_prefetch_fn *fn, void *arg, size_t memory,
                          sg_prefetch **out);
/* Ends the thread. */
void sg_prefetch_free(sg_prefetch *a);

/* From now on rows come from list `number`; those up to `last` are needed after it. Returns its rows; NULL where
 * they can't be had ahead. May not be called while rows are gathered. */
const size_t *sg_prefetch_advance(sg_prefetch *a, size_t number, size_t last);

sg_source sg_prefetch_source(const sg_prefetch *a);

#endif
