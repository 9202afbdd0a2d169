/* interrupt.h: Ctrl-C, and being told to end, as a question that a loop can ask. */
#ifndef SUGENO_CLI_INTERRUPT_H
#define SUGENO_CLI_INTERRUPT_H

#include <stdbool.h>

/* Between the two, the first SIGINT, SIGTERM or SIGHUP is noted, and one a moment later kills. */
void cli_interrupt_watch(void);
void cli_interrupt_unwatch(void);
bool cli_interrupted(void);

#endif
