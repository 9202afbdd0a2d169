/* figure_gnuplot.c: runs gnuplot on a script. The pictures come under a temporary name, so that
 * those from before stay until there are new ones. */
#include "figure_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, NOT_STARTED = 126 };

/* The child's side. Only what is safe after fork in a program with threads; never returns. */
static void become_gnuplot(int folder, char *const *argv, int errors)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || fchdir(folder) != 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(errors, 2) < 0)
        _exit(NOT_STARTED);
    execvp(argv[0], argv);
    _exit(errno == ENOENT ? NOT_FOUND : NOT_STARTED);
}

/* Reads to the end, so that the writer never waits, and keeps what fits: on one line. */
static void read_errors(int fd, char *said, size_t room)
{
    char chunk[512];
    size_t n = 0;
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        for (ssize_t i = 0; i < got; i++) {
            int space = (unsigned char)chunk[i] <= ' ' || chunk[i] == '^';
            if (n + 1 < room && !(space && (n == 0 || said[n - 1] == ' '))) said[n++] = (char)(space ? ' ' : chunk[i]);
        }
    }
    while (n > 0 && said[n - 1] == ' ') n--;
    said[n] = '\0';
}

/* gnuplot's exit code, or -1; what it said on stderr. */
static int run_gnuplot(int folder, char *const *argv, char *said, size_t room)
{
    int ends[2], how = 0;
    said[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) become_gnuplot(folder, argv, ends[1]);
    close(ends[1]);
    if (child > 0) read_errors(ends[0], said, room);
    close(ends[0]);
    if (child < 0) return -1;
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* Both pictures under the temporary name become the real ones, or are removed. Returns errno. */
static int take_pictures(int folder, const char *stem, const char *name, int keep)
{
    static const char *const endings[] = {"svg", "png"};
    int error = 0;
    for (size_t i = 0; i < 2; i++) {
        char from[128], to[80];
        snprintf(from, sizeof from, "%s.%s", stem, endings[i]);
        snprintf(to, sizeof to, "%s.%s", name, endings[i]);
        if (keep && !error && renameat(folder, from, folder, to) != 0) error = errno;
        if (!keep || error) unlinkat(folder, from, 0);
    }
    return error;
}

sg_status figure_run(const char *folder, const char *name, int *drawn)
{
    char script[80], stem[112], setting[128], said[512];
    snprintf(script, sizeof script, "./%s.gp", name);
    snprintf(stem, sizeof stem, ".%s-%ld", name, (long)getpid());
    snprintf(setting, sizeof setting, "name = '%s'", stem);
    /* -d: whatever is in the user's .gnuplot must not change the figure. */
    char *argv[] = {"gnuplot", "-d", "-e", setting, script, NULL};
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0) return fail(SG_EIO, "%s: %s", folder, strerror(errno));
    int code = run_gnuplot(at, argv, said, sizeof said);
    int error = take_pictures(at, stem, name, code == 0);
    close(at);
    *drawn = code == 0 && !error;
    if (error) return fail(SG_EIO, "can't write the pictures of %s/%s.gp: %s", folder, name, strerror(error));
    if (code == 0 || code == NOT_FOUND) return SG_OK;
    return fail(SG_EIO, "%s/%s.gp: gnuplot failed%s%s", folder, name, *said ? ": " : "", said);
}
