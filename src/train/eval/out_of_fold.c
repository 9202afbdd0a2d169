/* out_of_fold.c: computes out-of-fold predictions in rounds. In each round, every fold predicts its held-out rows in
 * one thread; then all rows are emitted in order. */
#include "train/eval/out_of_fold.h"

#include "base/memory.h"
#include "comm/collectives.h"
#include "predict/predict_worker.h"
#include "rows/feature_source.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND_ROWS = 1 << 16, STEP_ROWS = 8 * SG_CHUNK };

typedef struct row_origin {
    size_t row, fold;
} row_origin;

typedef struct fold_round {
    const sg_out_of_fold *of;
    size_t first, n;
    row_origin *origin;  /* (ROUND_ROWS)                               */
    double *y;           /* (ROUND_ROWS, outputs): targets             */
    double *predictions; /* (ROUND_ROWS, outputs), in the memory of y  */
} fold_round;

/* --- one fold's rows of a round --- */

typedef struct fold_reader {
    sg_feature_source features;
    sg_predict_worker worker;
    size_t *row, *from; /* (STEP_ROWS): row numbers in the round, and in the source */
} fold_reader;

static void close_reader(fold_reader *r)
{
    sg_predict_worker_release(&r->worker);
    sg_feature_source_close(&r->features);
    free(r->row);
    free(r->from);
}

static sg_status open_reader(fold_reader *r, const sg_source *rows, const sg_model *m)
{
    *r = (fold_reader){0};
    sg_status st = sg_feature_source_open(&r->features, m, rows, false, NULL);
    if (st == SG_OK) st = sg_predict_worker_init(&r->worker, m, "f64");
    if (st == SG_OK) st = sg_predict_worker_alloc_rows(&r->worker, STEP_ROWS, r->features.source.columns);
    r->row = sg_calloc(STEP_ROWS, sizeof *r->row);
    r->from = sg_calloc(STEP_ROWS, sizeof *r->from);
    if (st == SG_OK && !(r->row && r->from)) st = sg_fail_out_of_memory("predictions");
    if (st != SG_OK) close_reader(r);
    return st;
}

/* Predicts the n collected rows. */
static sg_status predict_rows(fold_reader *s, const fold_round *r, size_t n)
{
    size_t outputs = r->of->outputs;
    sg_predict_worker *w = &s->worker;
    sg_status st = sg_source_gather(&s->features.source, s->from, n, w->raw);
    if (st != SG_OK) return st;
    sg_predict_worker_run(w, w->raw, s->features.source.columns, s->features.columns.input, n, w->y);
    for (size_t i = 0; i < n; i++)
        memcpy(r->predictions + s->row[i] * outputs, w->y + i * outputs, outputs * sizeof *w->y);
    return SG_OK;
}

static sg_status predict_fold(void *arg, size_t fold, size_t worker)
{
    const fold_round *r = arg;
    size_t n = 0;
    fold_reader s;
    (void)worker;
    sg_status st = open_reader(&s, r->of->rows, r->of->model[fold]);
    if (st != SG_OK) return st;
    for (size_t i = 0; st == SG_OK && i < r->n; i++) {
        if (r->origin[i].fold != fold) continue;
        s.row[n] = i;
        s.from[n++] = r->first + i;
        if (n < STEP_ROWS) continue;
        st = predict_rows(&s, r, n);
        n = 0;
    }
    if (st == SG_OK && n) st = predict_rows(&s, r, n);
    close_reader(&s);
    return st;
}

/* --- a round --- */

static sg_status read_targets(const fold_round *r, double *raw)
{
    const sg_out_of_fold *o = r->of;
    for (size_t done = 0, n; done < r->n; done += n) {
        n = r->n - done < STEP_ROWS ? r->n - done : STEP_ROWS;
        sg_status st = o->rows->read(o->rows->self, r->first + done, n, raw);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < o->outputs; k++)
                r->y[(done + i) * o->outputs + k] = raw[i * o->rows->columns + o->target[k]];
    }
    return SG_OK;
}

static sg_status predict_round(fold_round *r, sg_thread_pool *pool)
{
    const sg_out_of_fold *o = r->of;
    for (size_t i = 0; i < r->n; i++) {
        size_t row = r->first + i;
        r->origin[i] = (row_origin){o->subset ? sg_subset_base_row(o->subset, row) : row, sg_folds_find(o->folds, row)};
    }
    double *raw = sg_calloc(o->rows->columns, STEP_ROWS * sizeof *raw);
    sg_status st = raw ? read_targets(r, raw) : sg_fail_out_of_memory("predictions");
    free(raw);
    return st == SG_OK ? sg_thread_pool_run_long(pool, o->models, predict_fold, r) : st;
}

static sg_status emit_round(const fold_round *r)
{
    const sg_out_of_fold *o = r->of;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < r->n; i++)
        if (r->origin[i].fold < o->models)
            st = o->emit(o->arg, r->origin[i].row, r->origin[i].fold, r->y + i * o->outputs,
                         r->predictions + i * o->outputs);
    return st;
}

/* --- all rounds --- */

static sg_status send_round(const sg_comm *t, const fold_round *r)
{
    sg_status st = t->send(t->self, 0, r->origin, r->n * sizeof *r->origin);
    if (st == SG_OK) st = t->send(t->self, 0, r->y, r->n * r->of->outputs * sizeof *r->y);
    return st == SG_OK ? t->send(t->self, 0, r->predictions, r->n * r->of->outputs * sizeof *r->predictions) : st;
}

static sg_status receive_round(const sg_comm *t, size_t from, fold_round *r)
{
    sg_status st = t->recv(t->self, from, r->origin, r->n * sizeof *r->origin);
    if (st == SG_OK) st = t->recv(t->self, from, r->y, r->n * r->of->outputs * sizeof *r->y);
    return st == SG_OK ? t->recv(t->self, from, r->predictions, r->n * r->of->outputs * sizeof *r->predictions) : st;
}

/* Predicts the rows [first, last) on rank `from`, which holds them, and emits them on rank 0. */
static sg_status predict_range(fold_round *r, sg_thread_pool *pool, size_t from, size_t first, size_t last)
{
    const sg_comm *t = r->of->rows->comm;
    size_t rank = sg_comm_rank(t);
    sg_status st = SG_OK;
    for (r->first = first; st == SG_OK && r->first < last; r->first += r->n) {
        r->n = last - r->first < ROUND_ROWS ? last - r->first : ROUND_ROWS;
        st = rank == from ? predict_round(r, pool) : receive_round(t, from, r);
        if (st == SG_OK) st = rank ? send_round(t, r) : emit_round(r);
    }
    return st;
}

static sg_status predict_all(fold_round *r, sg_thread_pool *pool, size_t *bound)
{
    const sg_source *rows = r->of->rows;
    size_t rank = sg_comm_rank(rows->comm);
    sg_status st = sg_source_shard_bounds(rows, bound);
    for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(rows->comm); i++)
        if (rank == 0 || rank == i) st = predict_range(r, pool, i, bound[i], bound[i + 1]);
    return st;
}

sg_status sg_out_of_fold_predict(const sg_out_of_fold *o, sg_thread_pool *pool)
{
    size_t most = o->rows->rows < ROUND_ROWS ? o->rows->rows : ROUND_ROWS;
    size_t *bound = sg_calloc(sg_comm_ranks(o->rows->comm) + 1, sizeof *bound);
    fold_round r = {
        .of = o, .origin = sg_calloc(most, sizeof *r.origin), .y = sg_calloc(most, 2 * o->outputs * sizeof *r.y)};
    bool ok = bound && r.origin && r.y;
    if (ok) r.predictions = r.y + most * o->outputs;
    sg_status st = sg_comm_agree_status(o->rows->comm, ok ? SG_OK : sg_fail_out_of_memory("predictions"));
    if (ok && st == SG_OK) st = predict_all(&r, pool, bound);
    sg_free_all(bound, r.origin, r.y);
    return st;
}
