/* csv_fast_row.c: the fast path for rows that hold only plain numbers, as most rows do. It converts digits to double in
 * one pass. Rows that it does not support, and all errors, are left to sg_csv_scan_record. Parsed numbers are never
 * NaN, so NaN marks cells that are not numbers. */
#include "data/format/csv/csv_scanner.h"

#include "base/number/parse_decimal.h"
#include "data/ingest/byte_reader.h"

#include <math.h>

_Static_assert((int)SG_DECIMAL_PADDING < (int)SG_WINDOW_PADDING,
               "reading a number eight bytes at a time must stay within the padding of the window");

/* Parses a number with quotes or blanks around it. Returns the end of the cell, or NULL if it is not a number. */
static const char *parse_wrapped_number(const sg_csv_scanner *s, const char *p, double *out)
{
    p = sg_csv_skip_blanks(s, p);
    bool quoted = *p == '"';
    p = sg_decimal_parse(p + quoted, quoted ? '"' : s->delimiter, out);
    if (!p || (quoted && *p++ != '"')) return NULL;
    p = sg_csv_skip_blanks(s, p);
    return s->ends_plain[(unsigned char)*p] ? p : NULL;
}

/* Scans any other cell. Returns its end, or NULL if the cell is invalid, incomplete, or contains doubled quotes. */
static const char *scan_other_cell(sg_csv_scanner *s, const char *p, sg_field *cell)
{
    return sg_csv_scan_field(s, &p, cell) == SG_SCAN_RECORD && !cell->has_doubled_quotes ? p : NULL;
}

/* Parses any cell but a plain number; returns its end, or NULL. Inlining would take registers from the common case. */
__attribute__((noinline)) static const char *parse_unusual_cell(sg_csv_scanner *s, const char *p, bool used,
                                                                size_t column, double *out, size_t *unparsed)
{
    const char *rest = used ? parse_wrapped_number(s, p, out) : NULL;
    if (rest) return rest;
    if (used) *out = NAN;
    *unparsed += used;
    return scan_other_cell(s, p, &s->fields[column]);
}

static const char *parse_cells(sg_csv_scanner *s, const bool *used, size_t width, double *row, size_t *unparsed)
{
    const char *p = s->at, delimiter = s->delimiter;
    for (size_t j = 0;;) {
        const char *rest = used[j] ? sg_decimal_parse(p, delimiter, row) : NULL;
        if (!rest || !s->ends_plain[(unsigned char)*rest]) rest = parse_unusual_cell(s, p, used[j], j, row, unparsed);
        if (!rest) return NULL;
        row += used[j];
        p = rest;
        if (++j == width) return p;
        if (*p++ != delimiter) return NULL;
    }
}

bool sg_csv_scan_fast_row(sg_csv_scanner *s, const bool *used, size_t width, double *row, size_t *unparsed)
{
    s->line = s->next_line;
    *unparsed = 0;
    const char *p = parse_cells(s, used, width, row, unparsed);
    if (!p || p + 1 >= s->end || (*p != '\n' && *p != '\r')) return false;
    if (width == 1 && (*unparsed || !used[0])) return false; /* this may be a blank line */
    s->at = sg_csv_skip_line_end(s, p);
    s->next_line = s->line + 1;
    return true;
}
