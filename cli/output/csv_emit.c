/* csv_emit.c: writes CSV cells to an atomic file and remembers the first failure. */
#include "output/csv_emit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void cli_csv_open(cli_csv *w, const char *path)
{
    *w = (cli_csv){0};
    w->status = sg_atomic_file_open(*path ? path : "-", &w->file);
}

static void write_bytes(cli_csv *w, const char *bytes, size_t n)
{
    if (w->status == SG_OK) w->status = sg_atomic_file_write(w->file, bytes, n);
}

void cli_csv_text(cli_csv *w, const char *text) { write_bytes(w, text, strlen(text)); }

void cli_csv_name(cli_csv *w, const char *prefix, const char *name)
{
    bool quotes = strpbrk(name, ",;\t\"\r\n") || (*name && name[strlen(name) - 1] == ' ');
    cli_csv_text(w, quotes ? "\"" : "");
    cli_csv_text(w, prefix);
    for (; *name; name++) {
        if (*name == '"') cli_csv_text(w, "\"");
        write_bytes(w, name, 1);
    }
    cli_csv_text(w, quotes ? "\"" : "");
}

void cli_csv_count(cli_csv *w, size_t value)
{
    char number[32];
    snprintf(number, sizeof number, "%zu", value);
    cli_csv_text(w, number);
}

void cli_csv_numbers(cli_csv *w, const double *value, size_t n)
{
    char number[32];
    for (size_t i = 0; i < n; i++) {
        if (i) cli_csv_text(w, ",");
        cli_csv_text(w, sg_number_format(value[i], number));
    }
}

sg_status cli_csv_close(cli_csv *w, sg_status st)
{
    sg_atomic_file *file = w->file;
    w->file = NULL;
    if (st == SG_OK) st = w->status;
    if (st == SG_OK && file) return sg_atomic_file_commit(file);
    sg_atomic_file_free(file);
    return st;
}
