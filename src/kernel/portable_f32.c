/* portable_f32.c: the fast kernel without intrinsics: right everywhere, fast where fma is. */
#include <stdint.h>

#define SG_SINGLE
typedef float real;
#define REAL_BITS     uint32_t
#define REAL_FMA      fmaf
#define REAL_SQRT     sqrtf
#define REAL_MANTISSA 23
#include "kernel/vec_portable.h"

#include "kernel/fast.h"

static bool runs(void) { return true; }

const sg_kernel sg_kernel_portable_f32 = FAST_KERNEL("portable", sg_tools_portable, runs);
