/* mpi_comm_ranks.c: tests libsugeno_mpi itself. tests/scripts/mpi.sh runs it on several ranks.
 *
 * mpi_comm_ranks talk    messages of many sizes arrive unchanged
 * mpi_comm_ranks alone   rank 1 fails while the others wait for it, notices this, and ends the job
 * mpi_comm_ranks same    all ranks fail with the same message, then rank 2 alone with another one */
#include "sugeno_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000000 };

static int wrong(const sg_comm *t, const char *what)
{
    fprintf(stderr, "mpi_comm_ranks: rank %zu: %s: %s\n", t->rank, what, sg_errmsg());
    return 1;
}

static void fill(char *bytes, size_t n, size_t seed)
{
    for (size_t i = 0; i < n; i++) bytes[i] = (char)(i * 31 + i / 251 + seed);
}

/* Sends around a ring, and broadcasts from each rank. */
static int talk(const sg_comm *t)
{
    static char mine[MOST], theirs[MOST];
    size_t next = (t->rank + 1) % t->ranks, last = (t->rank + t->ranks - 1) % t->ranks;
    for (size_t n = 0; n <= MOST; n = n * 7 + 1) {
        fill(mine, n, last);
        for (size_t turn = 0; turn < t->ranks;
             turn++) { /* one rank at a time, because a send may wait for its receiver */
            fill(theirs, n, t->rank);
            if (turn == t->rank && t->send(t->self, next, theirs, n) != SG_OK) return wrong(t, "send");
            if (turn == last && t->recv(t->self, last, theirs, n) != SG_OK) return wrong(t, "receive");
            if (turn == last && memcmp(mine, theirs, n) != 0) return wrong(t, "a different message");
        }
        for (size_t from = 0; from < t->ranks; from++) {
            fill(mine, n, from);
            fill(theirs, n, t->rank);
            if (t->bcast(t->self, from, theirs, n) != SG_OK) return wrong(t, "broadcast");
            if (memcmp(mine, theirs, n) != 0) return wrong(t, "a different broadcast");
        }
    }
    return sg_mpi_comm_local_ranks(t) == t->ranks ? 0 : wrong(t, "the number of local ranks is wrong");
}

static int alone(const sg_comm *t)
{
    char byte;
    int left = 0;
    if (t->rank != 1) return t->recv(t->self, 1, &byte, 1) != SG_OK;
    sg_set_errmsg("the disk is gone");
    sg_status st = sg_mpi_comm_agree_exit(t, SG_EIO, 0.2, &left);
    if (st != SG_EIO || !left || strcmp(sg_errmsg(), "the disk is gone") != 0) return wrong(t, "not alone");
    fputs("alone\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
    return 1;
}

static int same(const sg_comm *t)
{
    int left = 1;
    sg_set_errmsg("no such column");
    sg_status st = sg_mpi_comm_agree_exit(t, SG_EDATA, 30, &left);
    if (st != SG_EDATA || left || strcmp(sg_errmsg(), "no such column") != 0) return wrong(t, "not the same");
    sg_set_errmsg(t->rank == 2 ? "torn" : "fine");
    st = sg_mpi_comm_agree_exit(t, t->rank == 2 ? SG_EIO : SG_OK, 30, &left);
    if (st != SG_EIO || left || strcmp(sg_errmsg(), "rank 2: torn") != 0) return wrong(t, "not rank 2");
    return sg_mpi_comm_agree_exit(t, SG_OK, 30, &left) == SG_OK ? 0 : wrong(t, "not done");
}

int main(int argc, char **argv)
{
    int level, code = 2;
    sg_comm *t;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (argc != 2 || sg_mpi_comm_new(MPI_COMM_WORLD, &t) != SG_OK) return 2;
    if (strcmp(argv[1], "talk") == 0) code = talk(t);
    if (strcmp(argv[1], "alone") == 0) code = alone(t);
    if (strcmp(argv[1], "same") == 0) code = same(t);
    sg_mpi_comm_free(t);
    MPI_Finalize();
    return code;
}
