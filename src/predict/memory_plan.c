/* memory_plan.c: limits the number of threads by the memory for copies of theta. */
#include "predict/memory_plan.h"

#include "base/thread/cores.h"

sg_status sg_memory_plan_pool(const sg_model *m, size_t threads, sg_thread_pool **out)
{
    size_t most = 1 + SG_THREAD_COPY_BYTES / sizeof *m->theta / (m->parameters + 1);
    if (threads == 0) threads = sg_core_count();
    if (threads > most) threads = most;
    *out = NULL;
    return threads > 1 ? sg_thread_pool_new(threads, out) : SG_OK;
}
