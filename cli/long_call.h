/* long_call.h: a long call of the library, with a progress bar and with Ctrl-C as a way to end it. */
#ifndef SUGENO_CLI_LONG_CALL_H
#define SUGENO_CLI_LONG_CALL_H

#include "bar.h"
#include "together.h"

#include <stdatomic.h>

typedef struct cli_long {
    cli_bar bar;
    size_t shown;     /* work is shown as parts of so many; 0: as it is */
    atomic_flag busy; /* several threads ask, one of them draws         */
    cli_pulse pulse;  /* of a team, which has one thread that asks      */
    sg_status failed; /* of the pulse, or SG_OK                         */
} cli_long;

/* From then on the first signal is noted, and no longer ends the program. */
sg_status cli_long_start(cli_long *w, const cli_call *c);
/* Work is shown in percent. */
void cli_long_percent(cli_long *w);
/* An sg_stop_fn; arg is the watch. */
int cli_long_stops(void *arg, size_t done, size_t planned);
void cli_long_end(cli_long *w);

#endif
