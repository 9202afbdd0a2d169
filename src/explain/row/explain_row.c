/* explain_row.c: computes the terms of one row.
 *
 *     prediction = offset + sum over rules r of F_r (b_r0 + sum over t of b_rt z_t) + sum over curves and pairs
 *     F_r = scale * weight * firing level of r
 *
 * The terms by rule are the summands of the sum over r. The terms by input start with `base`, the value of the sum at
 * the training means; path_attribution.h splits its change from there to the row among the inputs. */
#include "explain/row/additive_terms.h"
#include "explain/row/sum_remainder.h"
#include "prep/transform_pipeline.h"

#include <float.h>
#include <math.h>
#include <string.h>

double sg_clamp_finite(double x) { return isnan(x) ? 0 : fmin(fmax(x, -DBL_MAX), DBL_MAX); }

/* Returns b_r0 + sum over t of b_rt z_t. */
static double eval_consequent(const sg_block *b, size_t r, size_t o, const double *z)
{
    const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
    double sum = c[0];
    for (size_t t = 0; t < b->terms; t++) sum += c[(t + 1) * b->outputs] * z[t];
    return sum;
}

/* --- firing levels --- */

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

/* Returns the output of the rules with the present firing levels, without curves and clipping. z: what consequents see.
 */
static double sum_rules(const sg_explainer *e, size_t o, const double *z)
{
    const sg_model *m = e->model;
    double sum = sg_model_constant(m, o);
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        for (size_t r = 0; r < b->rules; r++)
            if (e->work[i].firing[r] != 0)
                sum += m->scale[o] * b->weight * e->work[i].firing[r] * eval_consequent(b, r, o, z);
    }
    return sum;
}

/* Sets e->weight to the firing-weighted slopes of an output. */
static void find_weights(const sg_explainer *e, size_t o)
{
    const sg_model *m = e->model;
    memset(e->weight, 0, sg_model_terms(m) * sizeof *e->weight);
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        for (size_t r = 0; r < b->rules; r++) {
            double f = m->scale[o] * b->weight * e->work[i].firing[r];
            const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
            for (size_t t = 0; f != 0 && t < b->terms; t++) e->weight[t] += f * c[(t + 1) * b->outputs];
        }
    }
}

/* --- terms of an output --- */

/* Returns the change due to clipping if the terms before it add up to `sum`. */
static double clip_term(const sg_model *m, size_t o, double prediction, double sum)
{
    bool below = prediction == m->clip_low[o] && sum < prediction,
         above = prediction == m->clip_high[o] && sum > prediction;
    return sg_model_is_clipped(m, o) && (below || above) ? prediction - sum : 0;
}

/* Sets the last terms: clip, if the model clips, and rounding. */
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

/* If one block is the whole model, firing levels add up to 1, and the offset is part of every rule's output. Otherwise,
 * the offset is a term of its own. */
static void explain_by_rule(const sg_explainer *e, size_t o, double *term, double *firing, double *output)
{
    const sg_model *m = e->model;
    const double offset = sg_model_constant(m, o), shared = sg_model_is_sum(m) ? 0 : offset;
    double *to = term;
    if (sg_model_is_sum(m)) *to++ = offset;
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        for (size_t r = 0; r < b->rules; r++, to++, firing++, output++) {
            *firing = e->work[i].firing[r];
            *output =
                *firing == 0 ? 0 : sg_clamp_finite(shared + m->scale[o] * b->weight * eval_consequent(b, r, o, e->z));
            *to = *firing * *output;
        }
    }
    sg_additive_terms_get(e, o, to);
    add_closing_terms(e, o, SG_BY_RULE, term);
}

/* Adds the error of the quadrature, unless it is only rounding, to the largest term: the base must not absorb it. */
static void close_sum(double *term, size_t n, double sum)
{
    size_t largest = 0;
    double size = fabs(sum);
    for (size_t i = 0; i < n; i++) {
        sum -= term[i];
        size += fabs(term[i]);
        if (fabs(term[i]) > fabs(term[largest])) largest = i;
    }
    if (isfinite(sum) && fabs(sum) > 1e-14 * size) term[largest] += sum;
}

static void explain_by_input(sg_explainer *e, size_t o, double *term)
{
    const sg_model *m = e->model;
    double *input = term + 1;
    term[0] = e->base[o];
    for (size_t k = 0; k < e->input_terms; k++) input[k] = 0;
    if (m->blocks) sg_path_attribute(&e->path, o, e->feature_contribution);
    for (size_t k = 0; m->blocks && k < m->features; k++) input[e->input_term_of[k]] += e->feature_contribution[k];
    close_sum(input, e->input_terms, sum_rules(e, o, e->z) - e->base[o]);
    sg_additive_terms_get(e, o, input + e->input_terms);
    add_closing_terms(e, o, SG_BY_INPUT, term);
}

static void find_slopes(const sg_explainer *e, size_t o, double *slope)
{
    const sg_model *m = e->model;
    find_weights(e, o);
    for (size_t k = 0; k < e->input_terms; k++) slope[k] = 0;
    for (size_t k = 0; m->blocks && k < m->features; k++)
        for (size_t t = 0; t < sg_model_terms(m); t++)
            slope[e->input_term_of[k]] += e->weight[t] * e->units.z[t * m->features + k];
    for (size_t k = 0; k < e->input_terms; k++) {
        bool category = isnan(e->term[SG_BY_INPUT][1 + k].mean);
        slope[k] = category ? (double)NAN : sg_clamp_finite(slope[k]);
    }
}

/* --- values of the inputs --- */

static double level_index(const sg_encoded_input *in, const double *x)
{
    for (size_t i = 0; i < in->levels; i++)
        if (isnan(x[in->first_feature + i]) || x[in->first_feature + i] == 1)
            return isnan(x[in->first_feature + i]) ? (double)NAN : (double)i;
    return (double)in->levels;
}

static double clamp_input(const sg_model *m, size_t k, double x)
{
    const sg_transform *clamp = sg_pipeline_input_clamp(m->shared_pipeline ? &m->a : &m->z);
    return clamp ? fmin(fmax(x, clamp->parameter[0][k]), clamp->parameter[1][k]) : x;
}

/* x has NaN where e->x has the mean of a missing feature. */
static void find_values(const sg_explainer *e, const double *x, double *value, double *effective)
{
    const sg_model *m = e->model;
    sg_additive_terms_values(e, x, value + e->input_terms, effective + e->input_terms);
    for (size_t k = 0; m->blocks && k < m->features; k++) {
        const sg_encoded_input *in = m->encoder ? sg_encoder_feature_input(m->encoder, k) : NULL;
        size_t i = e->input_term_of[k];
        bool category = in && isnan(e->term[SG_BY_INPUT][1 + i].mean);
        value[i] = category ? level_index(in, x) : x[k];
        effective[i] = category ? value[i] : clamp_input(m, k, e->x[k]);
    }
}

/* --- whole row --- */

/* The rules must have fired. Conditions see NaN for missing inputs, unless a PCA step mixes them. */
static void set_path_end(sg_explainer *e, int end)
{
    sg_path_set_end(&e->path, end, e->x, e->a, e->z_seen, e->z, e->work);
}

/* Casts const away. The arrays of explanations are const for users, but they are parts of e->buffer. */
static double *as_mutable(const double *p) { return (double *)p; }

void sg_explain_features(sg_explainer *e, const double *x)
{
    const sg_model *m = e->model;
    sg_predict_worker_run(&e->worker, x, m->features, NULL, 1, e->y);
    memcpy(e->x, x, m->features * sizeof *x);
    sg_missing_impute(m->features, 1, 1, m->feature_mean, e->x, e->missing);
    fire_rules(e);
    sg_contributions_set_row(&e->contributions, e->x);
    set_path_end(e, 1);
    sg_path_integrate(&e->path);
    sg_additive_terms_compute(e);
    find_values(e, x, as_mutable(e->out->value), as_mutable(e->out->effective_value));
    for (size_t o = 0; o < m->outputs; o++) {
        sg_explanation *to = &e->out[o];
        to->prediction = e->y[o];
        explain_by_rule(e, o, as_mutable(to->by_rule), as_mutable(to->firing), as_mutable(to->rule_output));
        explain_by_input(e, o, as_mutable(to->by_input));
        find_slopes(e, o, as_mutable(to->slope));
    }
}

void sg_explain_base(sg_explainer *e)
{
    const sg_model *m = e->model;
    memcpy(e->x, m->feature_mean, m->features * sizeof *e->x);
    memset(e->missing, 0, m->features * sizeof *e->missing);
    memcpy(e->z_mean, sg_contributions_at_mean(&e->contributions), sg_model_terms(m) * sizeof *e->z_mean);
    fire_rules(e);
    set_path_end(e, 0);
    for (size_t o = 0; o < m->outputs; o++) e->base[o] = sg_clamp_finite(sum_rules(e, o, e->z_mean));
}
