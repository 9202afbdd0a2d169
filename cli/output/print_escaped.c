/* print_escaped.c: names on a terminal. They come from files: what a terminal would act on is written out
 * (sg_escape_char). */
#include "cli.h"

#include <string.h>

/* Characters, where each is one column wide. */
static int count_characters(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

int cli_display_width(const char *name)
{
    char one[SG_ESCAPE_SIZE];
    int columns = 0;
    for (size_t n; (n = sg_escape_char(name, one)); name += n) columns += count_characters(one);
    return columns;
}

void cli_print_escaped(FILE *to, const char *name, int width)
{
    char one[SG_ESCAPE_SIZE];
    width -= cli_display_width(name);
    for (size_t n; (n = sg_escape_char(name, one)); name += n) fputs(one, to);
    while (width-- > 0) fputc(' ', to);
}
