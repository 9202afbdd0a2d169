/* transform_fit.c: fits the input transforms from the moments of the columns. Clamping to quantiles and the quantile
 * transform need a sample of rows; PCA needs two more passes, for the Gram matrix and the moments of components. */
#include "train/fit/preprocess.h"

#include "base/memory.h"
#include "prep/quantile_transform.h"
#include "prep/transform_pipeline.h"
#include "train/fit/even_sample.h"
#include "train/fit/row_reduce.h"
#include "train/train_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Transformed inputs are clamped to +- this value, so that later computations cannot overflow. */
static const double clamp_limit = 1e6;
/* --limit tails: the fraction of the rows beyond each limit. */
static const double tail = 0.005;

/* Appends a transform with the parameters parameter[0] and parameter[1], each of which has n values. */
static sg_status append_transform(sg_pipeline *v, const sg_transform_kind *kind, const double *const parameter[2],
                                  size_t n)
{
    sg_transform *t = sg_pipeline_append(v, kind, v->out);
    if (!t) return sg_fail_out_of_memory("a transform");
    for (size_t k = 0; k < 2; k++) memcpy(t->parameter[k], parameter[k], n * sizeof *parameter[k]);
    return SG_OK;
}

/* --- clamping to the training rows (--limit) --- */

static bool is_level(const sg_model *m, size_t feature)
{
    return m->encoder && sg_encoder_feature_input(m->encoder, feature)->levels;
}

/* Returns whether a feature is a univariate effect, which is bounded by construction. */
static bool is_effect(const sg_model *m, size_t feature)
{
    return m->encoder && feature >= sg_encoder_base_features(m->encoder);
}

typedef struct clamp_bounds {
    const sg_model *model;
    double *low, *high; /* (inputs) */
} clamp_bounds;

static void clamp_to_range(const sg_column_roles *c, const sg_moments *raw, const clamp_bounds *b)
{
    for (size_t i = 0; i < c->inputs; i++) {
        bool open = is_effect(b->model, i);
        b->low[i] = open ? -SG_MODEL_MAX_ABS : raw->low[c->input[i]];
        b->high[i] = open ? SG_MODEL_MAX_ABS : raw->high[c->input[i]];
    }
}

/* Sets the bounds of an input to quantiles. Levels, effects and inputs that would become constant keep their bounds. */
static void clamp_to_quantiles(void *arg, size_t input, double *value, size_t n)
{
    const clamp_bounds *b = arg;
    if (is_level(b->model, input) || is_effect(b->model, input) || n < 2) return;
    sg_sort_doubles(value, n);
    double low = sg_quantile_sorted(value, n, tail), high = sg_quantile_sorted(value, n, 1 - tail);
    if (!(high - low > 1e-9 * (b->high[input] - b->low[input]))) return;
    b->low[input] = low + 0.0; /* no -0 */
    b->high[input] = high + 0.0;
}

/* Sets *clamped to a copy of raw in which the moments of the inputs are those after clamping. Updates the model's
 * means. */
static sg_status compute_clamped_moments(const sg_source *s, const sg_moments *raw, sg_thread_pool *pool,
                                         const sg_preprocessed *p, sg_moments *clamped)
{
    sg_moments seen = {0};
    bool ok = sg_moments_init(&seen, p->columns.inputs) && sg_moments_init(clamped, raw->columns);
    sg_status st = ok ? sg_transformed_moments(s, p, pool, &seen) : sg_fail_out_of_memory("statistics");
    if (st == SG_OK) memcpy(clamped->rows, raw->rows, sg_moments_size(raw->columns) * sizeof *raw->rows);
    for (size_t i = 0; st == SG_OK && i < p->columns.inputs; i++) {
        size_t column = p->columns.input[i];
        clamped->mean[column] = p->model->feature_mean[i] = seen.mean[i];
        clamped->m2[column] = seen.m2[i] / p->weight_scale;
        clamped->low[column] = seen.low[i];
        clamped->high[column] = seen.high[i];
    }
    sg_moments_release(&seen);
    return st;
}

/* Appends the transform last, because the sample must not be clamped. */
static sg_status fit_clamp(sg_clamp_kind kind, const sg_source *s, const sg_moments *raw, sg_thread_pool *pool,
                           sg_preprocessed *p, sg_moments *clamped)
{
    size_t inputs = p->columns.inputs;
    if (kind == SG_CLAMP_NONE) return SG_OK;
    double *bound = sg_calloc(inputs, 2 * sizeof *bound);
    if (!bound) return sg_fail_out_of_memory("a transform");
    clamp_bounds b = {p->model, bound, bound + inputs};
    clamp_to_range(&p->columns, raw, &b);
    sg_status st = kind == SG_CLAMP_TAILS ? sg_train_sample_columns(s, p, clamp_to_quantiles, &b) : SG_OK;
    if (st == SG_OK)
        st = append_transform(&p->model->a, &sg_transform_clamp, (const double *const[]){b.low, b.high}, inputs);
    free(bound);
    return st == SG_OK && kind == SG_CLAMP_TAILS ? compute_clamped_moments(s, raw, pool, p, clamped) : st;
}

/* --- scaling --- */

static sg_status add_limit(sg_pipeline *v, const double *limit)
{
    sg_transform *clamp = sg_pipeline_append(v, &sg_transform_clamp, v->out);
    if (!clamp) return sg_fail_out_of_memory("a transform");
    for (size_t i = 0; i < v->out; i++) {
        clamp->parameter[1][i] = limit ? limit[i] : clamp_limit;
        clamp->parameter[0][i] = -clamp->parameter[1][i];
    }
    return SG_OK;
}

/* Only centres the inputs unless unit_variance is set. */
static sg_status add_zscore(const sg_column_roles *c, const sg_moments *raw, bool unit_variance, sg_pipeline *v)
{
    sg_transform *z = sg_pipeline_append(v, &sg_transform_zscore, v->out);
    if (!z) return sg_fail_out_of_memory("a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        z->parameter[0][i] = raw->mean[c->input[i]];
        z->parameter[1][i] = unit_variance ? sg_moments_stddev(raw, c->input[i]) : 1;
    }
    return SG_OK;
}

static sg_status fit_zscore(const sg_column_roles *c, const sg_moments *raw, sg_pipeline *v)
{
    sg_status st = add_zscore(c, raw, true, v);
    return st == SG_OK ? add_limit(v, NULL) : st;
}

/* Keeps original units, and limits only values far beyond the training rows. PCA needs centred inputs. */
static sg_status fit_unscaled(bool pca, const sg_column_roles *c, const sg_moments *raw, sg_pipeline *v)
{
    sg_status st = pca ? add_zscore(c, raw, false, v) : SG_OK;
    if (st != SG_OK) return st;
    double *limit = sg_calloc(c->inputs, sizeof *limit);
    if (!limit) return sg_fail_out_of_memory("a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        double most = fmax(fabs(raw->low[c->input[i]]), fabs(raw->high[c->input[i]]));
        limit[i] = fmin(SG_MODEL_MAX_ABS, clamp_limit * fmax(1, most));
    }
    st = add_limit(v, limit);
    free(limit);
    return st;
}

/* --- quantile transform --- */

typedef struct quantile_knots {
    const sg_column_roles *columns;
    const sg_moments *raw;
    double *knot, *score; /* (inputs, SG_QUANTILE_KNOTS) */
} quantile_knots;

static void fit_knots(void *arg, size_t input, double *value, size_t n)
{
    const quantile_knots *q = arg;
    size_t column = q->columns->input[input], at = input * SG_QUANTILE_KNOTS;
    sg_quantile_transform_fit(value, n, q->raw->low[column], q->raw->high[column], q->knot + at, q->score + at);
}

static sg_status add_quantile_transform(const sg_source *s, const sg_moments *raw, sg_preprocessed *p)
{
    size_t n = p->columns.inputs * SG_QUANTILE_KNOTS;
    double *knot = sg_calloc(p->columns.inputs, 2 * SG_QUANTILE_KNOTS * sizeof *knot);
    if (!knot) return sg_fail_out_of_memory("a transform");
    quantile_knots q = {&p->columns, raw, knot, knot + n};
    sg_status st = sg_train_sample_columns(s, p, fit_knots, &q);
    if (st == SG_OK)
        st = append_transform(&p->model->a, &sg_transform_quantile, (const double *const[]){q.knot, q.score}, n);
    free(knot);
    return st;
}

/* Conditions see quantiles and consequents see z-scores, so that consequents can be printed in original units. Both
 * pipelines start with the clamp, if there is one. */
static sg_status fit_quantile(const sg_source *s, const sg_moments *raw, sg_preprocessed *p)
{
    bool ok = sg_pipeline_copy(&p->model->a, &p->model->z);
    sg_status st = ok ? add_quantile_transform(s, raw, p) : sg_fail_out_of_memory("a transform");
    if (st == SG_OK) st = add_limit(&p->model->a, NULL);
    p->model->shared_pipeline = false;
    return st == SG_OK ? fit_zscore(&p->columns, raw, &p->model->z) : st;
}

/* --- PCA and moments --- */

static sg_status fit_pca(size_t components, const sg_source *s, sg_thread_pool *pool, sg_preprocessed *p)
{
    size_t n = p->model->a.out, cells;
    double *gram = sg_checked_mul(n, n, &cells) ? sg_calloc(cells, sizeof *gram) : NULL;
    if (!gram) return sg_fail(SG_ENOMEM, "out of memory while computing the principal components of %zu inputs", n);
    sg_status st = sg_transformed_gram(s, p, pool, gram);
    if (st == SG_OK) st = sg_pca_fit(gram, n, components, &p->model->a);
    free(gram);
    return st;
}

/* Computes the moments of the shifted and scaled inputs from raw. Training rows never reach the limits. */
static void scale_moments(bool scaled, const sg_moments *raw, sg_preprocessed *p)
{
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

/* Fits the transforms after the clamp. raw: moments of the clamped inputs. */
static sg_status fit_pipelines(const sg_preprocess_config *config, const sg_source *s, const sg_moments *raw,
                               sg_thread_pool *pool, sg_preprocessed *p)
{
    size_t inputs = p->columns.inputs;
    bool pca = config->pca > 0 && inputs > config->pca, quantile = config->scale == SG_SCALE_QUANTILE;
    if (pca && quantile) return sg_fail(SG_EINVAL, "--scale quantile cannot be combined with PCA; use --pca 0");
    if (config->pca < config->pca_option && inputs > config->pca_option)
        sg_notice(config->notices, "--scale quantile turns PCA off (--pca 0): conditions use all %zu inputs", inputs);
    sg_status st = quantile                         ? fit_quantile(s, raw, p)
                   : config->scale == SG_SCALE_NONE ? fit_unscaled(pca, &p->columns, raw, &p->model->a)
                                                    : fit_zscore(&p->columns, raw, &p->model->a);
    if (st == SG_OK && pca) st = fit_pca(config->pca, s, pool, p);
    if (st == SG_OK && !sg_moments_init(&p->moments, p->model->a.out)) st = sg_fail_out_of_memory("statistics");
    if (st == SG_OK && (pca || quantile)) return sg_transformed_moments(s, p, pool, &p->moments);
    if (st == SG_OK) scale_moments(config->scale != SG_SCALE_NONE, raw, p);
    return st;
}

sg_status sg_transform_fit(const sg_preprocess_config *config, const sg_source *s, const sg_moments *raw,
                           sg_thread_pool *pool, sg_preprocessed *p)
{
    sg_moments clamped = {0};
    sg_status st = fit_clamp(config->clamp, s, raw, pool, p, &clamped);
    if (st == SG_OK) st = fit_pipelines(config, s, clamped.columns ? &clamped : raw, pool, p);
    sg_moments_release(&clamped);
    return st;
}
