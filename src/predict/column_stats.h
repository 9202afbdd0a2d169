/* column_stats.h: what one pass over the rows tells: whether they can be trained on, moments of all columns, a
 * fingerprint. */
#ifndef SG_PREDICT_COLUMN_STATS_H
#define SG_PREDICT_COLUMN_STATS_H

#include "base/thread/thread_pool.h"
#include "predict/column_roles.h"
#include "prep/moments.h"

/* Values that are trained on lie within this, so that their spread lies within SG_MODEL_MAX_ABS. */
#define SG_MAX_VALUE 1e99

typedef struct sg_column_stats {
    sg_moments moments;   /* of all columns; rows of weight 0 do not count           */
    size_t rows;          /* that lack neither target nor weight                     */
    size_t incomplete;    /* those that do                                           */
    size_t zero_weight;   /* rows of weight 0                                        */
    uint64_t fingerprint; /* of the numbers in these roles, whatever the order in which rows are seen */
} sg_column_stats;

/* Values that are used are missing or within SG_MAX_VALUE; weights are missing or at least 0, and not all 0;
 * there is a row that lacks nothing. The failure names the row, so give it the source that the user knows, not a
 * part of it. pool may be NULL. Collective for rows of a team. */
sg_status sg_column_stats_compute(const sg_source *s, const sg_column_roles *roles, sg_thread_pool *pool,
                                  sg_column_stats *out);
void sg_column_stats_release(sg_column_stats *s);

/* Values that are used, with or without inputs, and the weight of row number `row`. */
sg_status sg_check_row(const sg_source *s, const sg_column_roles *c, bool inputs, const double *x, size_t row);
/* Those of s that lack nothing, and without `zeros` weigh something; s must outlive *out. */
sg_status sg_complete_rows(const sg_source *s, const sg_column_roles *roles, bool zeros, sg_subset **out);
/* Of a row; NaN where it lacks a target or the weight itself. */
double sg_row_weight(const sg_column_roles *c, const double *row);
/* A sentence for weights of that sum, or for so many rows of which all lack something. */
sg_status sg_check_row_weights(const sg_source *s, const sg_column_roles *c, size_t lacking, double weight);
/* Says that so many rows are left out; which: "", or "validation ". */
void sg_notify_incomplete_rows(const sg_options *o, const sg_column_roles *roles, size_t lacking, const char *which);

#endif
