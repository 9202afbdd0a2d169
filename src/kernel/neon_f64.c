/* neon_f64.c: the fast kernel for neon. */
#include "kernel/vec_neon_f64.h"

#include "kernel/fast.h"
#include "kernel/fast_tools.h"

/* Every 64-bit ARM has it. */
static bool runs(void) { return true; }

const sg_tools sg_tools_neon = FAST_TOOLS;
const sg_kernel sg_kernel_neon_f64 = FAST_KERNEL("neon", sg_tools_neon, runs);
