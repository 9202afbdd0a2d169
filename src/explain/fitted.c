/* fitted.c: see fitted.h. */
#include "explain/fitted.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/linalg.h"
#include "train/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 };

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rows to simplify with"); }

/* --- rows --- */

static bool make_room(sg_fitted *f, size_t rows)
{
    const sg_block *b = &f->model->block[0];
    f->a = sg_alloc(rows, b->inputs * sizeof *f->a);
    f->z = sg_alloc(rows, b->terms * sizeof *f->z);
    f->t = sg_alloc(rows, b->outputs * sizeof *f->t);
    f->judges = sg_alloc(rows, sizeof *f->judges);
    f->variance = sg_alloc(b->terms, sizeof *f->variance);
    return f->a && f->z && f->t && f->judges && f->variance;
}

void sg_fitted_release(sg_fitted *f)
{
    free(f->a);
    free(f->z);
    free(f->t);
    free(f->judges);
    free(f->variance);
    *f = (sg_fitted){0};
}

/* False where a target is missing. */
static bool targets_of(const sg_model *m, const sg_roles *c, const double *raw, double *t)
{
    for (size_t o = 0; o < m->outputs; o++) {
        t[o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o] - m->y0[o];
        if (!isfinite(t[o])) return false;
    }
    return true;
}

static void take_row(sg_fitted *f, sg_look *l, const sg_roles *c, const double *raw, double *x, bool judges)
{
    const sg_block *b = &f->model->block[0];
    if (!targets_of(f->model, c, raw, f->t + f->rows * b->outputs)) return;
    for (size_t k = 0; k < c->inputs; k++) x[k] = raw[c->input[k]];
    sg_look_at(l, x);
    memcpy(f->a + f->rows * b->inputs, sg_look_seen(l, 0), b->inputs * sizeof *f->a);
    memcpy(f->z + f->rows * b->terms, l->z, b->terms * sizeof *f->z);
    f->judges[f->rows++] = judges;
    f->judged += judges;
}

static sg_status take_rows(sg_fitted *f, const sg_source *s, const sg_roles *c, uint64_t seed, size_t most)
{
    sg_look look;
    size_t n = s->rows < most ? s->rows : most;
    double *raw = sg_alloc(s->columns, sizeof *raw), *x = sg_alloc(f->model->inputs, sizeof *x);
    sg_status st = raw && x && make_room(f, n) ? sg_look_init(&look, f->model) : no_memory();
    bool looks = st == SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        size_t row = (size_t)((double)i * ((double)s->rows / (double)n));
        sg_stream random = sg_stream_at(seed, SG_RANDOM_SPLIT, 0, row);
        st = s->read(s->self, row, 1, raw);
        if (st == SG_OK) take_row(f, &look, c, raw, x, sg_stream_below(&random, 3) == 0);
    }
    if (looks) sg_look_release(&look);
    free(raw);
    free(x);
    return st;
}

static void find_variance(sg_fitted *f)
{
    size_t terms = f->model->block[0].terms;
    for (size_t k = 0; k < terms; k++) {
        double mean = 0, sum = 0;
        for (size_t i = 0; i < f->rows; i++) mean += f->z[i * terms + k] / (double)f->rows;
        for (size_t i = 0; i < f->rows; i++) sum += (f->z[i * terms + k] - mean) * (f->z[i * terms + k] - mean);
        f->variance[k] = sum / (double)f->rows;
    }
}

sg_status sg_fitted_init(sg_fitted *f, const sg_model *m, const sg_source *s, uint64_t seed, size_t most)
{
    enum { LEAST = 10 };
    sg_roles columns;
    sg_source features = *s;
    sg_expanded *expanded = NULL;
    *f = (sg_fitted){.model = m};
    sg_status st = sg_features_find(m, s, true, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_open(m->coding, &features, &columns, &expanded);
    if (st == SG_OK) st = take_rows(f, &features, &columns, seed, most);
    if (st == SG_OK && (f->judged < LEAST || f->rows - f->judged < LEAST))
        st = sg_fail(SG_EDATA, "%s: %zu rows with targets are too few to simplify by", s->name ? s->name : "the data",
                     f->rows);
    if (st == SG_OK) find_variance(f);
    else sg_fitted_release(f);
    sg_expanded_free(expanded);
    sg_roles_release(&columns);
    return st;
}

/* --- judging --- */

static void forward(const sg_fitted *f, const sg_block *b, size_t row, sg_work *w)
{
    sg_forward(b, f->a + row * b->inputs, f->z + row * b->terms, NULL, w);
}

sg_status sg_fitted_judge(const sg_fitted *f, const sg_model *m, double *rmse)
{
    const sg_block *b = &m->block[0];
    double sum = 0;
    sg_work w;
    if (!sg_work_of_block(&w, b)) return no_memory();
    for (size_t i = 0; i < f->rows; i++) {
        if (!f->judges[i]) continue;
        forward(f, b, i, &w);
        for (size_t o = 0; o < b->outputs; o++) {
            double y = m->mean[o] + m->scale[o] * (m->y0[o] + b->weight * w.y[o]);
            double off = fmin(fmax(y, m->least[o]), m->most[o]) - m->mean[o] -
                         m->scale[o] * (m->y0[o] + f->t[i * b->outputs + o]);
            sum += off * off;
        }
    }
    sg_work_release(&w);
    *rmse = sqrt(sum / (double)(f->judged * b->outputs));
    return SG_OK;
}

/* Without rule r the others say (y - f y_r) / (1 - f): a change of f (y - y_r) / (1 - f). */
sg_status sg_fitted_importance(const sg_fitted *f, const sg_model *m, double *out)
{
    const sg_block *b = &m->block[0];
    sg_work w;
    if (!sg_work_of_block(&w, b)) return no_memory();
    memset(out, 0, b->rules * sizeof *out);
    for (size_t i = 0; i < f->rows; i++) {
        if (f->judges[i]) continue;
        forward(f, b, i, &w);
        for (size_t k = 0; k < w.actives; k++) {
            size_t r = w.active[k];
            double level = fmin(w.firing[r], 0.999), odds = level / (1 - level);
            for (size_t o = 0; o < b->outputs; o++) {
                double change = odds * (w.y[o] - w.rule_y[r * b->outputs + o]);
                out[r] += change * change / (double)f->rows;
            }
        }
    }
    sg_work_release(&w);
    return SG_OK;
}

/* --- fitting --- */

/* Normal equations of what consequents miss of the targets. */
typedef struct equations {
    size_t n, rows;
    double *gram, *cross; /* (n, n), (n, outputs)      */
    double *factor, *step;
    double *phi, *left; /* (chunk, n), (chunk, outputs) */
    double *start;      /* (n, outputs): consequents */
    sg_work work;
} equations;

static void release(equations *e)
{
    free(e->gram);
    free(e->cross);
    free(e->factor);
    free(e->step);
    free(e->phi);
    free(e->left);
    free(e->start);
    sg_work_release(&e->work);
}

static sg_status make(equations *e, const sg_block *b)
{
    size_t n = b->rules * (b->terms + 1), cells;
    *e = (equations){.n = n};
    if (!sg_mul(n, n, &cells)) return no_memory();
    e->gram = sg_alloc(cells, sizeof *e->gram);
    e->factor = sg_alloc(cells, sizeof *e->factor);
    e->cross = sg_alloc(n, b->outputs * sizeof *e->cross);
    e->step = sg_alloc(n, b->outputs * sizeof *e->step);
    e->start = sg_alloc(n, b->outputs * sizeof *e->start);
    e->phi = sg_alloc(n, CHUNK * sizeof *e->phi);
    e->left = sg_alloc(b->outputs, CHUNK * sizeof *e->left);
    bool ok = e->gram && e->factor && e->cross && e->step && e->start && e->phi && e->left;
    if (ok && sg_work_of_block(&e->work, b)) {
        memcpy(e->start, b->conseq, n * b->outputs * sizeof *e->start);
        return SG_OK;
    }
    release(e);
    return no_memory();
}

static void add_row(equations *e, const sg_fitted *f, const sg_block *b, size_t row, size_t i)
{
    const double *z = f->z + row * b->terms;
    double *phi = e->phi + i * e->n;
    forward(f, b, row, &e->work);
    for (size_t r = 0; r < b->rules; r++) {
        double level = e->work.firing[r] * b->weight;
        *phi++ = level;
        for (size_t k = 0; k < b->terms; k++) *phi++ = level * z[k];
    }
    for (size_t o = 0; o < b->outputs; o++)
        e->left[i * b->outputs + o] = f->t[row * b->outputs + o] - b->weight * e->work.y[o];
}

static void add_up(equations *e, const sg_fitted *f, const sg_block *b, bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < f->rows; i++) {
        if (f->judges[i] && !all) continue;
        add_row(e, f, b, i, n++);
        e->rows++;
        if (n < CHUNK && i + 1 < f->rows) continue;
        sg_gram_add(e->phi, NULL, n, e->n, e->gram);
        sg_cross_add(e->phi, NULL, e->left, n, e->n, b->outputs, e->cross);
        n = 0;
    }
    if (n == 0) return;
    sg_gram_add(e->phi, NULL, n, e->n, e->gram);
    sg_cross_add(e->phi, NULL, e->left, n, e->n, b->outputs, e->cross);
}

/* Sets the consequents; where there is no solution they are those of the start. */
static void solve(equations *e, const sg_fitted *f, sg_block *b, double pull)
{
    size_t cells = e->n * b->outputs;
    memcpy(e->factor, e->gram, e->n * e->n * sizeof *e->factor);
    for (size_t i = 0; i < e->n; i++) {
        size_t term = i % (b->terms + 1);
        e->factor[i * e->n + i] +=
            1e-6 + pull * (double)e->rows * (term ? f->variance[term - 1] : 1) / (double)b->rules;
    }
    memcpy(b->conseq, e->start, cells * sizeof *e->start);
    if (!sg_cholesky(e->factor, e->n)) return;
    memcpy(e->step, e->cross, cells * sizeof *e->step);
    sg_cholesky_solve(e->factor, e->n, e->step, b->outputs);
    for (size_t i = 0; i < cells; i++)
        if (!(fabs(e->start[i] + e->step[i]) < SG_LARGEST)) return;
    for (size_t i = 0; i < cells; i++) b->conseq[i] += e->step[i];
}

static sg_status best_pull(equations *e, const sg_fitted *f, sg_model *m, double *pull, double *rmse)
{
    static const double pulls[] = {1, 0.1, 0.01, 0.001, 0.0001};
    sg_status st = SG_OK;
    *rmse = INFINITY;
    for (size_t i = 0; st == SG_OK && i < sizeof pulls / sizeof *pulls; i++) {
        double error;
        solve(e, f, &m->block[0], pulls[i]);
        st = sg_fitted_judge(f, m, &error);
        if (st != SG_OK || !(error < *rmse)) continue;
        *rmse = error;
        *pull = pulls[i];
    }
    if (st == SG_OK) solve(e, f, &m->block[0], *pull);
    return st;
}

sg_status sg_fitted_refit(const sg_fitted *f, sg_model *m, double *pull, double *rmse)
{
    equations e;
    bool choose = *pull == 0;
    sg_status st = make(&e, &m->block[0]);
    if (st != SG_OK) return st;
    add_up(&e, f, &m->block[0], !choose);
    if (choose) st = best_pull(&e, f, m, pull, rmse);
    else solve(&e, f, &m->block[0], *pull);
    release(&e);
    return st;
}
