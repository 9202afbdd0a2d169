/* neon_kernel_f64.c: the fast kernel for NEON in double. */
#include "kernel/simd/vec_neon_f64.h"

#include "kernel/fast/fast_kernel.h"
#include "kernel/fast/fast_vector_ops.h"

/* All 64-bit ARM processors have NEON. */
static bool is_supported(void) { return true; }

const sg_vector_ops sg_vector_ops_neon = FAST_VECTOR_OPS;
const sg_kernel sg_kernel_neon_f64 = FAST_KERNEL("neon", sg_vector_ops_neon, is_supported);
