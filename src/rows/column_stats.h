/* column_stats.h: one pass over the rows that validates them and computes the moments of all columns, and a fingerprint
 * of the data. */
#pragma once

#include "base/thread/thread_pool.h"
#include "prep/moments.h"
#include "rows/column_roles.h"

typedef struct sg_column_stats {
    sg_moments moments;   /* of all columns, without rows of weight 0                                         */
    size_t rows;          /* complete rows: with all targets and a weight                                     */
    size_t incomplete;    /* all other rows                                                                   */
    size_t zero_weight;   /* rows of weight 0                                                                 */
    uint64_t fingerprint; /* hash of the columns with a role; independent of the order in which rows are read */
} sg_column_stats;

/* Fails unless all used values are missing or within +-SG_MAX_VALUE, all weights are missing or at least 0, not all
 * weights are 0, and at least one row is complete. Messages contain row numbers, so s should be the user's source, not
 * a subset. pool may be NULL. Collective if the source is distributed. */
sg_status sg_column_stats_compute(const sg_source *s, const sg_column_roles *roles, sg_thread_pool *pool,
                                  sg_column_stats *out);
void sg_column_stats_release(sg_column_stats *s);
