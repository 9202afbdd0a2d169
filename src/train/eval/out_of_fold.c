/* out_of_fold.c: see out_of_fold.h. Rows come in rounds: in each every fold predicts those that it left out, by a
 * thread, then all are taken in order. */
#include "train/eval/out_of_fold.h"

#include "base/memory.h"
#include "comm/comm.h"
#include "predict/feature_encode.h"
#include "predict/predict_worker.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND_ROWS = 1 << 16, STEP_ROWS = 8 * SG_CHUNK };

/* Where a row is from. */
typedef struct origin {
    size_t row, fold;
} origin;

typedef struct fold_round {
    const sg_out_of_fold *of;
    size_t first, n;
    origin *origin; /* (ROUND)                                  */
    double *y;      /* (ROUND, outputs): targets, and behind them */
    double *seen;   /* (ROUND, outputs): predictions             */
} fold_round;

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for predictions"); }

/* --- one fold's rows of a round --- */

typedef struct fold_reader {
    sg_source features;
    sg_column_roles columns;
    sg_encoded_source *expanded;
    sg_predict_worker seer;
    size_t *row;  /* (STEP): in the round */
    size_t *from; /* (STEP): in the source */
    double *raw;  /* (STEP, columns)      */
    double *y;    /* (STEP, outputs)      */
} fold_reader;

static void close_reader(fold_reader *s)
{
    sg_predict_worker_release(&s->seer);
    sg_encoded_source_free(s->expanded);
    sg_column_roles_release(&s->columns);
    free(s->row);
    free(s->from);
    free(s->raw);
    free(s->y);
}

static sg_status open_reader(fold_reader *s, const sg_source *rows, const sg_model *m)
{
    *s = (fold_reader){.features = *rows};
    sg_status st = sg_features_find_columns(m, rows, false, NULL, &s->columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &s->features, &s->columns, &s->expanded);
    if (st == SG_OK) st = sg_predict_worker_init(&s->seer, m, "f64");
    s->row = sg_calloc(STEP_ROWS, sizeof *s->row);
    s->from = sg_calloc(STEP_ROWS, sizeof *s->from);
    s->raw = sg_calloc(s->features.columns, STEP_ROWS * sizeof *s->raw);
    s->y = sg_calloc(m->outputs, STEP_ROWS * sizeof *s->y);
    bool room = s->row && s->from && s->raw && s->y;
    if (st == SG_OK && !room) st = no_memory();
    if (st != SG_OK) close_reader(s);
    return st;
}

/* The first n of its rows. */
static sg_status predict_rows(fold_reader *s, const fold_round *r, size_t n)
{
    size_t outputs = r->of->outputs;
    sg_status st = sg_source_gather(&s->features, s->from, n, s->raw);
    if (st != SG_OK) return st;
    sg_predict_worker_run(&s->seer, s->raw, s->features.columns, s->columns.input, n, s->y);
    for (size_t i = 0; i < n; i++) memcpy(r->seen + s->row[i] * outputs, s->y + i * outputs, outputs * sizeof *s->y);
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

static sg_status fill_round(fold_round *r, sg_thread_pool *pool)
{
    const sg_out_of_fold *o = r->of;
    for (size_t i = 0; i < r->n; i++) {
        size_t row = r->first + i;
        r->origin[i] = (origin){o->subset ? sg_subset_base_row(o->subset, row) : row, sg_folds_find(o->folds, row)};
    }
    double *raw = sg_calloc(o->rows->columns, STEP_ROWS * sizeof *raw);
    sg_status st = raw ? read_targets(r, raw) : no_memory();
    free(raw);
    return st == SG_OK ? sg_thread_pool_run_long(pool, o->models, predict_fold, r) : st;
}

static sg_status emit_round(const fold_round *r)
{
    const sg_out_of_fold *o = r->of;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < r->n; i++)
        if (r->origin[i].fold < o->models)
            st = o->emit(o->arg, r->origin[i].row, r->origin[i].fold, r->y + i * o->outputs, r->seen + i * o->outputs);
    return st;
}

/* --- all of them --- */

static sg_status send_round(const sg_comm *t, const fold_round *r)
{
    sg_status st = t->send(t->self, 0, r->origin, r->n * sizeof *r->origin);
    if (st == SG_OK) st = t->send(t->self, 0, r->y, r->n * r->of->outputs * sizeof *r->y);
    return st == SG_OK ? t->send(t->self, 0, r->seen, r->n * r->of->outputs * sizeof *r->seen) : st;
}

static sg_status receive_round(const sg_comm *t, size_t from, fold_round *r)
{
    sg_status st = t->recv(t->self, from, r->origin, r->n * sizeof *r->origin);
    if (st == SG_OK) st = t->recv(t->self, from, r->y, r->n * r->of->outputs * sizeof *r->y);
    return st == SG_OK ? t->recv(t->self, from, r->seen, r->n * r->of->outputs * sizeof *r->seen) : st;
}

/* Rows [first, last), which are with member `from`. */
static sg_status predict_range(fold_round *r, sg_thread_pool *pool, size_t from, size_t first, size_t last)
{
    const sg_comm *t = r->of->rows->comm;
    size_t rank = sg_comm_rank(t);
    sg_status st = SG_OK;
    for (r->first = first; st == SG_OK && r->first < last; r->first += r->n) {
        r->n = last - r->first < ROUND_ROWS ? last - r->first : ROUND_ROWS;
        st = rank == from ? fill_round(r, pool) : receive_round(t, from, r);
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
    bool room = bound && r.origin && r.y;
    if (room) r.seen = r.y + most * o->outputs;
    sg_status st = sg_comm_agree_status(o->rows->comm, room ? SG_OK : no_memory());
    if (room && st == SG_OK) st = predict_all(&r, pool, bound);
    free(bound);
    free(r.origin);
    free(r.y);
    return st;
}
