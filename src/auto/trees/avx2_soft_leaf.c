/* avx2_soft_leaf.c: compiles the soft-leaf kernel for AVX2, with eight rows in each vector. */
#include "auto/trees/soft_leaf_simd.h"

const sg_soft_leaf_kernel sg_soft_leaf_avx2 = {fire_leaves, predict_leaves};
