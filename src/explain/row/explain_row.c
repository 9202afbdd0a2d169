/* explain_row.c: the terms of one row.
 *
 *     prediction = offset + sum over rules of F_r (b_r0 + sum over t of b_rt z_t),  F_r = scale * weight * firing level
 *
 * by rule as it stands; by input with z_t = at_t + (z_t - at_t), where `at` is z of the training means: what is left
 * without the second part is the base, where the firing levels are those at the means, and the rest `rules`. */
#include "explain/row/exact_sum.h"
#include "explain/row/explainer.h"
#include "prep/missing.h"

#include <float.h>
#include <math.h>
#include <string.h>

double sg_explain_offset(const sg_model *m, size_t o) { return m->mean[o] + m->scale[o] * m->y0[o]; }

double sg_clamp_finite(double x) { return isnan(x) ? 0 : fmin(fmax(x, -DBL_MAX), DBL_MAX); }

/* b_r0 + sum of b_rt z_t */
static double consequent(const sg_block *b, size_t r, size_t o, const double *z)
{
    const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
    double sum = c[0];
    for (size_t t = 0; t < b->terms; t++) sum += c[(t + 1) * b->outputs] * z[t];
    return sum;
}

/* --- what rules do with the row --- */

static void fire_rules(sg_explainer *e)
{
    const sg_model *m = e->model;
    sg_pipeline_apply(&m->a, e->x, e->a, e->scratch);
    if (m->shared_pipeline) memcpy(e->z, e->a, m->a.out * sizeof *e->z);
    else sg_pipeline_apply(&m->z, e->x, e->z, e->scratch);
    memcpy(e->z_seen, e->z, sg_model_terms(m) * sizeof *e->z);
    if (sg_pipeline_is_elementwise(&m->a)) sg_missing_restore(m->a.out, e->missing, e->a);
    if (!m->shared_pipeline && sg_pipeline_is_elementwise(&m->z)) sg_missing_restore(m->z.out, e->missing, e->z_seen);
    for (size_t b = 0; b < m->blocks; b++)
        sg_firing(&m->block[b], m->block[b].sees_z ? e->z_seen : e->a, NULL, &e->work[b]);
}

/* The prediction of rules that fire as they do here, with z as of the means; and the slopes that they have together. */
static double predict_at_means(const sg_explainer *e, size_t o)
{
    const sg_model *m = e->model;
    double sum = sg_explain_offset(m, o);
    memset(e->weight, 0, sg_model_terms(m) * sizeof *e->weight);
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        for (size_t r = 0; r < b->rules; r++) {
            double f = m->scale[o] * b->weight * e->work[i].firing[r];
            const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
            if (f == 0) continue;
            sum += f * consequent(b, r, o, e->z_mean);
            for (size_t t = 0; t < b->terms; t++) e->weight[t] += f * c[(t + 1) * b->outputs];
        }
    }
    return sum;
}

/* --- the terms of an output --- */

/* What limits do to terms that give `sum`, where the prediction is one of them. */
static double clip_term(const sg_model *m, size_t o, double prediction, double sum)
{
    bool below = prediction == m->clip_low[o] && sum < prediction,
         above = prediction == m->clip_high[o] && sum > prediction;
    return sg_model_is_clipped(m, o) && (below || above) ? prediction - sum : 0;
}

/* The last one or two of n terms: clip, where there is one, and rounding. */
static void add_closing_terms(const sg_explainer *e, size_t o, sg_grouping by, double *term)
{
    size_t n = e->terms[by] - 1;
    double sum = 0;
    if (e->term[by][n - 1].kind == SG_TERM_CLIP) {
        for (size_t i = 0; i + 1 < n; i++) sum += term[i];
        term[n - 1] = clip_term(e->model, o, e->y[o], sum);
    }
    term[n] = sg_exact_sum_remainder(term, n, e->y[o]);
}

static void explain_by_rule(const sg_explainer *e, size_t o, double *term, double *firing, double *says)
{
    const sg_model *m = e->model;
    const double offset = sg_explain_offset(m, o), whole = m->blocks == 1 ? offset : 0;
    double *to = term;
    if (m->blocks != 1) *to++ = offset;
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        for (size_t r = 0; r < b->rules; r++, to++, firing++, says++) {
            *firing = e->work[i].firing[r];
            *says = *firing == 0 ? 0 : sg_clamp_finite(whole + m->scale[o] * b->weight * consequent(b, r, o, e->z));
            *to = *firing * *says;
        }
    }
    add_closing_terms(e, o, SG_BY_RULE, term);
}

static void explain_by_input(const sg_explainer *e, size_t o, double *term)
{
    const sg_model *m = e->model;
    term[0] = e->base[o];
    term[1] = predict_at_means(e, o) - e->base[o];
    sg_contributions_sum(&e->contributions, e->weight, e->feature_contribution);
    for (size_t k = 0; k < e->input_terms; k++) term[2 + k] = 0;
    for (size_t k = 0; k < m->features; k++)
        term[2 + e->input_term_of[k]] += e->feature_contribution[k]; /* nothing where it is missing: the mean */
    add_closing_terms(e, o, SG_BY_INPUT, term);
}

/* After by_input: the weights are those of the output. */
static void find_slopes(const sg_explainer *e, double *slope)
{
    const sg_model *m = e->model;
    for (size_t k = 0; k < e->input_terms; k++) slope[k] = 0;
    for (size_t k = 0; k < m->features; k++)
        for (size_t t = 0; t < sg_model_terms(m); t++)
            slope[e->input_term_of[k]] += e->weight[t] * e->units.z[t * m->features + k];
    for (size_t k = 0; k < e->input_terms; k++) {
        bool category = isnan(e->term[SG_BY_INPUT][2 + k].mean);
        slope[k] = category ? (double)NAN : sg_clamp_finite(slope[k]);
    }
}

/* --- what the inputs are --- */

static double level_index(const sg_encoded_input *in, const double *x)
{
    for (size_t i = 0; i < in->levels; i++)
        if (isnan(x[in->first_feature + i]) || x[in->first_feature + i] == 1)
            return isnan(x[in->first_feature + i]) ? (double)NAN : (double)i;
    return (double)in->levels;
}

/* The step that limits inputs, if there is one: see clip_text.c. */
static double clamp_input(const sg_model *m, size_t k, double x)
{
    const sg_pipeline *v = m->shared_pipeline ? &m->a : &m->z;
    if (v->steps < 2 || v->step->kind != &sg_transform_clamp) return x;
    return fmin(fmax(x, v->step->parameter[0][k]), v->step->parameter[1][k]);
}

/* x has NaN where e->x has the mean. */
static void find_values(const sg_explainer *e, const double *x, double *value, double *counts)
{
    const sg_model *m = e->model;
    for (size_t k = 0; k < m->features; k++) {
        const sg_encoded_input *in = m->encoder ? sg_encoder_feature_input(m->encoder, k) : NULL;
        size_t i = e->input_term_of[k];
        bool category = in && isnan(e->term[SG_BY_INPUT][2 + i].mean);
        value[i] = category ? level_index(in, x) : x[k];
        counts[i] = category ? value[i] : clamp_input(m, k, e->x[k]);
    }
}

/* --- */

/* The explanations' arrays are parts of e->memory, which is ours. */
static double *as_mutable(const double *p) { return (double *)p; }

void sg_explain_features(sg_explainer *e, const double *x)
{
    const sg_model *m = e->model;
    sg_predict_worker_run(&e->worker, x, m->features, NULL, 1, e->y);
    memcpy(e->x, x, m->features * sizeof *x);
    sg_missing_impute(m->features, 1, 1, m->feature_mean, e->x, e->missing);
    fire_rules(e);
    sg_contributions_set_row(&e->contributions, e->x);
    find_values(e, x, as_mutable(e->out->value), as_mutable(e->out->effective_value));
    for (size_t o = 0; o < m->outputs; o++) {
        sg_explanation *to = &e->out[o];
        to->prediction = e->y[o];
        explain_by_rule(e, o, as_mutable(to->by_rule), as_mutable(to->firing), as_mutable(to->rule_output));
        explain_by_input(e, o, as_mutable(to->by_input));
        find_slopes(e, as_mutable(to->slope));
    }
}

void sg_explain_base(sg_explainer *e)
{
    const sg_model *m = e->model;
    memcpy(e->x, m->feature_mean, m->features * sizeof *e->x);
    memset(e->missing, 0, m->features * sizeof *e->missing);
    memcpy(e->z_mean, sg_contributions_at_mean(&e->contributions), sg_model_terms(m) * sizeof *e->z_mean);
    fire_rules(e);
    for (size_t o = 0; o < m->outputs; o++) e->base[o] = sg_clamp_finite(predict_at_means(e, o));
}
