/* preprocess.c: selects the training rows, drops constant inputs, and creates a model with its target transform. The
 * transforms of the inputs are fitted in transform_fit.c. */
#include "train/fit/preprocess.h"

#include "base/memory.h"
#include "rows/check_rows.h"
#include "rows/feature_source.h"
#include "train/train_config.h"

#include <math.h>
#include <stdlib.h>

void sg_preprocessed_release(sg_preprocessed *p)
{
    sg_model_free(p->model);
    sg_column_roles_release(&p->columns);
    sg_moments_release(&p->moments);
    free(p->target_sigma);
    free(p->ridge);
    *p = (sg_preprocessed){0};
}

/* --- constant inputs --- */

static void notify_dropped_column(const sg_options *o, const char *name, bool values)
{
    sg_notice(o, "column \"%s\" %s, so the model does not use it", name, values ? "is constant" : "has no values");
}

/* Sends a notice for each input that keeps no feature. A category is dropped with the last of its features. */
static void notify_dropped_inputs(const sg_options *o, const sg_moments *raw, const sg_encoder *encoder,
                                  const bool *keep)
{
    for (size_t i = 0; i < encoder->inputs; i++) {
        const sg_encoded_input *in = &encoder->input[i];
        size_t kept = 0;
        for (size_t k = 0; k < sg_encoded_input_features(in); k++) kept += keep[in->first_feature + k];
        if (!kept) notify_dropped_column(o, in->name, raw->column_count[in->first_feature] > 0);
    }
}

/* Removes constant inputs from the roles c and from the encoder, which may be NULL. */
static sg_status drop_constant(const sg_options *notices, const sg_source *s, const sg_moments *raw,
                               sg_encoder *encoder, sg_column_roles *c)
{
    size_t kept = 0;
    bool *keep = sg_calloc(c->inputs, sizeof *keep);
    if (!keep) return sg_fail_out_of_memory("the list of columns");
    for (size_t i = 0; i < c->inputs; i++) {
        size_t column = c->input[i];
        keep[i] = !sg_moments_is_constant(raw, column);
        if (keep[i]) c->input[kept++] = column;
        else if (!encoder) notify_dropped_column(notices, s->names[column], raw->column_count[column] > 0);
    }
    if (encoder) notify_dropped_inputs(notices, raw, encoder, keep);
    if (encoder) sg_encoder_select_features(encoder, keep);
    free(keep);
    if (kept == 0)
        return sg_fail(SG_EDATA, "%s: every input column is constant, so there is nothing to learn from",
                       sg_source_name(s));
    c->inputs = kept; /* c->target still points to the position after the original inputs */
    return SG_OK;
}

/* --- the model --- */

static sg_status new_named_model(const sg_source *s, const sg_column_roles *c, const sg_moments *raw, sg_model **out)
{
    const char **names = sg_calloc(c->inputs + c->targets, sizeof *names);
    if (!names) return sg_fail_out_of_memory("the list of columns");
    for (size_t i = 0; i < c->inputs; i++) names[i] = s->names[c->input[i]];
    for (size_t i = 0; i < c->targets; i++) names[c->inputs + i] = s->names[c->target[i]];
    sg_status st = sg_model_new(names, c->inputs, names + c->inputs, c->targets, out);
    free(names);
    for (size_t i = 0; st == SG_OK && i < c->inputs; i++) {
        (*out)->low[i] = raw->low[c->input[i]];
        (*out)->high[i] = raw->high[c->input[i]];
        (*out)->feature_mean[i] = raw->mean[c->input[i]];
    }
    return st;
}

static void fit_target(const sg_preprocess_config *config, const sg_column_roles *c, const sg_moments *raw, sg_model *m)
{
    for (size_t i = 0; i < c->targets; i++) {
        bool constant = sg_moments_is_constant(raw, c->target[i]);
        if (constant)
            sg_notice(config->notices, "the target \"%s\" is constant, so the model always predicts that value",
                      m->output_name[i]);
        if (config->target == SG_TARGET_NONE && !constant) continue; /* centring predicts a constant exactly */
        m->mean[i] = constant ? raw->low[c->target[i]] : raw->mean[c->target[i]];
        if (!constant && config->target == SG_TARGET_ZSCORE) m->scale[i] = sg_moments_stddev(raw, c->target[i]);
    }
}

/* Sets the range that predictions are clipped to: that of the training targets, widened by a margin. */
static void fit_clip(const sg_preprocess_config *config, const sg_column_roles *c, const sg_moments *raw, sg_model *m)
{
    for (size_t i = 0; config->clips && i < c->targets; i++) {
        double low = raw->low[c->target[i]], high = raw->high[c->target[i]], more = config->clip_margin * (high - low);
        m->clip_low[i] = fmax(low - more, -SG_MODEL_MAX_ABS);
        m->clip_high[i] = fmin(high + more, SG_MODEL_MAX_ABS);
    }
}

/* Returns the largest distance of a value in the column from `middle`. */
static double max_distance(const sg_moments *raw, size_t column, double middle)
{
    return fmax(fabs(raw->low[column] - middle), fabs(raw->high[column] - middle));
}

/* Fails if values are too large for f32: floats overflow if large residuals meet small firing levels. */
static sg_status check_float(const sg_preprocess_config *config, const sg_column_roles *c, const sg_moments *raw,
                             const sg_model *m)
{
    const double most = 1e6;
    if (!config->is_f32) return SG_OK;
    for (size_t i = 0; i < c->targets; i++) {
        double far = max_distance(raw, c->target[i], m->mean[i]) / m->scale[i];
        if (far > most)
            return sg_fail(SG_EINVAL,
                           "--precision f32: the target \"%s\" reaches %.3g in transformed units, but f32 supports at "
                           "most %g; use --target zscore or --precision f64",
                           m->output_name[i], far, most);
    }
    for (size_t i = 0; config->scale == SG_SCALE_NONE && i < c->inputs; i++)
        if (max_distance(raw, c->input[i], 0) > most)
            return sg_fail(SG_EINVAL,
                           "--precision f32: the input \"%s\" reaches %.3g, but f32 supports at most %g; use --scale "
                           "zscore or --precision f64",
                           m->feature_name[i], max_distance(raw, c->input[i], 0), most);
    return SG_OK;
}

/* Moves the encoder to the model, unless only plain numeric inputs are left. */
static void adopt_encoder(sg_encoder **encoder, sg_model *m)
{
    if (!*encoder || !(sg_encoder_category_count(*encoder) || (*encoder)->effects)) return;
    m->encoder = *encoder;
    *encoder = NULL;
}

static sg_status fit_model(const sg_preprocess_config *config, const sg_source *s, const sg_moments *raw,
                           const sg_encoder *of, sg_thread_pool *pool, sg_preprocessed *p)
{
    sg_encoder *encoder = NULL;
    if (of && !(encoder = sg_encoder_copy(of))) return sg_fail_out_of_memory("the levels of categories");
    sg_status st = drop_constant(config->notices, s, raw, encoder, &p->columns);
    if (st == SG_OK) st = new_named_model(s, &p->columns, raw, &p->model);
    if (st == SG_OK) adopt_encoder(&encoder, p->model);
    sg_encoder_free(encoder);
    if (st != SG_OK) return st;
    fit_target(config, &p->columns, raw, p->model);
    fit_clip(config, &p->columns, raw, p->model);
    st = check_float(config, &p->columns, raw, p->model);
    return st == SG_OK ? sg_transform_fit(config, s, raw, pool, p) : st;
}

sg_status sg_preprocessed_set_target_stats(sg_preprocessed *p, const sg_moments *raw)
{
    const sg_column_roles *c = &p->columns;
    double sum = 0;
    p->target_sigma = sg_calloc(c->targets, sizeof *p->target_sigma);
    if (!p->target_sigma) return sg_fail_out_of_memory("statistics");
    for (size_t i = 0; i < c->targets; i++) {
        p->target_sigma[i] = sg_moments_stddev(raw, c->target[i]);
        sum += p->target_sigma[i] * p->target_sigma[i];
    }
    p->pooled_target_sigma = sqrt(sum / (double)c->targets);
    return SG_OK;
}

sg_status sg_preprocess_fit(const sg_preprocess_config *config, const sg_source *s, const sg_column_roles *roles,
                            const sg_encoder *encoder, const sg_column_stats *stats, sg_thread_pool *pool,
                            sg_preprocessed *out)
{
    sg_preprocessed p = {.fingerprint = stats->fingerprint, .rows = (size_t)*stats->moments.rows};
    sg_status st = sg_column_roles_copy(roles, &p.columns);
    if (st != SG_OK) return st;
    if (encoder) p.fingerprint += sg_encoder_hash(encoder);
    if (p.rows < 2)
        st = sg_fail(SG_EDATA, "%s: training needs at least 2 rows%s; found %zu", sg_source_name(s),
                     p.columns.weight == SG_NO_COLUMN ? "" : " with a weight above 0", p.rows);
    if (st == SG_OK) st = sg_preprocessed_set_target_stats(&p, &stats->moments);
    if (st == SG_OK) {
        p.weight_scale = *stats->moments.rows / *stats->moments.weight_sum;
        st = fit_model(config, s, &stats->moments, encoder, pool, &p);
    }
    if (st != SG_OK) sg_preprocessed_release(&p);
    else *out = p;
    return st;
}

/* --- rows to train on --- */

static sg_status split_holdout(const sg_train_config *config, const sg_source *all, sg_training_set *c)
{
    size_t n = (size_t)(config->valid_fraction * (double)all->rows + 0.5);
    if (n == 0)
        return sg_fail(SG_EINVAL, "%s: --valid-fraction is too small to hold out any of the %zu rows",
                       sg_source_name(all), all->rows);
    sg_status st = sg_subset_split(all, config->seed, 0, n, 1, &c->holdout);
    if (st == SG_OK) st = sg_subset_split(all, config->seed, 0, n, 0, &c->rest);
    if (st == SG_OK) c->rows = sg_subset_source(c->rest);
    return st;
}

/* Checks all rows, so that messages have the user's row numbers, then splits off the holdout and leaves out rows that
 * cannot be trained on. *stats describes c->rows, or is empty if some rows were left out. */
static sg_status select_rows(const sg_train_config *config, const sg_source *train, bool use_holdout,
                             sg_thread_pool *pool, sg_training_set *c, sg_column_stats *stats)
{
    sg_column_roles roles;
    sg_status st = sg_column_roles_from_options(config->options, train, &roles);
    if (st != SG_OK) return st;
    c->rows = *train;
    st = sg_column_stats_compute(train, &roles, pool, stats);
    if (st == SG_OK && use_holdout) st = split_holdout(config, train, c);
    bool some = stats->zero_weight || stats->incomplete;
    if (st == SG_OK && some) {
        sg_notify_incomplete_rows(config->options, &roles, stats->incomplete, "");
        st = sg_complete_rows(&c->rows, &roles, false, &c->usable);
        if (st == SG_OK) c->rows = sg_subset_source(c->usable);
    }
    sg_column_roles_release(&roles);
    if (use_holdout || some) sg_column_stats_release(stats);
    return st;
}

/* Finds the column of --group, which only additive models need. In encoded rows, it follows all other columns. */
static sg_status find_group(const sg_train_config *config, sg_training_set *c)
{
    c->group = SG_NO_COLUMN;
    return config->additive.is_additive ? sg_group_column(config->options, &c->rows, &c->group) : SG_OK;
}

static sg_status encode_rows(sg_training_set *c, sg_source *features, sg_column_roles *roles)
{
    bool has_group = c->group != SG_NO_COLUMN;
    sg_status st = sg_features_encode_source_and(c->encoder, features, roles, &c->group, has_group, &c->encoded);
    if (st == SG_OK && has_group && c->encoded) c->group = features->columns - 1;
    return st;
}

/* Encodes c->rows and fits the transforms. Recomputes *stats if it is empty or if the rows were encoded. */
static sg_status fit_features(const sg_train_config *all, sg_thread_pool *pool, sg_column_stats *stats,
                              sg_training_set *c, sg_source *features, sg_preprocessed *out)
{
    const sg_options *o = all->options;
    const sg_preprocess_config *config = &all->preprocess;
    sg_column_roles roles;
    sg_status st = sg_column_roles_from_options(o, &c->rows, &roles);
    if (st != SG_OK) return st;
    st = find_group(all, c);
    *features = c->rows;
    if (st == SG_OK) st = sg_features_fit_encoder(o, &c->rows, &roles, &c->encoder);
    if (st == SG_OK) st = sg_effects_fit(config, &c->rows, &roles, pool, &c->encoder, &c->folds);
    if (st == SG_OK) st = encode_rows(c, features, &roles);
    if (st == SG_OK && c->folds) sg_encoded_source_set_folds(c->encoded, c->folds);
    if (c->encoder) sg_column_stats_release(stats); /* they describe the columns before the encoding */
    if (st == SG_OK && !stats->rows) st = sg_column_stats_compute(features, &roles, pool, stats);
    if (st == SG_OK) st = sg_preprocess_fit(config, features, &roles, c->encoder, stats, pool, out);
    sg_column_roles_release(&roles);
    return st;
}

/* Uses all threads: the limit on copies of theta does not apply yet. */
sg_status sg_training_set_init(sg_training_set *c, const sg_train_config *config, const sg_source *train,
                               bool use_holdout, sg_source *features, sg_preprocessed *out)
{
    sg_thread_pool *pool = NULL;
    sg_column_stats stats = {0};
    *c = (sg_training_set){0};
    sg_status st = sg_thread_pool_new(config->threads, &pool);
    if (st == SG_OK) st = select_rows(config, train, use_holdout, pool, c, &stats);
    if (st == SG_OK) st = fit_features(config, pool, &stats, c, features, out);
    sg_column_stats_release(&stats);
    sg_thread_pool_free(pool);
    if (st != SG_OK) sg_training_set_release(c);
    return st;
}

void sg_training_set_release(sg_training_set *c)
{
    sg_encoded_source_free(c->encoded);
    sg_encoder_free(c->encoder);
    sg_effect_folds_free(c->folds);
    sg_subset_free(c->rest);
    sg_subset_free(c->holdout);
    sg_subset_free(c->usable);
    *c = (sg_training_set){0};
}

sg_status sg_preprocess_fit_raw(const sg_options *o, const sg_source *s, sg_thread_pool *pool, sg_preprocessed *out)
{
    sg_train_config config = sg_train_config_parse(o);
    sg_training_set c = {.rows = *s};
    sg_column_stats stats = {0};
    sg_source features;
    sg_status st = fit_features(&config, pool, &stats, &c, &features, out);
    sg_column_stats_release(&stats);
    sg_training_set_release(&c);
    return st;
}
