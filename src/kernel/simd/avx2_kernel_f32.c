/* avx2_kernel_f32.c: the fast kernel for AVX2 in float. */
#define SG_F32
#include "kernel/simd/vec_avx2_f32.h"

#include "kernel/fast/fast_kernel.h"

/* Returns whether the processor has AVX2 and FMA and the operating system saves the registers. */
static bool is_supported(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

const sg_kernel sg_kernel_avx2_f32 = FAST_KERNEL("avx2", sg_vector_ops_avx2, is_supported);
