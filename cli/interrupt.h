/* interrupt.h: lets a loop check whether the user pressed Ctrl-C or the process was asked to terminate. */
#ifndef SUGENO_CLI_INTERRUPT_H
#define SUGENO_CLI_INTERRUPT_H

#include <stdbool.h>

/* Between the two calls, the first SIGINT, SIGTERM or SIGHUP is noted, and the next one kills the process. */
void cli_interrupt_watch(void);
void cli_interrupt_unwatch(void);
bool cli_interrupted(void);

#endif
