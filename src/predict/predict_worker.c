/* predict_worker.c: see predict_worker.h. */
#include "predict/predict_worker.h"

sg_status sg_predict_worker_init(sg_predict_worker *s, const sg_model *m, const char *precision)
{
    *s = (sg_predict_worker){.model = m};
    sg_status st = sg_engine_init(&s->engine, m, precision, false, SG_DROP_NOTHING);
    if (st == SG_OK) st = sg_chunk_loader_init(&s->loader, m, s->engine.ops, 0);
    if (st != SG_OK) sg_predict_worker_release(s);
    else sg_predict_worker_load_theta(s);
    return st;
}

void sg_predict_worker_release(sg_predict_worker *s)
{
    sg_engine_release(&s->engine);
    sg_chunk_loader_release(&s->loader);
}

void sg_predict_worker_load_theta(sg_predict_worker *s) { sg_engine_load_theta(&s->engine); }

static void denormalize_outputs(const sg_predict_worker *s, size_t n, double *y)
{
    const sg_model *m = s->model;
    for (size_t o = 0; o < m->outputs; o++) {
        double *from = s->engine.y + o * SG_PITCH, *to = m->outputs == 1 ? y : from;
        s->engine.ops->denormalize(n, m->mean[o], m->scale[o], m->clip_low[o], m->clip_high[o], from, to);
        for (size_t i = 0; m->outputs > 1 && i < n; i++) y[i * m->outputs + o] = from[i];
    }
}

void sg_predict_worker_run_chunk(sg_predict_worker *s, const sg_chunk *c, double *y)
{
    sg_engine_forward(&s->engine, c, NULL);
    denormalize_outputs(s, c->n, y);
}

void sg_predict_worker_run(sg_predict_worker *s, const double *rows, size_t stride, const size_t *column, size_t n,
                           double *y)
{
    for (size_t done = 0, now; done < n; done += now) {
        now = n - done < s->engine.rows ? n - done : s->engine.rows;
        sg_chunk_loader_load(&s->loader, rows + done * stride, stride, column, now);
        sg_predict_worker_run_chunk(s, &s->loader.chunk, y + done * s->model->outputs);
    }
}
