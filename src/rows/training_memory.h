/* training_memory.h: the memory budget of training.
 *
 * Training uses at most the memory of the table, 64 MB, and six times the memory of the model's parameters: for theta,
 * two moments, one gradient, and the two copies in a double-precision kernel. Of the 64 MB, at most
 *
 *     24 MB  are cached training rows (row_cache.h),
 *     12 MB  are cached validation rows (metrics_evaluator.h),
 *      8 MB  are partial sums of the gradient tree (batch_gradient.h), one per leaf,
 *     16 MB  are copies of theta for additional threads; this limits the number of threads.
 *
 * The rest is for small items: chunks, the program, and the indices of a batch (26 bytes per row of a large batch, at
 * most 3 MB otherwise). The limit does not include the rule index (4 bytes per rule and input), firing levels of a
 * chunk (about 110 bytes per rule, less in float), one more copy of theta each for validation, --average and --balance,
 * and prefetched rows if the data is not in memory (data/memory_shares.h). */
#pragma once

#include "base/thread/cores.h"
#include "base/thread/thread_pool.h"
#include "model/model.h"

enum {
    SG_TRAIN_CACHE_BYTES = 24 << 20,
    SG_EVAL_CACHE_BYTES = 12 << 20,
    SG_GRADIENT_TREE_DOUBLES = 1 << 20,
    SG_THREAD_COPY_BYTES = 16 << 20
};

/* Creates a pool with `threads` threads (0: one per core), or fewer if memory is short. *out is NULL for one thread. */
static inline sg_status sg_memory_plan_pool(const sg_model *m, size_t threads, sg_thread_pool **out)
{
    size_t most = 1 + SG_THREAD_COPY_BYTES / sizeof *m->theta / (m->parameters + 1);
    if (threads == 0) threads = sg_core_count();
    if (threads > most) threads = most;
    *out = NULL;
    return threads > 1 ? sg_thread_pool_new(threads, out) : SG_OK;
}
