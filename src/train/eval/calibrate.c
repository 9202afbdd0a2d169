/* calibrate.c: see calibrate.h; and, through the public API, what a model learns of rows about how sure it is: how far
 * it is off those that it was not trained on, and how its rules fire on those that it was. */
#include "train/eval/calibrate.h"

#include "base/memory.h"
#include "comm/comm.h"
#include "model/support.h"
#include "predict/column_stats.h"
#include "predict/even_sample.h"
#include "predict/feature_encode.h"
#include "predict/predict_worker.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_SUPPORT_ROWS = 4096, MIN_SUPPORT_ROWS = 512 }; /* rows */
static const double MAX_WORK = 5e7;                       /* of firing, in the unit of sg_support_cost */
static const double SUPPORT_QUANTILE = 0.001;             /* of the training rows fire less          */

/* A model's view of the rows, and one row. */
typedef struct row_reader {
    const sg_model *model;
    sg_source rows;
    sg_column_roles columns;
    sg_encoded_source *expanded;
    double *raw; /* (columns) */
    double *y;   /* (outputs) */
    sg_predict_worker seer;
    sg_support cover;
} row_reader;

static void close_reader(row_reader *l)
{
    free(l->raw);
    free(l->y);
    sg_encoded_source_free(l->expanded);
    sg_column_roles_release(&l->columns);
}

static sg_status open_reader(row_reader *l, const sg_model *m, const sg_source *rows, bool targets, const char *weights)
{
    *l = (row_reader){.model = m, .rows = *rows};
    sg_status st = sg_features_find_columns(m, rows, targets, weights, &l->columns);
    if (st == SG_OK) st = sg_features_encode_source(m->encoder, &l->rows, &l->columns, &l->expanded);
    l->raw = sg_calloc(l->rows.columns, sizeof *l->raw);
    l->y = sg_calloc(m->outputs, sizeof *l->y);
    if (st == SG_OK && (!l->raw || !l->y)) st = sg_fail(SG_ENOMEM, "out of memory for rows");
    return st;
}

/* --- errors --- */

static sg_status read_residual(void *arg, size_t row, double *x)
{
    row_reader *l = arg;
    size_t outputs = l->model->outputs;
    sg_status st = sg_source_gather(&l->rows, &row, 1, l->raw);
    if (st == SG_OK) st = sg_check_row(&l->rows, &l->columns, false, l->raw, row);
    if (st != SG_OK) return st;
    sg_predict_worker_run(&l->seer, l->raw, l->rows.columns, l->columns.input, 1, l->y);
    x[outputs] = sg_row_weight(&l->columns, l->raw);
    for (size_t o = 0; o < outputs; o++) x[o] = isnan(x[outputs]) ? 0 : fabs(l->y[o] - l->raw[l->columns.target[o]]);
    return SG_OK;
}

static sg_status compute_residuals(row_reader *l, const sg_source *rows, sg_residuals *out)
{
    size_t width = l->model->outputs + 1;
    sg_status st = sg_predict_worker_init(&l->seer, l->model, "f64");
    bool sees = st == SG_OK;
    out->row = sg_calloc(out->rows, width * sizeof *out->row);
    if (st == SG_OK && !out->row) st = sg_fail(SG_ENOMEM, "out of memory for errors");
    st = sg_comm_agree_status(rows->comm, st);
    if (st == SG_OK) st = sg_even_sample_gather(&l->rows, out->rows, read_residual, l, width, out->row);
    if (sees) sg_predict_worker_release(&l->seer);
    if (st == SG_OK) return SG_OK;
    free(out->row);
    out->row = NULL;
    return st;
}

sg_status sg_residuals_compute(const sg_model *m, const sg_source *rows, const char *weights, size_t most,
                               sg_residuals *out)
{
    row_reader l;
    *out = (sg_residuals){.rows = rows->rows < most ? rows->rows : most};
    sg_status st = sg_comm_agree_status(rows->comm, open_reader(&l, m, rows, true, weights));
    if (st == SG_OK) st = compute_residuals(&l, rows, out);
    close_reader(&l);
    return st;
}

sg_status sg_model_calibrate(sg_model *m, const sg_source *rows, const char *weights)
{
    sg_residuals all;
    sg_status st = sg_residuals_compute(m, rows, weights, SG_MAX_RESIDUALS, &all);
    if (st == SG_OK) st = sg_calibration_fit(&m->calibration, all.row, all.rows, m->outputs);
    free(all.row);
    return st;
}

/* --- firing --- */

static sg_status read_firing(void *arg, size_t row, double *x)
{
    row_reader *l = arg;
    sg_status st = sg_source_gather(&l->rows, &row, 1, l->raw);
    for (size_t i = 0; i < l->model->features; i++) l->cover.row[i] = l->raw[l->columns.input[i]];
    if (st == SG_OK) *x = sg_support_log_firing(&l->cover, l->cover.row);
    return st;
}

static size_t support_rows(const sg_model *m, size_t rows)
{
    double work = MAX_WORK / (double)sg_support_cost(m);
    size_t n = work > MAX_SUPPORT_ROWS ? MAX_SUPPORT_ROWS : work < MIN_SUPPORT_ROWS ? MIN_SUPPORT_ROWS : (size_t)work;
    return n < rows ? n : rows;
}

sg_status sg_model_fit_support(sg_model *m, const sg_source *rows)
{
    row_reader l;
    size_t n = support_rows(m, rows->rows);
    double *x = sg_calloc(n, sizeof *x);
    sg_status st = open_reader(&l, m, rows, false, NULL);
    if (st == SG_OK && !x) st = sg_fail(SG_ENOMEM, "out of memory for the firing of rules");
    if (st == SG_OK && n == 0) st = sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(rows));
    if (st == SG_OK) st = sg_support_init(&l.cover, m);
    bool opened = st == SG_OK;
    st = sg_comm_agree_status(rows->comm, st);
    if (st == SG_OK) st = sg_even_sample_gather(&l.rows, n, read_firing, &l, 1, x);
    if (st == SG_OK && x) {
        sg_sort_doubles(x, n);
        m->calibration.support_rows = n;
        m->calibration.min_log_firing = x[(size_t)(SUPPORT_QUANTILE * (double)n)];
    }
    if (opened) sg_support_release(&l.cover);
    close_reader(&l);
    free(x);
    return st;
}
