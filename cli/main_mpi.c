/* main_mpi.c: the program sugeno-mpi, which the ranks of an MPI job run: mpirun -n 8 sugeno-mpi train part-*.npy ... */
#include "cli.h"
#include "sugeno_mpi.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds that a failed rank waits for the other ranks to fail too before it aborts the job. */
static const double abort_timeout = 3;

/* Returns the number of cores that this rank may use, but at most its share of the machine, because several ranks may
 * be bound to the same cores. */
static size_t usable_threads(const sg_comm *comm)
{
    cpu_set_t affinity;
    size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN), share = cores / sg_mpi_comm_local_ranks(comm);
    size_t usable = sched_getaffinity(0, sizeof affinity, &affinity) == 0 ? (size_t)CPU_COUNT(&affinity) : cores;
    if (share == 0) share = 1;
    return usable < share ? usable : share;
}

/* Discards standard output, because only the root prints results. */
static void mute_stdout(void)
{
    int null_device = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null_device < 0) return;
    (void)dup2(null_device, STDOUT_FILENO);
    close(null_device);
}

/* Gives all ranks the same exit code and prints one error message. A rank that fails alone aborts the job. */
static int finish_ranks(const sg_comm *comm, int code)
{
    int alone;
    sg_status st = sg_mpi_comm_agree_exit(comm, cli_exit_code_status(code), abort_timeout, &alone);
    if (!alone) {
        code = cli_exit_code(st);
        if (comm->rank == 0) cli_print_error(code);
        return code;
    }
    cli_error("rank %zu: %s", comm->rank, sg_errmsg());
    cli_print_error(code);
    MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

static int run_ranks(int argc, char **argv)
{
    sg_comm *comm;
    int code = cli_exit_code(sg_mpi_comm_new(MPI_COMM_WORLD, &comm));
    if (code != CLI_DONE) return cli_finish(code);
    if (comm->rank) mute_stdout();
    const cli_world world = {.comm = comm, .threads = usable_threads(comm)};
    code = cli_run(argc, argv, &world);
    code = finish_ranks(comm, cli_flush(code));
    sg_mpi_comm_free(comm);
    return code;
}

int main(int argc, char **argv)
{
    int level;
    cli_process_start();
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS || level < MPI_THREAD_FUNNELED) {
        fputs("sugeno: cannot start MPI\n", stderr);
        return CLI_FAILED;
    }
    int code = run_ranks(argc, argv);
    MPI_Finalize();
    return code;
}
