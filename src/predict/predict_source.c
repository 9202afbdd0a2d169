/* predict_source.c: predicts the rows of a source, in rounds of several blocks per thread, through the public API. */
#include "base/memory.h"
#include "comm/collectives.h"
#include "model/outside_training.h"
#include "predict/evaluate_source.h"

#include <stdlib.h>
#include <string.h>

typedef struct predict_job {
    sg_evaluator *evaluator;
    size_t first, last;         /* rows of the round                                                         */
    size_t base;                /* the row that y starts with                                                */
    size_t width;               /* values per row: predictions and, with `support`, one flag per input       */
    sg_reference_eval *support; /* (workers), or NULL                                                        */
    double *feature;            /* (workers, 2, features)                                                    */
    double *y;                  /* (rows of a round or all rows, width)                                      */
} predict_job;

static void flag_outside(const predict_job *job, size_t worker, const double *raw, double *outside)
{
    const sg_evaluator *s = job->evaluator;
    size_t features = s->model->features;
    double *feature = job->feature + 2 * worker * features;
    for (size_t i = 0; i < features; i++) feature[i] = raw[s->columns->input[i]];
    sg_support_mark_outside(&job->support[worker], feature, feature + features, outside);
}

static sg_status predict_block(void *arg, size_t i, size_t worker)
{
    predict_job *job = arg;
    sg_predict_worker *w = &job->evaluator->worker[worker];
    size_t first = job->first + i * SG_EVAL_ROWS, left = job->last - first, outputs = job->evaluator->model->outputs;
    size_t n = left < SG_EVAL_ROWS ? left : SG_EVAL_ROWS,
           columns = sg_parallel_reduce_source(&job->evaluator->reduce)->columns;
    double *to = job->y + (first - job->base) * job->width;
    if (!job->support) return sg_evaluator_predict_block(job->evaluator, w, first, n, to);
    sg_status st = sg_evaluator_predict_block(job->evaluator, w, first, n, w->y);
    for (size_t r = 0; st == SG_OK && r < n; r++, to += job->width) {
        memcpy(to, w->y + r * outputs, outputs * sizeof *to);
        flag_outside(job, worker, w->rows + r * columns, to + outputs);
    }
    return st;
}

/* Rank 0 emits the predictions of all ranks in order; the others send theirs round by round. */
static sg_status emit_predictions(const sg_comm *comm, const predict_job *job, size_t rows, sg_predictions_fn *emit,
                                  void *arg)
{
    if (!emit) return SG_OK;
    if (comm && comm->rank) return comm->send(comm->self, 0, job->y, rows * job->width * sizeof *job->y);
    return emit(arg, job->first, rows, job->y);
}

/* Predicts rows [first, last), which are local to rank `from`. */
static sg_status predict_range(predict_job *job, size_t round, size_t from, size_t first, size_t last,
                               sg_predictions_fn *emit, void *arg)
{
    const sg_parallel_reduce *reduce = &job->evaluator->reduce;
    const sg_comm *comm = sg_parallel_reduce_source(reduce)->comm;
    sg_status st = SG_OK;
    for (job->first = first; st == SG_OK && job->first < last; job->first += round) {
        size_t rows = last - job->first < round ? last - job->first : round;
        job->last = job->first + rows;
        if (emit) job->base = job->first;
        if (from == sg_comm_rank(comm))
            st = sg_thread_pool_run(reduce->pool, (rows + SG_EVAL_ROWS - 1) / SG_EVAL_ROWS, predict_block, job);
        else st = comm->recv(comm->self, from, job->y, rows * job->width * sizeof *job->y);
        if (st == SG_OK) st = emit_predictions(comm, job, rows, emit, arg);
    }
    return st;
}

static sg_status predict_all(predict_job *job, size_t round, sg_predictions_fn *emit, void *arg)
{
    const sg_parallel_reduce *reduce = &job->evaluator->reduce;
    const sg_comm *comm = sg_parallel_reduce_source(reduce)->comm;
    const size_t *bound = sg_aligned_shard_bounds(reduce->aligned);
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(comm); i++)
        if (i == sg_comm_rank(comm) || sg_comm_rank(comm) == 0)
            st = predict_range(job, round, i, bound[i], bound[i + 1], emit, arg);
    return st;
}

static sg_status open_support(predict_job *job, size_t workers)
{
    const sg_model *m = job->evaluator->model;
    job->support = sg_calloc(workers, sizeof *job->support);
    job->feature = sg_calloc(workers, 2 * m->features * sizeof *job->feature);
    sg_status st = job->support && job->feature ? SG_OK : sg_fail_out_of_memory("the predictions");
    for (size_t i = 0; st == SG_OK && i < workers; i++) st = sg_reference_eval_init(&job->support[i], m);
    return st;
}

static void close_support(predict_job *job, size_t workers)
{
    for (size_t i = 0; job->support && i < workers; i++) sg_reference_eval_release(&job->support[i]);
    free(job->support);
    free(job->feature);
}

/* Predicts all rows. Passes the predictions to emit, or stores all of them in y if emit is NULL. */
static sg_status predict_source(const sg_model *m, const sg_source *rows, size_t threads, bool outside,
                                sg_predictions_fn *emit, void *arg, double *y)
{
    enum { ROUND = 64 * SG_EVAL_ROWS }; /* long enough to pay for starting threads; the same on all ranks */
    sg_scorer s;
    predict_job job = {.evaluator = &s.evaluator, .width = m->outputs + (outside ? sg_model_inputs(m) : 0)};
    sg_status st = sg_scorer_open(&s, m, rows, false, NULL, threads, false);
    size_t workers = s.evaluator.workers;
    if (st == SG_OK && outside) st = open_support(&job, workers);
    if (st == SG_OK && !(job.y = emit ? sg_calloc(ROUND, job.width * sizeof *job.y) : y))
        st = sg_fail_out_of_memory("the predictions");
    if (st == SG_OK) st = predict_all(&job, ROUND, emit, arg);
    if (emit) free(job.y);
    close_support(&job, workers);
    sg_scorer_close(&s);
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
        return sg_fail(SG_EINVAL, "%s: rows distributed over ranks cannot be predicted into one array",
                       sg_source_name(rows));
    return rows->rows ? predict_source(m, rows, threads, false, NULL, NULL, y) : SG_OK;
}
