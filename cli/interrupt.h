/* interrupt.h: notes Ctrl-C and requests to terminate, so that a loop can end in an orderly way. */
#pragma once

#include <stdbool.h>

/* Prepares the standard streams and signals. Must be called first in main. */
void cli_process_start(void);
/* Between these two calls, the first SIGINT, SIGTERM or SIGHUP is noted, and the next one kills the process. */
void cli_interrupt_watch(void);
void cli_interrupt_unwatch(void);
bool cli_interrupted(void);
