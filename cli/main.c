/* main.c: sugeno, in one process. main_mpi.c is the other one. */
#include "cli.h"

int main(int argc, char **argv)
{
    cli_process_start();
    return cli_finish(cli_run(argc, argv, NULL));
}
