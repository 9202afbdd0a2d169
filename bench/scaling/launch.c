/* launch.c: scaling_probe launch REPORT COMMAND...: runs the command, and writes its seconds on the wall, its CPU
 * seconds and its largest resident memory in MB to REPORT. A small program has to do it: a process counts what its
 * parent had at the fork, and that of a Python program is more than what some commands need. */
#include "probe.h"

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
        fprintf(stderr, "scaling: can't write %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

int probe_launch(char **argv)
{
    struct rusage used;
    int status;
    span start = span_start();
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[3], argv + 3);
        fprintf(stderr, "scaling: can't run %s: %s\n", argv[3], strerror(errno));
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) < 0) return 1;
    report(argv[2], span_since(start).wall, &used);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
