/* print_escaped.c: prints names from files on a terminal, with control characters escaped (sg_escape_char). */
#include "cli.h"

/* Returns the number of characters, each of which is assumed to be one column wide. */
static int count_characters(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

int cli_display_width(const char *text)
{
    char one[SG_ESCAPE_SIZE];
    int columns = 0;
    for (size_t n; (n = sg_escape_char(text, one)); text += n) columns += count_characters(one);
    return columns;
}

void cli_print_escaped(FILE *to, const char *text, int width)
{
    char one[SG_ESCAPE_SIZE];
    width -= cli_display_width(text);
    for (size_t n; (n = sg_escape_char(text, one)); text += n) fputs(one, to);
    while (width-- > 0) fputc(' ', to);
}
