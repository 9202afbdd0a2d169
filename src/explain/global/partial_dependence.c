/* partial_dependence.c: the mean prediction as a function of one input, over a grid of its values. */
#include "explain/global/row_sample.h"
#include "rows/training_memory.h"

#include <string.h>

size_t sg_model_input_grid(const sg_model *m, size_t input, size_t most, double *at)
{
    if (input >= sg_model_inputs(m)) return 0;
    const sg_encoded_input *in = sg_model_levels(m, input) ? &m->encoder->input[input] : NULL;
    size_t feature = sg_model_first_feature(m, input);
    double low = m->low[feature], high = m->high[feature];
    size_t n = in ? sg_encoded_input_features(in) : low < high ? most : 1;
    for (size_t i = 0; at && i < n; i++) {
        double t = n > 1 ? (double)i / (double)(n - 1) : 0;
        at[i] = in ? (double)i : low * (1 - t) + high * t;
    }
    return n;
}

typedef struct pd_job {
    const sg_row_sample *rows;
    size_t input;
    const double *at;
    double *y; /* (points, outputs) */
} pd_job;

typedef struct pd_point {
    const pd_job *job;
    double at, *y;
} pd_point;

static void set_input_value(void *arg, size_t row, double *x)
{
    const pd_point *p = arg;
    (void)row;
    sg_features_set_input(p->job->rows->model, p->job->input, p->at, x);
}

/* Divides each prediction by the number of rows before adding it, because the sum could overflow. */
static void add_mean_prediction(void *arg, size_t row, const double *y)
{
    const pd_point *p = arg;
    (void)row;
    for (size_t o = 0; o < p->job->rows->model->outputs; o++) p->y[o] += y[o] / (double)p->job->rows->rows;
}

static sg_status evaluate_point(void *arg, size_t i, size_t worker)
{
    const pd_job *c = arg;
    size_t outputs = c->rows->model->outputs;
    pd_point p = {c, c->at[i], c->y + i * outputs};
    (void)worker;
    memset(p.y, 0, outputs * sizeof *p.y);
    return sg_row_sample_predict(c->rows, &(sg_row_perturbation){set_input_value, add_mean_prediction, &p});
}

sg_status sg_model_partial_dependence(const sg_model *m, const sg_source *rows, size_t input, const double *at,
                                      size_t points, size_t threads, double *y, size_t *used)
{
    sg_row_sample sample;
    sg_thread_pool *pool = NULL;
    if (input >= sg_model_inputs(m)) return sg_fail(SG_EINVAL, "the model has no input %zu", input);
    sg_status st = sg_row_sample_init(&sample, m, rows);
    if (st != SG_OK) return st;
    st = sg_memory_plan_pool(m, threads, &pool);
    if (st == SG_OK) st = sg_thread_pool_run_long(pool, points, evaluate_point, &(pd_job){&sample, input, at, y});
    if (st == SG_OK && used) *used = sample.rows;
    sg_thread_pool_free(pool);
    sg_row_sample_release(&sample);
    return st;
}
