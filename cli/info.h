/* info.h: the two kinds of files that info knows. */
#ifndef SUGENO_CLI_INFO_H
#define SUGENO_CLI_INFO_H

#include "cli.h"

int cli_info_model(const cli_call *c);
int cli_info_data(const cli_call *c);

#endif
