/* sugeno_mpi.h: the processes of an MPI job as a team (sugeno.h) that trains one model on the rows of all.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *     sg_mpi_comm_new(MPI_COMM_WORLD, &team);
 *     sg_options_set_comm(o, team, 0);
 *     sg_dataset_open(paths, count, o, NULL, 0, &data);
 *     sg_source rows = sg_dataset_source(data);
 *     sg_trainer_new(o, &rows, NULL, &trainer);     as in one process, on every member
 *
 * Link with -lsugeno_mpi -lsugeno and what your MPI wants: pkg-config --libs sugeno_mpi, with mpicc.
 */
#ifndef SUGENO_MPI_H
#define SUGENO_MPI_H

#include "sugeno.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The processes of comm, in its order. All of them call it, after MPI_Init or MPI_Init_thread. The team has
 * communicators of its own, whose errors become failures with a sentence. To be freed, by all, before MPI_Finalize.
 * A member that waits spins for a moment, then leaves its core to others. */
SG_API sg_status sg_mpi_comm_new(MPI_Comm comm, sg_comm **out);
SG_API void sg_mpi_comm_free(sg_comm *t);

/* How many members run on this member's machine, itself included. */
SG_API size_t sg_mpi_comm_local_ranks(const sg_comm *t);

/* As sg_comm_agree_status, for the end of a program, where a member may arrive that failed while the others wait for it
 * elsewhere. If st is a failure and the others don't come within so many seconds, *alone is 1 and st returned:
 * say why and call MPI_Abort. Else *alone is 0. */
SG_API sg_status sg_mpi_comm_agree_exit(const sg_comm *t, sg_status st, double seconds, int *timed_out);

#ifdef __cplusplus
}
#endif
#endif
