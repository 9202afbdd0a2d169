/* interrupt.c: prepares the standard streams and signals of the process, and notes Ctrl-C and requests to terminate, so
 * that a loop can end in an orderly way. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* These are the only mutable globals of the command line. A signal handler has no argument to replace them. */
static atomic_long interrupted_at; /* milliseconds; 0: not interrupted */
static struct sigaction old_action[SIGNALS];

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* timeout(1) and some terminals send a signal twice, to the process and to its group, so a second signal within 300 ms
 * is ignored. A later signal kills the process. */
static void handle_signal(int sig)
{
    long now = now_ms(), never = 0;
    if (atomic_compare_exchange_strong(&interrupted_at, &never, now) || now - never < 300) return;
    signal(sig, SIG_DFL);
    raise(sig);
}

void cli_interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &old_action[i]);
        /* Signals that the parent ignores (nohup) stay ignored, except SIGINT, which shells ignore in background
         * jobs. */
        if (old_action[i].sa_handler != SIG_IGN || signals[i] == SIGINT) sigaction(signals[i], &action, NULL);
    }
}

void cli_interrupt_unwatch(void)
{
    for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], &old_action[i], NULL);
}

bool cli_interrupted(void) { return atomic_load(&interrupted_at) != 0; }

/* Opens /dev/null in place of closed standard streams. Otherwise the next file to be opened could get the file
 * descriptor of standard output or standard error, and output would go into this file. The mode is deliberately wrong,
 * so that any use still fails. */
static void reopen_closed_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

void cli_process_start(void)
{
    reopen_closed_streams();
    signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit then gives an error message */
}
