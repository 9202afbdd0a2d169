/* match_training_rows.c: tells from the fingerprints in a training record whether a model was trained on given rows.
 *
 * The fingerprint is that of the rows as training saw them: encoded, without incomplete rows, and without the holdout
 * of --valid-fraction. It cannot be reproduced for target-encoded inputs, which are cross-fitted in training. If it
 * differs but the number of rows is the same, the ranges and means of the inputs decide. Unlike that of training rows,
 * the fingerprint of validation rows includes incomplete ones. */
#include "export/match_training_rows.h"

#include "rows/check_rows.h"
#include "rows/column_stats.h"
#include "rows/feature_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the training record --- */

static const char *record_text(const sg_model *m, const char *name)
{
    const char *entry, *value;
    for (size_t i = 0; sg_model_record(m, i, &entry, &value); i++)
        if (strcmp(entry, name) == 0) return value;
    return "";
}

static double record_number(const sg_model *m, const char *name)
{
    const char *text = record_text(m, name);
    return *text ? strtod(text, NULL) : 0;
}

static bool record_has_hash(const sg_model *m, const char *name, uint64_t fingerprint)
{
    const char *text = record_text(m, name);
    return *text && strtoull(text, NULL, 16) == fingerprint;
}

/* --- fingerprints --- */

typedef struct row_hash {
    size_t rows;
    uint64_t fingerprint, with_incomplete;
    bool same_inputs; /* there are as many rows as in training, and the inputs have the same ranges and means */
} row_hash;

static bool has_same_inputs(const sg_model *m, const sg_column_stats *stats, const sg_column_roles *roles)
{
    const sg_moments *s = &stats->moments;
    const size_t plain = m->encoder ? sg_encoder_base_features(m->encoder) : m->features;
    if ((double)stats->rows != record_number(m, "rows")) return false;
    for (size_t i = 0; i < plain; i++) {
        size_t c = roles->input[i];
        bool number = sg_model_is_numeric_feature(m, i);
        if (number && (s->low[c] != m->low[i] || s->high[c] != m->high[i])) return false;
        if (!(fabs(s->mean[c] - m->feature_mean[i]) <= 1e-9 * fmax(fabs(m->low[i]), fabs(m->high[i])))) return false;
    }
    return true;
}

/* Computes the fingerprint of the complete rows and that of all rows. */
static sg_status hash_complete_rows(const sg_model *m, const sg_source *rows, const sg_column_roles *roles,
                                    sg_thread_pool *pool, row_hash *out)
{
    sg_column_stats stats = {0};
    sg_subset *complete = NULL;
    sg_status st = sg_column_stats_compute(rows, roles, pool, &stats);
    const uint64_t with_incomplete = stats.fingerprint;
    if (st == SG_OK && (stats.incomplete || stats.zero_weight)) {
        sg_column_stats_release(&stats);
        stats = (sg_column_stats){0};
        st = sg_complete_rows(rows, roles, false, &complete);
        const sg_source subset = complete ? sg_subset_source(complete) : *rows;
        if (st == SG_OK) st = sg_column_stats_compute(&subset, roles, pool, &stats);
    }
    if (st == SG_OK)
        *out = (row_hash){stats.rows, stats.fingerprint, with_incomplete, has_same_inputs(m, &stats, roles)};
    sg_column_stats_release(&stats);
    sg_subset_free(complete);
    return st;
}

/* Computes the fingerprint of the rows that --valid-fraction left for training. */
static sg_status hash_split(const sg_model *m, const sg_source *rows, const sg_column_roles *roles,
                            sg_thread_pool *pool, row_hash *out)
{
    sg_subset *rest = NULL;
    double fraction = record_number(m, "valid-fraction");
    size_t held_out = (size_t)(fraction * (double)rows->rows + 0.5);
    *out = (row_hash){0};
    if (!(fraction > 0 && fraction < 1) || held_out == 0 || held_out == rows->rows) return SG_OK;
    sg_status st = sg_subset_split(rows, (uint64_t)record_number(m, "seed"), 0, held_out, 0, &rest);
    if (st != SG_OK) return st;
    const sg_source subset = sg_subset_source(rest);
    st = hash_complete_rows(m, &subset, roles, pool, out);
    sg_subset_free(rest);
    return st;
}

static sg_status compare_rows(const sg_model *m, const sg_feature_source *f, sg_thread_pool *pool, sg_rows_origin *out)
{
    const bool comparable = f->columns.weight != SG_NO_COLUMN || !*record_text(m, "weights");
    const uint64_t levels = m->encoder ? sg_encoder_hash(m->encoder) : 0;
    const double trained = record_number(m, "rows");
    row_hash all, split;
    sg_status st = hash_complete_rows(m, &f->source, &f->columns, pool, &all);
    if (st == SG_OK) st = hash_split(m, &f->source, &f->columns, pool, &split);
    if (st != SG_OK) return st;
    if (record_has_hash(m, "data", all.fingerprint + levels) || all.same_inputs) *out = SG_ROWS_TRAINING;
    else if (split.rows && (record_has_hash(m, "data", split.fingerprint + levels) || split.same_inputs))
        *out = SG_ROWS_SPLIT;
    else if (record_has_hash(m, "valid_data", all.with_incomplete)) *out = SG_ROWS_VALIDATION;
    else if (comparable && trained > 0 && (double)all.rows != trained && (double)split.rows != trained)
        *out = SG_ROWS_OTHER;
    return SG_OK;
}

sg_status sg_rows_find_origin(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                              sg_rows_origin *out)
{
    sg_feature_source f;
    sg_thread_pool *pool = NULL;
    *out = SG_ROWS_UNKNOWN;
    sg_status st = sg_feature_source_open(&f, m, rows, true, weights);
    if (st != SG_OK) return st;
    st = sg_thread_pool_new(threads, &pool);
    if (st == SG_OK) st = compare_rows(m, &f, pool, out);
    if (st == SG_EDATA) { /* training refuses such rows, so it has not seen them */
        *out = SG_ROWS_OTHER;
        st = SG_OK;
    }
    sg_thread_pool_free(pool);
    sg_feature_source_close(&f);
    return st;
}

const char *sg_rows_origin_name(sg_rows_origin origin)
{
    static const char *const names[] = {
        [SG_ROWS_UNKNOWN] = "unknown", [SG_ROWS_OTHER] = "other",           [SG_ROWS_TRAINING] = "training",
        [SG_ROWS_SPLIT] = "split",     [SG_ROWS_VALIDATION] = "validation",
    };
    return names[origin];
}
