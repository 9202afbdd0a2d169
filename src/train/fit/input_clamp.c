/* input_clamp.c: see input_clamp.h. Quantiles are those of a sample, as ranks are. */
#include "train/fit/input_clamp.h"

#include "base/memory.h"
#include "prep/quantile_transform.h"
#include "train/fit/train_sample.h"
#include "train/fit/transformed_sums.h"

#include <stdlib.h>
#include <string.h>

static const double tail = 0.005;

static bool is_level(const sg_model *m, size_t feature)
{
    return m->encoder && sg_encoder_feature_input(m->encoder, feature)->levels;
}

/* A derived input, which is bounded by what it is. */
static bool is_effect(const sg_model *m, size_t feature)
{
    return m->encoder && feature >= sg_encoder_base_features(m->encoder);
}

typedef struct clamp_bounds {
    const sg_model *model;
    double *low, *high; /* (inputs): the range, before */
} clamp_bounds;

static void clamp_to_range(const sg_column_roles *c, const sg_moments *raw, const clamp_bounds *l)
{
    for (size_t i = 0; i < c->inputs; i++) {
        bool open = is_effect(l->model, i);
        l->low[i] = open ? -SG_MODEL_MAX_ABS : raw->low[c->input[i]];
        l->high[i] = open ? SG_MODEL_MAX_ABS : raw->high[c->input[i]];
    }
}

/* Levels of categories stay as they are, and so does an input that would become constant. */
static void clamp_to_quantiles(void *arg, size_t input, double *value, size_t n)
{
    const clamp_bounds *l = arg;
    if (is_level(l->model, input) || is_effect(l->model, input) || n < 2) return;
    sg_sort_doubles(value, n);
    double low = sg_quantile_sorted(value, n, tail), high = sg_quantile_sorted(value, n, 1 - tail);
    if (!(high - low > 1e-9 * (l->high[input] - l->low[input]))) return;
    l->low[input] = low + 0.0; /* no -0 */
    l->high[input] = high + 0.0;
}

static sg_status compute_clamped_moments(const sg_source *s, const sg_moments *raw, sg_thread_pool *pool,
                                         const sg_preprocessed *p, sg_moments *limited)
{
    sg_moments seen = {0};
    bool ok = sg_moments_init(&seen, p->columns.inputs) && sg_moments_init(limited, raw->columns);
    sg_status st = ok ? sg_transformed_moments(s, p, pool, &seen) : sg_fail(SG_ENOMEM, "out of memory for statistics");
    if (st == SG_OK) memcpy(limited->rows, raw->rows, sg_moments_size(raw->columns) * sizeof *raw->rows);
    for (size_t i = 0; st == SG_OK && i < p->columns.inputs; i++) {
        size_t at = p->columns.input[i];
        limited->mean[at] = p->model->feature_mean[i] = seen.mean[i];
        limited->m2[at] = seen.m2[i] / p->weight_scale;
        limited->low[at] = seen.low[i];
        limited->high[at] = seen.high[i];
    }
    sg_moments_release(&seen);
    return st;
}

/* The step is appended at the end: rows are looked at as they are without it. */
sg_status sg_input_clamp_fit(const sg_options *o, const sg_source *s, const sg_moments *raw, sg_thread_pool *pool,
                             sg_preprocessed *p, sg_moments *limited)
{
    size_t inputs = p->columns.inputs;
    bool tails = sg_options_equals(o, "limit", "tails");
    if (sg_options_equals(o, "limit", "none")) return SG_OK;
    double *number = sg_calloc(inputs, 2 * sizeof *number);
    if (!number) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    clamp_bounds l = {p->model, number, number + inputs};
    clamp_to_range(&p->columns, raw, &l);
    sg_status st = tails ? sg_train_sample_columns(s, p, clamp_to_quantiles, &l) : SG_OK;
    sg_transform *clamp = st == SG_OK ? sg_pipeline_append(&p->model->a, &sg_transform_clamp, inputs) : NULL;
    if (st == SG_OK && !clamp) st = sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t k = 0; st == SG_OK && k < 2; k++)
        memcpy(clamp->parameter[k], number + k * inputs, inputs * sizeof *number);
    free(number);
    return st == SG_OK && tails ? compute_clamped_moments(s, raw, pool, p, limited) : st;
}
