/* neon_f64.c: the fast kernel for neon. */
#include "kernel/vec_neon_f64.h"

#include "kernel/fast.h"

/* Every 64-bit ARM has it. */
static bool runs(void) { return true; }

const sg_kernel sg_kernel_neon_f64 = FAST_KERNEL("neon", runs);
