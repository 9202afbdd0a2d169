/* avx2_kernel_f32.c: the fast kernel for avx2. */
#define SG_F32
#include "kernel/simd/vec_avx2_f32.h"

#include "kernel/fast/fast_kernel.h"

/* The CPU and the system that saves its registers: the compiler asks for both. */
static bool is_supported(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

const sg_kernel sg_kernel_avx2_f32 = FAST_KERNEL("avx2", sg_vector_ops_avx2, is_supported);
