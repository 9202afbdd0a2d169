/* lse.c: with the antecedents fixed, Eq. (6) is linear in the consequents: y = phi . b with
 * phi_rm = f_r / (sum f) * z_m, z_0 = 1. The minimum of Eq. (7) solves
 *
 *     (sum over rows of w phi phi' + D) b = sum over rows of w phi y'
 *
 * with D = lambda * variance of z_m for slopes (ridge regression on standardised inputs; the
 * variance is 1 unless there is PCA). The intercept of ridge regression is free; the biases of
 * several rules are penalised like slopes, or a rule that hardly fires gets a wild one. Nowhere
 * is D less than 1e-6: Jang's recursive least squares starts at a covariance of 1e6 I, which is
 * just that.
 *
 * Where consequents start at ridge regression they are pulled to it: it is taken from the targets first (firing
 * levels sum up to 1, so what all rules say alike is what the system says), and added to the solution. */
#include "train/fit/lse.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double min_penalty = 1e-6;

static size_t sum_length(const sg_lse *l) { return l->n * l->n + l->n * l->model->outputs; }

/* What the rules' common start says about a row. */
static double ridge_prediction(const sg_lse *l, const double *z, size_t o)
{
    const double *ridge = l->prepared->ridge;
    size_t outputs = l->model->outputs, terms = l->model->block[0].terms;
    if (!ridge) return 0;
    double sum = ridge[o];
    for (size_t k = 0; k < terms; k++) sum += ridge[(k + 1) * outputs + o] * z[k];
    return sum;
}

static void compute_regressors(const sg_lse *l, sg_lse_worker *w, size_t i)
{
    const sg_model *m = l->model;
    const sg_block *b = &m->block[0];
    const double *a = w->chunk.a + i * b->inputs, *z = w->chunk.z + i * b->terms;
    double *phi = w->phi + i * l->n;
    if (b->rules > 1) sg_firing(b, a, NULL, &w->work); /* one alone fires fully */
    for (size_t r = 0; r < b->rules; r++) {
        double f = w->work.firing[r];
        *phi++ = f;
        for (size_t k = 0; k < b->terms; k++) *phi++ = f * z[k];
    }
    for (size_t o = 0; o < m->outputs; o++) w->chunk.t[i * m->outputs + o] -= m->y0[o] + ridge_prediction(l, z, o);
}

static void add_chunk(void *arg, sg_transformed_rows *rows)
{
    sg_lse_worker *w = arg;
    const sg_lse *l = w->lse;
    double *cross = w->gram + l->n * l->n;
    for (size_t i = 0; i < rows->n; i++) compute_regressors(l, w, i);
    sg_gram_add(w->phi, rows->w, rows->n, l->n, w->gram);
    sg_cross_add(w->phi, rows->w, rows->t, rows->n, l->n, l->model->outputs, cross);
}

static sg_status add_block(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    const sg_lse *l = arg;
    sg_lse_worker *w = &l->worker[worker];
    w->gram = sum;
    memset(sum, 0, sum_length(l) * sizeof *w->gram);
    return sg_transformed_rows_for_each(&w->chunk, first, n, add_chunk, w);
}

static sg_status init_worker(const sg_lse *l, sg_lse_worker *w)
{
    const sg_block *b = &l->model->block[0];
    sg_status st = sg_transformed_rows_init(&w->chunk, sg_parallel_reduce_source(&l->reduce), &l->prepared->columns,
                                            l->model, l->prepared->weight_scale);
    if (st != SG_OK) return st;
    w->lse = l;
    w->phi = sg_calloc(l->n, SG_TRANSFORMED_ROWS * sizeof *w->phi);
    if (!w->phi || !sg_block_workspace_init(&w->work, b))
        return sg_fail(SG_ENOMEM, "out of memory for %zu rules", b->rules);
    w->work.firing[0] = 1;
    return SG_OK;
}

sg_status sg_lse_init(sg_lse *l, sg_model *m, const sg_preprocessed *p, const sg_source *source, double l2, bool mean,
                      sg_thread_pool *pool)
{
    const sg_block *b = &m->block[0];
    size_t n = b->rules * (b->terms + 1), cells, size = 0;
    *l = (sg_lse){
        .model = m, .prepared = p, .n = n, .mean_loss = mean, .l2 = l2, .workers = sg_thread_pool_threads(pool)};
    bool fits = sg_checked_mul(n, n, &cells) && sg_checked_mul(sum_length(l), sizeof(double), &size);
    if (fits) l->factor = sg_calloc(cells, sizeof *l->factor);
    l->solution = sg_calloc(n, m->outputs * sizeof *l->solution);
    l->worker = sg_calloc(l->workers, sizeof *l->worker);
    sg_status st = l->factor && l->solution && l->worker ? SG_OK : SG_ENOMEM;
    if (st == SG_OK)
        st = sg_parallel_reduce_init(&l->reduce, source, sg_parallel_reduce_block_rows(source, size), size, add_block,
                                     NULL, l, pool);
    if (st == SG_ENOMEM) st = sg_fail(SG_ENOMEM, "out of memory for least squares of %zu consequents", n);
    for (size_t i = 0; st == SG_OK && i < l->workers; i++) st = init_worker(l, &l->worker[i]);
    if (st != SG_OK) sg_lse_release(l);
    return st;
}

void sg_lse_release(sg_lse *l)
{
    for (size_t i = 0; l->worker && i < l->workers; i++) {
        sg_transformed_rows_release(&l->worker[i].chunk);
        sg_block_workspace_release(&l->worker[i].work);
        free(l->worker[i].phi);
    }
    free(l->worker);
    free(l->factor);
    free(l->solution);
    sg_parallel_reduce_release(&l->reduce);
    *l = (sg_lse){0};
}

/* What a term's slope is measured by: where consequents have a view of their own, it is of z-scores. */
static double deviation_of(const sg_lse *l, size_t term)
{
    return l->model->shared_pipeline ? sg_moments_stddev(&l->prepared->moments, term) : 1;
}

/* D_i of the summed loss, without the guard. */
static double penalty_of(const sg_lse *l, size_t i)
{
    const sg_block *b = &l->model->block[0];
    size_t term = i % (b->terms + 1);
    double d = term ? deviation_of(l, term - 1) : b->rules > 1;
    return (l->mean_loss ? l->l2 * (double)l->prepared->rows : l->l2) * d * d;
}

/* What consequent i of output o is pulled to. */
static double l2_center_of(const sg_lse *l, size_t i, size_t o)
{
    const double *ridge = l->prepared->ridge;
    return ridge ? ridge[i % (l->model->block[0].terms + 1) * l->model->outputs + o] : 0;
}

double sg_lse_penalty(const sg_lse *l)
{
    const double *b = l->model->block[0].conseq;
    size_t outputs = l->model->outputs;
    double sum = 0;
    for (size_t i = 0; i < l->n; i++)
        for (size_t o = 0; o < outputs; o++) {
            double off = b[i * outputs + o] - l2_center_of(l, i, o);
            sum += penalty_of(l, i) * off * off;
        }
    return 0.5 * (l->mean_loss ? sum / (double)l->prepared->rows : sum);
}

static void penalise(sg_lse *l, double least)
{
    for (size_t i = 0; i < l->n; i++) l->factor[i * l->n + i] += fmax(penalty_of(l, i), least);
}

static bool factorise(sg_lse *l, const double *gram, double least)
{
    memcpy(l->factor, gram, l->n * l->n * sizeof *gram);
    penalise(l, least);
    return sg_cholesky(l->factor, l->n);
}

sg_status sg_lse_solve(sg_lse *l)
{
    void *sum;
    sg_status st = sg_parallel_reduce_run(&l->reduce, &sum);
    if (st != SG_OK) return st;
    const double *gram = sum, *cross = gram + l->n * l->n;
    size_t outputs = l->model->outputs, size = l->n * outputs * sizeof *cross;
    double least = min_penalty;
    for (int tries = 0; !factorise(l, gram, least); tries++) {
        if (tries == 80) return sg_fail(SG_EDIVERGED, "the least squares of the consequents can't be solved");
        least *= 1e3; /* inputs in raw units may make even the guard too small to matter */
    }
    memcpy(l->solution, cross, size);
    sg_cholesky_solve(l->factor, l->n, l->solution, outputs);
    for (size_t i = 0; l->prepared->ridge && i < l->n; i++)
        for (size_t o = 0; o < outputs; o++) l->solution[i * outputs + o] += l2_center_of(l, i, o);
    memcpy(l->model->block[0].conseq, l->solution, size);
    return SG_OK;
}
