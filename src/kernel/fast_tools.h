/* fast_tools.h: what an instruction set does in double for kernels of any precision, put together. */
#ifndef SG_KERNEL_FAST_TOOLS_H
#define SG_KERNEL_FAST_TOOLS_H

#include "kernel/fast_rows.h"
#include "kernel/fast_theta.h"
#include "kernel/fast_view.h"

#define FAST_TOOLS                                                                                                     \
    {                                                                                                                  \
        fast_columns, fast_views, fast_turn, fast_errors, fast_units, fast_decay, fast_adam, fast_within               \
    }

#endif
