/* portable_f64.c: the fast kernel without intrinsics: right everywhere, fast where fma is. */
#include <stdint.h>

typedef double real;
#define REAL_BITS     uint64_t
#define REAL_FMA      fma
#define REAL_SQRT     sqrt
#define REAL_MANTISSA 52
#include "kernel/vec_portable.h"

#include "kernel/fast.h"
#include "kernel/fast_tools.h"

static bool runs(void) { return true; }

const sg_tools sg_tools_portable = FAST_TOOLS;
const sg_kernel sg_kernel_portable_f64 = FAST_KERNEL("portable", sg_tools_portable, runs);
