/* csv_record_reader.c: splits an input into CSV records.
 *
 * A record that is cut off by the end of the window is scanned again when more bytes have been read. The window doubles
 * if a record fills it, so each byte is scanned only a few times. */
#include "data/format/csv/csv_record_reader.h"

#include "base/memory.h"

#include <stdlib.h>

struct sg_record_reader {
    sg_byte_window window;
    sg_csv_scanner scanner;
};

/* Points the scanner at the unread bytes of the window. */
static void sync_scanner(sg_record_reader *r)
{
    r->scanner.at = r->window.at;
    r->scanner.end = r->window.end;
    r->scanner.at_eof = r->window.at_eof;
}

sg_status sg_record_reader_new(sg_byte_reader *in, char delimiter, size_t block, sg_record_reader **out)
{
    sg_record_reader *r = sg_calloc(1, sizeof *r);
    if (!r) return sg_fail_read_memory(sg_byte_reader_name(in));
    sg_csv_scanner_init(&r->scanner, delimiter);
    sg_status st = sg_byte_window_init(&r->window, in, block);
    sync_scanner(r);
    if (st == SG_OK) *out = r;
    else sg_record_reader_free(r);
    return st;
}

void sg_record_reader_free(sg_record_reader *r)
{
    if (!r) return;
    sg_csv_scanner_release(&r->scanner);
    sg_byte_window_release(&r->window);
    free(r);
}

static sg_status fail_scan(const sg_record_reader *r, sg_scan_result what)
{
    const char *why[] = {
        [SG_SCAN_NUL] = "the field contains a NUL byte; expected text in UTF-8",
        [SG_SCAN_OPEN_QUOTE] = "this quote is never closed",
        [SG_SCAN_AFTER_QUOTE] = "there is text after a closing quote; write a quote inside a field as \"\"",
        [SG_SCAN_TOO_WIDE] = "the record has more than 1,000,000 columns",
        [SG_SCAN_NO_MEMORY] = "out of memory",
    };
    return sg_fail(what == SG_SCAN_NO_MEMORY ? SG_ENOMEM : SG_EDATA, "%s:%zu:%zu: %s",
                   sg_byte_reader_name(r->window.in), r->scanner.line, r->scanner.column, why[what]);
}

sg_status sg_record_reader_next(sg_record_reader *r, const sg_field **fields, size_t *count)
{
    sg_csv_scanner *s = &r->scanner;
    sg_scan_result got;
    while ((got = sg_csv_scan_record(s)) == SG_SCAN_NEED_MORE) {
        r->window.at = s->at;
        sg_status st = sg_byte_window_refill(&r->window, s->line, s->column);
        if (st != SG_OK) return st;
        sync_scanner(r);
    }
    if (got != SG_SCAN_RECORD) return fail_scan(r, got);
    for (size_t i = 0; i < s->count; i++)
        if (s->fields[i].has_doubled_quotes) sg_field_unescape_quotes(&s->fields[i]);
    *fields = s->fields;
    *count = s->count;
    return SG_OK;
}

double sg_record_reader_progress(const sg_record_reader *r)
{
    double ahead = (double)(r->scanner.end - r->scanner.at);
    double taken = (double)sg_byte_reader_consumed(r->window.in) - ahead;
    return taken / (taken + ahead + (double)sg_byte_reader_remaining(r->window.in));
}

bool sg_record_reader_next_fast_row(sg_record_reader *r, const bool *used, size_t width, double *row,
                                    const sg_field **fields, size_t *unparsed)
{
    *fields = r->scanner.fields;
    return sg_csv_scan_fast_row(&r->scanner, used, width, row, unparsed);
}
