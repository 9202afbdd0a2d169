/* additive_intervals.c: computes residuals of held-out rows from the sums of the folds. No model is trained again: the
 * coefficients without a fold follow from the sums of the other folds. */
#include "train/additive/additive_intervals.h"

#include "base/memory.h"
#include "rows/chunk_loader.h"
#include "train/eval/intervals_and_support.h"

#include <math.h>
#include <stdlib.h>

typedef struct held_out {
    const sg_additive_fit *fit;
    const sg_additive_grouping *grouping;
    const sg_model *model;
    double optimism;
    double *coefficients; /* (SG_ADDITIVE_FOLDS, columns, outputs) */
    sg_regressor *regressor;
    sg_residuals residuals;
} held_out;

double sg_additive_optimism(size_t chosen_knots, double rows)
{
    return rows > 0 ? sqrt(1 + 2 * (double)chosen_knots / rows) : 1;
}

/* Returns the transformed prediction, clipped like that of the model. */
static double predict(const held_out *h, const double *b, size_t n, size_t o)
{
    const sg_model *m = h->model;
    const size_t outputs = m->outputs;
    double y = 0;
    for (size_t k = 0; k < n; k++) y += h->regressor[k].value * b[h->regressor[k].column * outputs + o];
    y = fmin(fmax(m->mean[o] + m->scale[o] * y, m->clip_low[o]), m->clip_high[o]);
    return (y - m->mean[o]) / m->scale[o];
}

/* Rows get no residual if all other folds are empty, so that there is nothing to train on. */
static void add_row(held_out *h, const sg_chunk_loader *l, size_t i)
{
    const size_t outputs = h->model->outputs;
    size_t fold = sg_additive_fold(h->grouping, l->rows.raw + i * l->source->columns);
    const double *b = h->coefficients + fold * h->fit->n * outputs;
    if (!(h->fit->fold_weight[fold] > 0)) return;
    double *to = h->residuals.row + h->residuals.rows++ * (outputs + 1);
    size_t n = sg_additive_regressors(h->fit->layout, &l->chunk.features, i, h->regressor);
    for (size_t o = 0; o < outputs; o++)
        to[o] = h->optimism * h->model->scale[o] * fabs(predict(h, b, n, o) - l->rows.t[i * outputs + o]);
    to[outputs] = l->rows.w[i];
}

static void add_rows(void *arg, sg_chunk_loader *l)
{
    for (size_t i = 0; i < l->rows.n; i++) add_row(arg, l, i);
}

static sg_status alloc_held_out(held_out *h, size_t rows)
{
    const sg_additive_fit *f = h->fit;
    const size_t outputs = h->model->outputs;
    h->coefficients = sg_calloc(SG_ADDITIVE_FOLDS * f->n, outputs * sizeof *h->coefficients);
    h->regressor = sg_calloc(sg_additive_max_regressors(f->layout), sizeof *h->regressor);
    h->residuals.row = sg_calloc(rows, (outputs + 1) * sizeof *h->residuals.row);
    return h->coefficients && h->regressor && h->residuals.row ? SG_OK : sg_fail_out_of_memory("the residuals");
}

static sg_status solve_folds(sg_additive_fit *f, double *coefficients)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < SG_ADDITIVE_FOLDS; k++)
        if (f->fold_weight[k] > 0) st = sg_additive_fit_solve_without(f, k, coefficients + k * f->n * f->sums->outputs);
    return st;
}

static sg_status find_residuals(held_out *h, const sg_source *rows, const sg_preprocessed *p)
{
    sg_chunk_loader loader;
    sg_status st = sg_chunk_loader_open_rows(&loader, rows, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    st = sg_chunk_loader_for_each(&loader, 0, rows->rows, add_rows, h);
    sg_chunk_loader_release(&loader);
    return st;
}

sg_status sg_additive_calibrate(sg_additive_fit *f, const sg_source *rows, const sg_preprocessed *p,
                                const sg_additive_grouping *grouping, double optimism, sg_model *m)
{
    held_out h = {.fit = f, .grouping = grouping, .model = m, .optimism = optimism};
    sg_status st = alloc_held_out(&h, rows->rows);
    if (st == SG_OK) st = solve_folds(f, h.coefficients);
    if (st == SG_OK) st = find_residuals(&h, rows, p);
    if (st == SG_OK && h.residuals.rows)
        st = sg_calibration_fit(&m->calibration, h.residuals.row, h.residuals.rows, m->outputs);
    free(h.coefficients);
    free(h.regressor);
    free(h.residuals.row);
    return st;
}
