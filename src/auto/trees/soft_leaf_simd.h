/* soft_leaf_simd.h: computes the firing levels and predictions of soft leaves. One file for each instruction set
 * includes it. Lanes are independent, so that all builds give the same results bit for bit. */
#include "auto/trees/soft_leaf.h"

#include <math.h>
#include <string.h>

/* exp(-d) is replaced with max(1 - d / 16, 0)^16, which is exactly 0 for d >= 16 and can be vectorised. */
static const float EXP_POWER = 16;

static void leaf_log_firing(const sg_soft_leaf *leaf, const sg_leaf_chunk *c, float *log)
{
    memset(log, 0, SG_LEAF_CHUNK * sizeof *log);
    for (size_t k = 0; k < leaf->bounds; k++) {
        const sg_leaf_bound *b = &leaf->bound[k];
        const float *x = c->x + b->feature * SG_LEAF_CHUNK, *present = c->present + b->feature * SG_LEAF_CHUNK;
        float low = (float)b->low, high = (float)b->high, below = (float)b->inv_width_below,
              above = (float)b->inv_width_above;
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) {
            float down = (x[i] - low) * below, up = (x[i] - high) * above;
            float d = (down < 0 ? down : 0) + (up > 0 ? up : 0); /* at least one term is 0 */
            log[i] -= 0.5F * d * d * present[i];
        }
    }
}

static void fire_leaves(const sg_tree *tree, sg_leaf_chunk *c)
{
    float most[SG_LEAF_CHUNK], sum[SG_LEAF_CHUNK] = {0};
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) most[i] = -INFINITY;
    for (size_t k = 0; k < tree->leaves; k++) {
        float *log = c->firing + k * SG_LEAF_CHUNK;
        leaf_log_firing(&tree->leaf[k], c, log);
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) most[i] = log[i] > most[i] ? log[i] : most[i];
    }
    for (size_t k = 0; k < tree->leaves; k++) {
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
    for (size_t k = 0; k < tree->leaves; k++)
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) c->firing[k * SG_LEAF_CHUNK + i] *= sum[i];
}

static bool is_all_zero(const float *f)
{
    int any = 0;
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) any |= f[i] > 0;
    return !any;
}

/* Adds one output of a leaf's linear model, weighted by its firing levels f, to sum. coef: (slopes + 1, outputs). */
static void add_leaf_output(const sg_soft_leaf *leaf, const sg_leaf_chunk *c, const float *f, const double *coef,
                            size_t outputs, float *sum)
{
    float leaf_output[SG_LEAF_CHUNK];
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) leaf_output[i] = (float)coef[0];
    for (size_t j = 0; j < leaf->slopes; j++) {
        const float *x = c->x + leaf->bound[j].feature * SG_LEAF_CHUNK, slope = (float)coef[(j + 1) * outputs];
        for (size_t i = 0; i < SG_LEAF_CHUNK; i++) leaf_output[i] += slope * x[i];
    }
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) sum[i] += f[i] * leaf_output[i];
}

static void predict_leaves(const sg_tree_ensemble *e, const sg_tree *tree, const sg_leaf_chunk *c, double *y)
{
    float sum[SG_TREES_MAX_OUTPUTS][SG_LEAF_CHUNK] = {0};
    for (size_t k = 0; k < tree->leaves; k++) {
        const float *f = c->firing + k * SG_LEAF_CHUNK;
        if (is_all_zero(f)) continue;
        for (size_t o = 0; o < e->outputs; o++)
            add_leaf_output(&tree->leaf[k], c, f, tree->leaf[k].coef + o, e->outputs, sum[o]);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t o = 0; o < e->outputs; o++) y[i * e->outputs + o] += e->learning_rate * (double)sum[o][i];
}
