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

void cli_process_start(void)
{
    fill_closed_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error with a sentence, not a death */
}
