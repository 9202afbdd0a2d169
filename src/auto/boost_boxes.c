/* boost_boxes.c: see boost_boxes.h. */
#include "auto/boxes_loops.h"

#include "base/memory.h"

#include <stdlib.h>

const sg_boxes_loops sg_boxes_portable = {fire, answer};

#if defined(__x86_64__)
static const sg_boxes_loops *fastest(void)
{
    return __builtin_cpu_supports("avx2") ? &sg_boxes_avx2 : &sg_boxes_portable;
}
#else
static const sg_boxes_loops *fastest(void) { return &sg_boxes_portable; }
#endif

static const double FAR = 1e15; /* its square is a float */

static float as_float(double x) { return (float)(x > FAR ? FAR : x < -FAR ? -FAR : x); }

void sg_boxed_take(const sg_boost *b, const double *x, size_t n, sg_boxed *c)
{
    c->n = n;
    for (size_t k = 0; k < b->width; k++) {
        for (size_t i = 0; i < n; i++) {
            c->x[k * SG_BOXED + i] = as_float(sg_boost_value(b, x + i * b->width, k));
            c->there[k * SG_BOXED + i] = x[i * b->width + k] == x[i * b->width + k];
        }
        for (size_t i = n; i < SG_BOXED; i++) c->x[k * SG_BOXED + i] = 0;
    }
}

void sg_boxed_fire(const sg_stage *s, sg_boxed *c) { fastest()->fire(s, c); }

void sg_boxed_answer(const sg_boost *b, const sg_stage *s, const sg_boxed *c, double *y)
{
    fastest()->answer(b, s, c, y);
}

sg_status sg_boxed_init(const sg_boost *b, sg_boxed *c)
{
    c->x = sg_alloc(b->width, SG_BOXED * sizeof *c->x);
    c->there = sg_alloc(b->width, SG_BOXED * sizeof *c->there);
    c->f = sg_alloc(b->leaves, SG_BOXED * sizeof *c->f);
    return c->x && c->there && c->f ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for trees");
}

void sg_boxed_release(sg_boxed *c)
{
    free(c->x);
    free(c->there);
    free(c->f);
}
