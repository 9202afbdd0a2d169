/* measure_command.c: time_training_parts launch REPORT COMMAND...: runs the command, and writes its wall-clock seconds,
 * CPU seconds and peak resident memory in MB to REPORT. This must be a small program: the peak memory of a process
 * includes that of its parent at the fork, and a Python program needs more than some commands. */
#include "time_training_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static void report(const char *path, double wall, const struct rusage *used)
{
    FILE *out = fopen(path, "w");
    if (!out ||
        fprintf(out, "%.6f %.6f %.3f\n", wall, seconds_of(used->ru_utime) + seconds_of(used->ru_stime),
                (double)used->ru_maxrss / 1024) < 0 ||
        fclose(out) != 0) {
        fprintf(stderr, "scaling: cannot write %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

int measure_command(char **argv)
{
    struct rusage used;
    int status;
    span start = span_start();
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[3], argv + 3);
        fprintf(stderr, "scaling: cannot run %s: %s\n", argv[3], strerror(errno));
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0) return 1;
    report(argv[2], span_since(start).wall, &used);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
