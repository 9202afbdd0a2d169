/* csv_scanner.c: splits bytes into fields as in RFC 4180, with common extensions: a lone CR is a line end, fields may
 * be surrounded by blanks, and quotes inside unquoted fields are ordinary characters.
 *
 * The newline after the last byte ends every inner loop, so no inner loop compares positions with `end`. */
#include "data/format/csv/csv_scanner.h"

#include "base/memory.h"

#include <stdlib.h>

void sg_csv_scanner_init(sg_csv_scanner *s, char delimiter)
{
    *s = (sg_csv_scanner){.delimiter = delimiter, .next_line = 1};
    s->ends_plain[(unsigned char)delimiter] = true;
    s->ends_quoted['"'] = true;
    s->ends_plain['\n'] = s->ends_plain['\r'] = s->ends_plain['\0'] = true;
    s->ends_quoted['\n'] = s->ends_quoted['\r'] = s->ends_quoted['\0'] = true;
}

void sg_csv_scanner_release(sg_csv_scanner *s)
{
    free(s->fields);
    s->fields = NULL;
    s->capacity = 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

const char *sg_csv_skip_blanks(const sg_csv_scanner *s, const char *p)
{
    while (is_blank(*p) && *p != s->delimiter) p++;
    return p;
}

static void set_text(sg_field *f, const char *from, const char *to)
{
    while (from < to && is_blank(*from)) from++;
    while (from < to && is_blank(to[-1])) to--;
    f->text = from;
    f->length = (size_t)(to - from);
}

const char *sg_csv_skip_line_end(const sg_csv_scanner *s, const char *p)
{
    return p + 1 + (*p == '\r' && p + 1 < s->end && p[1] == '\n');
}

/* Scans the rest of a field after its opening quote, and moves *at past the closing quote. A quote that is the last
 * available byte may be half of "", but then the record is scanned again anyway, because its end is not available. */
static sg_scan_result scan_quoted(sg_csv_scanner *s, const char **at, sg_field *f)
{
    const char *p = *at;
    for (;;) {
        while (!s->ends_quoted[(unsigned char)*p]) p++;
        if (p == s->end) return s->at_eof ? SG_SCAN_OPEN_QUOTE : SG_SCAN_NEED_MORE;
        if (*p == '\0') return SG_SCAN_NUL;
        if (*p != '"') {
            p = sg_csv_skip_line_end(s, p);
            s->line++;
        } else if (p + 1 < s->end && p[1] == '"') {
            f->has_doubled_quotes = true;
            p += 2;
        } else {
            break;
        }
    }
    set_text(f, *at, p);
    *at = p + 1;
    return SG_SCAN_RECORD;
}

sg_scan_result sg_csv_scan_field(sg_csv_scanner *s, const char **at, sg_field *f)
{
    const char *p = sg_csv_skip_blanks(s, *at);
    *f = (sg_field){.line = s->line, .quoted = *p == '"'};
    if (f->quoted) {
        p++;
        sg_scan_result got = scan_quoted(s, &p, f);
        if (got != SG_SCAN_RECORD) return got;
        p = sg_csv_skip_blanks(s, p);
        if (!s->ends_plain[(unsigned char)*p]) return SG_SCAN_AFTER_QUOTE;
    } else {
        const char *from = p;
        while (!s->ends_plain[(unsigned char)*p]) p++;
        set_text(f, from, p);
    }
    *at = p;
    return *p == '\0' ? SG_SCAN_NUL : SG_SCAN_RECORD;
}

static bool make_room(sg_csv_scanner *s)
{
    return s->count < s->capacity || sg_array_reserve(&s->fields, &s->capacity, s->count + 16, sizeof *s->fields);
}

/* Scans all fields of a record and the line end after them. */
static sg_scan_result scan_fields(sg_csv_scanner *s, const char **at)
{
    const char *p = *at;
    for (s->count = 0;; p++) {
        s->column = s->count + 1;
        if (s->count == SG_COLUMNS_MAX) return SG_SCAN_TOO_WIDE;
        if (!make_room(s)) return SG_SCAN_NO_MEMORY;
        sg_field *f = &s->fields[s->count];
        sg_scan_result got = sg_csv_scan_field(s, &p, f);
        if (got != SG_SCAN_RECORD) {
            s->line = f->line; /* report the start of the field */
            return got;
        }
        s->count++;
        if (*p != s->delimiter) break;
    }
    if (p == s->end && !s->at_eof) return SG_SCAN_NEED_MORE;
    if (*p == '\r' && p + 1 == s->end && !s->at_eof) return SG_SCAN_NEED_MORE; /* this may be half of CRLF */
    *at = p == s->end ? p : sg_csv_skip_line_end(s, p);
    s->line++;
    return SG_SCAN_RECORD;
}

sg_scan_result sg_csv_scan_record(sg_csv_scanner *s)
{
    for (s->line = s->next_line;;) {
        if (s->at == s->end) {
            s->count = 0;
            return s->at_eof ? SG_SCAN_RECORD : SG_SCAN_NEED_MORE;
        }
        sg_scan_result got = scan_fields(s, &s->at);
        if (got != SG_SCAN_RECORD) return got;
        s->next_line = s->line;
        const sg_field *first = s->fields;
        if (s->count > 1 || first->length > 0 || first->quoted) return SG_SCAN_RECORD;
    }
}

void sg_field_unescape_quotes(sg_field *f)
{
    char *to = (char *)f->text;
    for (size_t i = 0; i < f->length; i++) {
        *to++ = f->text[i];
        if (f->text[i] == '"') i++;
    }
    f->length = (size_t)(to - f->text);
    f->has_doubled_quotes = false;
}
