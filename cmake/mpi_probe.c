/* mpi_probe.c: compiles and links only where an MPI of version 3 or later is complete. */
#include <mpi.h>

#if MPI_VERSION < 3
#error "sugeno needs MPI 3"
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
