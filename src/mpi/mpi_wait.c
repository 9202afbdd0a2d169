/* mpi_wait.c: waits for MPI requests without occupying a core.
 *
 * MPI_Wait spins until the request is complete. With more ranks than cores, waiting ranks would keep others from
 * working. Here, a wait spins for about 100 us, the duration of a training step, and then yields the core. After a few
 * milliseconds, it sleeps between polls. */
#include "mpi_wait.h"

#include <float.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

enum { SPINS = 1000, YIELDS = 4000, NAP = 50000 /* ns */ };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void back_off(unsigned polls, bool oversubscribed)
{
    if (polls < SPINS && !oversubscribed) return;
    if (polls < YIELDS) sched_yield();
    else nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
}

int sg_mpi_wait_timeout(MPI_Request *request, bool oversubscribed, double seconds, bool *done)
{
    double until = 0;
    for (unsigned polls = 0;; polls += polls < YIELDS) {
        int completed, code = MPI_Test(request, &completed, MPI_STATUS_IGNORE);
        *done = code == MPI_SUCCESS && completed;
        if (code != MPI_SUCCESS || completed) return code;
        if (polls == SPINS && seconds < DBL_MAX) until = now() + seconds;
        if (until > 0 && now() > until) return MPI_SUCCESS;
        back_off(polls, oversubscribed);
    }
}

int sg_mpi_wait(MPI_Request *request, bool oversubscribed)
{
    bool done;
    return sg_mpi_wait_timeout(request, oversubscribed, DBL_MAX, &done);
}

sg_status sg_mpi_check(int code, const char *what)
{
    char why[MPI_MAX_ERROR_STRING] = "", sentence[MPI_MAX_ERROR_STRING + 128];
    int length;
    if (code == MPI_SUCCESS) return SG_OK;
    MPI_Error_string(code, why, &length);
    snprintf(sentence, sizeof sentence, "%s: %s", what, why);
    sg_set_errmsg(sentence);
    return SG_EIO;
}
