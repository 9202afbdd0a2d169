/* main.c: the program sugeno, which runs as a single process. See main_mpi.c for sugeno-mpi. */
#include "cli.h"

int main(int argc, char **argv)
{
    cli_process_start();
    return cli_finish(cli_run(argc, argv, NULL));
}
