/* interrupt.c: see interrupt.h. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { SIGNALS = 3 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* The only mutable globals here: a signal handler has no other way to say something. */
static atomic_long interrupted_at; /* when, in milliseconds; 0: not yet */
static struct sigaction old_action[SIGNALS];

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* timeout and some terminals send a signal twice, to us and to our group: that is one wish. A
 * second one, a moment later, is impatience. */
static void handle_signal(int sig)
{
    long now = now_ms(), never = 0;
    if (atomic_compare_exchange_strong(&interrupted_at, &never, now) || now - never < 300) return;
    signal(sig, SIG_DFL);
    raise(sig);
}

void cli_interrupt_watch(void)
{
    struct sigaction once = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
    sigemptyset(&once.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &old_action[i]);
        /* Who started us with a signal ignored (nohup) means it. But shells ignore SIGINT for every
         * background job, and a kill -INT is meant, too; nothing is lost by it. */
        if (old_action[i].sa_handler != SIG_IGN || signals[i] == SIGINT) sigaction(signals[i], &once, NULL);
    }
}

void cli_interrupt_unwatch(void)
{
    for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], &old_action[i], NULL);
}

bool cli_interrupted(void) { return atomic_load(&interrupted_at) != 0; }
