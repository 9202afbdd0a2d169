/* csv_emit.c: see csv_emit.h. */
#include "output/csv_emit.h"

#include <stdbool.h>
#include <string.h>

sg_status cli_csv_text(sg_atomic_file *o, const char *text) { return sg_atomic_file_write(o, text, strlen(text)); }

sg_status cli_csv_name(sg_atomic_file *o, const char *prefix, const char *name)
{
    bool quotes = strpbrk(name, ",;\t\"\r\n") || name[strlen(name) - 1] == ' ';
    sg_status st = cli_csv_text(o, quotes ? "\"" : "");
    if (st == SG_OK) st = cli_csv_text(o, prefix);
    for (; st == SG_OK && *name; name++) {
        if (*name == '"') st = cli_csv_text(o, "\"");
        if (st == SG_OK) st = sg_atomic_file_write(o, name, 1);
    }
    return st == SG_OK ? cli_csv_text(o, quotes ? "\"" : "") : st;
}

sg_status cli_csv_numbers(sg_atomic_file *o, const double *value, size_t n)
{
    char number[32];
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (i) st = cli_csv_text(o, ",");
        if (st == SG_OK) st = cli_csv_text(o, sg_number_format(value[i], number));
    }
    return st;
}
