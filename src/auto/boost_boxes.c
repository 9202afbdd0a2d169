/* boost_boxes.c: see boost_boxes.h. */
#include "auto/boost_boxes.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float FAINT = -10; /* log of a firing that counts as none */

void sg_boxed_take(const sg_boost *b, const double *x, size_t n, sg_boxed *c)
{
    c->n = n;
    for (size_t k = 0; k < b->width; k++) {
        for (size_t i = 0; i < n; i++) c->x[k * SG_BOXED + i] = (float)x[i * b->width + k];
        for (size_t i = n; i < SG_BOXED; i++) c->x[k * SG_BOXED + i] = 0;
    }
}

static void measure(const sg_box *b, const sg_boxed *c, float *log)
{
    memset(log, 0, SG_BOXED * sizeof *log);
    for (size_t k = 0; k < b->sides; k++) {
        const sg_side *s = &b->side[k];
        const float *x = c->x + s->feature * SG_BOXED;
        float least = s->below ? 0 : -INFINITY, most = s->above ? 0 : INFINITY, middle = (float)s->middle, per = (float)s->per;
        for (size_t i = 0; i < SG_BOXED; i++) {
            float d = (x[i] - middle) * per;
            d = d < least ? least : d;
            d = d > most ? most : d;
            log[i] -= 0.5F * d * d;
        }
    }
}

void sg_boxed_fire(const sg_stage *s, sg_boxed *c)
{
    float most[SG_BOXED];
    double sum[SG_BOXED] = {0};
    for (size_t i = 0; i < SG_BOXED; i++) most[i] = -INFINITY;
    for (size_t k = 0; k < s->boxes; k++) {
        float *log = c->log + k * SG_BOXED;
        measure(&s->box[k], c, log);
        for (size_t i = 0; i < SG_BOXED; i++) most[i] = log[i] > most[i] ? log[i] : most[i];
    }
    for (size_t k = 0; k < s->boxes; k++) {
        const float *log = c->log + k * SG_BOXED;
        double *f = c->f + k * SG_BOXED;
        for (size_t i = 0; i < c->n; i++) {
            float d = log[i] - most[i];
            sum[i] += f[i] = d < FAINT ? 0 : sg_exp((double)d);
        }
    }
    for (size_t k = 0; k < s->boxes; k++)
        for (size_t i = 0; i < c->n; i++) c->f[k * SG_BOXED + i] /= sum[i];
}

void sg_boxed_answer(const sg_boost *b, const sg_stage *s, const sg_boxed *c, size_t i, double *y)
{
    for (size_t k = 0; k < s->boxes; k++) {
        const sg_box *at = &s->box[k];
        double f = c->f[k * SG_BOXED + i];
        if (f == 0) continue;
        for (size_t o = 0; o < b->outputs; o++) {
            double v = at->line[o];
            for (size_t j = 0; j < at->sides; j++) v += at->line[(j + 1) * b->outputs + o] * (double)c->x[at->side[j].feature * SG_BOXED + i];
            y[o] += b->rate * f * v;
        }
    }
}

sg_status sg_boxed_init(const sg_boost *b, sg_boxed *c)
{
    c->x = sg_alloc(b->width, SG_BOXED * sizeof *c->x);
    c->log = sg_alloc(b->leaves, SG_BOXED * sizeof *c->log);
    c->f = sg_alloc(b->leaves, SG_BOXED * sizeof *c->f);
    return c->x && c->log && c->f ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for trees");
}

void sg_boxed_release(sg_boxed *c)
{
    free(c->x);
    free(c->log);
    free(c->f);
}
