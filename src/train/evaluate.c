/* evaluate.c: models on sources, through the public API. */
#include "base/memory.h"
#include "base/team.h"
#include "model/cover.h"
#include "train/budget.h"
#include "train/features.h"
#include "train/score.h"

#include <stdlib.h>
#include <string.h>

struct sg_scorer {
    sg_source rows;
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
}

void sg_scorer_free(sg_scorer *s)
{
    if (!s) return;
    close_scorer(s);
    free(s);
}

static sg_status open_scorer(sg_scorer *s, const sg_model *m, const char *weights, size_t threads, bool again)
{
    sg_status st = sg_features_find(m, &s->rows, true, weights, &s->columns);
    if (st == SG_OK) st = sg_features_open(m->coding, &s->rows, &s->columns, &s->expanded);
    if (st == SG_OK && s->rows.rows > SG_SCORE_ROWS) st = sg_budget_pool(m, threads, &s->pool);
    return st == SG_OK ? sg_score_init(&s->score, m, &s->rows, &s->columns, "f64", again, s->pool) : st;
}

sg_status sg_scorer_new(const sg_model *m, const sg_source *rows, const char *weights, size_t threads, sg_scorer **out)
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

sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                            sg_metrics *out)
{
    sg_scorer s = {.rows = *rows};
    sg_status st = open_scorer(&s, m, weights, threads, false);
    if (st == SG_OK) st = sg_score_run(&s.score, out);
    close_scorer(&s);
    return st;
}

/* --- predictions of a whole source, in rounds of some blocks a thread --- */

typedef struct round_of {
    sg_score *score;
    size_t first, last; /* rows */
    size_t base;        /* the row that y begins with */
    size_t width; /* of what is told of a row: predictions and, after them, where there are covers, what is outside */
    sg_cover *cover; /* (workers), or NULL */
    double *y;       /* (rows of a round, or all, width) */
} round_of;

static void look_outside(const sg_score *s, sg_cover *c, const double *raw, double *outside)
{
    for (size_t i = 0; i < s->model->inputs; i++) c->row[i] = raw[s->columns->input[i]];
    sg_cover_row(c, c->row, outside);
}

static sg_status predict_block(void *arg, size_t i, size_t worker)
{
    round_of *job = arg;
    sg_score_worker *w = &job->score->worker[worker];
    size_t first = job->first + i * SG_SCORE_ROWS, left = job->last - first, outputs = job->score->model->outputs;
    size_t n = left < SG_SCORE_ROWS ? left : SG_SCORE_ROWS, columns = sg_sweep_source(&job->score->sweep)->columns;
    double *to = job->y + (first - job->base) * job->width;
    if (!job->cover) return sg_score_block(job->score, w, first, n, to);
    sg_status st = sg_score_block(job->score, w, first, n, w->y);
    for (size_t r = 0; st == SG_OK && r < n; r++, to += job->width) {
        memcpy(to, w->y + r * outputs, outputs * sizeof *to);
        look_outside(job->score, &job->cover[worker], w->rows + r * columns, to + outputs);
    }
    return st;
}

/* Member 0 takes the predictions of all members, in order; the others' come a round at a time. */
static sg_status hand_on(const sg_team *team, const round_of *job, size_t rows, sg_take_fn *take, void *arg)
{
    if (!take) return SG_OK;
    if (team && team->rank) return team->send(team->self, 0, job->y, rows * job->width * sizeof *job->y);
    return take(arg, job->first, rows, job->y);
}

/* Those of the rows [first, last), which are here or with member `from`. */
static sg_status predict_range(round_of *job, size_t round, size_t from, size_t first, size_t last, sg_take_fn *take,
                               void *arg)
{
    const sg_team *team = sg_sweep_source(&job->score->sweep)->team;
    sg_status st = SG_OK;
    for (job->first = first; st == SG_OK && job->first < last; job->first += round) {
        size_t rows = last - job->first < round ? last - job->first : round;
        job->last = job->first + rows;
        if (take) job->base = job->first;
        if (from == sg_team_rank(team))
            st = sg_pool_run(job->score->sweep.pool, (rows + SG_SCORE_ROWS - 1) / SG_SCORE_ROWS, predict_block, job);
        else st = team->receive(team->self, from, job->y, rows * job->width * sizeof *job->y);
        if (st == SG_OK) st = hand_on(team, job, rows, take, arg);
    }
    return st;
}

static sg_status predict_all(round_of *job, size_t round, sg_take_fn *take, void *arg)
{
    const sg_score *s = job->score;
    const sg_team *team = sg_sweep_source(&s->sweep)->team;
    const size_t *bound = sg_aligned_bounds(s->sweep.aligned);
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < sg_team_ranks(team); i++)
        if (i == sg_team_rank(team) || sg_team_rank(team) == 0)
            st = predict_range(job, round, i, bound[i], bound[i + 1], take, arg);
    return st;
}

static sg_status open_covers(round_of *job, size_t workers)
{
    const sg_model *m = job->score->model;
    job->cover = sg_alloc(workers, sizeof *job->cover);
    sg_status st = job->cover ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for predictions");
    for (size_t i = 0; st == SG_OK && i < workers; i++) st = sg_cover_init(&job->cover[i], m);
    return st;
}

static void close_covers(round_of *job, size_t workers)
{
    for (size_t i = 0; job->cover && i < workers; i++) sg_cover_release(&job->cover[i]);
    free(job->cover);
}

/* Without take: all of them into y, for rows that are here. */
static sg_status predict(const sg_model *m, const sg_source *rows, size_t threads, bool outside, sg_take_fn *take,
                         void *arg, double *y)
{
    enum { BLOCKS = 64 }; /* takes longer than calling a thread, and is the same for all members */
    sg_roles columns;
    sg_source seen = *rows;
    sg_expanded *expanded = NULL;
    sg_pool *pool = NULL;
    sg_score score = {0};
    round_of job = {.score = &score, .width = m->outputs + (outside ? sg_model_inputs(m) : 0)};
    sg_status st = sg_features_find(m, rows, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_open(m->coding, &seen, &columns, &expanded);
    if (st == SG_OK && rows->rows > SG_SCORE_ROWS) st = sg_budget_pool(m, threads, &pool);
    if (st == SG_OK) st = sg_score_init(&score, m, &seen, &columns, "f64", false, pool);
    size_t workers = score.workers;
    if (st == SG_OK && outside) st = open_covers(&job, workers);
    if (st == SG_OK && !(job.y = take ? sg_alloc(BLOCKS * SG_SCORE_ROWS, job.width * sizeof *job.y) : y))
        st = sg_fail(SG_ENOMEM, "out of memory for predictions");
    if (st == SG_OK) st = predict_all(&job, BLOCKS * SG_SCORE_ROWS, take, arg);
    if (take) free(job.y);
    close_covers(&job, workers);
    sg_score_release(&score);
    sg_pool_free(pool);
    sg_expanded_free(expanded);
    sg_roles_release(&columns);
    return st;
}

sg_status sg_model_predict_source(const sg_model *m, const sg_source *rows, size_t threads, sg_take_fn *take, void *arg)
{
    return predict(m, rows, threads, false, take, arg, NULL);
}

sg_status sg_model_predict_outside(const sg_model *m, const sg_source *rows, size_t threads, sg_take_fn *take,
                                   void *arg)
{
    return predict(m, rows, threads, true, take, arg, NULL);
}

sg_status sg_model_predict_rows(const sg_model *m, const sg_source *rows, size_t threads, double *y)
{
    if (rows->team)
        return sg_fail(SG_EINVAL, "%s: rows of a team are predicted a block at a time", sg_source_name(rows));
    return rows->rows ? predict(m, rows, threads, false, NULL, NULL, y) : SG_OK;
}
