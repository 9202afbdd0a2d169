/* avx2_f64.c: the fast kernel for avx2. */
#include "kernel/vec_avx2_f64.h"

#include "kernel/fast.h"
#include "kernel/fast_tools.h"

/* The CPU and the system that saves its registers: the compiler asks for both. */
static bool runs(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

const sg_tools sg_tools_avx2 = FAST_TOOLS;
const sg_kernel sg_kernel_avx2_f64 = FAST_KERNEL("avx2", sg_tools_avx2, runs);
