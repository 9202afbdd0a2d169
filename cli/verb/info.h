/* info.h: the two kinds of files that info knows. */
#ifndef SUGENO_CLI_VERB_INFO_H
#define SUGENO_CLI_VERB_INFO_H

#include "cli.h"

int cli_info_model(const cli_command *c);
int cli_info_data(const cli_command *c);

#endif
