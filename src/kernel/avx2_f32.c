/* avx2_f32.c: the fast kernel for avx2. */
#define SG_SINGLE
#include "kernel/vec_avx2_f32.h"

#include "kernel/fast.h"

/* The CPU and the system that saves its registers: the compiler asks for both. */
static bool runs(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

const sg_kernel sg_kernel_avx2_f32 = FAST_KERNEL("avx2", sg_tools_avx2, runs);
