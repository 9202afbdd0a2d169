/* portable_kernel_f64.c: the fast kernel in portable C, in double. It is fast if the processor has FMA. */
#include <stdint.h>

typedef double real;
#define REAL_BITS     uint64_t
#define REAL_FMA      fma
#define REAL_SQRT     sqrt
#define REAL_MANTISSA 52
#include "kernel/simd/vec_portable.h"

#include "kernel/fast/fast_kernel.h"
#include "kernel/fast/fast_vector_ops.h"

static bool is_supported(void) { return true; }

const sg_vector_ops sg_vector_ops_portable = FAST_VECTOR_OPS;
const sg_kernel sg_kernel_portable_f64 = FAST_KERNEL("portable", sg_vector_ops_portable, is_supported);
