/* neon_kernel_f32.c: the fast kernel for NEON in float. */
#define SG_F32
#include "kernel/simd/vec_neon_f32.h"

#include "kernel/fast/fast_kernel.h"

/* All 64-bit ARM processors have NEON. */
static bool is_supported(void) { return true; }

const sg_kernel sg_kernel_neon_f32 = FAST_KERNEL("neon", sg_vector_ops_neon, is_supported);
