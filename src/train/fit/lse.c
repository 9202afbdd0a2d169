/* lse.c: least squares for the consequents. With the antecedents fixed, Eq. (6) is linear in the consequents:
 * y = phi . b with phi_rm = f_r / (sum f) * z_m, z_0 = 1. The minimum of Eq. (7) solves
 *
 *     (sum over rows of w phi phi' + D) b = sum over rows of w phi y'
 *
 * with D = lambda * variance of z_m for slopes (ridge regression on standardised inputs; the variance is 1 without
 * PCA). The intercept of ridge regression is not penalised; biases of several rules are penalised like slopes, since
 * the bias of a rule that hardly fires is otherwise arbitrary. D is at least 1e-6: Jang's recursive least squares
 * starts with a covariance of 1e6 I, which has the same effect.
 *
 * If consequents start at ridge regression, the penalty pulls them towards its coefficients: the prediction of ridge
 * regression is subtracted from the targets (firing levels sum to 1, so a consequent that all rules share is the output
 * of the model), and its coefficients are added to the solution. */
#include "train/fit/lse.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double min_penalty = 1e-6;

static size_t sum_length(const sg_lse *l) { return l->n * l->n + l->n * l->model->outputs; }

static double ridge_prediction(const sg_lse *l, const double *z, size_t o)
{
    const double *ridge = l->prepared->ridge;
    size_t outputs = l->model->outputs, terms = l->model->block[0].terms;
    if (!ridge) return 0;
    double sum = ridge[o];
    for (size_t k = 0; k < terms; k++) sum += ridge[(k + 1) * outputs + o] * z[k];
    return sum;
}

static void compute_regressors(const sg_lse *l, struct sg_lse_worker *w, sg_chunk_loader *rows, size_t i)
{
    const sg_model *m = l->model;
    const sg_block *b = &m->block[0];
    const double *a = rows->rows.a + i * b->inputs, *z = rows->rows.z + i * b->terms;
    double *phi = w->phi + i * l->n;
    if (b->rules > 1) sg_firing(b, a, NULL, &w->work); /* a single rule always has firing level 1 */
    for (size_t r = 0; r < b->rules; r++) {
        double f = w->work.firing[r];
        *phi++ = f;
        for (size_t k = 0; k < b->terms; k++) *phi++ = f * z[k];
    }
    for (size_t o = 0; o < m->outputs; o++) rows->rows.t[i * m->outputs + o] -= m->y0[o] + ridge_prediction(l, z, o);
}

static void add_equations(void *arg, size_t worker, sg_chunk_loader *rows, double *sum)
{
    const sg_lse *l = arg;
    struct sg_lse_worker *w = &l->worker[worker];
    size_t n = rows->rows.n;
    for (size_t i = 0; i < n; i++) compute_regressors(l, w, rows, i);
    sg_gram_add(w->phi, rows->rows.w, n, l->n, sum);
    sg_cross_add(w->phi, rows->rows.w, rows->rows.t, n, l->n, l->model->outputs, sum + l->n * l->n);
}

static sg_status init_worker(const sg_lse *l, struct sg_lse_worker *w)
{
    const sg_block *b = &l->model->block[0];
    w->phi = sg_calloc(l->n, SG_LOADER_ROWS * sizeof *w->phi);
    if (!w->phi || !sg_block_workspace_init(&w->work, b))
        return sg_fail(SG_ENOMEM, "out of memory while fitting %zu rules by least squares", b->rules);
    w->work.firing[0] = 1;
    return SG_OK;
}

sg_status sg_lse_init(sg_lse *l, sg_model *m, const sg_preprocessed *p, const sg_source *source, double l2,
                      bool mean_loss, sg_thread_pool *pool)
{
    const sg_block *b = &m->block[0];
    size_t n = b->rules * (b->terms + 1), cells, size;
    *l = (sg_lse){
        .model = m, .prepared = p, .n = n, .mean_loss = mean_loss, .l2 = l2, .workers = sg_thread_pool_threads(pool)};
    bool fits = sg_checked_mul(n, n, &cells) && sg_checked_mul(sum_length(l), sizeof(double), &size);
    if (fits) l->factor = sg_calloc(cells, sizeof *l->factor);
    l->solution = sg_calloc(n, m->outputs * sizeof *l->solution);
    l->worker = sg_calloc(l->workers, sizeof *l->worker);
    sg_status st = l->factor && l->solution && l->worker ? SG_OK : SG_ENOMEM;
    if (st == SG_OK) st = sg_row_reduce_init(&l->reduce, source, m, p, sum_length(l), add_equations, NULL, l, pool);
    if (st == SG_ENOMEM) st = sg_fail(SG_ENOMEM, "out of memory while fitting %zu consequents by least squares", n);
    for (size_t i = 0; st == SG_OK && i < l->workers; i++) st = init_worker(l, &l->worker[i]);
    if (st != SG_OK) sg_lse_release(l);
    return st;
}

void sg_lse_release(sg_lse *l)
{
    for (size_t i = 0; l->worker && i < l->workers; i++) {
        sg_block_workspace_release(&l->worker[i].work);
        free(l->worker[i].phi);
    }
    sg_free_all(l->worker, l->factor, l->solution);
    sg_row_reduce_release(&l->reduce);
    *l = (sg_lse){0};
}

/* Returns D_i for the summed loss, before its minimum is applied. Consequents with their own pipeline see z-scores. */
static double penalty_of(const sg_lse *l, size_t i)
{
    const sg_block *b = &l->model->block[0];
    size_t term = i % (b->terms + 1);
    double d = 1;
    if (term == 0) d = b->rules > 1;
    else if (l->model->shared_pipeline) d = sg_moments_stddev(&l->prepared->moments, term - 1);
    return (l->mean_loss ? l->l2 * (double)l->prepared->rows : l->l2) * d * d;
}

/* Returns the value that the penalty pulls consequent i of output o towards. */
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

static bool factorise(sg_lse *l, const double *gram, double least)
{
    memcpy(l->factor, gram, l->n * l->n * sizeof *gram);
    for (size_t i = 0; i < l->n; i++) l->factor[i * l->n + i] += fmax(penalty_of(l, i), least);
    return sg_cholesky(l->factor, l->n);
}

sg_status sg_lse_solve(sg_lse *l)
{
    const double *gram;
    sg_status st = sg_row_reduce_run(&l->reduce, &gram);
    if (st != SG_OK) return st;
    size_t outputs = l->model->outputs, size = l->n * outputs * sizeof *gram;
    double least = min_penalty;
    for (int tries = 0; !factorise(l, gram, least); tries++) {
        if (tries == 80) return sg_fail(SG_EDIVERGED, "the least-squares equations of the consequents can't be solved");
        least *= 1e3; /* with inputs in original units the minimum may be lost to rounding */
    }
    memcpy(l->solution, gram + l->n * l->n, size);
    sg_cholesky_solve(l->factor, l->n, l->solution, outputs);
    for (size_t i = 0; l->prepared->ridge && i < l->n; i++)
        for (size_t o = 0; o < outputs; o++) l->solution[i * outputs + o] += l2_center_of(l, i, o);
    memcpy(l->model->block[0].conseq, l->solution, size);
    return SG_OK;
}
