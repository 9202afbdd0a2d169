/* effects.c: see effects.h. Three looks at the rows: which values there are, ridge regression, and sums of what it
 * leaves, in the rows' order. */
#include "train/effects.h"

#include "base/memory.h"
#include "prep/tally.h"
#include "train/effect_sums.h"
#include "train/features.h"
#include "train/prepare.h"
#include "train/ridge.h"
#include "train/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_OF_ALL = 8 * SG_EFFECT_VALUES }; /* of all tables together */

/* One of the inputs whose effects are wanted. */
typedef struct wanted {
    size_t input, column; /* of the coding, and of the source */
    sg_tally tally;
    bool many; /* too many different values for a table of each */
    sg_effect_sums sums;
} wanted;

typedef struct work {
    const sg_source *source; /* of features, without effects */
    const sg_roles *roles;   /* in it                        */
    uint64_t seed;
    size_t count, most; /* most: values of one that are told apart */
    wanted *of;
} work;

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for effects"); }

/* --- which inputs --- */

static bool takes_all(const sg_options *o)
{
    return sg_options_is(o, "effects", "all") || sg_options_is(o, "effects", "*");
}

static bool is_named(const sg_options *o, const char *name)
{
    char item[512];
    for (size_t i = 0; sg_options_item(o, "effects", i, item, sizeof item); i++)
        if (strcmp(item, name) == 0) return true;
    return false;
}

static sg_status check_name(const char *name, const sg_coding *c)
{
    for (size_t i = 0; i < c->inputs; i++) {
        if (strcmp(c->input[i].name, name) != 0) continue;
        if (!c->input[i].levels) return SG_OK;
        return sg_fail(SG_EINVAL, "--effects: column \"%s\" holds categories; effects are of numbers", name);
    }
    return sg_fail(SG_EINVAL, "--effects: there is no input \"%s\"", name);
}

static sg_status check_options(const sg_options *o, const sg_source *rows, const sg_roles *roles, const sg_coding *c)
{
    char item[512];
    sg_status st = SG_OK;
    if (rows->team) return sg_fail(SG_EINVAL, "--effects: not for several processes; train with one");
    if (roles->targets > 1)
        return sg_fail(SG_EINVAL, "--effects: there are %zu targets, effects are those on one; train each by itself",
                       roles->targets);
    for (size_t i = 0; st == SG_OK && !takes_all(o) && sg_options_item(o, "effects", i, item, sizeof item); i++)
        st = check_name(item, c);
    return st;
}

/* Not of what is constant, which will be left out. */
static sg_status choose(const sg_options *o, const sg_coding *c, const sg_moments *raw, work *w)
{
    w->of = sg_alloc(c->inputs, sizeof *w->of);
    if (!w->of) return no_memory();
    for (size_t i = 0; i < c->inputs; i++) {
        size_t column = w->roles->input[c->input[i].first];
        if (c->input[i].levels || !(takes_all(o) || is_named(o, c->input[i].name))) continue;
        if (!sg_moments_constant(raw, column)) w->of[w->count++] = (wanted){.input = i, .column = column};
    }
    w->most = w->count > VALUES_OF_ALL / SG_EFFECT_VALUES ? VALUES_OF_ALL / w->count : SG_EFFECT_VALUES;
    return SG_OK;
}

/* --- which values --- */

static sg_status count_values(void *arg, const double *row, size_t rows)
{
    work *w = arg;
    for (size_t i = 0; i < rows; i++, row += w->source->columns)
        for (size_t k = 0; k < w->count; k++) {
            wanted *of = &w->of[k];
            if (of->many || isnan(row[of->column])) continue;
            if (!sg_tally_add(&of->tally, row[of->column], 1)) return no_memory();
            if (of->tally.values <= w->most) continue;
            of->many = true;
            sg_tally_release(&of->tally);
        }
    return SG_OK;
}

static void keep_values(void *arg, const sg_rows *rows, double *x)
{
    const work *w = arg;
    for (size_t k = 0; k < w->count; k++) x[k] = rows->raw[w->of[k].column];
}

/* A sample of the rows says where the bins of inputs with many values are. */
static sg_status count_sample(work *w, const sg_prepared *p)
{
    size_t rows = sg_sample_rows(w->source, w->count, SG_SAMPLE_CELLS, 1000), any = 0;
    for (size_t k = 0; k < w->count; k++) any += w->of[k].many;
    if (!any) return SG_OK;
    double *x = sg_alloc(rows, w->count * sizeof *x);
    sg_status st = x ? sg_sample_take(w->source, p, keep_values, w, rows, w->count, x) : no_memory();
    for (size_t i = 0; st == SG_OK && i < rows * w->count; i++) {
        wanted *of = &w->of[i % w->count];
        if (of->many && !isnan(x[i]) && !sg_tally_add(&of->tally, x[i], 1)) st = no_memory();
    }
    free(x);
    return st;
}

static int by_value(const void *a, const void *b)
{
    const sg_occurrence *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static sg_status lay_out(wanted *of)
{
    size_t n = 0;
    sg_occurrence *value = sg_alloc(of->tally.values, sizeof *value);
    if (!value) return no_memory();
    for (size_t i = 0; i < of->tally.places; i++)
        if (of->tally.place[i].rows) value[n++] = (sg_occurrence){of->tally.place[i].value, of->tally.place[i].rows};
    qsort(value, n, sizeof *value, by_value);
    bool ok = sg_effect_sums_init(&of->sums, of->input, value, n, !of->many);
    free(value);
    sg_tally_release(&of->tally);
    return ok ? SG_OK : no_memory();
}

/* --- what ridge regression leaves --- */

/* In the target's units. line: (terms + 1), of z-scores. */
static double left_of(const sg_rows *rows, const double *line, size_t i)
{
    const sg_model *m = rows->model;
    const double *z = rows->z + i * sg_model_terms(m);
    double sum = line[0];
    for (size_t k = 0; k < sg_model_terms(m); k++) sum += line[k + 1] * z[k];
    return (rows->t[i] - sum) * m->scale[0];
}

static sg_status add_rows(work *w, const sg_prepared *p, const double *line)
{
    sg_rows rows;
    sg_status st = sg_rows_init(&rows, w->source, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    for (size_t first = 0, n; st == SG_OK && first < w->source->rows; first += n) {
        n = w->source->rows - first < SG_ROWS ? w->source->rows - first : SG_ROWS;
        st = sg_rows_load(&rows, first, n);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            const double *raw = rows.raw + i * w->source->columns;
            double left = left_of(&rows, line, i);
            size_t fold = sg_effect_fold(w->seed, first + i);
            for (size_t k = 0; k < w->count; k++)
                sg_effect_sums_add(&w->of[k].sums, fold, raw[w->of[k].column], rows.w[i], left);
        }
    }
    sg_rows_release(&rows);
    return st;
}

/* Options of the plain regression, and nobody hears its notices. */
static sg_status plain_options(const sg_options *o, sg_options **out)
{
    static const char *const set[][2] = {{"scale", "zscore"}, {"target", "zscore"}, {"pca", "0"},
                                         {"limit", "none"},   {"clip", "none"},     {"precision", "f64"}};
    sg_status st = sg_options_clone(o, out);
    for (size_t i = 0; st == SG_OK && i < sizeof set / sizeof *set; i++)
        st = sg_options_set(*out, set[i][0], set[i][1]);
    return st;
}

static sg_status add_up(const sg_options *o, const sg_coding *coding, const sg_survey *survey, sg_pool *pool, work *w)
{
    sg_options *plain = NULL;
    sg_prepared p = {0};
    double *line = NULL, strength;
    sg_status st = sg_source_walk(w->source, count_values, w);
    if (st == SG_OK) st = plain_options(o, &plain);
    if (st == SG_OK) st = sg_prepare(plain, w->source, w->roles, coding, survey, pool, &p);
    if (st == SG_OK) st = count_sample(w, &p);
    for (size_t k = 0; st == SG_OK && k < w->count; k++) st = lay_out(&w->of[k]);
    if (st == SG_OK && !(line = sg_alloc(sg_model_terms(p.model) + 1, sizeof *line))) st = no_memory();
    if (st == SG_OK) st = sg_ridge_fit(w->source, &p, pool, line, &strength);
    if (st == SG_OK) st = add_rows(w, &p, line);
    free(line);
    sg_prepared_release(&p);
    sg_options_free(plain);
    return st;
}

/* --- the tables --- */

static sg_status make_folds(const work *w, sg_effect_folds **out)
{
    sg_effect_folds *f = sg_alloc(1, sizeof *f);
    if (f) *f = (sg_effect_folds){w->seed, w->count, sg_alloc(SG_EFFECT_FOLDS * w->count, sizeof *f->effect)};
    bool ok = f && f->effect;
    for (size_t i = 0; ok && i < SG_EFFECT_FOLDS * w->count; i++)
        ok = sg_effect_sums_table(&w->of[i % w->count].sums, i / w->count, &f->effect[i]);
    if (ok) *out = f;
    else sg_effect_folds_free(f);
    return ok ? SG_OK : no_memory();
}

static sg_status make_tables(const work *w, sg_coding *c)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < w->count; k++) {
        sg_effect e;
        st = sg_effect_sums_table(&w->of[k].sums, SG_EFFECT_FOLDS, &e) ? sg_coding_effect(c, &e) : no_memory();
    }
    return st;
}

static void release(work *w)
{
    for (size_t k = 0; k < w->count; k++) {
        sg_tally_release(&w->of[k].tally);
        sg_effect_sums_release(&w->of[k].sums);
    }
    free(w->of);
}

/* All inputs as they are, where there was no coding. */
static sg_status start_coding(const sg_source *rows, const sg_roles *roles, const sg_coding *before, sg_coding **out)
{
    *out = before ? sg_coding_copy(before) : sg_coding_new();
    sg_status st = *out ? SG_OK : no_memory();
    for (size_t i = 0; st == SG_OK && !before && i < roles->inputs; i++)
        st = sg_coding_number(*out, rows->names[roles->input[i]]);
    return st;
}

static sg_status fit(const sg_options *o, const sg_source *features, const sg_roles *roles, const sg_coding *before,
                     sg_pool *pool, sg_coding *coding, sg_effect_folds **folds)
{
    work w = {.source = features, .roles = roles, .seed = (uint64_t)sg_options_number(o, "seed")};
    sg_survey survey = {0};
    sg_status st = sg_survey_rows(features, roles, pool, &survey);
    if (st == SG_OK) st = choose(o, coding, &survey.raw, &w);
    if (st == SG_OK && w.count) st = add_up(o, before, &survey, pool, &w);
    if (st == SG_OK) st = make_folds(&w, folds);
    if (st == SG_OK) st = make_tables(&w, coding);
    sg_survey_release(&survey);
    release(&w);
    return st;
}

sg_status sg_effects_fit(const sg_options *o, const sg_source *rows, const sg_roles *roles, sg_pool *pool,
                         sg_coding **coding, sg_effect_folds **folds)
{
    sg_source features = *rows;
    sg_roles in_features = {0};
    sg_expanded *expanded = NULL;
    sg_coding *with = NULL;
    if (!*sg_options_text(o, "effects")) return SG_OK;
    sg_status st = start_coding(rows, roles, *coding, &with);
    if (st == SG_OK) st = check_options(o, rows, roles, with);
    if (st == SG_OK) st = sg_roles_copy(roles, &in_features);
    if (st == SG_OK) st = sg_features_open(*coding, &features, &in_features, &expanded);
    if (st == SG_OK) st = fit(o, &features, &in_features, *coding, pool, with, folds);
    sg_expanded_free(expanded);
    sg_roles_release(&in_features);
    if (st == SG_OK) {
        sg_notice(o, "--effects: they hold for values that the training rows hold; judge the model on rows that are "
                     "split as its use will be");
        sg_coding_free(*coding);
        *coding = with;
    } else {
        sg_coding_free(with);
    }
    return st;
}
