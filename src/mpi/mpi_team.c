/* mpi_team.c: see sugeno_mpi.h. MPI counts in int, so that what is longer goes in pieces. */
#include "mpi_wait.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 1, PIECE = 1 << 30 };

typedef struct mpi_team {
    sg_team team;    /* first: they are handed out as this */
    MPI_Comm talk;   /* of send, receive, share            */
    MPI_Comm ending; /* of sg_mpi_team_end                 */
    size_t beside;
    bool crowded; /* there are fewer cores than members on this machine */
} mpi_team;

/* --- messages --- */

static sg_status lost(int code, const char *what, size_t rank)
{
    char place[64];
    snprintf(place, sizeof place, "%s rank %zu", what, rank);
    return sg_mpi_check(code, place);
}

static int piece_of(size_t n) { return n < PIECE ? (int)n : PIECE; }

static sg_status send(void *self, size_t to, const void *bytes, size_t n)
{
    const mpi_team *t = self;
    const char *p = bytes;
    for (int some; n; p += some, n -= (size_t)some) {
        MPI_Request request;
        some = piece_of(n);
        int code = MPI_Isend(p, some, MPI_BYTE, (int)to, TAG, t->talk, &request);
        if (code == MPI_SUCCESS) code = sg_mpi_wait(&request, t->crowded);
        if (code != MPI_SUCCESS) return lost(code, "can't send to", to);
    }
    return SG_OK;
}

static sg_status receive(void *self, size_t from, void *bytes, size_t n)
{
    const mpi_team *t = self;
    char *p = bytes;
    for (int some; n; p += some, n -= (size_t)some) {
        MPI_Request request;
        some = piece_of(n);
        int code = MPI_Irecv(p, some, MPI_BYTE, (int)from, TAG, t->talk, &request);
        if (code == MPI_SUCCESS) code = sg_mpi_wait(&request, t->crowded);
        if (code != MPI_SUCCESS) return lost(code, "can't receive from", from);
    }
    return SG_OK;
}

static sg_status share(void *self, size_t from, void *bytes, size_t n)
{
    const mpi_team *t = self;
    char *p = bytes;
    for (int some; n; p += some, n -= (size_t)some) {
        MPI_Request request;
        some = piece_of(n);
        int code = MPI_Ibcast(p, some, MPI_BYTE, (int)from, t->talk, &request);
        if (code == MPI_SUCCESS) code = sg_mpi_wait(&request, t->crowded);
        if (code != MPI_SUCCESS) return lost(code, "can't share what is with", from);
    }
    return SG_OK;
}

/* --- making one --- */

void sg_mpi_team_free(sg_team *team)
{
    mpi_team *t = (mpi_team *)team;
    if (!t) return;
    if (t->talk != MPI_COMM_NULL) MPI_Comm_free(&t->talk);
    if (t->ending != MPI_COMM_NULL) MPI_Comm_free(&t->ending);
    free(t);
}

static int own_copy(MPI_Comm comm, MPI_Comm *out)
{
    int code = MPI_Comm_dup(comm, out);
    return code == MPI_SUCCESS ? MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN) : code;
}

static int count_beside(mpi_team *t)
{
    MPI_Comm machine;
    int n = 1, code = MPI_Comm_split_type(t->ending, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    if (code != MPI_SUCCESS) return code;
    MPI_Comm_size(machine, &n);
    MPI_Comm_free(&machine);
    t->beside = (size_t)n;
    t->crowded = n > sysconf(_SC_NPROCESSORS_ONLN);
    return MPI_SUCCESS;
}

sg_status sg_mpi_team_new(MPI_Comm comm, sg_team **out)
{
    int rank, ranks;
    mpi_team *t = malloc(sizeof *t);
    if (!t) {
        sg_set_errmsg("out of memory for a team");
        return SG_ENOMEM;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    *t = (mpi_team){
        .team =
            {.self = t, .rank = (size_t)rank, .ranks = (size_t)ranks, .send = send, .receive = receive, .share = share},
        .talk = MPI_COMM_NULL,
        .ending = MPI_COMM_NULL,
        .beside = 1};
    int code = own_copy(comm, &t->talk);
    if (code == MPI_SUCCESS) code = own_copy(comm, &t->ending);
    if (code == MPI_SUCCESS) code = count_beside(t);
    if (code != MPI_SUCCESS) {
        sg_mpi_team_free(&t->team);
        return sg_mpi_check(code, "can't make a team of the MPI job");
    }
    *out = &t->team;
    return SG_OK;
}

size_t sg_mpi_team_beside(const sg_team *t) { return ((const mpi_team *)t)->beside; }

/* --- the end --- */

typedef struct last_words {
    int status;
    char said[1024];
} last_words;

/* All are here. The first that failed tells the others, who say whether they failed with the same words. */
static sg_status hear(const mpi_team *t, sg_status st, int first)
{
    last_words mine = {.status = (int)st}, theirs;
    char sentence[sizeof mine.said + 32];
    snprintf(mine.said, sizeof mine.said, "%s", sg_errmsg());
    theirs = mine;
    int code = MPI_Bcast(&theirs, (int)sizeof theirs, MPI_BYTE, first, t->ending);
    if (code != MPI_SUCCESS) return sg_mpi_check(code, "can't hear why a rank failed");
    int same = st != SG_OK && strcmp(mine.said, theirs.said) == 0, all = 0;
    code = MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, t->ending);
    if (code != MPI_SUCCESS) return sg_mpi_check(code, "can't hear why a rank failed");
    if (all) snprintf(sentence, sizeof sentence, "%s", theirs.said);
    else snprintf(sentence, sizeof sentence, "rank %d: %s", first, theirs.said);
    sg_set_errmsg(sentence);
    return (sg_status)theirs.status;
}

/* Who is alone leaves its request behind: the job ends with it. */
sg_status sg_mpi_team_end(const sg_team *team, sg_status st, double seconds, int *alone)
{
    const mpi_team *t = (const mpi_team *)team;
    int mine = st == SG_OK ? INT_MAX : (int)team->rank, first = INT_MAX;
    MPI_Request request;
    bool done = true;
    *alone = 0;
    int code = MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, t->ending, &request);
    if (code == MPI_SUCCESS && st == SG_OK) code = sg_mpi_wait(&request, t->crowded);
    else if (code == MPI_SUCCESS) code = sg_mpi_wait_for(&request, t->crowded, seconds, &done);
    *alone = st != SG_OK && (code != MPI_SUCCESS || !done);
    if (*alone) return st; /* its own sentence says more than MPI's */
    if (code != MPI_SUCCESS) return sg_mpi_check(code, "can't hear whether all ranks are done");
    return first == INT_MAX ? SG_OK : hear(t, st, first);
}
