/* predictor.c: predictions in the units of the data, through the public API. */
#include "base/memory.h"
#include "base/pool.h"
#include "kernel/seer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that a thread takes at once: some tens of microseconds; and those whose categories are coded at once. */
enum { ROWS_A_TASK = 4096, CODED = 2 * SG_CHUNK };

struct sg_predictor {
    const sg_model *model;
    sg_pool *pool;
    size_t seers;
    sg_seer *seer; /* one for each thread */
    double *room;  /* (seers, CODED, features), where there are categories */
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
    free(p->room);
    free(p);
}

/* Rows with the numbers of levels, by way of features in room (CODED, features). */
static void see_coded(sg_seer *s, const double *x, size_t rows, double *room, double *y)
{
    const sg_model *m = s->model;
    for (size_t done = 0, now; done < rows; done += now) {
        now = rows - done < CODED ? rows - done : CODED;
        for (size_t i = 0; i < now; i++)
            sg_coding_apply(m->coding, x + (done + i) * m->coding->inputs, room + i * m->inputs);
        sg_seer_rows(s, room, m->inputs, NULL, now, y + done * m->outputs);
    }
}

/* Floats would overflow where consequents of such a size meet. */
static sg_status check_float(const sg_model *m, const char *precision)
{
    const double most = 1e8;
    double largest = 0;
    if (strcmp(precision, "f32") != 0) return SG_OK;
    for (size_t i = 0; i < m->parameters; i++) largest = fmax(largest, fabs(m->theta[i]));
    if (largest <= most) return SG_OK;
    return sg_fail(SG_EINVAL, "f32: a parameter of the model is as large as %.3g, at most %g will do; use f64", largest,
                   most);
}

sg_status sg_predictor_new(const sg_model *m, const char *precision, size_t threads, sg_predictor **out)
{
    sg_predictor *p = sg_alloc(1, sizeof *p);
    if (!p) return sg_fail(SG_ENOMEM, "out of memory for a predictor");
    p->model = m;
    sg_status st = precision ? check_float(m, precision) : SG_OK;
    if (st == SG_OK && threads != 1) st = sg_pool_new(threads, &p->pool);
    p->seers = sg_pool_threads(p->pool);
    if (st == SG_OK && !(p->seer = sg_alloc(p->seers, sizeof *p->seer)))
        st = sg_fail(SG_ENOMEM, "out of memory for a predictor");
    if (st == SG_OK && m->coding && !(p->room = sg_alloc(p->seers * CODED, m->inputs * sizeof *p->room)))
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
    size_t first = i * ROWS_A_TASK, left = p->rows - first, n = left < ROWS_A_TASK ? left : ROWS_A_TASK;
    const sg_model *m = p->model;
    const double *x = p->x + first * sg_model_inputs(m);
    double *y = p->y + first * m->outputs;
    if (m->coding) see_coded(&p->seer[worker], x, n, p->room + worker * CODED * m->inputs, y);
    else sg_seer_rows(&p->seer[worker], x, m->inputs, NULL, n, y);
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
    double *room = m->coding ? sg_alloc(CODED, m->inputs * sizeof *room) : NULL;
    if (!m->coding) sg_seer_rows(&seer, x, m->inputs, NULL, rows, y);
    else if (room) see_coded(&seer, x, rows, room, y);
    else st = sg_fail(SG_ENOMEM, "out of memory for rows");
    free(room);
    sg_seer_release(&seer);
    return st;
}
