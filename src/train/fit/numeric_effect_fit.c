/* numeric_effect_fit.c: fits univariate effects in passes over the rows that count distinct values, fit ridge
 * regression, and sum its residuals in the order of the rows. */

#include "base/memory.h"
#include "prep/value_counts.h"
#include "rows/feature_source.h"
#include "train/fit/effect_bins.h"
#include "train/fit/even_sample.h"
#include "train/fit/preprocess.h"
#include "train/fit/ridge_regression.h"
#include "train/train_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOTAL_VALUES = 8 * SG_EFFECT_MAX_VALUES }; /* listed values of all effects */

/* An input with an effect. */
typedef struct effect_input {
    size_t input, column; /* index in the encoder, and in the source */
    sg_value_counts counts;
    bool many; /* too many distinct values to list them all */
    sg_effect_sums sums;
} effect_input;

typedef struct effects_fit {
    const sg_source *source;      /* features without effects */
    const sg_column_roles *roles; /* roles of the columns of `source` */
    uint64_t seed;
    size_t count, max_values; /* number of effects, and maximum number of listed values of each */
    effect_input *of;
} effects_fit;

/* --- which inputs --- */

static bool selects_all_inputs(const char *effects) { return strcmp(effects, "all") == 0 || strcmp(effects, "*") == 0; }

static bool is_named(const char *effects, const char *name)
{
    char item[512];
    for (size_t i = 0; sg_list_item(effects, i, item, sizeof item); i++)
        if (strcmp(item, name) == 0) return true;
    return false;
}

static sg_status check_name(const char *name, const sg_encoder *c)
{
    for (size_t i = 0; i < c->inputs; i++) {
        if (strcmp(c->input[i].name, name) != 0) continue;
        if (!c->input[i].levels) return SG_OK;
        return sg_fail(SG_EINVAL, "--effects: column \"%s\" is categorical; effects need numeric columns", name);
    }
    return sg_fail(SG_EINVAL, "--effects: there is no input \"%s\"", name);
}

static sg_status check_effects(const char *effects, const sg_source *rows, const sg_column_roles *roles,
                               const sg_encoder *c)
{
    char item[512];
    sg_status st = SG_OK;
    if (rows->comm) return sg_fail(SG_EINVAL, "--effects is not available in distributed training; use one process");
    if (roles->targets > 1)
        return sg_fail(SG_EINVAL, "--effects needs a single target, not %zu; train one model per target",
                       roles->targets);
    for (size_t i = 0; st == SG_OK && !selects_all_inputs(effects) && sg_list_item(effects, i, item, sizeof item); i++)
        st = check_name(item, c);
    return st;
}

/* Chooses the inputs that get effects. Leaves out constant inputs, which the model will not have. */
static sg_status choose_inputs(const char *effects, const sg_encoder *c, const sg_moments *raw, effects_fit *w)
{
    w->of = sg_calloc(c->inputs, sizeof *w->of);
    if (!w->of) return sg_fail_out_of_memory("effects");
    for (size_t i = 0; i < c->inputs; i++) {
        size_t column = w->roles->input[c->input[i].first_feature];
        if (c->input[i].levels || !(selects_all_inputs(effects) || is_named(effects, c->input[i].name))) continue;
        if (!sg_moments_is_constant(raw, column)) w->of[w->count++] = (effect_input){.input = i, .column = column};
    }
    w->max_values =
        w->count > MAX_TOTAL_VALUES / SG_EFFECT_MAX_VALUES ? MAX_TOTAL_VALUES / w->count : SG_EFFECT_MAX_VALUES;
    return SG_OK;
}

/* --- which values --- */

static sg_status count_values(void *arg, const double *row, size_t rows)
{
    effects_fit *w = arg;
    for (size_t i = 0; i < rows; i++, row += w->source->columns)
        for (size_t k = 0; k < w->count; k++) {
            effect_input *of = &w->of[k];
            if (of->many || isnan(row[of->column])) continue;
            if (!sg_value_counts_add(&of->counts, row[of->column], 1)) return sg_fail_out_of_memory("effects");
            if (of->counts.values <= w->max_values) continue;
            of->many = true;
            sg_value_counts_release(&of->counts);
        }
    return SG_OK;
}

static void copy_values(void *arg, const sg_chunk_loader *l, double *x)
{
    const effects_fit *w = arg;
    for (size_t k = 0; k < w->count; k++) x[k] = l->rows.raw[w->of[k].column];
}

/* Inputs with many values get their bins from a sample of the rows. */
static sg_status count_sample(effects_fit *w, const sg_preprocessed *p)
{
    size_t rows = sg_train_sample_size(w->source, w->count, SG_TRAIN_SAMPLE_CELLS, 1000), any = 0;
    for (size_t k = 0; k < w->count; k++) any += w->of[k].many;
    if (!any) return SG_OK;
    double *x = sg_calloc(rows, w->count * sizeof *x);
    sg_status st =
        x ? sg_train_sample_gather(w->source, p, copy_values, w, rows, w->count, x) : sg_fail_out_of_memory("effects");
    for (size_t i = 0; st == SG_OK && i < rows * w->count; i++) {
        effect_input *of = &w->of[i % w->count];
        if (of->many && !isnan(x[i]) && !sg_value_counts_add(&of->counts, x[i], 1))
            st = sg_fail_out_of_memory("effects");
    }
    free(x);
    return st;
}

static int by_value(const void *a, const void *b)
{
    const sg_value_freq *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static sg_status layout_table(effect_input *of)
{
    size_t n = 0;
    sg_value_freq *value = sg_calloc(of->counts.values, sizeof *value);
    if (!value) return sg_fail_out_of_memory("effects");
    for (size_t i = 0; i < of->counts.slots; i++)
        if (of->counts.slot[i].rows) value[n++] = (sg_value_freq){of->counts.slot[i].value, of->counts.slot[i].rows};
    qsort(value, n, sizeof *value, by_value);
    bool ok = sg_effect_sums_init(&of->sums, of->input, value, n, !of->many);
    free(value);
    sg_value_counts_release(&of->counts);
    return ok ? SG_OK : sg_fail_out_of_memory("effects");
}

/* --- residuals of ridge regression --- */

/* Returns the residual of ridge regression for row i, in original units of the target. */
static double residual_of(const sg_chunk_loader *l, const double *ridge, size_t i)
{
    const sg_model *m = l->model;
    const double *z = l->rows.z + i * sg_model_terms(m);
    double sum = ridge[0];
    for (size_t k = 0; k < sg_model_terms(m); k++) sum += ridge[k + 1] * z[k];
    return (l->rows.t[i] - sum) * m->scale[0];
}

static sg_status accumulate_residuals(effects_fit *w, const sg_preprocessed *p, const double *ridge)
{
    sg_chunk_loader l;
    sg_status st = sg_chunk_loader_open_rows(&l, w->source, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    for (size_t first = 0, n; st == SG_OK && first < w->source->rows; first += n) {
        n = w->source->rows - first < SG_LOADER_ROWS ? w->source->rows - first : SG_LOADER_ROWS;
        st = sg_chunk_loader_read_rows(&l, first, n);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            const double *raw = l.rows.raw + i * w->source->columns;
            double residual = residual_of(&l, ridge, i);
            size_t fold = sg_effect_fold_of_row(w->seed, first + i);
            for (size_t k = 0; k < w->count; k++)
                sg_effect_sums_add(&w->of[k].sums, fold, raw[w->of[k].column], l.rows.w[i], residual);
        }
    }
    sg_chunk_loader_release(&l);
    return st;
}

static sg_status sum_effect_bins(const sg_encoder *encoder, const sg_column_stats *stats, sg_thread_pool *pool,
                                 effects_fit *w)
{
    /* Sends no notices, because the training itself sends them. */
    static const sg_preprocess_config plain = {.scale = SG_SCALE_ZSCORE, .target = SG_TARGET_ZSCORE};
    sg_preprocessed p = {0};
    double *ridge = NULL, penalty;
    sg_status st = sg_source_for_each_block(w->source, count_values, w);
    if (st == SG_OK) st = sg_preprocess_fit(&plain, w->source, w->roles, encoder, stats, pool, &p);
    if (st == SG_OK) st = count_sample(w, &p);
    for (size_t k = 0; st == SG_OK && k < w->count; k++) st = layout_table(&w->of[k]);
    if (st == SG_OK && !(ridge = sg_calloc(sg_model_terms(p.model) + 1, sizeof *ridge)))
        st = sg_fail_out_of_memory("effects");
    if (st == SG_OK) st = sg_ridge_fit(w->source, &p, pool, ridge, &penalty);
    if (st == SG_OK) st = accumulate_residuals(w, &p, ridge);
    free(ridge);
    sg_preprocessed_release(&p);
    return st;
}

/* --- the tables --- */

static sg_status make_folds(const effects_fit *w, sg_effect_folds **out)
{
    sg_effect_folds *f = sg_calloc(1, sizeof *f);
    if (f) *f = (sg_effect_folds){w->seed, w->count, sg_calloc(SG_EFFECT_FOLDS * w->count, sizeof *f->effect)};
    bool ok = f && f->effect;
    for (size_t i = 0; ok && i < SG_EFFECT_FOLDS * w->count; i++)
        ok = sg_effect_sums_solve(&w->of[i % w->count].sums, i / w->count, &f->effect[i]);
    if (ok) *out = f;
    else sg_effect_folds_free(f);
    return ok ? SG_OK : sg_fail_out_of_memory("effects");
}

static sg_status build_effect_tables(const effects_fit *w, sg_encoder *c)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < w->count; k++) {
        sg_effect e;
        st = sg_effect_sums_solve(&w->of[k].sums, SG_EFFECT_FOLDS, &e) ? sg_encoder_add_effect(c, &e)
                                                                       : sg_fail_out_of_memory("effects");
    }
    return st;
}

static void release_fit(effects_fit *w)
{
    for (size_t k = 0; k < w->count; k++) {
        sg_value_counts_release(&w->of[k].counts);
        sg_effect_sums_release(&w->of[k].sums);
    }
    free(w->of);
}

/* Creates a copy of `before` or, if that is NULL, an encoder that passes all inputs on. */
static sg_status start_encoder(const sg_source *rows, const sg_column_roles *roles, const sg_encoder *before,
                               sg_encoder **out)
{
    *out = before ? sg_encoder_copy(before) : sg_encoder_new();
    sg_status st = *out ? SG_OK : sg_fail_out_of_memory("effects");
    for (size_t i = 0; st == SG_OK && !before && i < roles->inputs; i++)
        st = sg_encoder_add_number(*out, rows->names[roles->input[i]]);
    return st;
}

static sg_status fit_effects(const sg_preprocess_config *config, const sg_source *features,
                             const sg_column_roles *roles, const sg_encoder *before, sg_thread_pool *pool,
                             sg_encoder *encoder, sg_effect_folds **folds)
{
    effects_fit w = {.source = features, .roles = roles, .seed = config->seed};
    sg_column_stats stats = {0};
    sg_status st = sg_column_stats_compute(features, roles, pool, &stats);
    if (st == SG_OK) st = choose_inputs(config->effects, encoder, &stats.moments, &w);
    if (st == SG_OK && w.count) st = sum_effect_bins(before, &stats, pool, &w);
    if (st == SG_OK) st = make_folds(&w, folds);
    if (st == SG_OK) st = build_effect_tables(&w, encoder);
    sg_column_stats_release(&stats);
    release_fit(&w);
    return st;
}

sg_status sg_effects_fit(const sg_preprocess_config *config, const sg_source *rows, const sg_column_roles *roles,
                         sg_thread_pool *pool, sg_encoder **encoder, sg_effect_folds **folds)
{
    sg_source features = *rows;
    sg_column_roles in_features = {0};
    sg_encoded_source *encoded = NULL;
    sg_encoder *with = NULL;
    if (!*config->effects) return SG_OK;
    sg_status st = start_encoder(rows, roles, *encoder, &with);
    if (st == SG_OK) st = check_effects(config->effects, rows, roles, with);
    if (st == SG_OK) st = sg_column_roles_copy(roles, &in_features);
    if (st == SG_OK) st = sg_features_encode_source(*encoder, &features, &in_features, &encoded);
    if (st == SG_OK) st = fit_effects(config, &features, &in_features, *encoder, pool, with, folds);
    sg_encoded_source_free(encoded);
    sg_column_roles_release(&in_features);
    if (st == SG_OK) {
        sg_notice(config->notices,
                  "--effects: effects are reliable only for values that occur in the training rows; evaluate the model "
                  "on rows that differ from the training rows as much as those you will predict");
        sg_encoder_free(*encoder);
        *encoder = with;
    } else {
        sg_encoder_free(with);
    }
    return st;
}
