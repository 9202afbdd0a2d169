/* process.c: what holds for the whole process: its streams and its signals. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* A stream that the caller closed must not become the next file that is opened: what was meant for
 * the terminal would end up in it. Opened the wrong way round, so that using it still fails. */
static void fill_closed_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Data that is read in place is looked at before each access, but in the moment after that it may still
 * be cut off, or its disk may fail. Nothing can be saved then, and nothing but this is safe to do. */
static void lost_data(int sig)
{
    static const char sentence[] = "sugeno: a file that was read in place was cut off, or its disk failed\n";
    (void)sig;
    ssize_t put = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)put;
    _exit(CLI_FAILED);
}

void cli_process_start(void)
{
    fill_closed_streams();
    signal(SIGBUS, lost_data);
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error with a sentence, not a death */
}
