/* preprocess.c: from a survey of the training rows to transforms. Principal components take two more passes over the
 * rows: the Gram matrix, and moments of the components. */
#include "train/fit/preprocess.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "predict/feature_encode.h"
#include "prep/pca.h"
#include "train/fit/effects_fit.h"
#include "train/fit/input_clamp.h"
#include "train/fit/quantile_fit.h"
#include "train/fit/transformed_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Transformed inputs are kept within this, so that nothing after them can overflow. */
static const double clamp_limit = 1e6;

void sg_preprocessed_release(sg_preprocessed *p)
{
    sg_model_free(p->model);
    sg_column_roles_release(&p->columns);
    sg_moments_release(&p->moments);
    free(p->target_sigma);
    free(p->ridge);
    *p = (sg_preprocessed){0};
}

/* --- leaving inputs out --- */

static void notify_dropped_column(const sg_options *o, const char *name, bool values)
{
    sg_notice(o, "column \"%s\" %s: trained without it", name, values ? "is constant" : "has no values");
}

/* A category goes with the last of its features. */
static void notify_dropped_inputs(const sg_options *o, const sg_moments *raw, const sg_encoder *coding,
                                  const bool *keep)
{
    for (size_t i = 0; i < coding->inputs; i++) {
        const sg_encoded_input *in = &coding->input[i];
        size_t kept = 0;
        for (size_t k = 0; k < sg_encoded_input_features(in); k++) kept += keep[in->first_feature + k];
        if (!kept) notify_dropped_column(o, in->name, raw->column_count[in->first_feature] > 0);
    }
}

/* coding: of the model, or NULL. */
static sg_status drop_constant(const sg_options *o, const sg_source *s, const sg_moments *raw, sg_encoder *coding,
                               sg_column_roles *c)
{
    size_t kept = 0;
    bool *keep = sg_calloc(c->inputs, sizeof *keep);
    if (!keep) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < c->inputs; i++) {
        size_t column = c->input[i];
        keep[i] = !sg_moments_is_constant(raw, column);
        if (keep[i]) c->input[kept++] = column;
        else if (!coding) notify_dropped_column(o, s->names[column], raw->column_count[column] > 0);
    }
    if (coding) notify_dropped_inputs(o, raw, coding, keep);
    if (coding) sg_encoder_select_features(coding, keep);
    free(keep);
    if (kept == 0)
        return sg_fail(SG_EDATA, "%s: every input column is constant: there is nothing to learn from",
                       sg_source_name(s));
    c->inputs = kept; /* the targets stay where they are, further on */
    return SG_OK;
}

/* --- the model's names, ranges and transforms --- */

static sg_status new_named_model(const sg_source *s, const sg_column_roles *c, const sg_moments *raw, sg_model **out)
{
    const char **names = sg_calloc(c->inputs + c->targets, sizeof *names);
    if (!names) return sg_fail(SG_ENOMEM, "out of memory for columns");
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

const char *sg_effective_target_transform(const sg_options *o)
{
    bool none = sg_options_equals(o, "scale", "none") && !sg_options_is_set(o, "target");
    return none ? "none" : sg_options_text(o, "target");
}

static void fit_target(const sg_options *o, const sg_column_roles *c, const sg_moments *raw, sg_model *m)
{
    const char *transform = sg_effective_target_transform(o);
    bool none = strcmp(transform, "none") == 0;
    for (size_t i = 0; i < c->targets; i++) {
        bool constant = sg_moments_is_constant(raw, c->target[i]);
        if (constant) sg_notice(o, "the target \"%s\" is constant: the model will predict it", m->output_name[i]);
        if (none && !constant) continue; /* centring makes the prediction of a constant exact */
        m->mean[i] = constant ? raw->low[c->target[i]] : raw->mean[c->target[i]];
        if (!constant && strcmp(transform, "zscore") == 0) m->scale[i] = sg_moments_stddev(raw, c->target[i]);
    }
}

/* How far a column's values lie from `middle`. */
static double max_distance(const sg_moments *raw, size_t column, double middle)
{
    return fmax(fabs(raw->low[column] - middle), fabs(raw->high[column] - middle));
}

/* Floats overflow where errors in large units meet small firing levels. */
static sg_status check_float(const sg_options *o, const sg_column_roles *c, const sg_moments *raw, const sg_model *m)
{
    const double most = 1e6;
    if (sg_options_equals(o, "precision", "f64")) return SG_OK;
    for (size_t i = 0; i < c->targets; i++) {
        double far = max_distance(raw, c->target[i], m->mean[i]) / m->scale[i];
        if (far > most)
            return sg_fail(SG_EINVAL,
                           "--precision f32: the target \"%s\" reaches %.3g in the units that are trained, "
                           "at most %g will do; take --target zscore, or f64",
                           m->output_name[i], far, most);
    }
    for (size_t i = 0; sg_options_equals(o, "scale", "none") && i < c->inputs; i++)
        if (max_distance(raw, c->input[i], 0) > most)
            return sg_fail(SG_EINVAL,
                           "--precision f32: \"%s\" reaches %.3g, at most %g will do; take --scale zscore, or f64",
                           m->feature_name[i], max_distance(raw, c->input[i], 0), most);
    return SG_OK;
}

static sg_status add_clamp(sg_pipeline *v, const double *limit)
{
    sg_transform *clamp = sg_pipeline_append(v, &sg_transform_clamp, v->out);
    if (!clamp) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < v->out; i++) {
        clamp->parameter[1][i] = limit ? limit[i] : clamp_limit;
        clamp->parameter[0][i] = -clamp->parameter[1][i];
    }
    return SG_OK;
}

static sg_status fit_zscore(const sg_column_roles *c, const sg_moments *raw, sg_pipeline *v)
{
    sg_transform *z = sg_pipeline_append(v, &sg_transform_zscore, v->out);
    if (!z) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        z->parameter[0][i] = raw->mean[c->input[i]];
        z->parameter[1][i] = sg_moments_stddev(raw, c->input[i]);
    }
    return add_clamp(v, NULL);
}

/* Conditions see ranks, consequents what they see otherwise: so they can be told in the inputs' own units. */
static sg_status fit_quantile(const sg_source *s, const sg_moments *raw, sg_preprocessed *p)
{
    bool ok = sg_pipeline_copy(&p->model->a, &p->model->z); /* both are limited, if at all */
    sg_status st = ok ? sg_fit_quantile_knots(s, raw, p) : sg_fail(SG_ENOMEM, "out of memory for a transform");
    if (st == SG_OK) st = add_clamp(&p->model->a, NULL);
    p->model->shared_pipeline = false;
    return st == SG_OK ? fit_zscore(&p->columns, raw, &p->model->z) : st;
}

/* There are no components of ranks: whoever asks for both is told so. */
size_t sg_effective_pca(const sg_options *o)
{
    bool none = sg_options_equals(o, "scale", "quantile") && !sg_options_is_set(o, "pca");
    return none ? 0 : sg_options_integer(o, "pca");
}

static bool uses_pca(const sg_options *o, size_t inputs)
{
    size_t most = sg_effective_pca(o);
    return most > 0 && inputs > most;
}

static void notify_pca_off(const sg_options *o, size_t inputs)
{
    size_t usual = sg_options_integer(o, "pca");
    if (sg_effective_pca(o) < usual && inputs > usual)
        sg_notice(o, "--scale quantile: conditions are on all %zu inputs (--pca 0), there are no components of ranks",
                  inputs);
}

/* Principal components are those of centred rows. */
static sg_status fit_centering(const sg_column_roles *c, const sg_moments *raw, sg_pipeline *v)
{
    sg_transform *z = sg_pipeline_append(v, &sg_transform_zscore, v->out);
    if (!z) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        z->parameter[0][i] = raw->mean[c->input[i]];
        z->parameter[1][i] = 1;
    }
    return SG_OK;
}

/* Values as they are in the file: only what lies far beyond the training rows is limited. */
static sg_status fit_none(const sg_options *o, const sg_column_roles *c, const sg_moments *raw, sg_pipeline *v)
{
    if (uses_pca(o, c->inputs)) {
        sg_status done = fit_centering(c, raw, v);
        if (done != SG_OK) return done;
    }
    double *limit = sg_calloc(c->inputs, sizeof *limit);
    if (!limit) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        double most = fmax(fabs(raw->low[c->input[i]]), fabs(raw->high[c->input[i]]));
        limit[i] = fmin(SG_MODEL_MAX_ABS, clamp_limit * fmax(1, most));
    }
    sg_status st = add_clamp(v, limit);
    free(limit);
    return st;
}

static sg_status fit_view(const sg_options *o, const sg_source *s, const sg_moments *raw, sg_preprocessed *p)
{
    const char *scale = sg_options_text(o, "scale");
    if (strcmp(scale, "none") == 0) return fit_none(o, &p->columns, raw, &p->model->a);
    if (strcmp(scale, "quantile") == 0) return fit_quantile(s, raw, p);
    return fit_zscore(&p->columns, raw, &p->model->a);
}

/* Predictions stay near the targets that were seen. */
static void fit_clip(const sg_options *o, const sg_column_roles *c, const sg_moments *raw, sg_model *m)
{
    double margin = sg_options_real(o, "clip");
    if (sg_options_equals(o, "clip", "none")) return;
    for (size_t i = 0; i < c->targets; i++) {
        double low = raw->low[c->target[i]], high = raw->high[c->target[i]], more = margin * (high - low);
        m->clip_low[i] = fmax(low - more, -SG_MODEL_MAX_ABS);
        m->clip_high[i] = fmin(high + more, SG_MODEL_MAX_ABS);
    }
}

static sg_status fit_pca(const sg_options *o, const sg_source *s, sg_thread_pool *pool, sg_preprocessed *p)
{
    size_t most = sg_effective_pca(o), n = p->model->a.out, cells;
    double *gram = sg_checked_mul(n, n, &cells) ? sg_calloc(cells, sizeof *gram) : NULL;
    if (!gram) return sg_fail(SG_ENOMEM, "out of memory for principal components of %zu inputs", n);
    sg_status st = sg_transformed_gram(s, p, pool, gram);
    if (st == SG_OK) st = sg_pca_fit(gram, n, most, &p->model->a);
    free(gram);
    return st;
}

/* Of inputs that are shifted and scaled: no training row reaches a clamp. */
static void scale_moments(const sg_options *o, const sg_moments *raw, sg_preprocessed *p)
{
    bool scaled = !sg_options_equals(o, "scale", "none");
    sg_moments *seen = &p->moments;
    *seen->rows = *raw->rows;
    *seen->weight_sum = *raw->weight_sum * p->weight_scale;
    for (size_t i = 0; i < p->columns.inputs; i++) {
        size_t c = p->columns.input[i];
        double middle = scaled ? raw->mean[c] : 0, inverse = scaled ? 1 / sg_moments_stddev(raw, c) : 1;
        seen->mean[i] = (raw->mean[c] - middle) * inverse;
        seen->low[i] = (raw->low[c] - middle) * inverse;
        seen->high[i] = (raw->high[c] - middle) * inverse;
        seen->m2[i] = raw->m2[c] * p->weight_scale * (inverse * inverse);
        seen->column_count[i] = raw->column_count[c];
        seen->column_weight[i] = raw->column_weight[c] * p->weight_scale;
    }
}

/* The model takes the coding over, unless nothing but numbers is left. */
static void adopt_encoder(sg_encoder **coding, sg_model *m)
{
    if (!*coding || !(sg_encoder_category_count(*coding) || (*coding)->effects)) return;
    m->encoder = *coding;
    *coding = NULL;
}

/* raw: of the inputs, after what limits them. */
static sg_status fit_views(const sg_options *o, const sg_source *s, const sg_moments *raw, sg_thread_pool *pool,
                           sg_preprocessed *p)
{
    bool components = uses_pca(o, p->columns.inputs), ranks = sg_options_equals(o, "scale", "quantile");
    if (components && ranks)
        return sg_fail(SG_EINVAL, "--scale quantile: principal components of ranks can't be had; take --pca 0");
    notify_pca_off(o, p->columns.inputs);
    sg_status st = fit_view(o, s, raw, p);
    if (st == SG_OK && components) st = fit_pca(o, s, pool, p);
    if (st == SG_OK && !sg_moments_init(&p->moments, p->model->a.out))
        st = sg_fail(SG_ENOMEM, "out of memory for statistics");
    /* Components and ranks have to be looked at. */
    if (st == SG_OK && (components || ranks)) return sg_transformed_moments(s, p, pool, &p->moments);
    if (st == SG_OK) scale_moments(o, raw, p);
    return st;
}

static sg_status fit_model(const sg_options *o, const sg_source *s, const sg_moments *raw, const sg_encoder *of,
                           sg_thread_pool *pool, sg_preprocessed *p)
{
    sg_encoder *coding = NULL;
    if (of && !(coding = sg_encoder_copy(of))) return sg_fail(SG_ENOMEM, "out of memory for the levels of categories");
    sg_status st = drop_constant(o, s, raw, coding, &p->columns);
    if (st == SG_OK) st = new_named_model(s, &p->columns, raw, &p->model);
    if (st == SG_OK) adopt_encoder(&coding, p->model);
    sg_encoder_free(coding);
    if (st != SG_OK) return st;
    fit_target(o, &p->columns, raw, p->model);
    fit_clip(o, &p->columns, raw, p->model);
    st = check_float(o, &p->columns, raw, p->model);
    if (st != SG_OK) return st;
    sg_moments limited = {0};
    st = sg_input_clamp_fit(o, s, raw, pool, p, &limited);
    if (st == SG_OK) st = fit_views(o, s, limited.columns ? &limited : raw, pool, p);
    sg_moments_release(&limited);
    return st;
}

sg_status sg_preprocessed_set_target_stats(sg_preprocessed *p, const sg_moments *raw)
{
    const sg_column_roles *c = &p->columns;
    double sum = 0;
    p->target_sigma = sg_calloc(c->targets, sizeof *p->target_sigma);
    if (!p->target_sigma) return sg_fail(SG_ENOMEM, "out of memory for statistics");
    for (size_t i = 0; i < c->targets; i++) {
        p->target_sigma[i] = sg_moments_stddev(raw, c->target[i]);
        sum += p->target_sigma[i] * p->target_sigma[i];
    }
    p->pooled_target_sigma = sqrt(sum / (double)c->targets);
    return SG_OK;
}

sg_status sg_preprocess_fit(const sg_options *o, const sg_source *s, const sg_column_roles *roles,
                            const sg_encoder *coding, const sg_column_stats *survey, sg_thread_pool *pool,
                            sg_preprocessed *out)
{
    sg_preprocessed p = {.fingerprint = survey->fingerprint, .rows = (size_t)*survey->moments.rows};
    sg_status st = sg_column_roles_copy(roles, &p.columns);
    if (st != SG_OK) return st;
    if (coding) p.fingerprint += sg_encoder_hash(coding);
    if (p.rows < 2)
        st = sg_fail(SG_EDATA, "%s: expected at least 2 rows to train on%s, found %zu", sg_source_name(s),
                     p.columns.weight == SG_NO_COLUMN ? "" : " with a weight above 0", p.rows);
    if (st == SG_OK) st = sg_preprocessed_set_target_stats(&p, &survey->moments);
    if (st == SG_OK) {
        p.weight_scale = *survey->moments.rows / *survey->moments.weight_sum;
        st = fit_model(o, s, &survey->moments, coding, pool, &p);
    }
    if (st != SG_OK) sg_preprocessed_release(&p);
    else *out = p;
    return st;
}

sg_status sg_preprocess_fit_raw(const sg_options *o, const sg_source *s, sg_thread_pool *pool, sg_preprocessed *out)
{
    sg_source rows = *s;
    sg_encoder *coding = NULL;
    sg_effect_folds *folds = NULL;
    sg_encoded_source *expanded = NULL;
    sg_column_stats survey = {0};
    sg_column_roles roles;
    sg_status st = sg_column_roles_from_options(o, s, &roles);
    if (st != SG_OK) return st;
    st = sg_features_fit_encoder(o, s, &roles, &coding);
    if (st == SG_OK) st = sg_effects_fit(o, s, &roles, pool, &coding, &folds);
    if (st == SG_OK) st = sg_features_encode_source(coding, &rows, &roles, &expanded);
    if (st == SG_OK && folds) sg_encoded_source_set_folds(expanded, folds);
    if (st == SG_OK) st = sg_column_stats_compute(&rows, &roles, pool, &survey);
    if (st == SG_OK) st = sg_preprocess_fit(o, &rows, &roles, coding, &survey, pool, out);
    sg_column_stats_release(&survey);
    sg_encoded_source_free(expanded);
    sg_effect_folds_free(folds);
    sg_encoder_free(coding);
    sg_column_roles_release(&roles);
    return st;
}
