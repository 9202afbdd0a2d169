/* time_training_parts_main.c: the program time_training_parts, for one process. */
#include "time_training_parts.h"

#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "launch") == 0) return measure_command(argv);
    if (argc < 4 || strcmp(argv[1], "crowd") != 0) return time_training_part(argc, argv, NULL);
    time_oversubscribed_ranks(argc, argv);
    return 0;
}
