/* boxes_loops.h: firing and answers of soft boxes; included by files that compile it for different machines, with the
 * same bits: lanes don't meet. */
#include "auto/boost_boxes.h"

#include <math.h>
#include <string.h>

/* exp(-d) as (1 - d / SLOW)^SLOW, SLOW = 16: nothing from there on, and no function to call. */
static const float SLOW = 16;

static void measure(const sg_box *b, const sg_boxed *c, float *log)
{
    memset(log, 0, SG_BOXED * sizeof *log);
    for (size_t k = 0; k < b->sides; k++) {
        const sg_side *s = &b->side[k];
        const float *x = c->x + s->feature * SG_BOXED, *there = c->there + s->feature * SG_BOXED;
        float low = (float)s->low, high = (float)s->high, below = (float)s->below, above = (float)s->above;
        for (size_t i = 0; i < SG_BOXED; i++) {
            float down = (x[i] - low) * below, up = (x[i] - high) * above;
            float d = (down < 0 ? down : 0) + (up > 0 ? up : 0); /* one of them is 0 */
            log[i] -= 0.5F * d * d * there[i];
        }
    }
}

static void fire(const sg_stage *s, sg_boxed *c)
{
    float most[SG_BOXED], sum[SG_BOXED] = {0};
    for (size_t i = 0; i < SG_BOXED; i++) most[i] = -INFINITY;
    for (size_t k = 0; k < s->boxes; k++) {
        float *log = c->f + k * SG_BOXED;
        measure(&s->box[k], c, log);
        for (size_t i = 0; i < SG_BOXED; i++) most[i] = log[i] > most[i] ? log[i] : most[i];
    }
    for (size_t k = 0; k < s->boxes; k++) {
        float *f = c->f + k * SG_BOXED;
        for (size_t i = 0; i < SG_BOXED; i++) {
            float t = 1 + (f[i] - most[i]) / SLOW;
            t = t > 0 ? t : 0;
            t *= t;
            t *= t;
            t *= t;
            t *= t;
            f[i] = t;
            sum[i] += t;
        }
    }
    for (size_t i = 0; i < SG_BOXED; i++) sum[i] = 1 / sum[i];
    for (size_t k = 0; k < s->boxes; k++)
        for (size_t i = 0; i < SG_BOXED; i++) c->f[k * SG_BOXED + i] *= sum[i];
}

static bool is_silent(const float *f)
{
    int any = 0;
    for (size_t i = 0; i < SG_BOXED; i++) any |= f[i] > 0;
    return !any;
}

/* What a box's line for one output says, weighted by how strongly it fires. */
static void add_line(const sg_box *b, const sg_boxed *c, const float *f, const double *line, size_t outputs, float *sum)
{
    float said[SG_BOXED];
    for (size_t i = 0; i < SG_BOXED; i++) said[i] = (float)line[0];
    for (size_t j = 0; j < b->slopes; j++) {
        const float *x = c->x + b->side[j].feature * SG_BOXED, slope = (float)line[(j + 1) * outputs];
        for (size_t i = 0; i < SG_BOXED; i++) said[i] += slope * x[i];
    }
    for (size_t i = 0; i < SG_BOXED; i++) sum[i] += f[i] * said[i];
}

static void answer(const sg_boost *b, const sg_stage *s, const sg_boxed *c, double *y)
{
    float sum[SG_BOOST_TARGETS][SG_BOXED] = {0};
    for (size_t k = 0; k < s->boxes; k++) {
        const float *f = c->f + k * SG_BOXED;
        if (is_silent(f)) continue;
        for (size_t o = 0; o < b->outputs; o++) add_line(&s->box[k], c, f, s->box[k].line + o, b->outputs, sum[o]);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t o = 0; o < b->outputs; o++) y[i * b->outputs + o] += b->rate * (double)sum[o][i];
}
