/* fast_lane_sum.h: sums with eight partial sums, in two independent vectors. Element i is added to partial sum i % 8,
 * so the results are bit-identical for every instruction set. */
#pragma once

#include "kernel/fast/fast_precision.h"

typedef struct lane_sums {
    vec part[2];
} lane_sums;

static inline lane_sums zero_lane_sums(void) { return (lane_sums){{v_set1(0), v_set1(0)}}; }

/* Adds the eight products x[i] * y[i]. */
static inline void add_products(lane_sums *s, const real *x, const real *y)
{
    EACH(k, 2) s->part[k] = v_fma(v_load(x + k * LANES), v_load(y + k * LANES), s->part[k]);
}

static inline real reduce_lane_sums(lane_sums s) { return v_reduce_add(v_add(s.part[0], s.part[1])); }
