/* info_data.h: the part of sugeno info that describes data files. */
#ifndef SUGENO_CLI_VERB_INFO_DATA_H
#define SUGENO_CLI_VERB_INFO_DATA_H

#include "cli.h"

/* Prints the columns of a data file. Returns an exit code. */
int cli_info_data(const cli_command *c);

#endif
