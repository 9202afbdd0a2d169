/* avx2_soft_leaf.c: the soft-leaf kernel compiled for AVX2: eight rows per vector. */
#include "auto/trees/soft_leaf_simd.h"

const sg_soft_leaf_kernel sg_soft_leaf_avx2 = {fire_leaves, predict_leaves};
