/* json_emit.c: see json_emit.h. */
#include "json_emit.h"

#include "sugeno.h"

#include <math.h>
#include <stdio.h>

static void string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') printf("\\%c", c);
        else if (c < ' ') printf("\\u%04x", c);
        else putchar(c);
    }
    putchar('"');
}

static void begin(cli_json *j, const char *key)
{
    if (j->comma) fputs(", ", stdout);
    j->comma = true;
    if (!key) return;
    string(key);
    fputs(": ", stdout);
}

void cli_json_open(cli_json *j, const char *key, char bracket)
{
    begin(j, key);
    putchar(bracket);
    j->comma = false;
}

void cli_json_close(cli_json *j, char bracket)
{
    putchar(bracket == '{' ? '}' : ']');
    j->comma = true;
}

void cli_json_text(cli_json *j, const char *key, const char *text)
{
    begin(j, key);
    if (text) string(text);
    else fputs("null", stdout);
}

void cli_json_number(cli_json *j, const char *key, double value)
{
    char buf[32];
    begin(j, key);
    fputs(isfinite(value) ? sg_format_number(value, buf) : "null", stdout);
}

void cli_json_count(cli_json *j, const char *key, size_t value)
{
    begin(j, key);
    printf("%zu", value);
}

void cli_json_flag(cli_json *j, const char *key, bool value)
{
    begin(j, key);
    fputs(value ? "true" : "false", stdout);
}
