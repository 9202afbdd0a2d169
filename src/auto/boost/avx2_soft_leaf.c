/* avx2_soft_leaf.c: eight rows at once. */
#include "auto/boost/soft_leaf_kernel.h"

const sg_soft_leaf_kernel sg_soft_leaf_avx2 = {fire_leaves, predict_leaves};
