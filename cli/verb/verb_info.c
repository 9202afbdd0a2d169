/* verb_info.c: what a file holds, be it a model or data. */
#include "verb/info.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>

/* A model begins with '{', as no data does. Only a file can be looked into and read again. */
static bool is_model(const char *path)
{
    struct stat is;
    FILE *f = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? fopen(path, "r") : NULL;
    if (!f) return false;
    int first = getc(f);
    while (isspace(first)) first = getc(f);
    fclose(f);
    return first == '{';
}

int cli_info(const cli_command *c) { return is_model(c->operand[0]) ? cli_info_model(c) : cli_info_data(c); }
