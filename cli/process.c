/* process.c: prepares the standard streams and signals of the process. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Opens /dev/null in place of closed standard streams: otherwise the next file to be opened would get the number of
 * standard output, and messages would go into it. The mode is the wrong one, so that using the stream still fails. */
static void fill_closed_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

void cli_process_start(void)
{
    fill_closed_streams();
    signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit becomes an error message */
}
