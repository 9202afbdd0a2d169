/* cholesky.h: the dot products that cholesky.c selects for this CPU. */
#pragma once

#include <stddef.h>

/* See dot_tiles_simd.h. */
typedef void sg_dot_tiles_fn(size_t tall, size_t wide, const double *a, const double *b, size_t stride, size_t n,
                             double *out);
extern sg_dot_tiles_fn *const sg_dot_tiles_avx2;
