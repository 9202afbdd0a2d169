/* mpi_wait.h: waits for MPI requests without occupying a core. */
#pragma once

#include "sugeno_mpi.h"

#include <stdbool.h>

/* Waits until the request is complete. oversubscribed: other ranks need this core. Returns MPI's error code. */
int sg_mpi_wait(MPI_Request *request, bool oversubscribed);
/* The same with a timeout. *done receives whether the request is complete. */
int sg_mpi_wait_timeout(MPI_Request *request, bool oversubscribed, double seconds, bool *done);

/* Sets the message "<what>: <MPI's message>" and returns SG_EIO; returns SG_OK if code is MPI_SUCCESS. */
sg_status sg_mpi_check(int code, const char *what);
