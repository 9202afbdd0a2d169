/* budget.c: see budget.h. */
#include "train/budget.h"

#include "base/cores.h"

sg_status sg_budget_pool(const sg_model *m, size_t threads, sg_pool **out)
{
    size_t most = 1 + SG_BYTES_FOR_HELPERS / sizeof *m->theta / (m->parameters + 1);
    if (threads == 0) threads = sg_cores();
    if (threads > most) threads = most;
    *out = NULL;
    return threads > 1 ? sg_pool_new(threads, out) : SG_OK;
}
