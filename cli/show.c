/* show.c: names on a terminal. They come from files: what a terminal would act on is written out (sg_shown). */
#include "cli.h"

#include <string.h>

/* Characters, where each is one column wide. */
static int columns_of(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

int cli_columns(const char *name)
{
    char one[SG_SHOWN_SIZE];
    int columns = 0;
    for (size_t n; (n = sg_shown(name, one)); name += n) columns += columns_of(one);
    return columns;
}

void cli_show(FILE *to, const char *name, int width)
{
    char one[SG_SHOWN_SIZE];
    width -= cli_columns(name);
    for (size_t n; (n = sg_shown(name, one)); name += n) fputs(one, to);
    while (width-- > 0) fputc(' ', to);
}
