/* cancel.c: a token through which another thread can cancel an operation and watch its progress. */
#include "sugeno.h"

int sg_cancel_token_poll(void *request, size_t done, size_t planned)
{
    sg_cancel_token *r = request;
    __atomic_store_n(&r->done, done, __ATOMIC_RELAXED);
    __atomic_store_n(&r->planned, planned, __ATOMIC_RELAXED);
    return __atomic_load_n(&r->cancelled, __ATOMIC_RELAXED);
}
