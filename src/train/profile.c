/* profile.c: see profile.h. */
#include "train/profile.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "model/look.h"
#include "prep/quantile.h"
#include "train/features.h"
#include "train/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 64, CELLS = 1 << 20, DIGITS = 6 };
static const double most_work = 1e8; /* rows times conditions: a fraction of a second */

/* --- the rows --- */

static sg_status make_room(sg_profile *f, const sg_source *s, size_t inputs, size_t most)
{
    size_t rows = sg_sample_rows(s, inputs, CELLS, LEAST);
    *f = (sg_profile){.rows = rows < most ? rows : most, .inputs = inputs};
    f->x = sg_alloc(f->rows, inputs * sizeof *f->x);
    return f->x ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a sample of rows");
}

void sg_profile_release(sg_profile *f)
{
    free(f->x);
    *f = (sg_profile){0};
}

static void keep_inputs(void *arg, const sg_rows *rows, double *x)
{
    const sg_roles *c = rows->columns;
    (void)arg;
    for (size_t i = 0; i < c->inputs; i++) x[i] = rows->raw[c->input[i]];
}

sg_status sg_profile_take(sg_profile *f, const sg_source *s, const sg_prepared *p)
{
    sg_status st = sg_team_agree(s->team, make_room(f, s, p->columns.inputs, SG_PROFILE_FEW));
    if (st == SG_OK) st = sg_sample_take(s, p, keep_inputs, NULL, f->rows, f->inputs, f->x);
    if (st != SG_OK) sg_profile_release(f);
    return st;
}

static sg_status read_some(sg_profile *f, const sg_source *s, const sg_roles *c)
{
    double *raw = sg_alloc(s->columns, sizeof *raw);
    sg_status st = raw ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a row");
    for (size_t i = 0; st == SG_OK && i < f->rows; i++) {
        size_t row = (size_t)((double)i * ((double)s->rows / (double)f->rows));
        st = s->read(s->self, row, 1, raw);
        for (size_t k = 0; st == SG_OK && k < f->inputs; k++) f->x[i * f->inputs + k] = raw[c->input[k]];
    }
    free(raw);
    return st;
}

sg_status sg_profile_find(sg_profile *f, const sg_source *s, const sg_model *m)
{
    sg_roles columns;
    sg_source features = *s;
    sg_expanded *expanded = NULL;
    *f = (sg_profile){0};
    sg_status st = sg_features_find(m, s, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_open(m->coding, &features, &columns, &expanded);
    if (st == SG_OK) st = make_room(f, &features, m->inputs, SG_PROFILE_MANY);
    if (st == SG_OK) st = read_some(f, &features, &columns);
    if (st != SG_OK) sg_profile_release(f);
    sg_expanded_free(expanded);
    sg_roles_release(&columns);
    return st;
}

/* --- what is told of them --- */

/* With as many more as it takes to tell values apart in a range that is small beside them. */
static double near(double value, double range)
{
    char buf[SG_NUMBER_SIZE];
    double out = value, larger = fabs(value) / range;
    int digits = DIGITS;
    while (larger > 1 && larger <= SG_LARGEST && digits < 17) {
        larger /= 10;
        digits++;
    }
    sg_number_rounded(value, digits, buf);
    sg_number_parse(buf, strlen(buf), &out);
    return out + 0.0; /* no -0 */
}

double sg_few_digits(double value) { return near(value, INFINITY); }

static double near_input(const sg_model *m, size_t i, double value) { return near(value, m->high[i] - m->low[i]); }

static void tell_quantiles(const sg_profile *f, double *column, sg_model *m)
{
    static const double share[SG_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (size_t i = 0; i < m->inputs; i++) {
        size_t n = 0;
        if (!sg_model_is_number(m, i)) continue;
        for (size_t r = 0; r < f->rows; r++)
            if (!isnan(f->x[r * f->inputs + i])) column[n++] = f->x[r * f->inputs + i];
        sg_sort_numbers(column, n);
        for (size_t k = 0; k < SG_QUANTILES; k++)
            m->quantile[i * SG_QUANTILES + k] =
                near_input(m, i, n ? sg_quantile_of(column, n, share[k]) : m->input_mean[i]);
    }
}

/* Adds a row: to shares, and to places and predictions by how much each rule fires. y: (outputs) */
static void add_row(sg_look *l, const double *x, sg_model *m, double *y)
{
    sg_look_at(l, x);
    sg_look_predict(l, y);
    for (size_t i = 0; i < m->blocks; i++) {
        sg_block *b = &m->block[i];
        const double *firing = sg_look_firing(l, i);
        for (size_t r = 0; r < b->rules; r++) {
            double *place = b->place + r * m->inputs;
            if (firing[r] == 0) continue;
            b->share[r] += firing[r];
            for (size_t k = 0; k < m->inputs; k++) place[k] += firing[r] * l->filled[k];
            for (size_t o = 0; o < m->outputs; o++) b->about[r * m->outputs + o] += firing[r] * y[o];
        }
    }
}

/* A mean, or what stands in its place; no larger than numbers of a model may be, which predictions are not held to. */
static double mean_of(double sum, double weight, double other)
{
    double mean = sum / weight;
    return fmax(-SG_LARGEST, fmin(SG_LARGEST, weight > 0 && isfinite(mean) ? mean : other));
}

/* A rule that never fired is nowhere: at the mean. */
static void finish(sg_block *b, const sg_model *m, size_t rows)
{
    for (size_t r = 0; r < b->rules; r++) {
        double *place = b->place + r * m->inputs, *about = b->about + r * m->outputs;
        for (size_t k = 0; k < m->inputs; k++)
            place[k] = near_input(m, k, mean_of(place[k], b->share[r], m->input_mean[k]));
        for (size_t o = 0; o < m->outputs; o++)
            about[o] = near(mean_of(about[o], b->share[r], m->mean[o]), m->scale[o]);
        b->share[r] = fmin(1, sg_few_digits(b->share[r] / (double)rows));
    }
}

/* Every so many rows, where a row takes long. */
static size_t step_of(const sg_profile *f, const sg_model *m)
{
    double work = 0;
    size_t most = f->rows / LEAST;
    for (size_t b = 0; b < m->blocks; b++)
        work += (double)f->rows * (double)m->block[b].rules *
                (double)(m->block[b].inputs * (m->block[b].rank + 1) + m->inputs);
    size_t step = 1 + (size_t)(work / most_work);
    return most > 1 && step > most ? most : most > 1 ? step : 1;
}

sg_status sg_profile_tell(const sg_profile *f, sg_model *m)
{
    sg_look look;
    size_t step = step_of(f, m), rows = 0;
    double *column = sg_alloc(f->rows, sizeof *column), *y = sg_alloc(m->outputs, sizeof *y);
    bool ok = column && y && sg_model_add_quantiles(m);
    for (size_t b = 0; ok && b < m->blocks; b++)
        ok = sg_block_add_shares(&m->block[b], m->inputs) && sg_block_add_about(&m->block[b]);
    sg_status st = ok ? sg_look_init(&look, m) : sg_fail(SG_ENOMEM, "out of memory for shares of rules");
    if (st == SG_OK) tell_quantiles(f, column, m);
    free(column);
    for (size_t i = 0; st == SG_OK && i < f->rows; i += step, rows++) add_row(&look, f->x + i * f->inputs, m, y);
    free(y);
    if (st != SG_OK) return st;
    for (size_t b = 0; b < m->blocks; b++) finish(&m->block[b], m, rows);
    sg_look_release(&look);
    return SG_OK;
}
