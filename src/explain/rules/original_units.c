/* original_units.c: see original_units.h. */
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
    if (!*matrix || !*shift) return sg_fail(SG_ENOMEM, "out of memory for rules in words");
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
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rules in words");
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

/* Firing levels are relative, so it is the ratio that counts: below a half it is a clear word, above 0.9 none. */
sg_level_answer sg_original_units_level_answer(const sg_original_units *u, const sg_block *b, size_t mf)
{
    const double clear = 0.6931471805599453, none = 0.10536051565782628; /* -log of these */
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

/* Where conditions that fit by at least 0.75 all over the range were dropped from 17 models of 8 sets, predictions
 * moved by 0.2 % of the target's deviation on average and by 0.7 % at most (0.7: 1.1 %, 0.6: 4.3 %): docs/decisions.md.
 *
 * An MF has one top, so its least is at an end. Of a component, or where a file was written by hand, nobody knows the
 * range. */
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

/* Corners, or shoulders, from left to right, where a mirrored view turned them round. */
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

/* Where a is of ranks: a width becomes half of what it spans about the centre, or about the location before it. */
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

/* What conditions see as column i is scale * x + shift of the input x. */
static double column_scale(const sg_original_units *u, const sg_block *b, size_t i, long input)
{
    return (b->sees_z ? u->z : u->a)[i * u->model->features + (size_t)input];
}

static double column_shift(const sg_original_units *u, const sg_block *b, size_t i)
{
    return (b->sees_z ? u->z_shift : u->a_shift)[i];
}

/* a = scale * x + shift: locations back by (p - shift) / scale, widths by 1 / scale. */
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
    for (size_t k = 0; k < b->kind->arity; k++) switch (b->kind->parameter_role[k]) {
        case 'l':
            p[k] = (p[k] - shift) / scale;
            break;
        case 'w':
            p[k] /= fabs(scale);
            break;
        case 'i':
            p[k] *= fabs(scale);
            break;
        default:
            break;
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
    *constant = factor * sum + (m->blocks == 1 ? m->mean[o] + m->scale[o] * m->y0[o] : 0);
}

/* How column i of a is told: a = scale * x + shift, x of a range in the training rows, which is the range in a; or as
 * it is (a component, a rank), with a range of 1, as where nobody knows it. */
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

/* u . (a - c) is 0 +- 1; with a = scale * x + shift the sum of u scale x is about that of u (c - shift). */
bool sg_original_units_combination(const sg_original_units *u, const sg_block *b, size_t r, size_t k,
                                   sg_combination *out)
{
    const double *tilt = b->low_rank + (r * b->rank + k) * b->inputs,
                 *centre = b->mf + (size_t)b->kind->centre * b->mfs;
    double most = 0, unit = 0;
    out->centre = 0;
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        column_units t = find_column_units(u, b, i);
        out->weight[i] = mf < 0 ? 0 : tilt[i] * t.scale;
        if (out->weight[i] == 0) continue;
        out->centre += tilt[i] * (centre[mf] - t.shift);
        if (fabs(tilt[i]) * t.range <= most) continue;
        most = fabs(tilt[i]) * t.range;
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
