/* fast_sum.h: a sum in eight places, number i in place i % 8, that are added up at the end: two vectors
 * that do not wait for each other, and the same bits whatever computes them. */
#ifndef SG_KERNEL_FAST_SUM_H
#define SG_KERNEL_FAST_SUM_H

#include "kernel/fast_real.h"

typedef struct sums {
    vec part[2];
} sums;

static inline sums no_sums(void) { return (sums){{v_all(0), v_all(0)}}; }

/* Eight products. */
static inline void add_products(sums *s, const real *x, const real *y)
{
    EACH(k, 2) s->part[k] = v_fma(v_load(x + k * LANES), v_load(y + k * LANES), s->part[k]);
}

static inline real sum_up(sums s) { return v_sum(v_add(s.part[0], s.part[1])); }

#endif
