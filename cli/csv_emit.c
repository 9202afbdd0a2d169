/* csv_emit.c: see csv_emit.h. */
#include "csv_emit.h"

#include <stdbool.h>
#include <string.h>

sg_status cli_csv_text(sg_output *o, const char *text) { return sg_output_write(o, text, strlen(text)); }

sg_status cli_csv_name(sg_output *o, const char *prefix, const char *name)
{
    bool quotes = strpbrk(name, ",;\t\"\r\n") || name[strlen(name) - 1] == ' ';
    sg_status st = cli_csv_text(o, quotes ? "\"" : "");
    if (st == SG_OK) st = cli_csv_text(o, prefix);
    for (; st == SG_OK && *name; name++) {
        if (*name == '"') st = cli_csv_text(o, "\"");
        if (st == SG_OK) st = sg_output_write(o, name, 1);
    }
    return st == SG_OK ? cli_csv_text(o, quotes ? "\"" : "") : st;
}

sg_status cli_csv_numbers(sg_output *o, const double *value, size_t n)
{
    char number[32];
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (i) st = cli_csv_text(o, ",");
        if (st == SG_OK) st = cli_csv_text(o, sg_format_number(value[i], number));
    }
    return st;
}
