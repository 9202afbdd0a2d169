/* csv_row.c: most rows of most files are plain numbers, and are read here in one pass: digits to a
 * double, then the delimiter. Whatever else a row may be is left to sg_scan_record, so this file
 * knows no message. A number is never NaN, so NaN marks a cell that was none. */
#include "data/csv_row.h"

#include "base/decimal.h"

#include <math.h>

_Static_assert((int)SG_DECIMAL_BEYOND < (int)SG_SCAN_BEYOND, "numbers are read in words");

/* A number in quotes or between blanks: what ended the cell, or NULL. */
static const char *take_wrapped(const sg_scan *s, const char *p, double *out)
{
    p = sg_scan_blanks(s, p);
    bool quoted = *p == '"';
    p = sg_decimal_read(p + quoted, quoted ? '"' : s->delimiter, out);
    if (!p || (quoted && *p++ != '"')) return NULL;
    p = sg_scan_blanks(s, p);
    return s->ends_plain[(unsigned char)*p] ? p : NULL;
}

/* Any other cell; "" inside quotes would have to be changed in place, so not here. */
static const char *take_other(sg_scan *s, const char *p, sg_field *cell)
{
    return sg_scan_field(s, &p, cell) == SG_SCAN_RECORD && !cell->doubled ? p : NULL;
}

/* Whatever is not a number and its end. Inline it would take registers from the cells that are. */
__attribute__((noinline)) static const char *take_odd(sg_scan *s, const char *p, bool used, size_t column, double *out,
                                                      size_t *odd)
{
    const char *rest = used ? take_wrapped(s, p, out) : NULL;
    if (rest) return rest;
    if (used) *out = NAN;
    *odd += used;
    return take_other(s, p, &s->fields[column]);
}

static const char *take_cells(sg_scan *s, const bool *used, size_t width, double *row, size_t *odd)
{
    const char *p = s->at, delimiter = s->delimiter;
    for (size_t j = 0;;) {
        const char *rest = used[j] ? sg_decimal_read(p, delimiter, row) : NULL;
        if (!rest || !s->ends_plain[(unsigned char)*rest]) rest = take_odd(s, p, used[j], j, row, odd);
        if (!rest) return NULL;
        row += used[j];
        p = rest;
        if (++j == width) return p;
        if (*p++ != delimiter) return NULL;
    }
}

bool sg_scan_row(sg_scan *s, const bool *used, size_t width, double *row, size_t *odd)
{
    s->line = s->next_line;
    *odd = 0;
    const char *p = take_cells(s, used, width, row, odd);
    if (!p || p + 1 >= s->end || (*p != '\n' && *p != '\r')) return false;
    if (width == 1 && (*odd || !used[0])) return false; /* a blank line? */
    s->at = sg_scan_line_end(s, p);
    s->next_line = s->line + 1;
    return true;
}
