/* sheet.c: see sheet.h. */
#include "sheet.h"

#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_status slurp(const char *path, char **out)
{
    FILE *f = fopen(path, "rb");
    char *all = NULL;
    size_t size = 0, room = 0, n = 0;
    if (!f) return fail(SG_EIO, "%s: %s", path, strerror(errno));
    do {
        size += n;
        if (room - size < 2) {
            char *more = realloc(all, room = 2 * room + 4096);
            if (!more) break;
            all = more;
        }
        n = fread(all + size, 1, room - size - 1, f);
    } while (n > 0);
    int bad = ferror(f);
    fclose(f);
    if (!all || n > 0 || bad) {
        free(all);
        return bad ? fail(SG_EIO, "%s: it can't be read", path) : fail(SG_ENOMEM, "out of memory");
    }
    all[size] = '\0';
    *out = all;
    return SG_OK;
}

/* Ends the field at *p with '\0', removes its quotes, moves *p behind it; returns what ended it. */
static char cut_field(char **p, char **field)
{
    char *in = *p, *out = in, end;
    int quoted = 0;
    *field = out;
    for (; *in && (quoted || (*in != ',' && *in != '\n')); in++) {
        if (*in != '"') *out++ = *in;
        else if (quoted && in[1] == '"') *out++ = *in++;
        else quoted = !quoted;
    }
    end = *in;
    *p = end ? in + 1 : in;
    *out = '\0';
    return end;
}

static sg_status cut(sheet *s)
{
    char *p = s->text;
    size_t room = 0, n = 0, column = 0, line = 0;
    while (*p) {
        char end;
        if (n == room) {
            char **more = realloc(s->field, (room = 2 * room + 64) * sizeof *more);
            if (!more) return fail(SG_ENOMEM, "out of memory");
            s->field = more;
        }
        end = cut_field(&p, &s->field[n++]);
        column++;
        if (end == ',' && *p) continue;
        if (line == 0) s->columns = column;
        if (column != s->columns)
            return fail(SG_EDATA, "%s:%zu: %zu fields where the header has %zu", s->path, line + 1, column, s->columns);
        line++;
        column = 0;
    }
    if (line == 0) return fail(SG_EDATA, "%s: it is empty", s->path);
    s->rows = line - 1;
    return SG_OK;
}

/* Takes the text over, also on failure. */
static sg_status parse(char *all, const char *path, sheet *out)
{
    sheet s = {.text = all, .path = strdup(path)};
    sg_status st = s.path ? cut(&s) : fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) *out = s;
    else sheet_free(&s);
    return st;
}

sg_status sheet_parse(const char *bytes, const char *name, sheet *out)
{
    char *copy = strdup(bytes);
    return copy ? parse(copy, name, out) : fail(SG_ENOMEM, "out of memory");
}

sg_status sheet_read(const char *path, sheet *out)
{
    char *all = NULL;
    sg_status st = slurp(path, &all);
    return st == SG_OK ? parse(all, path, out) : st;
}

void sheet_free(sheet *s)
{
    free(s->path);
    free(s->text);
    free(s->field);
    *s = (sheet){0};
}

static size_t find(const sheet *s, const char *column, size_t length)
{
    size_t c = 0;
    while (c < s->columns && (strlen(s->field[c]) != length || strncmp(s->field[c], column, length) != 0)) c++;
    return c;
}

const char *sheet_get(const sheet *s, size_t row, const char *column)
{
    size_t c = find(s, column, strlen(column));
    return c < s->columns && row < s->rows ? s->field[(row + 1) * s->columns + c] : "";
}

sg_status sheet_expect(const sheet *s, const char *columns)
{
    const char *word;
    size_t length;
    while ((word = next_word(&columns, &length)))
        if (find(s, word, length) == s->columns)
            return fail(SG_EDATA, "%s:1: it has no column \"%.*s\"", s->path, (int)length, word);
    return SG_OK;
}

sg_status sheet_count(const sheet *s, size_t row, const char *column, size_t *out)
{
    const char *value = sheet_get(s, row, column);
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || n == 0 || n > 100000000)
        return fail(SG_EDATA, "%s:%zu: \"%s\" is no number of %s", s->path, row + 2, value, column);
    *out = n;
    return SG_OK;
}
