/* evaluate_source.c: models on sources, through the public API. */
#include "base/memory.h"
#include "comm/comm.h"
#include "model/support.h"
#include "predict/evaluator.h"
#include "predict/feature_encode.h"
#include "predict/memory_plan.h"

#include <stdlib.h>
#include <string.h>

struct sg_scorer {
    sg_source rows;
    sg_encoded_source *expanded; /* where there are categories */
    sg_column_roles columns;
    sg_thread_pool *pool;
    sg_evaluator evaluator;
};

static void close_scorer(sg_scorer *s)
{
    sg_evaluator_release(&s->evaluator);
    sg_thread_pool_free(s->pool);
    sg_column_roles_release(&s->columns);
    sg_encoded_source_free(s->expanded);
}

void sg_scorer_free(sg_scorer *s)
{
    if (!s) return;
    close_scorer(s);
    free(s);
}

static sg_status open_scorer(sg_scorer *s, const sg_model *m, const char *weights, size_t threads, bool reuse)
{
    sg_status st = sg_features_find_columns(m, &s->rows, true, weights, &s->columns);
    if (st == SG_OK) st = sg_features_encode_source(m->encoder, &s->rows, &s->columns, &s->expanded);
    if (st == SG_OK && s->rows.rows > SG_EVAL_ROWS) st = sg_memory_plan_pool(m, threads, &s->pool);
    return st == SG_OK ? sg_evaluator_init(&s->evaluator, m, &s->rows, &s->columns, "f64", reuse, s->pool) : st;
}

sg_status sg_scorer_new(const sg_model *m, const sg_source *rows, const char *weights, size_t threads, sg_scorer **out)
{
    sg_scorer *s = sg_calloc(1, sizeof *s);
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

sg_status sg_scorer_run(sg_scorer *s, sg_metrics *out) { return sg_evaluator_run(&s->evaluator, out); }

sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                            sg_metrics *out)
{
    sg_scorer s = {.rows = *rows};
    sg_status st = open_scorer(&s, m, weights, threads, false);
    if (st == SG_OK) st = sg_evaluator_run(&s.evaluator, out);
    close_scorer(&s);
    return st;
}

/* --- predictions of a whole source, in rounds of some blocks a thread --- */

typedef struct predict_job {
    sg_evaluator *score;
    size_t first, last; /* rows */
    size_t base;        /* the row that y begins with */
    size_t width; /* of what is told of a row: predictions and, after them, where there are covers, what is outside */
    sg_support *cover; /* (workers), or NULL */
    double *y;         /* (rows of a round, or all, width) */
} predict_job;

static void flag_ood(const sg_evaluator *s, sg_support *c, const double *raw, double *outside)
{
    for (size_t i = 0; i < s->model->features; i++) c->row[i] = raw[s->columns->input[i]];
    sg_support_mark_outside(c, c->row, outside);
}

static sg_status predict_block(void *arg, size_t i, size_t worker)
{
    predict_job *job = arg;
    sg_evaluator_worker *w = &job->score->worker[worker];
    size_t first = job->first + i * SG_EVAL_ROWS, left = job->last - first, outputs = job->score->model->outputs;
    size_t n = left < SG_EVAL_ROWS ? left : SG_EVAL_ROWS,
           columns = sg_parallel_reduce_source(&job->score->reduce)->columns;
    double *to = job->y + (first - job->base) * job->width;
    if (!job->cover) return sg_evaluator_predict_block(job->score, w, first, n, to);
    sg_status st = sg_evaluator_predict_block(job->score, w, first, n, w->y);
    for (size_t r = 0; st == SG_OK && r < n; r++, to += job->width) {
        memcpy(to, w->y + r * outputs, outputs * sizeof *to);
        flag_ood(job->score, &job->cover[worker], w->rows + r * columns, to + outputs);
    }
    return st;
}

/* Member 0 takes the predictions of all members, in order; the others' come a round at a time. */
static sg_status emit_predictions(const sg_comm *team, const predict_job *job, size_t rows, sg_predictions_fn *emit,
                                  void *arg)
{
    if (!emit) return SG_OK;
    if (team && team->rank) return team->send(team->self, 0, job->y, rows * job->width * sizeof *job->y);
    return emit(arg, job->first, rows, job->y);
}

/* Those of the rows [first, last), which are here or with member `from`. */
static sg_status predict_range(predict_job *job, size_t round, size_t from, size_t first, size_t last,
                               sg_predictions_fn *emit, void *arg)
{
    const sg_comm *team = sg_parallel_reduce_source(&job->score->reduce)->comm;
    sg_status st = SG_OK;
    for (job->first = first; st == SG_OK && job->first < last; job->first += round) {
        size_t rows = last - job->first < round ? last - job->first : round;
        job->last = job->first + rows;
        if (emit) job->base = job->first;
        if (from == sg_comm_rank(team))
            st = sg_thread_pool_run(job->score->reduce.pool, (rows + SG_EVAL_ROWS - 1) / SG_EVAL_ROWS, predict_block,
                                    job);
        else st = team->recv(team->self, from, job->y, rows * job->width * sizeof *job->y);
        if (st == SG_OK) st = emit_predictions(team, job, rows, emit, arg);
    }
    return st;
}

static sg_status predict_all(predict_job *job, size_t round, sg_predictions_fn *emit, void *arg)
{
    const sg_evaluator *s = job->score;
    const sg_comm *team = sg_parallel_reduce_source(&s->reduce)->comm;
    const size_t *bound = sg_aligned_shard_bounds(s->reduce.aligned);
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(team); i++)
        if (i == sg_comm_rank(team) || sg_comm_rank(team) == 0)
            st = predict_range(job, round, i, bound[i], bound[i + 1], emit, arg);
    return st;
}

static sg_status open_support(predict_job *job, size_t workers)
{
    const sg_model *m = job->score->model;
    job->cover = sg_calloc(workers, sizeof *job->cover);
    sg_status st = job->cover ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for predictions");
    for (size_t i = 0; st == SG_OK && i < workers; i++) st = sg_support_init(&job->cover[i], m);
    return st;
}

static void close_support(predict_job *job, size_t workers)
{
    for (size_t i = 0; job->cover && i < workers; i++) sg_support_release(&job->cover[i]);
    free(job->cover);
}

/* Without take: all of them into y, for rows that are here. */
static sg_status predict_source(const sg_model *m, const sg_source *rows, size_t threads, bool outside,
                                sg_predictions_fn *emit, void *arg, double *y)
{
    enum { BLOCKS = 64 }; /* takes longer than calling a thread, and is the same for all members */
    sg_column_roles columns;
    sg_source seen = *rows;
    sg_encoded_source *expanded = NULL;
    sg_thread_pool *pool = NULL;
    sg_evaluator score = {0};
    predict_job job = {.score = &score, .width = m->outputs + (outside ? sg_model_inputs(m) : 0)};
    sg_status st = sg_features_find_columns(m, rows, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &seen, &columns, &expanded);
    if (st == SG_OK && rows->rows > SG_EVAL_ROWS) st = sg_memory_plan_pool(m, threads, &pool);
    if (st == SG_OK) st = sg_evaluator_init(&score, m, &seen, &columns, "f64", false, pool);
    size_t workers = score.workers;
    if (st == SG_OK && outside) st = open_support(&job, workers);
    if (st == SG_OK && !(job.y = emit ? sg_calloc(BLOCKS * SG_EVAL_ROWS, job.width * sizeof *job.y) : y))
        st = sg_fail(SG_ENOMEM, "out of memory for predictions");
    if (st == SG_OK) st = predict_all(&job, BLOCKS * SG_EVAL_ROWS, emit, arg);
    if (emit) free(job.y);
    close_support(&job, workers);
    sg_evaluator_release(&score);
    sg_thread_pool_free(pool);
    sg_encoded_source_free(expanded);
    sg_column_roles_release(&columns);
    return st;
}

sg_status sg_model_predict_source(const sg_model *m, const sg_source *rows, size_t threads, sg_predictions_fn *emit,
                                  void *arg)
{
    return predict_source(m, rows, threads, false, emit, arg, NULL);
}

sg_status sg_model_predict_ood(const sg_model *m, const sg_source *rows, size_t threads, sg_predictions_fn *emit,
                               void *arg)
{
    return predict_source(m, rows, threads, true, emit, arg, NULL);
}

sg_status sg_model_predict_rows(const sg_model *m, const sg_source *rows, size_t threads, double *y)
{
    if (rows->comm)
        return sg_fail(SG_EINVAL, "%s: rows of a team are predicted a block at a time", sg_source_name(rows));
    return rows->rows ? predict_source(m, rows, threads, false, NULL, NULL, y) : SG_OK;
}
