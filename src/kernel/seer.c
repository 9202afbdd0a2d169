/* seer.c: see seer.h. */
#include "kernel/seer.h"

sg_status sg_seer_init(sg_seer *s, const sg_model *m, const char *precision)
{
    *s = (sg_seer){.model = m};
    sg_status st = sg_engine_init(&s->engine, m, precision, false, SG_NOTHING);
    if (st == SG_OK) st = sg_feed_init(&s->feed, m, s->engine.tools, 0);
    if (st != SG_OK) sg_seer_release(s);
    else sg_seer_load(s);
    return st;
}

void sg_seer_release(sg_seer *s)
{
    sg_engine_release(&s->engine);
    sg_feed_release(&s->feed);
}

void sg_seer_load(sg_seer *s) { sg_engine_load(&s->engine); }

static void to_units(const sg_seer *s, size_t n, double *y)
{
    const sg_model *m = s->model;
    for (size_t o = 0; o < m->outputs; o++) {
        double *from = s->engine.y + o * SG_PITCH, *to = m->outputs == 1 ? y : from;
        s->engine.tools->units(n, m->mean[o], m->scale[o], m->least[o], m->most[o], from, to);
        for (size_t i = 0; m->outputs > 1 && i < n; i++) y[i * m->outputs + o] = from[i];
    }
}

void sg_seer_chunk(sg_seer *s, const sg_chunk *c, double *y)
{
    sg_engine_forward(&s->engine, c, NULL);
    to_units(s, c->n, y);
}

void sg_seer_rows(sg_seer *s, const double *rows, size_t stride, const size_t *column, size_t n, double *y)
{
    for (size_t done = 0, now; done < n; done += now) {
        now = n - done < s->engine.rows ? n - done : s->engine.rows;
        sg_feed_rows(&s->feed, rows + done * stride, stride, column, now);
        sg_seer_chunk(s, &s->feed.chunk, y + done * s->model->outputs);
    }
}
