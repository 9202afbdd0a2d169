/* interrupt.c: Ctrl-C, and being told to end, as a question that a loop can ask. */
#include "cli.h"

#include <signal.h>
#include <stdatomic.h>

enum { WATCHED = 3 };
static const int watched[WATCHED] = {SIGINT, SIGTERM, SIGHUP};

/* The only mutable globals here: a signal handler has no other way to say something. */
static atomic_int noted;
static struct sigaction before[WATCHED];

static void note(int sig)
{
    (void)sig;
    atomic_store(&noted, 1);
}

void cli_interrupt_watch(void)
{
    struct sigaction once = {.sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&once.sa_mask);
    for (size_t i = 0; i < WATCHED; i++) {
        /* Also where a shell started us with SIGINT ignored, as it does with background jobs: a
         * kill -INT is meant, and nothing is lost by it. */
        sigaction(watched[i], &once, &before[i]);
    }
}

void cli_interrupt_unwatch(void)
{
    for (size_t i = 0; i < WATCHED; i++) sigaction(watched[i], &before[i], NULL);
}

bool cli_interrupted(void) { return atomic_load(&noted) != 0; }
