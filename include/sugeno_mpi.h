/* sugeno_mpi.h: distributed training with MPI. Wraps an MPI communicator as an sg_comm (sugeno.h, section 6).
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *     sg_mpi_comm_new(MPI_COMM_WORLD, &comm);
 *     sg_options_set_comm(o, comm, 0);
 *     sg_dataset_open(paths, count, o, NULL, 0, &data);
 *     sg_source rows = sg_dataset_source(data);
 *     sg_trainer_new(o, &rows, NULL, &trainer);     as in one process, on every rank
 *
 * Link with -lsugeno_mpi -lsugeno, or use mpicc with pkg-config --libs sugeno_mpi. */
#ifndef SUGENO_MPI_H
#define SUGENO_MPI_H

#include "sugeno.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Wraps the processes of comm, in rank order. A collective call, after MPI_Init or MPI_Init_thread. The sg_comm
 * duplicates the communicator, and MPI errors become failures with a message. All ranks free it before MPI_Finalize. A
 * rank that waits spins briefly, then yields its core. Use it from the thread that initialised MPI. */
SG_API sg_status sg_mpi_comm_new(MPI_Comm comm, sg_comm **out);
SG_API void sg_mpi_comm_free(sg_comm *t);

/* Returns the number of ranks on this machine, including this one. */
SG_API size_t sg_mpi_comm_local_ranks(const sg_comm *t);

/* Like sg_comm_agree_status, for the end of a program, when this rank may have failed while others wait for it
 * elsewhere. If st is a failure and the other ranks do not arrive within `seconds`, sets *timed_out to 1 and returns
 * st: print the message and call MPI_Abort. Otherwise sets *timed_out to 0. */
SG_API sg_status sg_mpi_comm_agree_exit(const sg_comm *t, sg_status st, double seconds, int *timed_out);

#ifdef __cplusplus
}
#endif
#endif
