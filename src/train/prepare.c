/* prepare.c: three passes over the training rows: moments of the columns; the Gram matrix for PCA,
 * where asked for; moments of what the antecedents will see. */
#include "train/prepare.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "prep/pca.h"
#include "train/features.h"
#include "train/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Transformed inputs are kept within this, so that nothing after them can overflow. */
static const double farthest = 1e6;

void sg_prepared_release(sg_prepared *p)
{
    sg_model_free(p->model);
    sg_roles_release(&p->columns);
    sg_moments_release(&p->seen);
    *p = (sg_prepared){0};
}

/* --- first pass: moments, fingerprint --- */

static uint64_t mix(uint64_t h, double value)
{
    uint64_t bits;
    if (value == 0) value = 0; /* -0 is 0, ... */
    if (isnan(value)) value = NAN; /* ... and a missing value a missing value */
    memcpy(&bits, &value, sizeof bits);
    h = (h ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

/* A sum over rows, so that rows may be seen in any order by any number of machines. */
static uint64_t row_hash(const double *row, const sg_roles *c, size_t number)
{
    uint64_t h = mix(UINT64_C(0x2545F4914F6CDD1D), (double)number);
    for (size_t i = 0; i < c->inputs; i++) h = mix(h, row[c->input[i]]);
    for (size_t i = 0; i < c->targets; i++) h = mix(h, row[c->target[i]]);
    return c->weight == SG_NO_COLUMN ? h : mix(h, row[c->weight]);
}

/* raw may be NULL. */
static sg_status first_pass(const sg_source *s, const sg_roles *c, sg_moments *raw,
                            uint64_t *fingerprint)
{
    double *block = sg_alloc(s->columns, SG_ROWS * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_ROWS) {
        size_t n = s->rows - first < SG_ROWS ? s->rows - first : SG_ROWS;
        st = s->read(s->self, first, n, block);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            const double *x = block + i * s->columns;
            *fingerprint += row_hash(x, c, first + i);
            if (raw) sg_moments_add(raw, x, c->weight == SG_NO_COLUMN ? NULL : &x[c->weight], 1);
        }
    }
    free(block);
    return st;
}

sg_status sg_fingerprint(const sg_source *s, const sg_roles *roles, uint64_t *out)
{
    *out = 0;
    return first_pass(s, roles, NULL, out);
}

/* --- leaving constant inputs out --- */

static void tell_dropped(const sg_options *o, const char *name, bool values)
{
    sg_notice(o, "column \"%s\" %s: trained without it", name, values ? "is constant" : "has no values");
}

/* A category goes with the last of its features. */
static void tell_coded(const sg_options *o, const sg_moments *raw, const sg_coding *coding, const bool *keep)
{
    for (size_t i = 0; i < coding->inputs; i++) {
        const sg_coded *in = &coding->input[i];
        size_t kept = 0;
        for (size_t k = 0; k < sg_coded_features(in); k++) kept += keep[in->first + k];
        if (!kept) tell_dropped(o, in->name, raw->cells[in->first] > 0);
    }
}

/* coding: of the model, or NULL. */
static sg_status drop_constant(const sg_options *o, const sg_source *s, const sg_moments *raw, sg_coding *coding,
                               sg_roles *c)
{
    size_t kept = 0;
    bool *keep = sg_alloc(c->inputs, sizeof *keep);
    if (!keep) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < c->inputs; i++) {
        size_t column = c->input[i];
        keep[i] = !sg_moments_constant(raw, column);
        if (keep[i]) c->input[kept++] = column;
        else if (!coding) tell_dropped(o, s->names[column], raw->cells[column] > 0);
    }
    if (coding) tell_coded(o, raw, coding, keep);
    if (coding) sg_coding_keep(coding, keep);
    free(keep);
    if (kept == 0)
        return sg_fail(SG_EDATA, "%s: every input column is constant: there is nothing to learn from",
                       sg_source_name(s));
    c->inputs = kept; /* the targets stay where they are, further on */
    return SG_OK;
}

/* --- the model's names, ranges and transforms --- */

static sg_status name_columns(const sg_source *s, const sg_roles *c, const sg_moments *raw,
                              sg_model **out)
{
    const char **names = sg_alloc(c->inputs + c->targets, sizeof *names);
    if (!names) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < c->inputs; i++) names[i] = s->names[c->input[i]];
    for (size_t i = 0; i < c->targets; i++) names[c->inputs + i] = s->names[c->target[i]];
    sg_status st = sg_model_new(names, c->inputs, names + c->inputs, c->targets, out);
    free(names);
    for (size_t i = 0; st == SG_OK && i < c->inputs; i++) {
        (*out)->low[i] = raw->low[c->input[i]];
        (*out)->high[i] = raw->high[c->input[i]];
        (*out)->input_mean[i] = raw->mean[c->input[i]];
    }
    return st;
}

const char *sg_target_transform(const sg_options *o)
{
    bool none = sg_options_is(o, "scale", "none") && !sg_options_given(o, "target");
    return none ? "none" : sg_options_text(o, "target");
}

static void fit_target(const sg_options *o, const sg_roles *c, const sg_moments *raw, sg_model *m)
{
    const char *transform = sg_target_transform(o);
    bool none = strcmp(transform, "none") == 0;
    for (size_t i = 0; i < c->targets; i++) {
        bool constant = sg_moments_constant(raw, c->target[i]);
        if (constant)
            sg_notice(o, "the target \"%s\" is constant: the model will predict it", m->output_name[i]);
        if (none && !constant) continue; /* centring makes the prediction of a constant exact */
        m->mean[i] = constant ? raw->low[c->target[i]] : raw->mean[c->target[i]];
        if (!constant && strcmp(transform, "zscore") == 0)
            m->scale[i] = sg_moments_deviation(raw, c->target[i]);
    }
}

/* How far a column's values lie from `middle`. */
static double reach(const sg_moments *raw, size_t column, double middle)
{
    return fmax(fabs(raw->low[column] - middle), fabs(raw->high[column] - middle));
}

/* Floats overflow where errors in large units meet small firing levels. */
static sg_status check_float(const sg_options *o, const sg_roles *c, const sg_moments *raw, const sg_model *m)
{
    const double most = 1e6;
    if (sg_options_is(o, "precision", "f64")) return SG_OK;
    for (size_t i = 0; i < c->targets; i++) {
        double far = reach(raw, c->target[i], m->mean[i]) / m->scale[i];
        if (far > most)
            return sg_fail(SG_EINVAL, "--precision f32: the target \"%s\" reaches %.3g in the units that are trained, "
                                      "at most %g will do; take --target zscore, or f64", m->output_name[i], far, most);
    }
    for (size_t i = 0; sg_options_is(o, "scale", "none") && i < c->inputs; i++)
        if (reach(raw, c->input[i], 0) > most)
            return sg_fail(SG_EINVAL, "--precision f32: \"%s\" reaches %.3g, at most %g will do; take --scale zscore, or f64",
                           m->input_name[i], reach(raw, c->input[i], 0), most);
    return SG_OK;
}

static sg_status add_clamp(sg_view *v, const double *limit)
{
    sg_step *clamp = sg_view_append(v, &sg_step_clamp, v->out);
    if (!clamp) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < v->out; i++) {
        clamp->number[1][i] = limit ? limit[i] : farthest;
        clamp->number[0][i] = -clamp->number[1][i];
    }
    return SG_OK;
}

static sg_status fit_zscore(const sg_roles *c, const sg_moments *raw, sg_view *v)
{
    sg_step *z = sg_view_append(v, &sg_step_zscore, v->out);
    if (!z) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        z->number[0][i] = raw->mean[c->input[i]];
        z->number[1][i] = sg_moments_deviation(raw, c->input[i]);
    }
    return add_clamp(v, NULL);
}

static bool reduces(const sg_options *o, size_t inputs)
{
    size_t most = sg_options_size(o, "pca");
    return most > 0 && inputs > most;
}

/* Principal components are those of centred rows. */
static sg_status centre(const sg_roles *c, const sg_moments *raw, sg_view *v)
{
    sg_step *z = sg_view_append(v, &sg_step_zscore, v->out);
    if (!z) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        z->number[0][i] = raw->mean[c->input[i]];
        z->number[1][i] = 1;
    }
    return SG_OK;
}

/* Values as they are in the file: only what lies far beyond the training rows is limited. */
static sg_status fit_none(const sg_options *o, const sg_roles *c, const sg_moments *raw, sg_view *v)
{
    if (reduces(o, c->inputs)) {
        sg_status done = centre(c, raw, v);
        if (done != SG_OK) return done;
    }
    double *limit = sg_alloc(c->inputs, sizeof *limit);
    if (!limit) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t i = 0; i < c->inputs; i++) {
        double most = fmax(fabs(raw->low[c->input[i]]), fabs(raw->high[c->input[i]]));
        limit[i] = fmin(SG_LARGEST, farthest * fmax(1, most));
    }
    sg_status st = add_clamp(v, limit);
    free(limit);
    return st;
}

/* --- passes over transformed rows --- */

typedef sg_status chunk_fn(const sg_rows *rows, void *arg);

static sg_status for_chunks(const sg_prepared *p, const sg_source *s, chunk_fn *fn, void *arg)
{
    sg_rows rows;
    sg_status st = sg_rows_init(&rows, s, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_ROWS) {
        st = sg_rows_load(&rows, NULL, first, s->rows - first < SG_ROWS ? s->rows - first : SG_ROWS);
        if (st == SG_OK) st = fn(&rows, arg);
    }
    sg_rows_release(&rows);
    return st;
}

static sg_status add_gram(const sg_rows *rows, void *gram)
{
    sg_gram_add(rows->filled, rows->w, rows->n, rows->model->a.out, gram);
    return SG_OK;
}

static sg_status add_moments(const sg_rows *rows, void *moments)
{
    sg_moments_add(moments, rows->a, rows->w, rows->n);
    return SG_OK;
}

static sg_status fit_pca(const sg_options *o, const sg_source *s, sg_prepared *p)
{
    size_t most = sg_options_size(o, "pca"), n = p->model->a.out, cells;
    if (!reduces(o, n)) return SG_OK;
    double *gram = sg_mul(n, n, &cells) ? sg_alloc(cells, sizeof *gram) : NULL;
    if (!gram) return sg_fail(SG_ENOMEM, "out of memory for principal components of %zu inputs", n);
    sg_status st = for_chunks(p, s, add_gram, gram);
    if (st == SG_OK) st = sg_pca_fit(gram, n, most, &p->model->a);
    free(gram);
    return st;
}

/* The model takes the coding over, unless nothing but numbers is left. */
static void keep_coding(sg_coding **coding, sg_model *m)
{
    if (!*coding || !sg_coding_categories(*coding)) return;
    m->coding = *coding;
    *coding = NULL;
}

static sg_status fit(const sg_options *o, const sg_source *s, const sg_moments *raw, const sg_coding *of,
                     sg_prepared *p)
{
    sg_coding *coding = NULL;
    if (of && !(coding = sg_coding_copy(of))) return sg_fail(SG_ENOMEM, "out of memory for the levels of categories");
    sg_status st = drop_constant(o, s, raw, coding, &p->columns);
    if (st == SG_OK) st = name_columns(s, &p->columns, raw, &p->model);
    if (st == SG_OK) keep_coding(&coding, p->model);
    sg_coding_free(coding);
    if (st != SG_OK) return st;
    fit_target(o, &p->columns, raw, p->model);
    st = check_float(o, &p->columns, raw, p->model);
    if (st != SG_OK) return st;
    st = sg_options_is(o, "scale", "none") ? fit_none(o, &p->columns, raw, &p->model->a)
                                           : fit_zscore(&p->columns, raw, &p->model->a);
    if (st == SG_OK) st = fit_pca(o, s, p);
    if (st == SG_OK && !sg_moments_init(&p->seen, p->model->a.out))
        st = sg_fail(SG_ENOMEM, "out of memory for statistics");
    return st == SG_OK ? for_chunks(p, s, add_moments, &p->seen) : st;
}

static double all_deviation(const sg_roles *c, const sg_moments *raw)
{
    double sum = 0;
    for (size_t i = 0; i < c->targets; i++) {
        double d = sg_moments_deviation(raw, c->target[i]);
        sum += d * d;
    }
    return sqrt(sum / (double)c->targets);
}

sg_status sg_prepare(const sg_options *o, const sg_source *s, const sg_roles *roles, const sg_coding *coding,
                     sg_prepared *out)
{
    sg_prepared p = {0};
    sg_moments raw = {0};
    sg_status st = sg_roles_copy(roles, &p.columns);
    if (st != SG_OK) return st;
    if (coding) p.fingerprint = sg_coding_hash(coding);
    if (!sg_moments_init(&raw, s->columns)) st = sg_fail(SG_ENOMEM, "out of memory for statistics");
    if (st == SG_OK) st = first_pass(s, &p.columns, &raw, &p.fingerprint);
    if (st == SG_OK && raw.rows < 2)
        st = sg_fail(SG_EDATA, "%s: expected at least 2 rows to train on%s, found %zu", sg_source_name(s),
                     p.columns.weight == SG_NO_COLUMN ? "" : " with a weight above 0", raw.rows);
    if (st == SG_OK) {
        p.rows = raw.rows;
        p.weight_scale = (double)raw.rows / raw.weight;
        p.deviation = all_deviation(&p.columns, &raw);
        st = fit(o, s, &raw, coding, &p);
    }
    sg_moments_release(&raw);
    if (st != SG_OK) sg_prepared_release(&p);
    else *out = p;
    return st;
}

sg_status sg_prepare_raw(const sg_options *o, const sg_source *s, sg_prepared *out)
{
    sg_source rows = *s;
    sg_coding *coding = NULL;
    sg_expanded *expanded = NULL;
    sg_roles roles;
    sg_status st = sg_roles_choose(o, s, &roles);
    if (st != SG_OK) return st;
    st = sg_features_fit(o, s, &roles, &coding);
    if (st == SG_OK) st = sg_features_open(coding, &rows, &roles, &expanded);
    if (st == SG_OK) st = sg_prepare(o, &rows, &roles, coding, out);
    sg_expanded_free(expanded);
    sg_coding_free(coding);
    sg_roles_release(&roles);
    return st;
}
