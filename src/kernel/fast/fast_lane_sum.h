/* fast_lane_sum.h: a sum in eight places, number i in place i % 8, that are added up at the end: two vectors
 * that do not wait for each other, and the same bits whatever computes them. */
#ifndef SG_KERNEL_FAST_FAST_LANE_SUM_H
#define SG_KERNEL_FAST_FAST_LANE_SUM_H

#include "kernel/fast/fast_real.h"

typedef struct lane_sums {
    vec part[2];
} lane_sums;

static inline lane_sums zero_lane_sums(void) { return (lane_sums){{v_set1(0), v_set1(0)}}; }

/* Eight products. */
static inline void add_products(lane_sums *s, const real *x, const real *y)
{
    EACH(k, 2) s->part[k] = v_fma(v_load(x + k * LANES), v_load(y + k * LANES), s->part[k]);
}

static inline real reduce_lane_sums(lane_sums s) { return v_reduce_add(v_add(s.part[0], s.part[1])); }

#endif
