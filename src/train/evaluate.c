/* evaluate.c: models on sources, through the public API. */
#include "base/memory.h"
#include "train/check.h"
#include "train/score.h"

#include <stdlib.h>
#include <string.h>

sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights,
                            size_t threads, sg_metrics *out)
{
    sg_roles columns;
    sg_pool *pool = NULL;
    sg_score score = {0};
    sg_status st = sg_roles_named(rows, m->input_name, m->inputs, m->output_name, m->outputs,
                                    weights, &columns);
    if (st != SG_OK) return st;
    st = sg_check_rows(rows, &columns, false, NULL);
    if (st == SG_OK && rows->rows > SG_SCORE_ROWS && threads != 1) st = sg_pool_new(threads, &pool);
    if (st == SG_OK) st = sg_score_init(&score, m, rows, &columns, "f64", pool);
    if (st == SG_OK) st = sg_score_run(&score, out);
    sg_score_release(&score);
    sg_pool_free(pool);
    sg_roles_release(&columns);
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
    sg_pool *pool = NULL;
    sg_score score = {0};
    double *y = NULL;
    sg_status st = sg_roles_named(rows, m->input_name, m->inputs, NULL, 0, NULL, &columns);
    if (st != SG_OK) return st;
    if (rows->rows > SG_SCORE_ROWS && threads != 1) st = sg_pool_new(threads, &pool);
    size_t blocks = 4 * sg_pool_threads(pool);
    if (st == SG_OK) st = sg_score_init(&score, m, rows, &columns, "f64", pool);
    if (st == SG_OK && !(y = sg_alloc(blocks * SG_SCORE_ROWS, m->outputs * sizeof *y)))
        st = sg_fail(SG_ENOMEM, "out of memory for predictions");
    round_of job = {&score, 0, y};
    if (st == SG_OK) st = predict_rounds(&job, blocks, take, arg);
    free(y);
    sg_score_release(&score);
    sg_pool_free(pool);
    sg_roles_release(&columns);
    return st;
}
