/* synthetic_rows.h: synthetic rows interpolated between neighbours, to be labelled by a teacher. */
#ifndef SG_AUTO_ENSEMBLE_SYNTHETIC_ROWS_H
#define SG_AUTO_ENSEMBLE_SYNTHETIC_ROWS_H

#include "auto/search/search_data.h"
#include "base/thread/thread_pool.h"

/* Returns the number of synthetic rows for a number of real rows, in a trial or in the final training. */
size_t sg_synthetic_count(size_t rows, bool is_final);
/* Copies the rows of `real`, and adds `count` rows: each between a real row and one of its nearest neighbours, with
 * some cells of another neighbour. Categories and common values are copied, never interpolated. Targets are those of
 * the real row. Each row depends on the seed and its number only. */
sg_status sg_synthetic_rows(const sg_search_data *data, const sg_source *real, size_t count, uint64_t seed,
                            sg_thread_pool *pool, sg_memory_table *out);
/* Returns the approximate cost of that in nominal nanoseconds. */
size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count);

#endif
