/* memory_plan.h: who may use how much of the memory that training has.
 *
 * Of rows that are not in memory (--memory, data/memory_budget.h) it needs, besides what follows, the lists that are
 * fetched ahead (batch_prefetch.h).
 *
 * It shall need no more than the table, 64 MB and six times the model's parameters. The six are the
 * parameters, two moments, one gradient, and the two copies that a kernel in double works on. Of the 64 MB,
 * at most
 *
 *     24 MB  are rows to train on (row_cache.h),
 *     12 MB  are rows that are scored again and again (evaluator.h),
 *      8 MB  are sums that wait in the tree of a gradient (gradient.h): one for each of its leaves,
 *     16 MB  are copies of the parameters for threads that help, of which there are no more than that.
 *
 * What is left is for what hardly grows: a chunk's numbers, the program; a batch's indices, which are 26
 * bytes a row of it where it is large, and 3 MB at most where it is not. Not in the six are the rules' index (4
 * bytes a rule and input), a chunk's levels (about 110 bytes a rule, less in float) and one more of the parameters each
 * with validation, with --average, and with --balance. */
#ifndef SG_PREDICT_MEMORY_PLAN_H
#define SG_PREDICT_MEMORY_PLAN_H

#include "base/thread/thread_pool.h"
#include "model/model.h"

enum {
    SG_TRAIN_CACHE_BYTES = 24 << 20,
    SG_EVAL_CACHE_BYTES = 12 << 20,
    SG_GRADIENT_TREE_DOUBLES = 1 << 20,
    SG_THREAD_COPY_BYTES = 16 << 20
};

/* A pool of as many of `threads` (0: one for each core) as there is memory for; NULL where that is one. */
sg_status sg_memory_plan_pool(const sg_model *m, size_t threads, sg_thread_pool **out);

#endif
