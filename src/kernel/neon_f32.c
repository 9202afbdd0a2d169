/* neon_f32.c: the fast kernel for neon. */
#define SG_SINGLE
#include "kernel/vec_neon_f32.h"

#include "kernel/fast.h"

/* Every 64-bit ARM has it. */
static bool runs(void) { return true; }

const sg_kernel sg_kernel_neon_f32 = FAST_KERNEL("neon", sg_tools_neon, runs);
