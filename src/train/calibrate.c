/* calibrate.c: see calibrate.h; and, through the public API, what a model learns of rows about how sure it is: how far
 * it is off those that it was not trained on, and how its rules fire on those that it was. */
#include "train/calibrate.h"

#include "base/memory.h"
#include "base/team.h"
#include "kernel/seer.h"
#include "model/cover.h"
#include "prep/quantile.h"
#include "train/features.h"
#include "train/spread.h"
#include "train/survey.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FIRINGS = 4096, LEAST_FIRINGS = 512 }; /* rows */
static const double MOST_WORK = 5e7;               /* of firing, in the unit of sg_cover_cost */
static const double FEW = 0.001;                   /* of the training rows fire less          */

/* A model's view of the rows, and one row. */
typedef struct look {
    const sg_model *model;
    sg_source rows;
    sg_roles columns;
    sg_expanded *expanded;
    double *raw; /* (columns) */
    double *y;   /* (outputs) */
    sg_seer seer;
    sg_cover cover;
} look;

static void close_look(look *l)
{
    free(l->raw);
    free(l->y);
    sg_expanded_free(l->expanded);
    sg_roles_release(&l->columns);
}

static sg_status open_look(look *l, const sg_model *m, const sg_source *rows, bool targets, const char *weights)
{
    *l = (look){.model = m, .rows = *rows};
    sg_status st = sg_features_find(m, rows, targets, weights, &l->columns);
    if (st == SG_OK) st = sg_features_open(m->coding, &l->rows, &l->columns, &l->expanded);
    l->raw = sg_alloc(l->rows.columns, sizeof *l->raw);
    l->y = sg_alloc(m->outputs, sizeof *l->y);
    if (st == SG_OK && (!l->raw || !l->y)) st = sg_fail(SG_ENOMEM, "out of memory for rows");
    return st;
}

/* --- errors --- */

static sg_status take_error(void *arg, size_t row, double *x)
{
    look *l = arg;
    size_t outputs = l->model->outputs;
    sg_status st = sg_source_gather(&l->rows, &row, 1, l->raw);
    if (st == SG_OK) st = sg_check_row(&l->rows, &l->columns, false, l->raw, row);
    if (st != SG_OK) return st;
    sg_seer_rows(&l->seer, l->raw, l->rows.columns, l->columns.input, 1, l->y);
    x[outputs] = sg_weight_of(&l->columns, l->raw);
    for (size_t o = 0; o < outputs; o++) x[o] = isnan(x[outputs]) ? 0 : fabs(l->y[o] - l->raw[l->columns.target[o]]);
    return SG_OK;
}

static sg_status find(look *l, const sg_source *rows, sg_misses *out)
{
    size_t width = l->model->outputs + 1;
    sg_status st = sg_seer_init(&l->seer, l->model, "f64");
    bool sees = st == SG_OK;
    out->row = sg_alloc(out->rows, width * sizeof *out->row);
    if (st == SG_OK && !out->row) st = sg_fail(SG_ENOMEM, "out of memory for errors");
    st = sg_team_agree(rows->team, st);
    if (st == SG_OK) st = sg_spread_take(&l->rows, out->rows, take_error, l, width, out->row);
    if (sees) sg_seer_release(&l->seer);
    if (st == SG_OK) return SG_OK;
    free(out->row);
    out->row = NULL;
    return st;
}

sg_status sg_misses_find(const sg_model *m, const sg_source *rows, const char *weights, size_t most, sg_misses *out)
{
    look l;
    *out = (sg_misses){.rows = rows->rows < most ? rows->rows : most};
    sg_status st = sg_team_agree(rows->team, open_look(&l, m, rows, true, weights));
    if (st == SG_OK) st = find(&l, rows, out);
    close_look(&l);
    return st;
}

sg_status sg_model_calibrate(sg_model *m, const sg_source *rows, const char *weights)
{
    sg_misses all;
    sg_status st = sg_misses_find(m, rows, weights, SG_MOST_ERRORS, &all);
    if (st == SG_OK) st = sg_sure_fit(&m->sure, all.row, all.rows, m->outputs);
    free(all.row);
    return st;
}

/* --- firing --- */

static sg_status take_firing(void *arg, size_t row, double *x)
{
    look *l = arg;
    sg_status st = sg_source_gather(&l->rows, &row, 1, l->raw);
    for (size_t i = 0; i < l->model->inputs; i++) l->cover.row[i] = l->raw[l->columns.input[i]];
    if (st == SG_OK) *x = sg_cover_firing(&l->cover, l->cover.row);
    return st;
}

static size_t firings_of(const sg_model *m, size_t rows)
{
    double work = MOST_WORK / (double)sg_cover_cost(m);
    size_t n = work > MOST_FIRINGS ? MOST_FIRINGS : work < LEAST_FIRINGS ? LEAST_FIRINGS : (size_t)work;
    return n < rows ? n : rows;
}

sg_status sg_model_cover(sg_model *m, const sg_source *rows)
{
    look l;
    size_t n = firings_of(m, rows->rows);
    double *x = sg_alloc(n, sizeof *x);
    sg_status st = open_look(&l, m, rows, false, NULL);
    if (st == SG_OK && !x) st = sg_fail(SG_ENOMEM, "out of memory for the firing of rules");
    if (st == SG_OK && n == 0) st = sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(rows));
    if (st == SG_OK) st = sg_cover_init(&l.cover, m);
    bool opened = st == SG_OK;
    st = sg_team_agree(rows->team, st);
    if (st == SG_OK) st = sg_spread_take(&l.rows, n, take_firing, &l, 1, x);
    if (st == SG_OK && x) {
        sg_sort_numbers(x, n);
        m->sure.seen = n;
        m->sure.firing = x[(size_t)(FEW * (double)n)];
    }
    if (opened) sg_cover_release(&l.cover);
    close_look(&l);
    free(x);
    return st;
}
