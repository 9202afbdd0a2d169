/* mpi_wait.h: waits for MPI requests without occupying a core. */
#pragma once

#include "sugeno_mpi.h"

#include <stdbool.h>

/* Waits until the request is complete, without spinning if other ranks need the core. Returns MPI's error code. */
int sg_mpi_wait(MPI_Request *request, bool oversubscribed);
/* Like sg_mpi_wait, but returns after about `seconds` at the latest. *done receives whether the request is complete. */
int sg_mpi_wait_timeout(MPI_Request *request, bool oversubscribed, double seconds, bool *done);

/* Returns SG_OK if code is MPI_SUCCESS. Otherwise sets the message "<what>: <MPI's message>" and returns SG_EIO. */
sg_status sg_mpi_check(int code, const char *what);
