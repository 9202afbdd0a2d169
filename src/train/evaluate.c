/* evaluate.c: models on sources, through the public API. */
#include "base/memory.h"
#include "train/check.h"
#include "train/score.h"

#include <stdlib.h>

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
    if (st == SG_OK) st = sg_score_init(&score, m, rows, &columns, pool);
    if (st == SG_OK) st = sg_score_run(&score, out);
    sg_score_release(&score);
    sg_pool_free(pool);
    sg_roles_release(&columns);
    return st;
}

/* --- predictions of a whole source, in rounds of one block a thread --- */

typedef struct round_of {
    const sg_model *model;
    const sg_source *source;
    const sg_roles *columns;
    sg_score_worker *worker;
    size_t first;
    double *y; /* (blocks of a round, SG_SCORE_ROWS, outputs) */
} round_of;

static sg_status predict_block(void *arg, size_t i, size_t worker)
{
    round_of *job = arg;
    sg_score_worker *w = &job->worker[worker];
    size_t first = job->first + i * SG_SCORE_ROWS, left = job->source->rows - first;
    size_t n = left < SG_SCORE_ROWS ? left : SG_SCORE_ROWS, outputs = job->model->outputs;
    sg_status st = job->source->read(job->source->self, first, n, w->raw);
    for (size_t r = 0; st == SG_OK && r < n; r++) {
        const double *raw = w->raw + r * job->source->columns;
        for (size_t k = 0; k < job->columns->inputs; k++) w->x[k] = raw[job->columns->input[k]];
        sg_seer_row(&w->seer, w->x, job->y + (i * SG_SCORE_ROWS + r) * outputs);
    }
    return st;
}

static sg_status predict_rounds(round_of *job, sg_pool *pool, size_t blocks, sg_take_fn *take,
                                void *arg)
{
    size_t rows = job->source->rows, a_round = blocks * SG_SCORE_ROWS;
    sg_status st = SG_OK;
    for (job->first = 0; st == SG_OK && job->first < rows; job->first += a_round) {
        size_t n = rows - job->first < a_round ? rows - job->first : a_round;
        st = sg_pool_run(pool, (n + SG_SCORE_ROWS - 1) / SG_SCORE_ROWS, predict_block, job);
        if (st == SG_OK) st = take(arg, job->first, n, job->y);
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
    if (st == SG_OK) st = sg_score_init(&score, m, rows, &columns, pool);
    if (st == SG_OK && !(y = sg_alloc(blocks * SG_SCORE_ROWS, m->outputs * sizeof *y)))
        st = sg_fail(SG_ENOMEM, "out of memory for predictions");
    round_of job = {m, rows, &columns, score.worker, 0, y};
    if (st == SG_OK) st = predict_rounds(&job, pool, blocks, take, arg);
    free(y);
    sg_score_release(&score);
    sg_pool_free(pool);
    sg_roles_release(&columns);
    return st;
}
