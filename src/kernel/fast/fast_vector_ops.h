/* fast_vector_ops.h: collects the vector operations of an instruction set, which kernels of both precisions use. */
#pragma once

#include "kernel/fast/fast_optim_ops.h"
#include "kernel/fast/fast_row_ops.h"
#include "kernel/fast/fast_transform.h"

#define FAST_VECTOR_OPS                                                                                                \
    {                                                                                                                  \
        fast_load_columns, fast_transform, fast_transpose, fast_residuals, fast_denormalise, fast_l2_gradient,         \
            fast_adam, fast_all_within                                                                                 \
    }
