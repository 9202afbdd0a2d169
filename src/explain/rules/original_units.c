/* original_units.c: inverts the pipelines of a model: exactly for affine steps, by interpolation for quantile steps. */
#include "explain/rules/original_units.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_status make_affine(const sg_pipeline *v, double **matrix, double **shift)
{
    size_t cells;
    *matrix = sg_checked_mul(v->out, v->in, &cells) ? sg_calloc(cells, sizeof **matrix) : NULL;
    *shift = sg_calloc(v->out, sizeof **shift);
    if (!*matrix || !*shift) return sg_fail_out_of_memory("the description of rules");
    return sg_pipeline_affine(v, *matrix, *shift);
}

static sg_status find_extremes(const sg_model *m, const sg_pipeline *v, sg_pipeline_extremes *out)
{
    double *x = sg_calloc(v->in, sizeof *x), *scratch = sg_calloc(sg_pipeline_scratch_size(v), sizeof *scratch);
    out->at_zero = sg_calloc(4 * v->out, sizeof *out->at_zero);
    bool ok = x && scratch && out->at_zero;
    if (ok) {
        out->at_one = out->at_zero + v->out;
        out->at_min = out->at_one + v->out;
        out->at_max = out->at_min + v->out;
        sg_pipeline_apply(v, x, out->at_zero, scratch);
        for (size_t i = 0; i < v->in; i++) x[i] = 1;
        sg_pipeline_apply(v, x, out->at_one, scratch);
        sg_pipeline_apply(v, m->low, out->at_min, scratch);
        sg_pipeline_apply(v, m->high, out->at_max, scratch);
    }
    free(x);
    free(scratch);
    return ok ? SG_OK : sg_fail_out_of_memory("the description of rules");
}

sg_status sg_original_units_init(sg_original_units *u, const sg_model *m)
{
    *u = (sg_original_units){.model = m};
    sg_status st = make_affine(&m->a, &u->a, &u->a_shift);
    if (st == SG_OK) st = find_extremes(m, &m->a, &u->extremes[0]);
    if (st == SG_OK && m->shared_pipeline) {
        u->z = u->a;
        u->z_shift = u->a_shift;
    } else if (st == SG_OK) {
        st = make_affine(&m->z, &u->z, &u->z_shift);
        if (st == SG_OK) st = find_extremes(m, &m->z, &u->extremes[1]);
    }
    if (st != SG_OK) sg_original_units_release(u);
    return st;
}

void sg_original_units_release(sg_original_units *u)
{
    if (u->z != u->a) free(u->z);
    if (u->z_shift != u->a_shift) free(u->z_shift);
    free(u->a);
    free(u->a_shift);
    for (int k = 0; k < 2; k++) free(u->extremes[k].at_zero);
    *u = (sg_original_units){0};
}

long sg_original_units_input(const sg_original_units *u, size_t i)
{
    long found = -1;
    for (size_t k = 0; k < u->model->features; k++) {
        if (u->a[i * u->model->features + k] == 0) continue;
        if (found >= 0) return -1;
        found = (long)k;
    }
    return found;
}

const char *sg_original_units_name(const sg_original_units *u, size_t i, char *buf, size_t size)
{
    long input = sg_original_units_input(u, i);
    if (input >= 0) return u->model->feature_name[input];
    snprintf(buf, size, "component %zu", i + 1);
    return buf;
}

const sg_encoded_input *sg_original_units_category(const sg_original_units *u, size_t i, size_t *level)
{
    long feature = sg_original_units_input(u, i);
    if (feature < 0 || !u->model->encoder) return NULL;
    const sg_encoded_input *in = sg_encoder_feature_input(u->model->encoder, (size_t)feature);
    *level = (size_t)feature - in->first_feature;
    return in->levels ? in : NULL;
}

/* Firing levels are normalised, so only the ratio of the memberships at 0 and at 1 matters. If the smaller is below
 * half the larger, the answer is clear; if it is above 0.9 times the larger, there is no answer. */
sg_level_answer sg_original_units_level_answer(const sg_original_units *u, const sg_block *b, size_t mf)
{
    const double clear = 0.6931471805599453, none = 0.10536051565782628; /* -log 0.5, -log 0.9 */
    double p[SG_MF_MAX_PARAMETERS];
    size_t i = b->input_of[mf];
    sg_mf_get(b, mf, p);
    const sg_pipeline_extremes *e = &u->extremes[b->sees_z];
    double more = b->kind->log_value(e->at_one[i], p) - b->kind->log_value(e->at_zero[i], p);
    if (more > clear) return SG_ANSWER_YES;
    if (more < -clear) return SG_ANSWER_NO;
    return more > none ? SG_ANSWER_LIKELY : more < -none ? SG_ANSWER_UNLIKELY : SG_ANSWER_EITHER;
}

bool sg_mf_is_in_all_rules(const sg_block *b, size_t mf)
{
    for (size_t r = 0; r < b->rules; r++)
        if (b->mf_of[r * b->inputs + b->input_of[mf]] != (int32_t)mf) return false;
    return b->rules > 0;
}

/* When conditions whose membership is at least 0.75 on the whole range were omitted, the predictions of 17 models on 8
 * data sets changed by 0.2 % of the target's standard deviation on average and by at most 0.7 % (threshold 0.7: at most
 * 1.1 %; 0.6: at most 4.3 %). See docs/decisions.md.
 *
 * An MF is unimodal, so its minimum is at an end of the range. The range of a component is unknown, and so may be the
 * range of an input in a model file written by hand. */
bool sg_original_units_condition_matters(const sg_original_units *u, const sg_block *b, size_t mf)
{
    const double none = 0.2876820724517809; /* -log 0.75 */
    double p[SG_MF_MAX_PARAMETERS];
    size_t i = b->input_of[mf], level;
    long input = sg_original_units_input(u, i);
    if (sg_mf_is_in_all_rules(b, mf)) return false;
    if (sg_original_units_category(u, i, &level)) return sg_original_units_level_answer(u, b, mf) != SG_ANSWER_EITHER;
    if (input < 0 || !(u->model->low[input] < u->model->high[input])) return true;
    sg_mf_get(b, mf, p);
    const sg_pipeline_extremes *e = &u->extremes[b->sees_z];
    return b->firing_scale * fmin(b->kind->log_value(e->at_min[i], p), b->kind->log_value(e->at_max[i], p)) < -none;
}

/* Restores the order of corners or shoulders after a reflection. */
static void mirror_mf(const sg_mf_kind *kind, double *p)
{
    bool corners = strspn(kind->parameter_role, "l") == kind->arity;
    if (!corners && kind->centre >= 0) return;
    for (size_t i = 0; i < kind->arity / 2; i++) {
        size_t other = corners ? kind->arity - 1 - i : kind->arity / 2 + i;
        double t = p[i];
        p[i] = p[other];
        p[other] = t;
    }
}

/* Inverts a quantile step. A width w becomes half the length of the inverted interval from centre - w to centre + w. If
 * the MF has no centre, the location before w takes its place. */
static void invert_quantiles(const sg_pipeline *v, size_t i, const sg_mf_kind *kind, double *p)
{
    double centre = kind->centre >= 0 ? p[kind->centre] : 0;
    for (size_t k = 0; k < kind->arity; k++) {
        bool inverse = kind->parameter_role[k] == 'i';
        double width = inverse ? 1 / p[k] : p[k];
        if (kind->parameter_role[k] == 'l' && kind->centre < 0) centre = p[k];
        if (kind->parameter_role[k] == 'l') p[k] = sg_pipeline_inverse(v, i, p[k]);
        if (!inverse && kind->parameter_role[k] != 'w') continue;
        double half = sg_pipeline_inverse(v, i, centre + width) / 2 - sg_pipeline_inverse(v, i, centre - width) / 2;
        if (isfinite(width)) p[k] = inverse ? 1 / half : half;
    }
}

/* Return the scale and the shift of column i of the conditions' inputs, which is scale * x + shift for a feature x. */
static double column_scale(const sg_original_units *u, const sg_block *b, size_t i, long input)
{
    return (b->sees_z ? u->z : u->a)[i * u->model->features + (size_t)input];
}

static double column_shift(const sg_original_units *u, const sg_block *b, size_t i)
{
    return (b->sees_z ? u->z_shift : u->a_shift)[i];
}

/* Inverts a = scale * x + shift: a location p becomes (p - shift) / scale, and widths are divided by |scale|. */
void sg_original_units_mf(const sg_original_units *u, const sg_block *b, size_t mf, double *p)
{
    size_t i = b->input_of[mf];
    long input = sg_original_units_input(u, i);
    sg_mf_get(b, mf, p);
    if (input < 0) return;
    const sg_pipeline *view = sg_block_pipeline(u->model, b);
    if (!sg_pipeline_is_affine(view)) {
        invert_quantiles(view, i, b->kind, p);
        return;
    }
    double scale = column_scale(u, b, i, input), shift = column_shift(u, b, i);
    for (size_t k = 0; k < b->kind->arity; k++) {
        char role = b->kind->parameter_role[k];
        if (role == 'l') p[k] = (p[k] - shift) / scale;
        else if (role == 'w') p[k] /= fabs(scale);
        else if (role == 'i') p[k] *= fabs(scale);
    }
    if (scale < 0) mirror_mf(b->kind, p);
}

bool sg_original_units_mf_range(const sg_original_units *u, const sg_block *b, size_t mf, double *low, double *high)
{
    const sg_pipeline *v = sg_block_pipeline(u->model, b);
    double p[SG_MF_MAX_PARAMETERS];
    size_t i = b->input_of[mf];
    sg_mf_get(b, mf, p);
    if (sg_pipeline_is_affine(v) || sg_original_units_input(u, i) < 0) return false;
    double centre = sg_mf_location(b->kind, p), width = b->kind->width(p);
    *low = sg_pipeline_inverse(v, i, centre - width);
    *high = sg_pipeline_inverse(v, i, centre + width);
    return isfinite(*low) && isfinite(*high);
}

void sg_original_units_consequent(const sg_original_units *u, const sg_block *b, size_t r, size_t o, double *constant,
                                  double *slope)
{
    const sg_model *m = u->model;
    const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
    double factor = m->scale[o] * b->weight, sum = c[0];
    for (size_t k = 0; k < m->features; k++) slope[k] = 0;
    for (size_t t = 0; t < b->terms; t++) {
        double bt = c[(t + 1) * b->outputs];
        sum += bt * u->z_shift[t];
        for (size_t k = 0; k < m->features; k++) slope[k] += bt * u->z[t * m->features + k];
    }
    for (size_t k = 0; k < m->features; k++) slope[k] *= factor;
    *constant = factor * sum + (sg_model_is_sum(m) ? 0 : sg_model_constant(m, o));
}

/* How a column a depends on its feature x, a = scale * x + shift, and the range of a in the training rows. Components
 * and ranks are not scaled and have range 1. Features of unknown range have range 1, too. */
typedef struct column_units {
    double scale, shift, range;
} column_units;

static column_units find_column_units(const sg_original_units *u, const sg_block *b, size_t i)
{
    const sg_model *m = u->model;
    long input = sg_pipeline_is_affine(sg_block_pipeline(m, b)) ? sg_original_units_input(u, i) : -1;
    if (input < 0) return (column_units){1, 0, 1};
    double scale = column_scale(u, b, i, input), range = fabs(scale) * (m->high[input] - m->low[input]);
    return (column_units){scale, column_shift(u, b, i), range > 0 ? range : 1};
}

/* u . (a - c) is about 0 +- 1. With a = scale * x + shift, the sum of u scale x is about the sum of u (c - shift). */
bool sg_original_units_combination(const sg_original_units *u, const sg_block *b, size_t r, size_t k,
                                   sg_combination *out)
{
    const double *low_rank = b->low_rank + (r * b->rank + k) * b->inputs,
                 *centre = b->mf + (size_t)b->kind->centre * b->mfs;
    double most = 0, unit = 0;
    out->centre = 0;
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        column_units t = find_column_units(u, b, i);
        out->weight[i] = mf < 0 ? 0 : low_rank[i] * t.scale;
        if (out->weight[i] == 0) continue;
        out->centre += low_rank[i] * (centre[mf] - t.shift);
        if (fabs(low_rank[i]) * t.range <= most) continue;
        most = fabs(low_rank[i]) * t.range;
        unit = out->weight[i];
    }
    if (unit == 0) return false;
    for (size_t i = 0; i < b->inputs; i++) out->weight[i] /= unit;
    out->centre /= unit;
    out->sigma = 1 / fabs(unit);
    return true;
}

double sg_mf_location(const sg_mf_kind *kind, const double *p)
{
    if (kind->centre >= 0) return p[kind->centre];
    double sum = 0, n = 0;
    for (size_t k = 0; k < kind->arity; k++)
        if (kind->parameter_role[k] == 'l') {
            sum += p[k];
            n++;
        }
    return sum / n;
}
