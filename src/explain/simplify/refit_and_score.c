/* refit_and_score.c: refits consequents by ridge regression on a sample of rows and scores them on held-out rows. */
#include "explain/simplify/refit_and_score.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "linalg/linalg.h"
#include "rows/feature_source.h"
#include "train/fit/even_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 };

/* --- rows --- */

static bool alloc_rows(sg_refit_data *f, size_t rows)
{
    const sg_block *b = &f->model->block[0];
    const sg_double_array arrays[] = {{&f->a, rows * b->inputs},
                                      {&f->z, rows * b->terms},
                                      {&f->targets, rows * b->outputs},
                                      {&f->original, rows * b->outputs},
                                      {&f->variance, b->terms}};
    f->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    f->is_holdout = sg_calloc(2 * rows, sizeof *f->is_holdout);
    if (f->is_holdout) f->is_probe = f->is_holdout + rows;
    return f->buffer && f->is_holdout;
}

void sg_refit_data_release(sg_refit_data *f)
{
    free(f->buffer);
    free(f->is_holdout);
    *f = (sg_refit_data){0};
}

/* Computes t[outputs], the targets of a row on the scale of the block's outputs. Returns false if one is missing. */
static bool scale_targets(const sg_model *m, const sg_column_roles *c, const double *raw, double *t)
{
    for (size_t o = 0; o < m->outputs; o++) {
        t[o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o] - m->y0[o];
        if (!isfinite(t[o])) return false;
    }
    return true;
}

/* Appends a row unless a target is missing. x is scratch for the features. */
static void append_row(sg_refit_data *f, sg_reference_eval *eval, const sg_column_roles *c, const double *raw,
                       double *x, bool is_holdout)
{
    const sg_block *b = &f->model->block[0];
    if (!scale_targets(f->model, c, raw, f->targets + f->rows * b->outputs)) return;
    for (size_t k = 0; k < c->inputs; k++) x[k] = raw[c->input[k]];
    sg_reference_eval_set_row(eval, x);
    memcpy(f->a + f->rows * b->inputs, sg_reference_eval_antecedents(eval, 0), b->inputs * sizeof *f->a);
    memcpy(f->z + f->rows * b->terms, eval->z, b->terms * sizeof *f->z);
    f->is_probe[f->rows] = is_holdout && f->holdout_rows % 2 == 0;
    f->is_holdout[f->rows++] = is_holdout;
    f->holdout_rows += is_holdout;
}

static sg_status read_rows(sg_refit_data *f, const sg_feature_source *from, uint64_t seed, size_t max_rows)
{
    const sg_source *s = &from->source;
    sg_reference_eval eval = {0};
    size_t n = s->rows < max_rows ? s->rows : max_rows;
    double *raw = sg_calloc(s->columns, sizeof *raw), *x = sg_calloc(f->model->features, sizeof *x);
    sg_status st = raw && x && alloc_rows(f, n) ? sg_reference_eval_init(&eval, f->model)
                                                : sg_fail_out_of_memory("simplification");
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        size_t row = sg_even_sample_row(s, n, i);
        sg_random_stream random = sg_random_stream_at(seed, SG_RANDOM_SPLIT, 0, row);
        st = s->read(s->self, row, 1, raw);
        if (st == SG_OK) append_row(f, &eval, &from->columns, raw, x, sg_random_stream_below(&random, 3) == 0);
    }
    sg_reference_eval_release(&eval);
    free(raw);
    free(x);
    return st;
}

static void compute_variances(sg_refit_data *f)
{
    size_t terms = f->model->block[0].terms;
    for (size_t k = 0; k < terms; k++) {
        double mean = 0, sum = 0;
        for (size_t i = 0; i < f->rows; i++) mean += f->z[i * terms + k] / (double)f->rows;
        for (size_t i = 0; i < f->rows; i++) sum += (f->z[i * terms + k] - mean) * (f->z[i * terms + k] - mean);
        f->variance[k] = sum / (double)f->rows;
    }
}

static sg_status predict_original(sg_refit_data *f)
{
    const sg_block *b = &f->model->block[0];
    sg_block_workspace w;
    if (!sg_block_workspace_init(&w, b)) return sg_fail_out_of_memory("simplification");
    for (size_t i = 0; i < f->rows; i++) {
        sg_forward(b, f->a + i * b->inputs, f->z + i * b->terms, NULL, &w);
        for (size_t o = 0; o < b->outputs; o++) f->original[i * b->outputs + o] = b->weight * w.y[o];
    }
    sg_block_workspace_release(&w);
    return SG_OK;
}

sg_status sg_refit_data_init(sg_refit_data *f, const sg_model *m, const sg_source *s, uint64_t seed, size_t max_rows)
{
    enum { MIN_ROWS = 10 };
    sg_feature_source features;
    *f = (sg_refit_data){.model = m};
    sg_status st = sg_feature_source_open(&features, m, s, true, NULL);
    if (st != SG_OK) return st;
    st = read_rows(f, &features, seed, max_rows);
    if (st == SG_OK && (f->holdout_rows < MIN_ROWS || f->rows - f->holdout_rows < MIN_ROWS))
        st = sg_fail(SG_EDATA, "%s: %zu rows with targets are too few for simplification",
                     s->name ? s->name : "the data", f->rows);
    if (st == SG_OK) compute_variances(f);
    if (st == SG_OK) st = predict_original(f);
    if (st != SG_OK) sg_refit_data_release(f);
    sg_feature_source_close(&features);
    return st;
}

/* --- scoring --- */

static void forward_row(const sg_refit_data *f, const sg_block *b, size_t row, sg_block_workspace *w)
{
    sg_forward(b, f->a + row * b->inputs, f->z + row * b->terms, NULL, w);
}

/* Computes the root mean square of the differences between the predictions of m and `from` (rows, outputs) over the
 * rows marked in `rows`, in target units. `from` is scaled like f->targets. The predictions are clipped; `clips` says
 * whether the values of `from` are clipped, too. */
static sg_status difference_on(const sg_refit_data *f, const bool *rows, const sg_model *m, const double *from,
                               bool clips, double *result)
{
    const sg_block *b = &m->block[0];
    double sum = 0;
    size_t n = 0;
    sg_block_workspace w;
    if (!sg_block_workspace_init(&w, b)) return sg_fail_out_of_memory("simplification");
    for (size_t i = 0; i < f->rows; i++) {
        if (!rows[i]) continue;
        n++;
        forward_row(f, b, i, &w);
        for (size_t o = 0; o < b->outputs; o++) {
            double y = m->mean[o] + m->scale[o] * (m->y0[o] + b->weight * w.y[o]),
                   other = m->mean[o] + m->scale[o] * (m->y0[o] + from[i * b->outputs + o]);
            if (clips) other = fmin(fmax(other, m->clip_low[o]), m->clip_high[o]);
            double error = fmin(fmax(y, m->clip_low[o]), m->clip_high[o]) - other;
            sum += error * error;
        }
    }
    sg_block_workspace_release(&w);
    *result = sqrt(sum / (double)(n * b->outputs));
    return SG_OK;
}

sg_status sg_refit_data_holdout_rmse(const sg_refit_data *f, const sg_model *m, double *rmse)
{
    return difference_on(f, f->is_holdout, m, f->targets, false, rmse);
}

sg_status sg_refit_data_probe_distance(const sg_refit_data *f, const sg_model *m, double *distance)
{
    return difference_on(f, f->is_probe, m, f->original, true, distance);
}

/* Without rule r (firing level f), the output is (y - f y_r) / (1 - f): it changes by f (y - y_r) / (1 - f). */
sg_status sg_refit_data_rule_importance(const sg_refit_data *f, const sg_model *m, double *out)
{
    const sg_block *b = &m->block[0];
    sg_block_workspace w;
    if (!sg_block_workspace_init(&w, b)) return sg_fail_out_of_memory("simplification");
    memset(out, 0, b->rules * sizeof *out);
    for (size_t i = 0; i < f->rows; i++) {
        if (f->is_holdout[i]) continue;
        forward_row(f, b, i, &w);
        for (size_t k = 0; k < w.active_count; k++) {
            size_t r = w.active[k];
            double level = fmin(w.firing[r], 0.999), odds = level / (1 - level);
            for (size_t o = 0; o < b->outputs; o++) {
                double change = odds * (w.y[o] - w.rule_y[r * b->outputs + o]);
                out[r] += change * change / (double)f->rows;
            }
        }
    }
    sg_block_workspace_release(&w);
    return SG_OK;
}

/* --- ridge regression --- */

/* Normal equations for the change of the consequents. The residuals are those of the present consequents. */
typedef struct normal_equations {
    size_t n, rows;         /* unknowns of an output; rows added */
    double *buffer;         /* holds all arrays below            */
    double *gram, *cross;   /* (n, n), (n, outputs)              */
    double *factor, *step;  /* (n, n), (n, outputs)              */
    double *phi, *residual; /* (CHUNK, n), (CHUNK, outputs)      */
    double *initial;        /* (n, outputs): present consequents */
    size_t pending;         /* rows in phi                       */
    sg_block_workspace work;
} normal_equations;

static void release_equations(normal_equations *e)
{
    free(e->buffer);
    sg_block_workspace_release(&e->work);
}

static sg_status init_equations(normal_equations *e, const sg_block *b)
{
    size_t n = b->rules * (b->terms + 1), outputs = n * b->outputs, cells;
    *e = (normal_equations){.n = n};
    if (!sg_checked_mul(n, n, &cells)) return sg_fail_out_of_memory("simplification");
    const sg_double_array arrays[] = {{&e->gram, cells},
                                      {&e->factor, cells},
                                      {&e->cross, outputs},
                                      {&e->step, outputs},
                                      {&e->initial, outputs},
                                      {&e->phi, n * CHUNK},
                                      {&e->residual, b->outputs * CHUNK}};
    e->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    if (e->buffer && sg_block_workspace_init(&e->work, b)) {
        memcpy(e->initial, b->conseq, outputs * sizeof *e->initial);
        return SG_OK;
    }
    release_equations(e);
    return sg_fail_out_of_memory("simplification");
}

static void flush_rows(normal_equations *e, size_t outputs)
{
    sg_gram_add(e->phi, NULL, e->pending, e->n, e->gram);
    sg_cross_add(e->phi, NULL, e->residual, e->pending, e->n, outputs, e->cross);
    e->rows += e->pending;
    e->pending = 0;
}

static void add_row(normal_equations *e, const sg_refit_data *f, const sg_block *b, size_t row)
{
    const double *z = f->z + row * b->terms;
    double *phi = e->phi + e->pending * e->n, *residual = e->residual + e->pending * b->outputs;
    forward_row(f, b, row, &e->work);
    for (size_t r = 0; r < b->rules; r++) {
        double level = e->work.firing[r] * b->weight;
        *phi++ = level;
        for (size_t k = 0; k < b->terms; k++) *phi++ = level * z[k];
    }
    for (size_t o = 0; o < b->outputs; o++) residual[o] = f->targets[row * b->outputs + o] - b->weight * e->work.y[o];
    if (++e->pending == CHUNK) flush_rows(e, b->outputs);
}

/* Sets the consequents to the solution, or to the initial ones if the system is singular or the solution is too
 * large. */
static void solve_ridge(normal_equations *e, const sg_refit_data *f, sg_block *b, double penalty)
{
    size_t cells = e->n * b->outputs;
    memcpy(e->factor, e->gram, e->n * e->n * sizeof *e->factor);
    for (size_t i = 0; i < e->n; i++) {
        size_t term = i % (b->terms + 1);
        e->factor[i * e->n + i] +=
            1e-6 + penalty * (double)e->rows * (term ? f->variance[term - 1] : 1) / (double)b->rules;
    }
    memcpy(b->conseq, e->initial, cells * sizeof *e->initial);
    if (!sg_cholesky(e->factor, e->n)) return;
    memcpy(e->step, e->cross, cells * sizeof *e->step);
    sg_cholesky_solve(e->factor, e->n, e->step, b->outputs);
    for (size_t i = 0; i < cells; i++)
        if (!(fabs(e->initial[i] + e->step[i]) < SG_MODEL_MAX_ABS)) return;
    for (size_t i = 0; i < cells; i++) b->conseq[i] += e->step[i];
}

static sg_status choose_ridge_penalty(normal_equations *e, const sg_refit_data *f, sg_model *m, double *penalty,
                                      double *rmse)
{
    static const double penalties[] = {1, 0.1, 0.01, 0.001, 0.0001};
    sg_status st = SG_OK;
    *rmse = INFINITY;
    for (size_t i = 0; st == SG_OK && i < sizeof penalties / sizeof *penalties; i++) {
        double error;
        solve_ridge(e, f, &m->block[0], penalties[i]);
        st = sg_refit_data_holdout_rmse(f, m, &error);
        if (st != SG_OK || !(error < *rmse)) continue;
        *rmse = error;
        *penalty = penalties[i];
    }
    if (st == SG_OK) solve_ridge(e, f, &m->block[0], *penalty);
    return st;
}

sg_status sg_refit_data_fit_consequents(const sg_refit_data *f, sg_model *m, double *penalty, double *rmse)
{
    normal_equations e;
    bool choose = *penalty == 0;
    sg_status st = init_equations(&e, &m->block[0]);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < f->rows; i++)
        if (!choose || !f->is_holdout[i]) add_row(&e, f, &m->block[0], i);
    flush_rows(&e, m->outputs);
    if (choose) st = choose_ridge_penalty(&e, f, m, penalty, rmse);
    else solve_ridge(&e, f, &m->block[0], *penalty);
    release_equations(&e);
    return st;
}
