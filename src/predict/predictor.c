/* predictor.c: predicts rows in memory, through the public API. */
#include "base/memory.h"
#include "base/thread/thread_pool.h"
#include "predict/predict_worker.h"

#include <math.h>
#include <string.h>

/* The number of rows per task, which takes some tens of microseconds, and the number of rows that are encoded at a
 * time. */
enum { TASK_ROWS = 4096, ENCODE_ROWS = 2 * SG_CHUNK };

struct sg_predictor {
    const sg_model *model;
    sg_thread_pool *pool;
    size_t workers;
    sg_predict_worker *worker; /* (workers)                                               */
    double *encode_buf;        /* (workers, ENCODE_ROWS, features), if there is an encoder */
    const double *x;
    double *y;
    size_t rows;
};

void sg_predictor_free(sg_predictor *p)
{
    if (!p) return;
    for (size_t i = 0; p->worker && i < p->workers; i++) sg_predict_worker_release(&p->worker[i]);
    sg_thread_pool_free(p->pool);
    sg_free_all(p->worker, p->encode_buf, p);
}

/* Encodes rows that contain level indices and predicts them. encode_buf: (ENCODE_ROWS, features). */
static void predict_encoded(sg_predict_worker *w, const double *x, size_t rows, double *encode_buf, double *y)
{
    const sg_model *m = w->model;
    for (size_t done = 0, now; done < rows; done += now) {
        now = rows - done < ENCODE_ROWS ? rows - done : ENCODE_ROWS;
        for (size_t i = 0; i < now; i++)
            sg_encoder_apply(m->encoder, x + (done + i) * m->encoder->inputs, encode_buf + i * m->features);
        sg_predict_worker_run(w, encode_buf, m->features, NULL, now, y + done * m->outputs);
    }
}

/* Fails for f32 if a parameter is so large that products could overflow in float. */
static sg_status check_float(const sg_model *m, const char *precision)
{
    const double most = 1e8;
    double largest = 0;
    if (strcmp(precision, "f32") != 0) return SG_OK;
    for (size_t i = 0; i < m->parameters; i++) largest = fmax(largest, fabs(m->theta[i]));
    if (largest <= most) return SG_OK;
    return sg_fail(SG_EINVAL, "f32 supports model parameters of at most %g, but one is %.3g; use f64", most, largest);
}

sg_status sg_predictor_new(const sg_model *m, const char *precision, size_t threads, sg_predictor **out)
{
    sg_predictor *p = sg_calloc(1, sizeof *p);
    if (!p) return sg_fail_out_of_memory("a predictor");
    p->model = m;
    sg_status st = precision ? check_float(m, precision) : SG_OK;
    if (st == SG_OK && threads != 1) st = sg_thread_pool_new(threads, &p->pool);
    p->workers = sg_thread_pool_threads(p->pool);
    if (st == SG_OK && !(p->worker = sg_calloc(p->workers, sizeof *p->worker)))
        st = sg_fail_out_of_memory("a predictor");
    if (st == SG_OK && m->encoder &&
        !(p->encode_buf = sg_calloc(p->workers * ENCODE_ROWS, m->features * sizeof *p->encode_buf)))
        st = sg_fail_out_of_memory("a predictor");
    for (size_t i = 0; st == SG_OK && i < p->workers; i++) st = sg_predict_worker_init(&p->worker[i], m, precision);
    if (st == SG_OK) *out = p;
    else sg_predictor_free(p);
    return st;
}

static sg_status run_task(void *arg, size_t i, size_t worker)
{
    sg_predictor *p = arg;
    size_t first = i * TASK_ROWS, left = p->rows - first, n = left < TASK_ROWS ? left : TASK_ROWS;
    const sg_model *m = p->model;
    const double *x = p->x + first * sg_model_inputs(m);
    double *y = p->y + first * m->outputs;
    if (m->encoder) predict_encoded(&p->worker[worker], x, n, p->encode_buf + worker * ENCODE_ROWS * m->features, y);
    else sg_predict_worker_run(&p->worker[worker], x, m->features, NULL, n, y);
    return SG_OK;
}

sg_status sg_predictor_run(sg_predictor *p, const double *x, size_t rows, double *y)
{
    p->x = x;
    p->y = y;
    p->rows = rows;
    return sg_thread_pool_run(p->pool, (rows + TASK_ROWS - 1) / TASK_ROWS, run_task, p);
}

sg_status sg_model_predict(const sg_model *m, const double *x, size_t rows, double *y)
{
    sg_predictor *p;
    sg_status st = sg_predictor_new(m, "f64", 1, &p);
    if (st != SG_OK) return st;
    st = sg_predictor_run(p, x, rows, y);
    sg_predictor_free(p);
    return st;
}
