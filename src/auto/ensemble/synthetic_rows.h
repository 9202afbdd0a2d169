/* synthetic_rows.h: rows that nobody measured, between those that somebody did, for a teacher to label. */
#ifndef SG_AUTO_ENSEMBLE_SYNTHETIC_ROWS_H
#define SG_AUTO_ENSEMBLE_SYNTHETIC_ROWS_H

#include "auto/search/search_data.h"
#include "base/thread/thread_pool.h"

/* How many are made for so many real ones, for a trial or for the last. */
size_t sg_synthetic_count(size_t rows, bool last);
/* The rows of `from`, and after them `count` more: each between a row and one of its near neighbours, some of its cells
 * another neighbour's. Categories, and numbers that are common, are taken as they are. Targets are left as they come.
 */
sg_status sg_synthetic_rows(const sg_search_data *g, const sg_source *from, size_t count, uint64_t seed,
                            sg_thread_pool *pool, sg_memory_table *out);
/* The work of that, nearly, in nanoseconds. */
size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count);

#endif
