/* out_of_fold.c: see out_of_fold.h. Rows come in rounds: in each every fold predicts those that it left out, by a
 * thread, then all are taken in order. */
#include "train/out_of_fold.h"

#include "base/memory.h"
#include "base/team.h"
#include "kernel/seer.h"
#include "train/features.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND = 1 << 16, STEP = 8 * SG_CHUNK };

/* Where a row is from. */
typedef struct origin {
    size_t row, fold;
} origin;

typedef struct round_of {
    const sg_out_of_fold *of;
    size_t first, n;
    origin *origin; /* (ROUND)                                  */
    double *y;      /* (ROUND, outputs): targets, and behind them */
    double *seen;   /* (ROUND, outputs): predictions             */
} round_of;

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for predictions"); }

/* --- one fold's rows of a round --- */

typedef struct sight {
    sg_source features;
    sg_roles columns;
    sg_expanded *expanded;
    sg_seer seer;
    size_t *row;  /* (STEP): in the round */
    size_t *from; /* (STEP): in the source */
    double *raw;  /* (STEP, columns)      */
    double *y;    /* (STEP, outputs)      */
} sight;

static void close_sight(sight *s)
{
    sg_seer_release(&s->seer);
    sg_expanded_free(s->expanded);
    sg_roles_release(&s->columns);
    free(s->row);
    free(s->from);
    free(s->raw);
    free(s->y);
}

static sg_status open_sight(sight *s, const sg_source *rows, const sg_model *m)
{
    *s = (sight){.features = *rows};
    sg_status st = sg_features_find(m, rows, false, NULL, &s->columns);
    if (st != SG_OK) return st;
    st = sg_features_open(m->coding, &s->features, &s->columns, &s->expanded);
    if (st == SG_OK) st = sg_seer_init(&s->seer, m, "f64");
    s->row = sg_alloc(STEP, sizeof *s->row);
    s->from = sg_alloc(STEP, sizeof *s->from);
    s->raw = sg_alloc(s->features.columns, STEP * sizeof *s->raw);
    s->y = sg_alloc(m->outputs, STEP * sizeof *s->y);
    bool room = s->row && s->from && s->raw && s->y;
    if (st == SG_OK && !room) st = no_memory();
    if (st != SG_OK) close_sight(s);
    return st;
}

/* The first n of its rows. */
static sg_status see(sight *s, const round_of *r, size_t n)
{
    size_t outputs = r->of->outputs;
    sg_status st = sg_source_gather(&s->features, s->from, n, s->raw);
    if (st != SG_OK) return st;
    sg_seer_rows(&s->seer, s->raw, s->features.columns, s->columns.input, n, s->y);
    for (size_t i = 0; i < n; i++) memcpy(r->seen + s->row[i] * outputs, s->y + i * outputs, outputs * sizeof *s->y);
    return SG_OK;
}

static sg_status predict_fold(void *arg, size_t fold, size_t worker)
{
    const round_of *r = arg;
    size_t n = 0;
    sight s;
    (void)worker;
    sg_status st = open_sight(&s, r->of->rows, r->of->model[fold]);
    if (st != SG_OK) return st;
    for (size_t i = 0; st == SG_OK && i < r->n; i++) {
        if (r->origin[i].fold != fold) continue;
        s.row[n] = i;
        s.from[n++] = r->first + i;
        if (n < STEP) continue;
        st = see(&s, r, n);
        n = 0;
    }
    if (st == SG_OK && n) st = see(&s, r, n);
    close_sight(&s);
    return st;
}

/* --- a round --- */

static sg_status read_targets(const round_of *r, double *raw)
{
    const sg_out_of_fold *o = r->of;
    for (size_t done = 0, n; done < r->n; done += n) {
        n = r->n - done < STEP ? r->n - done : STEP;
        sg_status st = o->rows->read(o->rows->self, r->first + done, n, raw);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < o->outputs; k++)
                r->y[(done + i) * o->outputs + k] = raw[i * o->rows->columns + o->target[k]];
    }
    return SG_OK;
}

static sg_status fill(round_of *r, sg_pool *pool)
{
    const sg_out_of_fold *o = r->of;
    for (size_t i = 0; i < r->n; i++) {
        size_t row = r->first + i;
        r->origin[i] = (origin){o->subset ? sg_subset_below(o->subset, row) : row, sg_folds_of(o->folds, row)};
    }
    double *raw = sg_alloc(o->rows->columns, STEP * sizeof *raw);
    sg_status st = raw ? read_targets(r, raw) : no_memory();
    free(raw);
    return st == SG_OK ? sg_pool_run_long(pool, o->models, predict_fold, r) : st;
}

static sg_status take(const round_of *r)
{
    const sg_out_of_fold *o = r->of;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < r->n; i++)
        if (r->origin[i].fold < o->models)
            st = o->take(o->arg, r->origin[i].row, r->origin[i].fold, r->y + i * o->outputs, r->seen + i * o->outputs);
    return st;
}

/* --- all of them --- */

static sg_status send_round(const sg_team *t, const round_of *r)
{
    sg_status st = t->send(t->self, 0, r->origin, r->n * sizeof *r->origin);
    if (st == SG_OK) st = t->send(t->self, 0, r->y, r->n * r->of->outputs * sizeof *r->y);
    return st == SG_OK ? t->send(t->self, 0, r->seen, r->n * r->of->outputs * sizeof *r->seen) : st;
}

static sg_status receive_round(const sg_team *t, size_t from, round_of *r)
{
    sg_status st = t->receive(t->self, from, r->origin, r->n * sizeof *r->origin);
    if (st == SG_OK) st = t->receive(t->self, from, r->y, r->n * r->of->outputs * sizeof *r->y);
    return st == SG_OK ? t->receive(t->self, from, r->seen, r->n * r->of->outputs * sizeof *r->seen) : st;
}

/* Rows [first, last), which are with member `from`. */
static sg_status pass_on(round_of *r, sg_pool *pool, size_t from, size_t first, size_t last)
{
    const sg_team *t = r->of->rows->team;
    size_t rank = sg_team_rank(t);
    sg_status st = SG_OK;
    for (r->first = first; st == SG_OK && r->first < last; r->first += r->n) {
        r->n = last - r->first < ROUND ? last - r->first : ROUND;
        st = rank == from ? fill(r, pool) : receive_round(t, from, r);
        if (st == SG_OK) st = rank ? send_round(t, r) : take(r);
    }
    return st;
}

static sg_status pass_all(round_of *r, sg_pool *pool, size_t *bound)
{
    const sg_source *rows = r->of->rows;
    size_t rank = sg_team_rank(rows->team);
    sg_status st = sg_source_bounds(rows, bound);
    for (size_t i = 0; st == SG_OK && i < sg_team_ranks(rows->team); i++)
        if (rank == 0 || rank == i) st = pass_on(r, pool, i, bound[i], bound[i + 1]);
    return st;
}

sg_status sg_out_of_fold_each(const sg_out_of_fold *o, sg_pool *pool)
{
    size_t most = o->rows->rows < ROUND ? o->rows->rows : ROUND;
    size_t *bound = sg_alloc(sg_team_ranks(o->rows->team) + 1, sizeof *bound);
    round_of r = {
        .of = o, .origin = sg_alloc(most, sizeof *r.origin), .y = sg_alloc(most, 2 * o->outputs * sizeof *r.y)};
    bool room = bound && r.origin && r.y;
    if (room) r.seen = r.y + most * o->outputs;
    sg_status st = sg_team_agree(o->rows->team, room ? SG_OK : no_memory());
    if (room && st == SG_OK) st = pass_all(&r, pool, bound);
    free(bound);
    free(r.origin);
    free(r.y);
    return st;
}
