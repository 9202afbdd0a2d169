/* predict_worker.c: loads rows into chunks, evaluates the model on them and converts its outputs to original units. */
#include "predict/predict_worker.h"

#include "base/memory.h"

#include <string.h>

sg_status sg_predict_worker_init(sg_predict_worker *w, const sg_model *m, const char *precision)
{
    *w = (sg_predict_worker){.model = m};
    sg_status st = sg_engine_init(&w->engine, m, precision, false, SG_DROP_NOTHING);
    if (st == SG_OK) st = sg_chunk_loader_init(&w->loader, m, w->engine.ops, 0);
    if (st == SG_OK && m->additive && !(w->additive = sg_calloc(m->outputs, SG_PITCH * sizeof *w->additive)))
        st = sg_fail_out_of_memory("a predictor");
    if (st != SG_OK) sg_predict_worker_release(w);
    else sg_predict_worker_load_theta(w);
    return st;
}

sg_status sg_predict_worker_alloc_rows(sg_predict_worker *w, size_t rows, size_t columns)
{
    w->raw = sg_calloc(columns, rows * sizeof *w->raw);
    w->y = sg_calloc(w->model->outputs, rows * sizeof *w->y);
    return w->raw && w->y ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
}

void sg_predict_worker_release(sg_predict_worker *w)
{
    sg_engine_release(&w->engine);
    sg_chunk_loader_release(&w->loader);
    sg_free_all(w->additive, w->raw, w->y);
    w->additive = w->raw = w->y = NULL;
}

void sg_predict_worker_load_theta(sg_predict_worker *w)
{
    sg_engine_load_theta(&w->engine);
    w->has_theta = true;
}

/* Computes y = mean + scale x + additive part, and clips it. */
static void denormalise_additive(const sg_predict_worker *w, const sg_chunk *c, double *y)
{
    const sg_model *m = w->model;
    memset(w->additive, 0, m->outputs * SG_PITCH * sizeof *w->additive);
    sg_additive_add(m->additive, &c->features, w->additive);
    for (size_t o = 0; o < m->outputs; o++)
        for (size_t i = 0; i < c->n; i++) {
            size_t k = o * SG_PITCH + i;
            double v = m->mean[o] + m->scale[o] * w->engine.y[k] + w->additive[k];
            v = v < m->clip_low[o] ? m->clip_low[o] : v;
            y[i * m->outputs + o] = v > m->clip_high[o] ? m->clip_high[o] : v;
        }
}

static void denormalise_outputs(const sg_predict_worker *w, size_t n, double *y)
{
    const sg_model *m = w->model;
    for (size_t o = 0; o < m->outputs; o++) {
        double *from = w->engine.y + o * SG_PITCH, *to = m->outputs == 1 ? y : from;
        w->engine.ops->denormalise(n, m->mean[o], m->scale[o], m->clip_low[o], m->clip_high[o], from, to);
        for (size_t i = 0; m->outputs > 1 && i < n; i++) y[i * m->outputs + o] = from[i];
    }
}

void sg_predict_worker_run_chunk(sg_predict_worker *w, const sg_chunk *c, double *y)
{
    sg_engine_forward(&w->engine, c, NULL);
    if (w->additive) denormalise_additive(w, c, y);
    else denormalise_outputs(w, c->n, y);
}

void sg_predict_worker_run(sg_predict_worker *w, const double *rows, size_t stride, const size_t *column, size_t n,
                           double *y)
{
    for (size_t done = 0, now; done < n; done += now) {
        now = n - done < w->engine.rows ? n - done : w->engine.rows;
        sg_chunk_loader_load(&w->loader, rows + done * stride, stride, column, now);
        sg_predict_worker_run_chunk(w, &w->loader.chunk, y + done * w->model->outputs);
    }
}
