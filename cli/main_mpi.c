/* main_mpi.c: sugeno-mpi, in the processes of an MPI job: mpirun -n 8 sugeno-mpi train part-*.npy ... */
#include "cli.h"
#include "sugeno_mpi.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* So long a member that failed waits for the others to say the same, before it ends the job. */
static const double abort_timeout = 3;

/* The cores that this process may use, but no more than its part of the machine's: several may be bound to the
 * same ones. */
static size_t usable_threads(const sg_comm *team)
{
    cpu_set_t mine;
    size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN), part = cores / sg_mpi_comm_local_ranks(team);
    size_t usable = sched_getaffinity(0, sizeof mine, &mine) == 0 ? (size_t)CPU_COUNT(&mine) : cores;
    if (part == 0) part = 1;
    return usable < part ? usable : part;
}

/* Results are the leader's to print. */
static void mute_stdout(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    (void)dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

/* All leave with the same code, after one sentence. */
static int finish_ranks(const sg_comm *team, int code)
{
    int alone;
    sg_status st = sg_mpi_comm_agree_exit(team, cli_exit_code_status(code), abort_timeout, &alone);
    if (!alone) {
        code = cli_exit_code(st);
        if (team->rank == 0) cli_print_error(code);
        return code;
    }
    cli_error("rank %zu: %s", team->rank, sg_errmsg());
    cli_print_error(code);
    MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

static int run_ranks(int argc, char **argv)
{
    sg_comm *team;
    int code = cli_exit_code(sg_mpi_comm_new(MPI_COMM_WORLD, &team));
    if (code != CLI_DONE) return cli_finish(code);
    if (team->rank) mute_stdout();
    const cli_world company = {.comm = team, .threads = usable_threads(team)};
    code = cli_run(argc, argv, &company);
    code = finish_ranks(team, cli_flush(code));
    sg_mpi_comm_free(team);
    return code;
}

int main(int argc, char **argv)
{
    int level;
    cli_process_start();
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS || level < MPI_THREAD_FUNNELED) {
        fputs("sugeno: MPI can't be started\n", stderr);
        return CLI_FAILED;
    }
    int code = run_ranks(argc, argv);
    MPI_Finalize();
    return code;
}
