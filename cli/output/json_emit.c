/* json_emit.c: writes JSON to standard output, with commas, escapes, and numbers in their shortest decimal form. */
#include "output/json_emit.h"

#include <math.h>
#include <stdio.h>

/* Returns the length of the UTF-8 character at p, or 0 if it is invalid, as file names may contain any bytes. */
static size_t utf8_length(const unsigned char *p)
{
    size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    if (n > 1 && (*p < 0xc2 || *p > 0xf4)) return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    bool overlong = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
    bool beyond = (*p == 0xed && p[1] > 0x9f) || (*p == 0xf4 && p[1] > 0x8f);
    return overlong || beyond ? 0 : n;
}

static void write_string(const char *text)
{
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t n = utf8_length(p);
        if (n == 0) fputs("\\ufffd", stdout);
        else if (*p == '"' || *p == '\\') printf("\\%c", *p);
        else if (*p < ' ') printf("\\u%04x", *p);
        else fwrite(p, 1, n, stdout);
        p += n ? n : 1;
    }
    putchar('"');
}

static void write_key(cli_json *j, const char *key)
{
    if (j->comma) fputs(", ", stdout);
    j->comma = true;
    if (!key) return;
    write_string(key);
    fputs(": ", stdout);
}

void cli_json_open(cli_json *j, const char *key, char bracket)
{
    write_key(j, key);
    putchar(bracket);
    j->comma = false;
    j->depth++;
}

void cli_json_close(cli_json *j, char bracket)
{
    putchar(bracket == '{' ? '}' : ']');
    j->comma = true;
    if (--j->depth == 0) putchar('\n');
}

void cli_json_text(cli_json *j, const char *key, const char *text)
{
    write_key(j, key);
    if (text) write_string(text);
    else fputs("null", stdout);
}

void cli_json_number(cli_json *j, const char *key, double value)
{
    char buf[32];
    write_key(j, key);
    fputs(isfinite(value) ? sg_number_format(value, buf) : "null", stdout);
}

void cli_json_count(cli_json *j, const char *key, size_t value)
{
    write_key(j, key);
    printf("%zu", value);
}

void cli_json_flag(cli_json *j, const char *key, bool value)
{
    write_key(j, key);
    fputs(value ? "true" : "false", stdout);
}

void cli_json_metrics(cli_json *j, const sg_metrics *m)
{
    cli_json_number(j, "rmse", m->rmse);
    cli_json_number(j, "mae", m->mae);
    cli_json_number(j, "r2", m->r2);
}

void cli_json_file_summary(size_t rows, const char *key, const char *path)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", rows);
    cli_json_text(&j, key, path);
    cli_json_close(&j, '{');
}
