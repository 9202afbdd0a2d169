/* refit_data.c: see refit_data.h. */
#include "explain/simplify/refit_data.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "linalg/linalg.h"
#include "predict/feature_encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 };

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rows to simplify with"); }

/* --- rows --- */

static bool alloc_rows(sg_refit_data *f, size_t rows)
{
    const sg_block *b = &f->model->block[0];
    f->a = sg_calloc(rows, b->inputs * sizeof *f->a);
    f->z = sg_calloc(rows, b->terms * sizeof *f->z);
    f->targets = sg_calloc(rows, b->outputs * sizeof *f->targets);
    f->is_holdout = sg_calloc(rows, sizeof *f->is_holdout);
    f->variance = sg_calloc(b->terms, sizeof *f->variance);
    return f->a && f->z && f->targets && f->is_holdout && f->variance;
}

void sg_refit_data_release(sg_refit_data *f)
{
    free(f->a);
    free(f->z);
    free(f->targets);
    free(f->is_holdout);
    free(f->variance);
    *f = (sg_refit_data){0};
}

/* False where a target is missing. */
static bool scale_targets(const sg_model *m, const sg_column_roles *c, const double *raw, double *t)
{
    for (size_t o = 0; o < m->outputs; o++) {
        t[o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o] - m->y0[o];
        if (!isfinite(t[o])) return false;
    }
    return true;
}

static void append_row(sg_refit_data *f, sg_reference_eval *l, const sg_column_roles *c, const double *raw, double *x,
                       bool judges)
{
    const sg_block *b = &f->model->block[0];
    if (!scale_targets(f->model, c, raw, f->targets + f->rows * b->outputs)) return;
    for (size_t k = 0; k < c->inputs; k++) x[k] = raw[c->input[k]];
    sg_reference_eval_set_row(l, x);
    memcpy(f->a + f->rows * b->inputs, sg_reference_eval_antecedents(l, 0), b->inputs * sizeof *f->a);
    memcpy(f->z + f->rows * b->terms, l->z, b->terms * sizeof *f->z);
    f->is_holdout[f->rows++] = judges;
    f->holdout_rows += judges;
}

static sg_status read_rows(sg_refit_data *f, const sg_source *s, const sg_column_roles *c, uint64_t seed, size_t most)
{
    sg_reference_eval look;
    size_t n = s->rows < most ? s->rows : most;
    double *raw = sg_calloc(s->columns, sizeof *raw), *x = sg_calloc(f->model->features, sizeof *x);
    sg_status st = raw && x && alloc_rows(f, n) ? sg_reference_eval_init(&look, f->model) : out_of_memory();
    bool looks = st == SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        size_t row = (size_t)((double)i * ((double)s->rows / (double)n));
        sg_random_stream random = sg_random_stream_at(seed, SG_RANDOM_SPLIT, 0, row);
        st = s->read(s->self, row, 1, raw);
        if (st == SG_OK) append_row(f, &look, c, raw, x, sg_random_stream_below(&random, 3) == 0);
    }
    if (looks) sg_reference_eval_release(&look);
    free(raw);
    free(x);
    return st;
}

static void find_variances(sg_refit_data *f)
{
    size_t terms = f->model->block[0].terms;
    for (size_t k = 0; k < terms; k++) {
        double mean = 0, sum = 0;
        for (size_t i = 0; i < f->rows; i++) mean += f->z[i * terms + k] / (double)f->rows;
        for (size_t i = 0; i < f->rows; i++) sum += (f->z[i * terms + k] - mean) * (f->z[i * terms + k] - mean);
        f->variance[k] = sum / (double)f->rows;
    }
}

sg_status sg_refit_data_init(sg_refit_data *f, const sg_model *m, const sg_source *s, uint64_t seed, size_t most)
{
    enum { LEAST = 10 };
    sg_column_roles columns;
    sg_source features = *s;
    sg_encoded_source *expanded = NULL;
    *f = (sg_refit_data){.model = m};
    sg_status st = sg_features_find_columns(m, s, true, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &features, &columns, &expanded);
    if (st == SG_OK) st = read_rows(f, &features, &columns, seed, most);
    if (st == SG_OK && (f->holdout_rows < LEAST || f->rows - f->holdout_rows < LEAST))
        st = sg_fail(SG_EDATA, "%s: %zu rows with targets are too few to simplify by", s->name ? s->name : "the data",
                     f->rows);
    if (st == SG_OK) find_variances(f);
    else sg_refit_data_release(f);
    sg_encoded_source_free(expanded);
    sg_column_roles_release(&columns);
    return st;
}

/* --- judging --- */

static void forward_row(const sg_refit_data *f, const sg_block *b, size_t row, sg_block_workspace *w)
{
    sg_forward(b, f->a + row * b->inputs, f->z + row * b->terms, NULL, w);
}

sg_status sg_refit_data_holdout_rmse(const sg_refit_data *f, const sg_model *m, double *rmse)
{
    const sg_block *b = &m->block[0];
    double sum = 0;
    sg_block_workspace w;
    if (!sg_block_workspace_init(&w, b)) return out_of_memory();
    for (size_t i = 0; i < f->rows; i++) {
        if (!f->is_holdout[i]) continue;
        forward_row(f, b, i, &w);
        for (size_t o = 0; o < b->outputs; o++) {
            double y = m->mean[o] + m->scale[o] * (m->y0[o] + b->weight * w.y[o]);
            double off = fmin(fmax(y, m->clip_low[o]), m->clip_high[o]) - m->mean[o] -
                         m->scale[o] * (m->y0[o] + f->targets[i * b->outputs + o]);
            sum += off * off;
        }
    }
    sg_block_workspace_release(&w);
    *rmse = sqrt(sum / (double)(f->holdout_rows * b->outputs));
    return SG_OK;
}

/* Without rule r the others say (y - f y_r) / (1 - f): a change of f (y - y_r) / (1 - f). */
sg_status sg_refit_data_rule_importance(const sg_refit_data *f, const sg_model *m, double *out)
{
    const sg_block *b = &m->block[0];
    sg_block_workspace w;
    if (!sg_block_workspace_init(&w, b)) return out_of_memory();
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

/* --- fitting --- */

/* Normal equations of what consequents miss of the targets. */
typedef struct normal_equations {
    size_t n, rows;
    double *gram, *cross; /* (n, n), (n, outputs)      */
    double *factor, *step;
    double *phi, *residual; /* (chunk, n), (chunk, outputs) */
    double *initial;        /* (n, outputs): consequents */
    sg_block_workspace work;
} normal_equations;

static void release_equations(normal_equations *e)
{
    free(e->gram);
    free(e->cross);
    free(e->factor);
    free(e->step);
    free(e->phi);
    free(e->residual);
    free(e->initial);
    sg_block_workspace_release(&e->work);
}

static sg_status init_equations(normal_equations *e, const sg_block *b)
{
    size_t n = b->rules * (b->terms + 1), cells;
    *e = (normal_equations){.n = n};
    if (!sg_checked_mul(n, n, &cells)) return out_of_memory();
    e->gram = sg_calloc(cells, sizeof *e->gram);
    e->factor = sg_calloc(cells, sizeof *e->factor);
    e->cross = sg_calloc(n, b->outputs * sizeof *e->cross);
    e->step = sg_calloc(n, b->outputs * sizeof *e->step);
    e->initial = sg_calloc(n, b->outputs * sizeof *e->initial);
    e->phi = sg_calloc(n, CHUNK * sizeof *e->phi);
    e->residual = sg_calloc(b->outputs, CHUNK * sizeof *e->residual);
    bool ok = e->gram && e->factor && e->cross && e->step && e->initial && e->phi && e->residual;
    if (ok && sg_block_workspace_init(&e->work, b)) {
        memcpy(e->initial, b->conseq, n * b->outputs * sizeof *e->initial);
        return SG_OK;
    }
    release_equations(e);
    return out_of_memory();
}

static void add_row(normal_equations *e, const sg_refit_data *f, const sg_block *b, size_t row, size_t i)
{
    const double *z = f->z + row * b->terms;
    double *phi = e->phi + i * e->n;
    forward_row(f, b, row, &e->work);
    for (size_t r = 0; r < b->rules; r++) {
        double level = e->work.firing[r] * b->weight;
        *phi++ = level;
        for (size_t k = 0; k < b->terms; k++) *phi++ = level * z[k];
    }
    for (size_t o = 0; o < b->outputs; o++)
        e->residual[i * b->outputs + o] = f->targets[row * b->outputs + o] - b->weight * e->work.y[o];
}

static void accumulate_equations(normal_equations *e, const sg_refit_data *f, const sg_block *b, bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < f->rows; i++) {
        if (f->is_holdout[i] && !all) continue;
        add_row(e, f, b, i, n++);
        e->rows++;
        if (n < CHUNK && i + 1 < f->rows) continue;
        sg_gram_add(e->phi, NULL, n, e->n, e->gram);
        sg_cross_add(e->phi, NULL, e->residual, n, e->n, b->outputs, e->cross);
        n = 0;
    }
    if (n == 0) return;
    sg_gram_add(e->phi, NULL, n, e->n, e->gram);
    sg_cross_add(e->phi, NULL, e->residual, n, e->n, b->outputs, e->cross);
}

/* Sets the consequents; where there is no solution they are those of the start. */
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
    accumulate_equations(&e, f, &m->block[0], !choose);
    if (choose) st = choose_ridge_penalty(&e, f, m, penalty, rmse);
    else solve_ridge(&e, f, &m->block[0], *penalty);
    release_equations(&e);
    return st;
}
