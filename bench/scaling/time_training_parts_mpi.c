/* time_training_parts_mpi.c: the program time_training_parts_mpi, for the processes of an MPI job; also times messages.
 */
#include "sugeno_mpi.h"
#include "time_training_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {8, 2048, 65536, 1 << 20};

/* Half of a round trip. */
static double message(const sg_comm *t, void *bytes, size_t n, size_t times)
{
    double start = MPI_Wtime();
    for (size_t i = 0; i < times; i++) {
        if (t->rank == 0) must(t->send(t->self, 1, bytes, n));
        if (t->rank < 2) must(t->recv(t->self, 1 - t->rank, bytes, n));
        if (t->rank == 1) must(t->send(t->self, 0, bytes, n));
    }
    return (MPI_Wtime() - start) / (double)times / 2;
}

/* Alternates the sender, so that the first rank cannot run ahead. */
static double broadcast(const sg_comm *t, void *bytes, size_t n, size_t times)
{
    double start = MPI_Wtime();
    for (size_t i = 0; i < times; i++) must(t->bcast(t->self, i % 2, bytes, n));
    return (MPI_Wtime() - start) / (double)times;
}

static double best_of(double (*once)(const sg_comm *, void *, size_t, size_t), const sg_comm *t, void *bytes, size_t n)
{
    double best = 1e9;
    for (int i = 0; i < 20; i++) {
        double s = once(t, bytes, n, n < 65536 ? 200 : 40);
        if (s < best) best = s;
    }
    return best;
}

static int links(const sg_comm *t)
{
    char *bytes = calloc(1, 1 << 20);
    if (!bytes || t->ranks < 2) return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double one = best_of(message, t, bytes, sizes[i]), all = best_of(broadcast, t, bytes, sizes[i]);
        if (t->rank == 0) printf("%zu %.9g %.9g\n", sizes[i], one, all);
    }
    free(bytes);
    return 0;
}

int main(int argc, char **argv)
{
    int level;
    sg_comm *team;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    must(sg_mpi_comm_new(MPI_COMM_WORLD, &team));
    int code = argc == 2 && strcmp(argv[1], "links") == 0
                   ? links(team)
                   : time_training_part(argc, argv, team->ranks > 1 ? team : NULL);
    sg_mpi_comm_free(team);
    MPI_Finalize();
    return code;
}
