/* evaluate.c: models on sources, through the public API. */
#include "base/memory.h"
#include "train/budget.h"
#include "train/check.h"
#include "train/features.h"
#include "train/score.h"

#include <stdlib.h>
#include <string.h>

struct sg_scorer {
    sg_source rows;
    sg_subset *usable;     /* where some lack a target   */
    sg_expanded *expanded; /* where there are categories */
    sg_roles columns;
    sg_pool *pool;
    sg_score score;
};

static void close_scorer(sg_scorer *s)
{
    sg_score_release(&s->score);
    sg_pool_free(s->pool);
    sg_roles_release(&s->columns);
    sg_expanded_free(s->expanded);
    sg_subset_free(s->usable);
}

void sg_scorer_free(sg_scorer *s)
{
    if (!s) return;
    close_scorer(s);
    free(s);
}

static sg_status open_scorer(sg_scorer *s, const sg_model *m, const char *weights, size_t threads,
                             bool again)
{
    sg_unusable found = {0};
    sg_status st = sg_features_find(m, &s->rows, true, weights, &s->columns);
    if (st == SG_OK) st = sg_check_rows(&s->rows, &s->columns, false, &found);
    if (st == SG_OK && found.lacking) st = sg_usable_rows(&s->rows, &s->columns, true, &s->usable);
    if (s->usable) s->rows = sg_subset_source(s->usable);
    if (st == SG_OK) st = sg_features_open(m->coding, &s->rows, &s->columns, &s->expanded);
    if (st == SG_OK && s->rows.rows > SG_SCORE_ROWS) st = sg_budget_pool(m, threads, &s->pool);
    return st == SG_OK ? sg_score_init(&s->score, m, &s->rows, &s->columns, "f64", again, s->pool) : st;
}

sg_status sg_scorer_new(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                        sg_scorer **out)
{
    sg_scorer *s = sg_alloc(1, sizeof *s);
    if (!s) return sg_fail(SG_ENOMEM, "out of memory for an evaluation");
    s->rows = *rows;
    sg_status st = open_scorer(s, m, weights, threads, true);
    if (st != SG_OK) {
        sg_scorer_free(s);
        return st;
    }
    *out = s;
    return SG_OK;
}

sg_status sg_scorer_run(sg_scorer *s, sg_metrics *out) { return sg_score_run(&s->score, out); }

sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights,
                            size_t threads, sg_metrics *out)
{
    sg_scorer s = {.rows = *rows};
    sg_status st = open_scorer(&s, m, weights, threads, false);
    if (st == SG_OK) st = sg_score_run(&s.score, out);
    close_scorer(&s);
    return st;
}

/* --- predictions of a whole source, in rounds of one block a thread --- */

typedef struct round_of {
    sg_score *score;
    size_t first; /* block */
    double *y;    /* (blocks of a round, SG_SCORE_ROWS, outputs) */
} round_of;

static sg_status predict_block(void *arg, size_t i, size_t worker)
{
    round_of *job = arg;
    sg_score_worker *w = &job->score->worker[worker];
    size_t n, outputs = job->score->model->outputs;
    sg_status st = sg_score_block(job->score, w, job->first + i, &n);
    if (st == SG_OK) memcpy(job->y + i * SG_SCORE_ROWS * outputs, w->y, n * outputs * sizeof *job->y);
    return st;
}

static sg_status predict_rounds(round_of *job, size_t blocks, sg_take_fn *take, void *arg)
{
    const sg_score *s = job->score;
    sg_status st = SG_OK;
    for (job->first = 0; st == SG_OK && job->first < s->blocks; job->first += blocks) {
        size_t left = s->blocks - job->first, row = job->first * SG_SCORE_ROWS;
        size_t rows = left <= blocks ? s->source->rows - row : blocks * SG_SCORE_ROWS;
        st = sg_pool_run(s->pool, left < blocks ? left : blocks, predict_block, job);
        if (st == SG_OK) st = take(arg, row, rows, job->y);
    }
    return st;
}

sg_status sg_model_predict_source(const sg_model *m, const sg_source *rows, size_t threads,
                                  sg_take_fn *take, void *arg)
{
    sg_roles columns;
    sg_source seen = *rows;
    sg_expanded *expanded = NULL;
    sg_pool *pool = NULL;
    sg_score score = {0};
    double *y = NULL;
    sg_status st = sg_features_find(m, rows, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_open(m->coding, &seen, &columns, &expanded);
    if (st == SG_OK && rows->rows > SG_SCORE_ROWS) st = sg_budget_pool(m, threads, &pool);
    size_t blocks = 32 * sg_pool_threads(pool); /* a round takes longer than calling a thread */
    if (st == SG_OK) st = sg_score_init(&score, m, &seen, &columns, "f64", false, pool);
    if (st == SG_OK && !(y = sg_alloc(blocks * SG_SCORE_ROWS, m->outputs * sizeof *y)))
        st = sg_fail(SG_ENOMEM, "out of memory for predictions");
    round_of job = {&score, 0, y};
    if (st == SG_OK) st = predict_rounds(&job, blocks, take, arg);
    free(y);
    sg_score_release(&score);
    sg_pool_free(pool);
    sg_expanded_free(expanded);
    sg_roles_release(&columns);
    return st;
}
