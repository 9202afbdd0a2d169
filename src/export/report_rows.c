/* report_rows.c: see report_rows.h. */
#include "export/report_rows.h"

#include "base/memory.h"
#include "base/random.h"
#include "train/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Conditions that are looked at for the sake of importance, at most: some seconds. */
static const double most_work = 1e9;

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the rows of a report"); }

static size_t rows_held(const sg_model *m, size_t rows)
{
    size_t room = SG_REPORT_CELLS / (sg_model_inputs(m) + 2 * m->outputs);
    if (room > SG_REPORT_ROWS) room = SG_REPORT_ROWS;
    if (room < SG_REPORT_LEAST) room = SG_REPORT_LEAST;
    return rows < room ? rows : room;
}

static sg_status allocate(sg_report_rows *r, const sg_model *m, size_t rows)
{
    *r = (sg_report_rows){.rows = rows_held(m, rows), .inputs = sg_model_inputs(m), .outputs = m->outputs};
    r->row = sg_alloc(r->rows, sizeof *r->row);
    r->x = sg_alloc(r->rows, r->inputs * sizeof *r->x);
    r->y = sg_alloc(r->rows, r->outputs * sizeof *r->y);
    r->predicted = sg_alloc(r->rows, r->outputs * sizeof *r->predicted);
    r->importance = sg_alloc(r->inputs, r->outputs * sizeof *r->importance);
    return r->row && r->x && r->y && r->predicted && r->importance ? SG_OK : no_memory();
}

void sg_report_rows_release(sg_report_rows *r)
{
    free(r->row);
    free(r->x);
    free(r->y);
    free(r->predicted);
    free(r->importance);
    *r = (sg_report_rows){0};
}

/* One row of the source, as a caller of sg_model_predict would give it. e is NULL where there are no categories. */
static void take_row(sg_report_rows *r, size_t i, const double *raw, const sg_roles *roles, const sg_expanded *e)
{
    const sg_level_map *level;
    for (size_t k = 0; k < r->inputs; k++) r->x[i * r->inputs + k] = raw[roles->input[k]];
    for (size_t k = 0, c = 0; e && k < r->inputs; k++) {
        level = sg_expanded_levels(e, c);
        if (!level || level->column != roles->input[k]) continue;
        r->x[i * r->inputs + k] = sg_level_map_find(level, raw[roles->input[k]]);
        c++;
    }
    for (size_t o = 0; o < r->outputs; o++) r->y[i * r->outputs + o] = raw[roles->target[o]];
}

static sg_status read_rows(sg_report_rows *r, const sg_source *source, const sg_roles *roles, const sg_expanded *e)
{
    double *raw = sg_alloc(source->columns, sizeof *raw);
    sg_status st = raw ? SG_OK : no_memory();
    for (size_t i = 0; st == SG_OK && i < r->rows; i++) {
        r->row[i] = (size_t)((double)i * (double)source->rows / (double)r->rows);
        st = sg_source_gather(source, &r->row[i], 1, raw);
        if (st == SG_OK) take_row(r, i, raw, roles, e);
    }
    free(raw);
    return st;
}

static sg_status find_rows(sg_report_rows *r, const sg_model *m, const sg_source *source)
{
    sg_roles roles, coded = {0};
    sg_source seen = *source;
    sg_expanded *e = NULL;
    sg_status st = sg_features_find(m, source, true, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_roles_copy(&roles, &coded);
    if (st == SG_OK) st = sg_features_open(m->coding, &seen, &coded, &e);
    if (st == SG_OK) st = read_rows(r, source, &roles, e);
    sg_expanded_free(e);
    sg_roles_release(&coded);
    sg_roles_release(&roles);
    return st;
}

/* --- importance --- */

/* So few rows that all inputs can be shuffled in some seconds, whatever the model; more than some thousand change
 * nothing. */
static size_t affordable(const sg_report_rows *r, const sg_model *m)
{
    size_t most = r->rows < SG_REPORT_LEAST ? r->rows : SG_REPORT_LEAST;
    double conditions = 1;
    for (size_t b = 0; b < m->blocks; b++) conditions += (double)m->block[b].rules * (double)(m->a.out + 1);
    double rows = most_work / (conditions * (double)r->inputs);
    return rows < 50 && most > 50 ? 50 : rows < (double)most ? (size_t)rows : most;
}

/* Input k of `rows` rows from the sample, evenly spread, in another order; all else as it is. */
static void shuffled(const sg_report_rows *r, size_t k, size_t rows, double *x)
{
    for (size_t i = 0; i < rows; i++) {
        size_t from = i * r->rows / rows, other = sg_random_place(0, SG_RANDOM_SPLIT, rows, i) * r->rows / rows;
        memcpy(x + i * r->inputs, r->x + from * r->inputs, r->inputs * sizeof *x);
        x[i * r->inputs + k] = r->x[other * r->inputs + k];
    }
}

static void moved(const sg_report_rows *r, size_t rows, const double *y, double *out)
{
    for (size_t o = 0; o < r->outputs; o++) {
        double sum = 0;
        for (size_t i = 0; i < rows; i++) {
            double d = y[i * r->outputs + o] - r->predicted[i * r->rows / rows * r->outputs + o];
            sum += d * d;
        }
        out[o] = rows ? sqrt(sum / (double)rows) : 0;
    }
}

static sg_status measure_importance(sg_report_rows *r, const sg_model *m)
{
    size_t rows = affordable(r, m);
    double *x = sg_alloc(rows, r->inputs * sizeof *x), *y = sg_alloc(rows, r->outputs * sizeof *y);
    sg_predictor *p = NULL;
    sg_status st = x && y ? sg_predictor_new(m, "f64", 1, &p) : no_memory();
    for (size_t k = 0; st == SG_OK && k < r->inputs; k++) {
        shuffled(r, k, rows, x);
        st = sg_predictor_run(p, x, rows, y);
        if (st == SG_OK) moved(r, rows, y, r->importance + k * r->outputs);
    }
    sg_predictor_free(p);
    free(x);
    free(y);
    return st;
}

sg_status sg_report_rows_init(sg_report_rows *r, const sg_model *m, const sg_source *source)
{
    sg_status st = allocate(r, m, source->rows);
    if (st == SG_OK) st = find_rows(r, m, source);
    if (st == SG_OK) st = sg_model_predict(m, r->x, r->rows, r->predicted);
    if (st == SG_OK) st = measure_importance(r, m);
    if (st != SG_OK) sg_report_rows_release(r);
    return st;
}
