/* probe_main.c: the program scaling_probe, for one process. */
#include "probe.h"

#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "launch") == 0) return probe_launch(argv);
    if (argc < 4 || strcmp(argv[1], "crowd") != 0) return probe_run(argc, argv, NULL);
    probe_crowd(argc, argv);
    return 0;
}
