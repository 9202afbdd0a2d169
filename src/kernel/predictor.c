/* predictor.c: predictions in the units of the data, through the public API. */
#include "base/memory.h"
#include "base/pool.h"
#include "kernel/seer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that a thread takes at once: some tens of microseconds. */
enum { ROWS_A_TASK = 4096 };

struct sg_predictor {
    const sg_model *model;
    sg_pool *pool;
    size_t seers;
    sg_seer *seer; /* one for each thread */
    const double *x;
    double *y;
    size_t rows;
};

void sg_predictor_free(sg_predictor *p)
{
    if (!p) return;
    for (size_t i = 0; p->seer && i < p->seers; i++) sg_seer_release(&p->seer[i]);
    sg_pool_free(p->pool);
    free(p->seer);
    free(p);
}

/* Floats would overflow where consequents of such a size meet. */
static sg_status check_float(const sg_model *m, const char *precision)
{
    const double most = 1e8;
    double largest = 0;
    if (strcmp(precision, "f32") != 0) return SG_OK;
    for (size_t i = 0; i < m->parameters; i++) largest = fmax(largest, fabs(m->theta[i]));
    if (largest <= most) return SG_OK;
    return sg_fail(SG_EINVAL, "f32: a parameter of the model is as large as %.3g, at most %g will do; use f64", largest, most);
}

sg_status sg_predictor_new(const sg_model *m, const char *precision, size_t threads,
                           sg_predictor **out)
{
    sg_predictor *p = sg_alloc(1, sizeof *p);
    if (!p) return sg_fail(SG_ENOMEM, "out of memory for a predictor");
    p->model = m;
    sg_status st = precision ? check_float(m, precision) : SG_OK;
    if (st == SG_OK && threads != 1) st = sg_pool_new(threads, &p->pool);
    p->seers = sg_pool_threads(p->pool);
    if (st == SG_OK && !(p->seer = sg_alloc(p->seers, sizeof *p->seer)))
        st = sg_fail(SG_ENOMEM, "out of memory for a predictor");
    for (size_t i = 0; st == SG_OK && i < p->seers; i++) st = sg_seer_init(&p->seer[i], m, precision);
    if (st != SG_OK) {
        sg_predictor_free(p);
        return st;
    }
    *out = p;
    return SG_OK;
}

static sg_status one_task(void *arg, size_t i, size_t worker)
{
    sg_predictor *p = arg;
    size_t first = i * ROWS_A_TASK, left = p->rows - first;
    const sg_model *m = p->model;
    sg_seer_rows(&p->seer[worker], p->x + first * m->inputs, m->inputs, NULL,
                 left < ROWS_A_TASK ? left : ROWS_A_TASK, p->y + first * m->outputs);
    return SG_OK;
}

sg_status sg_predictor_run(sg_predictor *p, const double *x, size_t rows, double *y)
{
    p->x = x;
    p->y = y;
    p->rows = rows;
    return sg_pool_run(p->pool, (rows + ROWS_A_TASK - 1) / ROWS_A_TASK, one_task, p);
}

sg_status sg_model_predict(const sg_model *m, const double *x, size_t rows, double *y)
{
    sg_seer seer;
    sg_status st = sg_seer_init(&seer, m, "f64");
    if (st != SG_OK) return st;
    sg_seer_rows(&seer, x, m->inputs, NULL, rows, y);
    sg_seer_release(&seer);
    return SG_OK;
}
