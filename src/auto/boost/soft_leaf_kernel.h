/* soft_leaf_kernel.h: firing and answers of soft boxes; included by files that compile it for different machines, with
 * the same bits: lanes don't meet. */
#include "auto/boost/soft_leaf.h"

#include <math.h>
#include <string.h>

/* exp(-d) as (1 - d / SLOW)^SLOW, SLOW = 16: nothing from there on, and no function to call. */
static const float EXP_POWER = 16;

static void leaf_log_firing(const sg_soft_leaf *b, const sg_leaf_chunk *c, float *log)
{
    memset(log, 0, SG_LEAF_CHUNK * sizeof *log);
    for (size_t k = 0; k < b->bounds; k++) {
        const sg_leaf_bound *s = &b->bound[k];
        const float *x = c->x + s->feature * SG_LEAF_CHUNK, *there = c->present + s->feature * SG_LEAF_CHUNK;
        float low = (float)s->low, high = (float)s->high, below = (float)s->inv_width_below,
              above = (float)s->inv_width_above;
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) {
            float down = (x[i] - low) * below, up = (x[i] - high) * above;
            float d = (down < 0 ? down : 0) + (up > 0 ? up : 0); /* one of them is 0 */
            log[i] -= 0.5F * d * d * there[i];
        }
    }
}

static void fire_leaves(const sg_tree *s, sg_leaf_chunk *c)
{
    float most[SG_LEAF_CHUNK], sum[SG_LEAF_CHUNK] = {0};
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) most[i] = -INFINITY;
    for (size_t k = 0; k < s->leaves; k++) {
        float *log = c->firing + k * SG_LEAF_CHUNK;
        leaf_log_firing(&s->leaf[k], c, log);
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) most[i] = log[i] > most[i] ? log[i] : most[i];
    }
    for (size_t k = 0; k < s->leaves; k++) {
        float *f = c->firing + k * SG_LEAF_CHUNK;
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) {
            float t = 1 + (f[i] - most[i]) / EXP_POWER;
            t = t > 0 ? t : 0;
            t *= t;
            t *= t;
            t *= t;
            t *= t;
            f[i] = t;
            sum[i] += t;
        }
    }
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) sum[i] = 1 / sum[i];
    for (size_t k = 0; k < s->leaves; k++)
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) c->firing[k * SG_LEAF_CHUNK + i] *= sum[i];
}

static bool is_all_zero(const float *f)
{
    int any = 0;
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) any |= f[i] > 0;
    return !any;
}

/* What a box's line for one output says, weighted by how strongly it fires. */
static void add_leaf_output(const sg_soft_leaf *b, const sg_leaf_chunk *c, const float *f, const double *line,
                            size_t outputs, float *sum)
{
    float leaf_output[SG_LEAF_CHUNK];
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) leaf_output[i] = (float)line[0];
    for (size_t j = 0; j < b->slopes; j++) {
        const float *x = c->x + b->bound[j].feature * SG_LEAF_CHUNK, slope = (float)line[(j + 1) * outputs];
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) leaf_output[i] += slope * x[i];
    }
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) sum[i] += f[i] * leaf_output[i];
}

static void predict_leaves(const sg_tree_ensemble *b, const sg_tree *s, const sg_leaf_chunk *c, double *y)
{
    float sum[SG_TREES_MAX_OUTPUTS][SG_LEAF_CHUNK] = {0};
    for (size_t k = 0; k < s->leaves; k++) {
        const float *f = c->firing + k * SG_LEAF_CHUNK;
        if (is_all_zero(f)) continue;
        for (size_t o = 0; o < b->outputs; o++)
            add_leaf_output(&s->leaf[k], c, f, s->leaf[k].coef + o, b->outputs, sum[o]);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t o = 0; o < b->outputs; o++) y[i * b->outputs + o] += b->learning_rate * (double)sum[o][i];
}
