/* additive_layout.c: places the knots of curves at quantiles, and makes layouts from plans. */
#include "train/additive/additive_layout.h"

#include "base/memory.h"
#include "prep/quantile_transform.h"
#include "train/additive/duplicate_inputs.h"
#include "train/fit/even_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of terms of a numeric input in a pair: while pairs are being selected, and in the selected pairs. */
enum { SELECTION_TERMS = 5, PAIR_TERMS = 7 };
/* The outermost knots leave out this share of the rows on each side, so that outliers do not bend a curve. */
static const double tail_share = 0.005;

void sg_additive_layout_release(sg_additive_layout *s)
{
    sg_additive_free(s->part);
    free(s->theta);
    *s = (sg_additive_layout){0};
}

static sg_status fail_no_memory(void) { return sg_fail_out_of_memory("curves"); }

static sg_status bind_shape(sg_additive_layout *s)
{
    s->theta = sg_calloc(sg_additive_parameters(s->part), sizeof *s->theta);
    if (!s->theta) return fail_no_memory();
    sg_additive_bind(s->part, s->theta);
    return SG_OK;
}

/* --- knots --- */

/* Rounds to a multiple of the largest power of 10 that is at most a 500th of the range. Division by a power of 10 gives
 * the double that is printed as a short decimal. */
static double round_to_range(double x, double range)
{
    const double finest = range / 500, most = 1e22; /* larger powers of 10 are not exact */
    double unit = 1, inverse = 1;
    if (!(finest < most && finest > 1 / most)) return x;
    while (unit * 10 <= finest) unit *= 10;
    while (inverse * finest < 1) inverse *= 10;
    double rounded = finest >= 1 ? floor(x / unit + 0.5) * unit : floor(x * inverse + 0.5) / inverse;
    return fabs(rounded - x) <= finest ? rounded : x; /* a value far from 0 may not be a multiple */
}

/* A value in the sample, and the weight of its row. */
typedef struct weighted_value {
    double x, weight;
} weighted_value;

static int compare_values(const void *a, const void *b)
{
    const weighted_value *v = a, *w = b;
    return (v->x > w->x) - (v->x < w->x);
}

/* Returns the quantile of n > 0 sorted values at 0 <= share <= 1. Half of a value's weight lies on each side of it. The
 * outer halves of the first and the last value are left out, so that the shares 0 and 1 give these two values. */
static double find_quantile(const weighted_value *v, size_t n, double share)
{
    double all = -(v[0].weight + v[n - 1].weight) / 2, below = 0;
    for (size_t i = 0; i < n; i++) all += v[i].weight;
    double place = share * all;
    for (size_t i = 0; i + 1 < n; i++) {
        double gap = (v[i].weight + v[i + 1].weight) / 2;
        if (place < below + gap) return v[i].x + (place - below) / gap * (v[i + 1].x - v[i].x);
        below += gap;
    }
    return v[n - 1].x;
}

/* Copies the distinct values among n sorted values if there are at most `most` of them. Returns their number, or 0 if
 * there are more. */
static size_t copy_distinct(const weighted_value *value, size_t n, size_t most, double *knot)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (found && value[i].x == knot[found - 1]) continue;
        if (found == most) return 0;
        knot[found++] = value[i].x;
    }
    return found;
}

/* Places at most `most` knots at quantiles of n sorted values, of which more than `most` are distinct. */
static size_t place_at_quantiles(const weighted_value *value, size_t n, size_t most, double *knot)
{
    size_t found = 0;
    double low = find_quantile(value, n, tail_share), high = find_quantile(value, n, 1 - tail_share);
    for (size_t i = 0; i < most; i++) {
        double share = tail_share + (1 - 2 * tail_share) * (double)i / (double)(most - 1);
        double x = find_quantile(value, n, share);
        if (high > low) x = round_to_range(x, high - low);
        if (!found || x > knot[found - 1]) knot[found++] = x;
    }
    if (found >= 2) return found;
    knot[0] = value[0].x; /* almost all values are equal */
    knot[1] = value[n - 1].x;
    return 2;
}

static size_t place_knots(weighted_value *value, size_t n, size_t most, double *knot)
{
    if (n == 0) return 0;
    qsort(value, n, sizeof *value, compare_values);
    size_t found = copy_distinct(value, n, most, knot);
    return found ? found : place_at_quantiles(value, n, most, knot);
}

/* --- the fine layout --- */

typedef struct feature_sample {
    size_t rows, features;
    double *x;             /* (rows, features + 1): features, NaN if missing; then the weight */
    weighted_value *value; /* (rows): work space                                              */
} feature_sample;

static void copy_features(void *arg, const sg_chunk_loader *l, double *x)
{
    const feature_sample *s = arg;
    for (size_t k = 0; k < s->features; k++) x[k] = l->rows.raw[l->columns->input[k]];
    x[s->features] = l->rows.w[0];
}

static sg_status gather_sample(const sg_source *s, const sg_preprocessed *p, feature_sample *out)
{
    *out = (feature_sample){.features = p->model->features};
    out->rows = sg_train_sample_size(s, out->features, SG_TRAIN_SAMPLE_CELLS, 2000);
    out->x = sg_calloc(out->rows, (out->features + 1) * sizeof *out->x);
    out->value = sg_calloc(out->rows, sizeof *out->value);
    sg_status st = sg_comm_agree_status(s->comm, out->x && out->value ? SG_OK : fail_no_memory());
    return st == SG_OK ? sg_train_sample_gather(s, p, copy_features, out, out->rows, out->features + 1, out->x) : st;
}

static void release_sample(feature_sample *s)
{
    free(s->x);
    free(s->value);
}

/* Writes the knots of a feature to knot and returns their number. */
static size_t find_knots(const feature_sample *s, size_t feature, size_t most, double *knot)
{
    size_t n = 0;
    for (size_t i = 0; i < s->rows; i++) {
        const double *row = s->x + i * (s->features + 1);
        if (!isnan(row[feature])) s->value[n++] = (weighted_value){row[feature], row[s->features]};
    }
    return place_knots(s->value, n, most, knot);
}

static size_t model_inputs(const sg_model *m) { return m->encoder ? m->encoder->inputs : m->features; }

/* Adds a curve for each input that varies and is not a duplicate. The knots of curve i go to knot[i * most]. */
static void add_curves(const sg_model *m, const feature_sample *sample, const bool *duplicate, size_t most,
                       double *knot, sg_additive *s)
{
    for (size_t i = 0; i < model_inputs(m); i++) {
        if (duplicate[i]) continue;
        const sg_encoded_input *in = m->encoder ? &m->encoder->input[i] : NULL;
        if (in && in->levels) {
            sg_additive_add_curve(s, i, in->first_feature, sg_encoded_input_features(in), true);
            continue;
        }
        size_t feature = in ? in->first_feature : i, n = find_knots(sample, feature, most, knot + s->curves * most);
        if (n >= 2) sg_additive_add_curve(s, i, feature, n, false);
    }
}

sg_status sg_additive_layout_fine(const sg_source *s, const sg_source *all_rows, const sg_preprocessed *p,
                                  const sg_options *notices, size_t knots, sg_thread_pool *pool,
                                  sg_additive_layout *out)
{
    const sg_model *m = p->model;
    feature_sample sample;
    *out = (sg_additive_layout){0};
    sg_status st = gather_sample(s, p, &sample);
    double *knot = sg_calloc(model_inputs(m), knots * sizeof *knot);
    bool *duplicate = sg_calloc(model_inputs(m), sizeof *duplicate);
    out->part = sg_additive_new(m->outputs, model_inputs(m), 0);
    bool ready = knot && duplicate && out->part;
    if (st == SG_OK && !ready) st = fail_no_memory();
    st = sg_comm_agree_status(all_rows->comm, st);
    if (st == SG_OK) st = sg_duplicate_inputs_find(notices, all_rows, p, sample.x, sample.rows, pool, duplicate);
    if (st == SG_OK && ready) add_curves(m, &sample, duplicate, knots, knot, out->part);
    if (st == SG_OK) st = bind_shape(out);
    for (size_t i = 0; st == SG_OK && ready && i < out->part->curves; i++) {
        sg_curve *c = &out->part->curve[i];
        if (!c->is_category) memcpy(c->knot, knot + i * knots, c->cells * sizeof *knot);
    }
    free(knot);
    free(duplicate);
    release_sample(&sample);
    if (st != SG_OK) sg_additive_layout_release(out);
    return st;
}

/* --- the layout of a model --- */

/* Appends a copy of a curve. Categories in pairs have all levels as terms. */
static bool add_copied_curve(const sg_curve *c, const sg_model *m, sg_additive *s)
{
    const sg_encoded_input *in = c->is_category ? &m->encoder->input[c->input] : NULL;
    size_t cells = in ? sg_encoded_input_features(in) : c->cells;
    sg_additive_add_curve(s, c->input, sg_model_first_feature(m, c->input), cells, c->is_category);
    s->curve[s->curves - 1].monotone = c->monotone;
    if (!c->terms || !in) return !c->terms || sg_curve_set_terms(&s->curve[s->curves - 1], c->term, c->terms);
    uint32_t *level = sg_calloc(cells, sizeof *level);
    for (size_t k = 0; level && k < cells; k++) level[k] = (uint32_t)k;
    bool ok = level && sg_curve_set_terms(&s->curve[s->curves - 1], level, cells);
    free(level);
    return ok;
}

static bool fits_inputs(const sg_additive *s, const sg_model *m)
{
    for (size_t i = 0; i < s->curves; i++) {
        const sg_curve *c = &s->curve[i];
        bool levels = c->input < model_inputs(m) && m->encoder && m->encoder->input[c->input].levels;
        if (c->input >= model_inputs(m) || levels != c->is_category) return false;
    }
    return true;
}

sg_status sg_additive_layout_copy(const sg_additive *from, const sg_model *m, sg_additive_layout *out)
{
    *out = (sg_additive_layout){0};
    if (!fits_inputs(from, m) || from->outputs != m->outputs)
        return sg_fail(SG_EDATA, "the rows do not have the columns of the model whose curves are to be fitted");
    out->part = sg_additive_new(m->outputs, from->curves, from->pairs);
    bool ok = out->part;
    for (size_t i = 0; ok && i < from->curves; i++) ok = add_copied_curve(&from->curve[i], m, out->part);
    for (size_t i = 0; ok && i < from->pairs; i++)
        sg_additive_add_pair(out->part, from->pair[i].curve[0], from->pair[i].curve[1]);
    sg_status st = ok ? bind_shape(out) : fail_no_memory();
    for (size_t i = 0; st == SG_OK && i < from->curves; i++)
        if (!from->curve[i].is_category)
            memcpy(out->part->curve[i].knot, from->curve[i].knot, from->curve[i].cells * sizeof(double));
    if (st != SG_OK) sg_additive_layout_release(out);
    return st;
}

/* --- plans --- */

/* Marks evenly spaced knots as the terms of pairs. A category with many levels gets none. */
static void mark_terms(const sg_curve *c, size_t most, bool *term)
{
    size_t n = c->cells < most ? c->cells : most;
    memset(term, 0, c->cells * sizeof *term);
    if (c->is_category) n = sg_curve_can_be_paired(c) ? c->cells : 0;
    for (size_t i = 0; i < n; i++) term[n > 1 ? i * (c->cells - 1) / (n - 1) : 0] = true;
}

sg_status sg_additive_plan_init(const sg_additive *fine, sg_additive_plan *out)
{
    *out = (sg_additive_plan){.fine = fine, .curve = sg_calloc(fine->curves, sizeof *out->curve)};
    bool ok = out->curve;
    for (size_t i = 0; ok && i < fine->curves; i++) {
        size_t cells = fine->curve[i].cells;
        bool *flags = sg_calloc(2 * cells, sizeof *flags);
        ok = flags;
        if (!ok) break;
        out->curve[i] = (sg_curve_plan){.used = true, .knot = flags, .term = flags + cells};
        memset(flags, true, cells * sizeof *flags);
        mark_terms(&fine->curve[i], SELECTION_TERMS, out->curve[i].term);
    }
    if (ok) return SG_OK;
    sg_additive_plan_release(out);
    return fail_no_memory();
}

void sg_additive_plan_refine(sg_additive_plan *p)
{
    for (size_t i = 0; i < p->fine->curves; i++) {
        memset(p->curve[i].knot, true, p->fine->curve[i].cells * sizeof(bool));
        mark_terms(&p->fine->curve[i], PAIR_TERMS, p->curve[i].term);
    }
}

sg_status sg_additive_plan_copy(const sg_additive_plan *from, sg_additive_plan *out)
{
    sg_status st = sg_additive_plan_init(from->fine, out);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < from->fine->curves; i++) {
        sg_curve_plan *to = &out->curve[i];
        memcpy(to->knot, from->curve[i].knot, 2 * from->fine->curve[i].cells * sizeof *to->knot);
        to->used = from->curve[i].used;
        to->monotone = from->curve[i].monotone;
        to->lambda = from->curve[i].lambda;
    }
    out->pair_lambda = from->pair_lambda;
    for (size_t i = 0; st == SG_OK && i < from->pairs; i++)
        st = sg_additive_plan_add_pair(out, from->pair[i][0], from->pair[i][1]);
    if (st != SG_OK) sg_additive_plan_release(out);
    return st;
}

void sg_additive_plan_release(sg_additive_plan *p)
{
    for (size_t i = 0; p->curve && i < p->fine->curves; i++) free(p->curve[i].knot);
    free(p->curve);
    free(p->pair);
    *p = (sg_additive_plan){0};
}

sg_status sg_additive_plan_add_pair(sg_additive_plan *p, size_t first, size_t second)
{
    if (!sg_array_reserve(&p->pair, &p->capacity, p->pairs + 1, sizeof *p->pair)) return fail_no_memory();
    p->pair[p->pairs][0] = first;
    p->pair[p->pairs++][1] = second;
    return SG_OK;
}

bool sg_additive_plan_is_paired(const sg_additive_plan *p, size_t curve)
{
    for (size_t i = 0; i < p->pairs; i++)
        if (p->pair[i][0] == curve || p->pair[i][1] == curve) return true;
    return false;
}

static bool is_kept(const sg_additive_plan *p, size_t curve, size_t knot, bool paired)
{
    return p->curve[curve].knot[knot] || (paired && p->curve[curve].term[knot]);
}

/* Appends curve i of the plan. */
static bool add_planned_curve(const sg_additive_plan *p, size_t i, sg_additive *s)
{
    const sg_curve *fine = &p->fine->curve[i];
    bool paired = sg_additive_plan_is_paired(p, i);
    uint32_t *term = sg_calloc(fine->cells, sizeof *term);
    size_t cells = 0, terms = 0;
    if (!term) return false;
    for (size_t k = 0; k < fine->cells; k++) {
        if (!fine->is_category && !is_kept(p, i, k, paired)) continue;
        if (paired && p->curve[i].term[k]) term[terms++] = (uint32_t)cells;
        cells++;
    }
    sg_additive_add_curve(s, fine->input, fine->feature, cells, fine->is_category);
    sg_curve *c = &s->curve[s->curves - 1];
    c->monotone = p->curve[i].monotone;
    bool ok = terms == 0 || sg_curve_set_terms(c, term, terms);
    free(term);
    return ok;
}

static void copy_knots(const sg_additive_plan *p, size_t i, sg_curve *to)
{
    const sg_curve *fine = &p->fine->curve[i];
    bool paired = sg_additive_plan_is_paired(p, i);
    size_t n = 0;
    for (size_t k = 0; !fine->is_category && k < fine->cells; k++)
        if (is_kept(p, i, k, paired)) to->knot[n++] = fine->knot[k];
}

/* Returns the position of curve i of the fine layout among the used curves. */
static size_t used_before(const sg_additive_plan *p, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < i; k++) n += p->curve[k].used || sg_additive_plan_is_paired(p, k);
    return n;
}

sg_status sg_additive_plan_layout(const sg_additive_plan *p, sg_additive_layout *out)
{
    const sg_additive *fine = p->fine;
    *out = (sg_additive_layout){.part = sg_additive_new(fine->outputs, fine->curves, p->pairs)};
    bool ok = out->part;
    for (size_t i = 0; ok && i < fine->curves; i++)
        if (p->curve[i].used || sg_additive_plan_is_paired(p, i)) ok = add_planned_curve(p, i, out->part);
    for (size_t i = 0; ok && i < p->pairs; i++)
        sg_additive_add_pair(out->part, used_before(p, p->pair[i][0]), used_before(p, p->pair[i][1]));
    sg_status st = ok ? bind_shape(out) : fail_no_memory();
    for (size_t i = 0, k = 0; st == SG_OK && i < fine->curves; i++)
        if (p->curve[i].used || sg_additive_plan_is_paired(p, i)) copy_knots(p, i, &out->part->curve[k++]);
    if (st != SG_OK) sg_additive_layout_release(out);
    return st;
}

size_t sg_additive_plan_chosen_knots(const sg_additive_plan *p)
{
    enum { MOST = 5 };
    size_t found = 0;
    for (size_t i = 0; i < p->fine->curves; i++) {
        const size_t cells = p->fine->curve[i].cells;
        bool paired = sg_additive_plan_is_paired(p, i);
        size_t kept = 0;
        for (size_t k = 0; k < cells; k++) kept += is_kept(p, i, k, paired);
        if (p->fine->curve[i].is_category || !(p->curve[i].used || paired) || kept == cells || kept < 2) continue;
        found += kept - 2 < MOST ? kept - 2 : MOST;
    }
    return found;
}
