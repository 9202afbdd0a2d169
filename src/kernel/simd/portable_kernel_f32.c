/* portable_kernel_f32.c: the fast kernel in portable C, in float. It is fast if the processor has FMA. */
#include <stdint.h>

#define SG_F32
typedef float real;
#define REAL_BITS     uint32_t
#define REAL_FMA      fmaf
#define REAL_SQRT     sqrtf
#define REAL_MANTISSA 23
#include "kernel/simd/vec_portable.h"

#include "kernel/fast/fast_kernel.h"

static bool is_supported(void) { return true; }

const sg_kernel sg_kernel_portable_f32 = FAST_KERNEL("portable", sg_vector_ops_portable, is_supported);
