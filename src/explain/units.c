/* units.c: see units.h. */
#include "explain/units.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_status affine(const sg_view *v, double **matrix, double **shift)
{
    size_t cells;
    *matrix = sg_mul(v->out, v->in, &cells) ? sg_alloc(cells, sizeof **matrix) : NULL;
    *shift = sg_alloc(v->out, sizeof **shift);
    if (!*matrix || !*shift) return sg_fail(SG_ENOMEM, "out of memory for rules in words");
    return sg_view_affine(v, *matrix, *shift);
}

static sg_status look_at_ends(const sg_model *m, const sg_view *v, sg_ends *out)
{
    double *x = sg_alloc(v->in, sizeof *x), *scratch = sg_alloc(sg_view_scratch(v), sizeof *scratch);
    out->no = sg_alloc(4 * v->out, sizeof *out->no);
    bool ok = x && scratch && out->no;
    if (ok) {
        out->yes = out->no + v->out;
        out->least = out->yes + v->out;
        out->most = out->least + v->out;
        sg_view_apply(v, x, out->no, scratch);
        for (size_t i = 0; i < v->in; i++) x[i] = 1;
        sg_view_apply(v, x, out->yes, scratch);
        sg_view_apply(v, m->low, out->least, scratch);
        sg_view_apply(v, m->high, out->most, scratch);
    }
    free(x);
    free(scratch);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rules in words");
}

sg_status sg_units_init(sg_units *u, const sg_model *m)
{
    *u = (sg_units){.model = m};
    sg_status st = affine(&m->a, &u->a, &u->a_shift);
    if (st == SG_OK) st = look_at_ends(m, &m->a, &u->ends[0]);
    if (st == SG_OK && m->one_view) {
        u->z = u->a;
        u->z_shift = u->a_shift;
    } else if (st == SG_OK) {
        st = affine(&m->z, &u->z, &u->z_shift);
        if (st == SG_OK) st = look_at_ends(m, &m->z, &u->ends[1]);
    }
    if (st != SG_OK) sg_units_release(u);
    return st;
}

void sg_units_release(sg_units *u)
{
    if (u->z != u->a) free(u->z);
    if (u->z_shift != u->a_shift) free(u->z_shift);
    free(u->a);
    free(u->a_shift);
    for (int k = 0; k < 2; k++) free(u->ends[k].no);
    *u = (sg_units){0};
}

long sg_units_input(const sg_units *u, size_t i)
{
    long found = -1;
    for (size_t k = 0; k < u->model->inputs; k++) {
        if (u->a[i * u->model->inputs + k] == 0) continue;
        if (found >= 0) return -1;
        found = (long)k;
    }
    return found;
}

const char *sg_units_name(const sg_units *u, size_t i, char *buf, size_t size)
{
    long input = sg_units_input(u, i);
    if (input >= 0) return u->model->input_name[input];
    snprintf(buf, size, "component %zu", i + 1);
    return buf;
}

const sg_coded *sg_units_level(const sg_units *u, size_t i, size_t *level)
{
    long feature = sg_units_input(u, i);
    if (feature < 0 || !u->model->coding) return NULL;
    const sg_coded *in = sg_coding_of(u->model->coding, (size_t)feature);
    *level = (size_t)feature - in->first;
    return in->levels ? in : NULL;
}

/* Firing levels are relative, so it is the ratio that counts: below a half it is a clear word, above 0.9 none. */
sg_verdict sg_units_verdict(const sg_units *u, const sg_block *b, size_t mf)
{
    const double clear = 0.6931471805599453, none = 0.10536051565782628; /* -log of these */
    double p[SG_MF_PARAMETERS];
    size_t i = b->input_of[mf];
    sg_mf_get(b, mf, p);
    const sg_ends *e = &u->ends[b->sees_z];
    double more = b->kind->log_value(e->yes[i], p) - b->kind->log_value(e->no[i], p);
    if (more > clear) return SG_YES;
    if (more < -clear) return SG_NO;
    return more > none ? SG_RATHER : more < -none ? SG_RATHER_NOT : SG_EITHER;
}

bool sg_units_shared(const sg_block *b, size_t mf)
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
bool sg_units_matters(const sg_units *u, const sg_block *b, size_t mf)
{
    const double none = 0.2876820724517809; /* -log 0.75 */
    double p[SG_MF_PARAMETERS];
    size_t i = b->input_of[mf], level;
    long input = sg_units_input(u, i);
    if (sg_units_shared(b, mf)) return false;
    if (sg_units_level(u, i, &level)) return sg_units_verdict(u, b, mf) != SG_EITHER;
    if (input < 0 || !(u->model->low[input] < u->model->high[input])) return true;
    sg_mf_get(b, mf, p);
    const sg_ends *e = &u->ends[b->sees_z];
    return b->h * fmin(b->kind->log_value(e->least[i], p), b->kind->log_value(e->most[i], p)) < -none;
}

/* Corners, or shoulders, from left to right, where a mirrored view turned them round. */
static void turn(const sg_mf_kind *kind, double *p)
{
    bool corners = strspn(kind->role, "l") == kind->arity;
    if (!corners && kind->centre >= 0) return;
    for (size_t i = 0; i < kind->arity / 2; i++) {
        size_t other = corners ? kind->arity - 1 - i : kind->arity / 2 + i;
        double t = p[i];
        p[i] = p[other];
        p[other] = t;
    }
}

/* Where a is of ranks: a width becomes half of what it spans about the centre, or about the location before it. */
static void unrank(const sg_view *v, size_t i, const sg_mf_kind *kind, double *p)
{
    double centre = kind->centre >= 0 ? p[kind->centre] : 0;
    for (size_t k = 0; k < kind->arity; k++) {
        bool inverse = kind->role[k] == 'i';
        double width = inverse ? 1 / p[k] : p[k];
        if (kind->role[k] == 'l' && kind->centre < 0) centre = p[k];
        if (kind->role[k] == 'l') p[k] = sg_view_inverse(v, i, p[k]);
        if (!inverse && kind->role[k] != 'w') continue;
        double half = sg_view_inverse(v, i, centre + width) / 2 - sg_view_inverse(v, i, centre - width) / 2;
        if (isfinite(width)) p[k] = inverse ? 1 / half : half;
    }
}

/* What conditions see as column i is scale * x + shift of the input x. */
static double scale_of(const sg_units *u, const sg_block *b, size_t i, long input)
{
    return (b->sees_z ? u->z : u->a)[i * u->model->inputs + (size_t)input];
}

static double shift_of(const sg_units *u, const sg_block *b, size_t i)
{
    return (b->sees_z ? u->z_shift : u->a_shift)[i];
}

/* a = scale * x + shift: locations back by (p - shift) / scale, widths by 1 / scale. */
void sg_units_mf(const sg_units *u, const sg_block *b, size_t mf, double *p)
{
    size_t i = b->input_of[mf];
    long input = sg_units_input(u, i);
    sg_mf_get(b, mf, p);
    if (input < 0) return;
    const sg_view *view = sg_block_view(u->model, b);
    if (!sg_view_is_affine(view)) {
        unrank(view, i, b->kind, p);
        return;
    }
    double scale = scale_of(u, b, i, input), shift = shift_of(u, b, i);
    for (size_t k = 0; k < b->kind->arity; k++) switch (b->kind->role[k]) {
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
    if (scale < 0) turn(b->kind, p);
}

bool sg_units_sides(const sg_units *u, const sg_block *b, size_t mf, double *low, double *high)
{
    const sg_view *v = sg_block_view(u->model, b);
    double p[SG_MF_PARAMETERS];
    size_t i = b->input_of[mf];
    sg_mf_get(b, mf, p);
    if (sg_view_is_affine(v) || sg_units_input(u, i) < 0) return false;
    double centre = sg_term_place(b->kind, p), width = b->kind->width(p);
    *low = sg_view_inverse(v, i, centre - width);
    *high = sg_view_inverse(v, i, centre + width);
    return isfinite(*low) && isfinite(*high);
}

void sg_units_consequent(const sg_units *u, const sg_block *b, size_t r, size_t o, double *constant, double *slope)
{
    const sg_model *m = u->model;
    const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
    double factor = m->scale[o] * b->weight, sum = c[0];
    for (size_t k = 0; k < m->inputs; k++) slope[k] = 0;
    for (size_t t = 0; t < b->terms; t++) {
        double bt = c[(t + 1) * b->outputs];
        sum += bt * u->z_shift[t];
        for (size_t k = 0; k < m->inputs; k++) slope[k] += bt * u->z[t * m->inputs + k];
    }
    for (size_t k = 0; k < m->inputs; k++) slope[k] *= factor;
    *constant = factor * sum + (m->blocks == 1 ? m->mean[o] + m->scale[o] * m->y0[o] : 0);
}

/* How column i of a is told: a = scale * x + shift, x of a range in the training rows, which is the range in a; or as
 * it is (a component, a rank), with a range of 1, as where nobody knows it. */
typedef struct telling {
    double scale, shift, range;
} telling;

static telling told(const sg_units *u, const sg_block *b, size_t i)
{
    const sg_model *m = u->model;
    long input = sg_view_is_affine(sg_block_view(m, b)) ? sg_units_input(u, i) : -1;
    if (input < 0) return (telling){1, 0, 1};
    double scale = scale_of(u, b, i, input), range = fabs(scale) * (m->high[input] - m->low[input]);
    return (telling){scale, shift_of(u, b, i), range > 0 ? range : 1};
}

/* u . (a - c) is 0 +- 1; with a = scale * x + shift the sum of u scale x is about that of u (c - shift). */
bool sg_units_combination(const sg_units *u, const sg_block *b, size_t r, size_t k, sg_combination *out)
{
    const double *tilt = b->tilt + (r * b->rank + k) * b->inputs, *centre = b->mf + (size_t)b->kind->centre * b->mfs;
    double most = 0, unit = 0;
    out->about = 0;
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        telling t = told(u, b, i);
        out->weight[i] = mf < 0 ? 0 : tilt[i] * t.scale;
        if (out->weight[i] == 0) continue;
        out->about += tilt[i] * (centre[mf] - t.shift);
        if (fabs(tilt[i]) * t.range <= most) continue;
        most = fabs(tilt[i]) * t.range;
        unit = out->weight[i];
    }
    if (unit == 0) return false;
    for (size_t i = 0; i < b->inputs; i++) out->weight[i] /= unit;
    out->about /= unit;
    out->sigma = 1 / fabs(unit);
    return true;
}

double sg_term_place(const sg_mf_kind *kind, const double *p)
{
    if (kind->centre >= 0) return p[kind->centre];
    double sum = 0, n = 0;
    for (size_t k = 0; k < kind->arity; k++)
        if (kind->role[k] == 'l') {
            sum += p[k];
            n++;
        }
    return sum / n;
}
