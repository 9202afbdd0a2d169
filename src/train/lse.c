/* lse.c: with the antecedents fixed, Eq. (6) is linear in the consequents: y = phi . b with
 * phi_rm = f_r / (sum f) * z_m, z_0 = 1. The minimum of Eq. (7) solves
 *
 *     (sum over rows of w phi phi' + D) b = sum over rows of w phi y'
 *
 * with D = lambda * variance of z_m for slopes (ridge regression on standardised inputs; the
 * variance is 1 unless there is PCA). The intercept of ridge regression is free; the biases of
 * several rules are penalised like slopes, or a rule that hardly fires gets a wild one. Nowhere
 * is D less than 1e-6: Jang's recursive least squares starts at a covariance of 1e6 I, which is
 * just that. */
#include "train/lse.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double guard = 1e-6;

sg_status sg_lse_init(sg_lse *l, sg_model *m, const sg_prepared *p, const sg_source *source,
                      double l2, bool mean)
{
    const sg_block *b = &m->block[0];
    size_t n = b->rules * (b->terms + 1), cells;
    *l = (sg_lse){.model = m, .prepared = p, .rows = source->rows, .n = n, .mean = mean, .l2 = l2};
    sg_status st = sg_rows_init(&l->chunk, source, &p->columns, m, p->weight_scale);
    if (st == SG_OK && !sg_work_of_block(&l->work, b)) st = sg_fail(SG_ENOMEM, "out of memory for %zu rules", b->rules);
    if (st == SG_OK && sg_mul(n, n, &cells)) {
        l->phi = sg_alloc(n, SG_ROWS * sizeof *l->phi);
        l->gram = sg_alloc(cells, sizeof *l->gram);
        l->factor = sg_alloc(cells, sizeof *l->factor);
        l->cross = sg_alloc(n, m->outputs * sizeof *l->cross);
        l->solution = sg_alloc(n, m->outputs * sizeof *l->solution);
    }
    if (st == SG_OK && !(l->phi && l->gram && l->factor && l->cross && l->solution))
        st = sg_fail(SG_ENOMEM, "out of memory for least squares of %zu consequents", n);
    if (st != SG_OK) sg_lse_release(l);
    return st;
}

void sg_lse_release(sg_lse *l)
{
    sg_rows_release(&l->chunk);
    sg_work_release(&l->work);
    free(l->phi);
    free(l->gram);
    free(l->factor);
    free(l->cross);
    free(l->solution);
    *l = (sg_lse){0};
}

static void regressors(sg_lse *l, size_t i)
{
    const sg_model *m = l->model;
    const sg_block *b = &m->block[0];
    const double *a = l->chunk.a + i * b->inputs, *z = l->chunk.z + i * b->terms;
    double *phi = l->phi + i * l->n;
    sg_forward(b, a, z, NULL, &l->work);
    for (size_t r = 0; r < b->rules; r++) {
        double f = l->work.firing[r];
        *phi++ = f;
        for (size_t k = 0; k < b->terms; k++) *phi++ = f * z[k];
    }
    for (size_t o = 0; o < m->outputs; o++) l->chunk.t[i * m->outputs + o] -= m->y0[o];
}

static sg_status accumulate(sg_lse *l)
{
    memset(l->gram, 0, l->n * l->n * sizeof *l->gram);
    memset(l->cross, 0, l->n * l->model->outputs * sizeof *l->cross);
    for (size_t first = 0; first < l->rows; first += SG_ROWS) {
        size_t n = l->rows - first < SG_ROWS ? l->rows - first : SG_ROWS;
        sg_status st = sg_rows_load(&l->chunk, NULL, first, n);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++) regressors(l, i);
        sg_gram_add(l->phi, l->chunk.w, n, l->n, l->gram);
        sg_cross_add(l->phi, l->chunk.w, l->chunk.t, n, l->n, l->model->outputs, l->cross);
    }
    return SG_OK;
}

/* D_i of the summed loss, without the guard. Antecedents and consequents see the same here. */
static double penalty_of(const sg_lse *l, size_t i)
{
    const sg_block *b = &l->model->block[0];
    size_t term = i % (b->terms + 1);
    double d = term ? sg_moments_deviation(&l->prepared->seen, term - 1) : b->rules > 1;
    return (l->mean ? l->l2 * (double)l->prepared->rows : l->l2) * d * d;
}

double sg_lse_penalty(const sg_lse *l)
{
    const double *b = l->model->block[0].conseq;
    size_t outputs = l->model->outputs;
    double sum = 0;
    for (size_t i = 0; i < l->n; i++)
        for (size_t o = 0; o < outputs; o++)
            sum += penalty_of(l, i) * b[i * outputs + o] * b[i * outputs + o];
    return 0.5 * (l->mean ? sum / (double)l->prepared->rows : sum);
}

static void penalise(sg_lse *l, double least)
{
    for (size_t i = 0; i < l->n; i++) l->factor[i * l->n + i] += fmax(penalty_of(l, i), least);
}

static bool factorise(sg_lse *l, double least)
{
    memcpy(l->factor, l->gram, l->n * l->n * sizeof *l->gram);
    penalise(l, least);
    return sg_cholesky(l->factor, l->n);
}

sg_status sg_lse_solve(sg_lse *l)
{
    sg_status st = accumulate(l);
    if (st != SG_OK) return st;
    double least = guard;
    for (int tries = 0; !factorise(l, least); tries++) {
        if (tries == 80) return sg_fail(SG_EDIVERGED, "the least squares of the consequents can't be solved");
        least *= 1e3; /* inputs in raw units may make even the guard too small to matter */
    }
    memcpy(l->solution, l->cross, l->n * l->model->outputs * sizeof *l->cross);
    sg_cholesky_solve(l->factor, l->n, l->solution, l->model->outputs);
    memcpy(l->model->block[0].conseq, l->solution, l->n * l->model->outputs * sizeof *l->solution);
    return SG_OK;
}
