/* soft_leaf.c: loads chunks of rows for soft leaves to evaluate, and selects the kernel for this CPU. */
#include "auto/trees/soft_leaf_simd.h"

#include "base/memory.h"

#include <stdlib.h>

const sg_soft_leaf_kernel sg_soft_leaf_portable = {fire_leaves, predict_leaves};

#if defined(__x86_64__)
static const sg_soft_leaf_kernel *select_kernel(void)
{
    return __builtin_cpu_supports("avx2") ? &sg_soft_leaf_avx2 : &sg_soft_leaf_portable;
}
#else
static const sg_soft_leaf_kernel *select_kernel(void) { return &sg_soft_leaf_portable; }
#endif

static const double FLOAT_SQUARE_MAX = 1e15; /* the square of this value does not overflow a float */

static float clamp_to_float(double x)
{
    return (float)(x > FLOAT_SQUARE_MAX ? FLOAT_SQUARE_MAX : x < -FLOAT_SQUARE_MAX ? -FLOAT_SQUARE_MAX : x);
}

void sg_leaf_chunk_load(const sg_tree_ensemble *e, const double *x, size_t n, sg_leaf_chunk *c)
{
    c->n = n;
    for (size_t k = 0; k < e->width; k++) {
        for (size_t i = 0; i < n; i++) {
            c->x[k * SG_LEAF_CHUNK + i] = clamp_to_float(sg_tree_feature_value(e, x + i * e->width, k));
            c->present[k * SG_LEAF_CHUNK + i] = x[i * e->width + k] == x[i * e->width + k];
        }
        for (size_t i = n; i < SG_LEAF_CHUNK; i++) c->x[k * SG_LEAF_CHUNK + i] = 0;
    }
}

void sg_leaf_chunk_fire(const sg_tree *tree, sg_leaf_chunk *c) { select_kernel()->fire(tree, c); }

void sg_leaf_chunk_predict(const sg_tree_ensemble *e, const sg_tree *tree, const sg_leaf_chunk *c, double *y)
{
    select_kernel()->predict(e, tree, c, y);
}

sg_status sg_leaf_chunk_init(const sg_tree_ensemble *e, sg_leaf_chunk *c)
{
    c->x = sg_calloc(e->width, SG_LEAF_CHUNK * sizeof *c->x);
    c->present = sg_calloc(e->width, SG_LEAF_CHUNK * sizeof *c->present);
    c->firing = sg_calloc(e->max_leaves, SG_LEAF_CHUNK * sizeof *c->firing);
    return c->x && c->present && c->firing ? SG_OK : sg_fail_out_of_memory("trees");
}

void sg_leaf_chunk_release(sg_leaf_chunk *c)
{
    free(c->x);
    free(c->present);
    free(c->firing);
}
