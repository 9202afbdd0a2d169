/* mpi_comm.c: an sg_comm on top of MPI. MPI counts bytes with an int, so long messages are sent in chunks. */
#include "sugeno_mpi.h"

#include <float.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1, MAX_CHUNK = 1 << 30 };
enum { SPINS = 1000, YIELDS = 4000, NAP = 50000 /* ns */ }; /* polls that spin or yield; duration of a sleep */

typedef struct mpi_backend {
    sg_comm comm;          /* must be first, because callers see only this member */
    MPI_Comm message_comm; /* for send, recv and bcast */
    MPI_Comm exit_comm;    /* for sg_mpi_comm_agree_exit */
    size_t local_ranks;
    bool oversubscribed; /* this machine has more ranks than cores */
} mpi_backend;

/* --- Waiting without occupying a core ---
 * MPI_Wait spins until the request is complete. With more ranks than cores, waiting ranks would keep others from
 * working. Here, a wait spins for about 100 us, the duration of a training step, and then yields the core. After a few
 * milliseconds, it sleeps between polls. */

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

/* Waits until the request is complete, or for about `seconds`. *done receives whether the request is complete. Returns
 * MPI's error code. */
static int wait_until_timeout(MPI_Request *request, bool oversubscribed, double seconds, bool *done)
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

static int wait_for(MPI_Request *request, bool oversubscribed)
{
    bool done;
    return wait_until_timeout(request, oversubscribed, DBL_MAX, &done);
}

/* --- Messages --- */

/* Returns SG_OK if code is MPI_SUCCESS. Otherwise sets the message "<what>: <MPI's message>" and returns SG_EIO. */
static sg_status check_code(int code, const char *what)
{
    char why[MPI_MAX_ERROR_STRING] = "", sentence[MPI_MAX_ERROR_STRING + 128];
    int length;
    if (code == MPI_SUCCESS) return SG_OK;
    MPI_Error_string(code, why, &length);
    snprintf(sentence, sizeof sentence, "%s: %s", what, why);
    sg_set_errmsg(sentence);
    return SG_EIO;
}

static sg_status fail_message(int code, const char *what, size_t rank)
{
    char place[64];
    snprintf(place, sizeof place, "%s rank %zu", what, rank);
    return check_code(code, place);
}

static int chunk_length(size_t n) { return n < MAX_CHUNK ? (int)n : MAX_CHUNK; }

/* Starts a transfer of at most MAX_CHUNK bytes with another rank. */
typedef int start_fn(const mpi_backend *t, size_t rank, void *bytes, int n, MPI_Request *request);

static sg_status transfer_in_chunks(const mpi_backend *t, start_fn *start, const char *what, size_t rank, char *bytes,
                                    size_t n)
{
    for (int length; n; bytes += length, n -= (size_t)length) {
        MPI_Request request;
        length = chunk_length(n);
        int code = start(t, rank, bytes, length, &request);
        if (code == MPI_SUCCESS) code = wait_for(&request, t->oversubscribed);
        if (code != MPI_SUCCESS) return fail_message(code, what, rank);
    }
    return SG_OK;
}

static int start_send(const mpi_backend *t, size_t to, void *bytes, int n, MPI_Request *request)
{
    return MPI_Isend(bytes, n, MPI_BYTE, (int)to, TAG, t->message_comm, request);
}

static int start_recv(const mpi_backend *t, size_t from, void *bytes, int n, MPI_Request *request)
{
    return MPI_Irecv(bytes, n, MPI_BYTE, (int)from, TAG, t->message_comm, request);
}

static int start_bcast(const mpi_backend *t, size_t from, void *bytes, int n, MPI_Request *request)
{
    return MPI_Ibcast(bytes, n, MPI_BYTE, (int)from, t->message_comm, request);
}

static sg_status send_bytes(void *self, size_t to, const void *bytes, size_t n)
{
    return transfer_in_chunks(self, start_send, "can't send to", to, (char *)(uintptr_t)bytes, n);
}

static sg_status recv_bytes(void *self, size_t from, void *bytes, size_t n)
{
    return transfer_in_chunks(self, start_recv, "can't receive from", from, bytes, n);
}

static sg_status bcast_bytes(void *self, size_t from, void *bytes, size_t n)
{
    return transfer_in_chunks(self, start_bcast, "can't broadcast from", from, bytes, n);
}

/* --- Creation --- */

void sg_mpi_comm_free(sg_comm *comm)
{
    mpi_backend *t = (mpi_backend *)comm;
    if (!t) return;
    if (t->message_comm != MPI_COMM_NULL) MPI_Comm_free(&t->message_comm);
    if (t->exit_comm != MPI_COMM_NULL) MPI_Comm_free(&t->exit_comm);
    free(t);
}

static int dup_comm(MPI_Comm comm, MPI_Comm *out)
{
    int code = MPI_Comm_dup(comm, out);
    return code == MPI_SUCCESS ? MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN) : code;
}

static int count_local_ranks(mpi_backend *t)
{
    MPI_Comm machine;
    int n = 1, code = MPI_Comm_split_type(t->exit_comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    if (code != MPI_SUCCESS) return code;
    MPI_Comm_size(machine, &n);
    MPI_Comm_free(&machine);
    t->local_ranks = (size_t)n;
    t->oversubscribed = n > sysconf(_SC_NPROCESSORS_ONLN);
    return MPI_SUCCESS;
}

sg_status sg_mpi_comm_new(MPI_Comm comm, sg_comm **out)
{
    int rank, ranks;
    mpi_backend *t = malloc(sizeof *t);
    if (!t) {
        sg_set_errmsg("out of memory while creating an MPI communicator");
        return SG_ENOMEM;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    *t = (mpi_backend){.comm = {.self = t,
                                .rank = (size_t)rank,
                                .ranks = (size_t)ranks,
                                .send = send_bytes,
                                .recv = recv_bytes,
                                .bcast = bcast_bytes},
                       .message_comm = MPI_COMM_NULL,
                       .exit_comm = MPI_COMM_NULL,
                       .local_ranks = 1};
    int code = dup_comm(comm, &t->message_comm);
    if (code == MPI_SUCCESS) code = dup_comm(comm, &t->exit_comm);
    if (code == MPI_SUCCESS) code = count_local_ranks(t);
    if (code != MPI_SUCCESS) {
        sg_mpi_comm_free(&t->comm);
        return check_code(code, "can't duplicate the MPI communicator");
    }
    *out = &t->comm;
    return SG_OK;
}

size_t sg_mpi_comm_local_ranks(const sg_comm *t) { return ((const mpi_backend *)t)->local_ranks; }

/* --- Exit --- */

typedef struct exit_status {
    int status;
    char message[1024];
} exit_status;

/* All ranks call this function. `first`, the lowest rank that failed, broadcasts its message. The message names this
 * rank unless all ranks failed with the same message. */
static sg_status share_failure(const mpi_backend *t, sg_status st, int first)
{
    exit_status mine = {.status = (int)st}, theirs;
    char sentence[sizeof mine.message + 32];
    snprintf(mine.message, sizeof mine.message, "%s", sg_errmsg());
    theirs = mine;
    int code = MPI_Bcast(&theirs, (int)sizeof theirs, MPI_BYTE, first, t->exit_comm);
    if (code != MPI_SUCCESS) return check_code(code, "can't receive the error message of another rank");
    int same = st != SG_OK && strcmp(mine.message, theirs.message) == 0, all = 0;
    code = MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, t->exit_comm);
    if (code != MPI_SUCCESS) return check_code(code, "can't receive the error message of another rank");
    if (all) snprintf(sentence, sizeof sentence, "%s", theirs.message);
    else snprintf(sentence, sizeof sentence, "rank %d: %s", first, theirs.message);
    sg_set_errmsg(sentence);
    return (sg_status)theirs.status;
}

/* After a timeout, the request is abandoned, because the job is about to be aborted. */
sg_status sg_mpi_comm_agree_exit(const sg_comm *comm, sg_status st, double seconds, int *timed_out)
{
    const mpi_backend *t = (const mpi_backend *)comm;
    int mine = st == SG_OK ? INT_MAX : (int)comm->rank, first = INT_MAX;
    MPI_Request request;
    bool done = true;
    *timed_out = 0;
    int code = MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, t->exit_comm, &request);
    if (code == MPI_SUCCESS && st == SG_OK) code = wait_for(&request, t->oversubscribed);
    else if (code == MPI_SUCCESS) code = wait_until_timeout(&request, t->oversubscribed, seconds, &done);
    *timed_out = st != SG_OK && (code != MPI_SUCCESS || !done);
    if (*timed_out) return st; /* this rank's own message is more helpful than MPI's */
    if (code != MPI_SUCCESS) return check_code(code, "can't synchronise the ranks at exit");
    return first == INT_MAX ? SG_OK : share_failure(t, st, first);
}
