/* interrupt.c: Ctrl-C, and being told to end, as a question that a loop can ask. */
#include "cli.h"

#include <signal.h>
#include <stdatomic.h>

enum { WATCHED = 2 };
static const int watched[WATCHED] = {SIGINT, SIGTERM};

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
        sigaction(watched[i], NULL, &before[i]);
        /* Whoever started us with the signal ignored (nohup, a shell's background job) means it. */
        if (before[i].sa_handler != SIG_IGN) sigaction(watched[i], &once, NULL);
    }
}

void cli_interrupt_unwatch(void)
{
    for (size_t i = 0; i < WATCHED; i++) sigaction(watched[i], &before[i], NULL);
}

bool cli_interrupted(void) { return atomic_load(&noted) != 0; }
