/* mpi_wait.h: waiting for MPI without a core of one's own. */
#ifndef SG_MPI_MPI_WAIT_H
#define SG_MPI_MPI_WAIT_H

#include "sugeno_mpi.h"

#include <stdbool.h>

/* Until the request is done; crowded: other members need this core. Returns what MPI does. */
int sg_mpi_wait(MPI_Request *request, bool oversubscribed);
/* The same, for so many seconds at most: *done says whether it is. */
int sg_mpi_wait_timeout(MPI_Request *request, bool oversubscribed, double seconds, bool *done);

/* The sentence "<what>: <MPI's own words>"; returns SG_EIO, or SG_OK where nothing failed. */
sg_status sg_mpi_check(int code, const char *what);

#endif
