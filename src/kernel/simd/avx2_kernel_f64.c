/* avx2_kernel_f64.c: the fast kernel for AVX2 in double. */
#include "kernel/simd/vec_avx2_f64.h"

#include "kernel/fast/fast_kernel.h"
#include "kernel/fast/fast_vector_ops.h"

/* Returns whether the processor has AVX2 and FMA and the operating system saves the registers. */
static bool is_supported(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

const sg_vector_ops sg_vector_ops_avx2 = FAST_VECTOR_OPS;
const sg_kernel sg_kernel_avx2_f64 = FAST_KERNEL("avx2", sg_vector_ops_avx2, is_supported);
