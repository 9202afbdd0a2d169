/* csv_record_reader.c: splits an input into CSV records, with a window over the input that holds at least one whole
 * record.
 *
 * A record that is cut off by the end of the window is moved to its front and scanned again with more bytes. If it
 * fills the window, the window is doubled. So each byte is scanned only a few times. */
#include "data/format/csv/csv_record_reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct sg_record_reader {
    sg_byte_reader *in;
    char *window; /* allocated by new_window */
    size_t capacity;
    sg_csv_scanner scanner;
};

/* Allocates a window for `room` bytes, so that bytes after the unread ones can be aligned and padding can follow. */
static char *new_window(size_t room)
{
    size_t bytes = room + SG_BYTE_READER_ALIGN + SG_SCAN_PADDING;
    if (bytes < room) return NULL;
    return aligned_alloc(SG_BYTE_READER_ALIGN,
                         (bytes + SG_BYTE_READER_ALIGN - 1) / SG_BYTE_READER_ALIGN * SG_BYTE_READER_ALIGN);
}

sg_status sg_record_reader_new(sg_byte_reader *in, char delimiter, size_t block, sg_record_reader **out)
{
    if (!block) block = SG_READ_BLOCK_BYTES;
    sg_record_reader *r = sg_calloc(1, sizeof *r);
    char *window = new_window(block);
    if (!r || !window) {
        free(r);
        free(window);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_byte_reader_name(in));
    }
    *r = (sg_record_reader){.in = in, .window = window, .capacity = block};
    sg_csv_scanner_init(&r->scanner, delimiter);
    r->scanner.at = r->scanner.end = memset(window, '\n', SG_SCAN_PADDING);
    *out = r;
    return SG_OK;
}

void sg_record_reader_free(sg_record_reader *r)
{
    if (!r) return;
    sg_csv_scanner_release(&r->scanner);
    free(r->window);
    free(r);
}

/* Moves the unread bytes to the front of a window, this one or a new one. */
static void move_unread(sg_record_reader *r, char *window)
{
    sg_csv_scanner *s = &r->scanner;
    size_t kept = (size_t)(s->end - s->at);
    char *to = window + (SG_BYTE_READER_ALIGN - kept % SG_BYTE_READER_ALIGN) % SG_BYTE_READER_ALIGN;
    s->at = memmove(to, s->at, kept);
    s->end = to + kept;
}

static sg_status grow_window(sg_record_reader *r)
{
    const sg_csv_scanner *s = &r->scanner;
    if (r->capacity >= SG_CSV_RECORD_BYTES_MAX)
        return sg_fail(SG_EDATA, "%s:%zu:%zu: more than %d MB without an end; is a quote missing?",
                       sg_byte_reader_name(r->in), s->line, s->column, SG_CSV_RECORD_BYTES_MAX >> 20);
    char *wider = new_window(r->capacity * 2);
    if (!wider) return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_byte_reader_name(r->in));
    move_unread(r, wider);
    free(r->window);
    r->window = wider;
    r->capacity *= 2;
    return SG_OK;
}

/* Reads more bytes after the unread ones. */
static sg_status refill(sg_record_reader *r)
{
    sg_csv_scanner *s = &r->scanner;
    size_t kept = (size_t)(s->end - s->at), got;
    sg_status st = kept == r->capacity ? grow_window(r) : SG_OK;
    if (st != SG_OK) return st;
    move_unread(r, r->window);
    char *end = r->window + (s->end - r->window);
    st = sg_byte_reader_read(r->in, end, r->capacity - kept, &got);
    if (st != SG_OK) return st;
    s->at_eof = got < r->capacity - kept;
    s->end = memset(end + got, '\n', SG_SCAN_PADDING);
    return SG_OK;
}

static sg_status fail_scan(const sg_record_reader *r, sg_scan_result what)
{
    const char *why[] = {
        [SG_SCAN_NUL] = "NUL byte; expected text in UTF-8",
        [SG_SCAN_OPEN_QUOTE] = "this quote is never closed",
        [SG_SCAN_AFTER_QUOTE] = "text after a closing quote (a quote inside a field is written \"\")",
        [SG_SCAN_TOO_WIDE] = "more than 1,000,000 columns",
        [SG_SCAN_NO_MEMORY] = "out of memory",
    };
    return sg_fail(what == SG_SCAN_NO_MEMORY ? SG_ENOMEM : SG_EDATA, "%s:%zu:%zu: %s", sg_byte_reader_name(r->in),
                   r->scanner.line, r->scanner.column, why[what]);
}

sg_status sg_record_reader_next(sg_record_reader *r, const sg_field **fields, size_t *count)
{
    sg_csv_scanner *s = &r->scanner;
    sg_scan_result got;
    while ((got = sg_csv_scan_record(s)) == SG_SCAN_NEED_MORE) {
        sg_status st = refill(r);
        if (st != SG_OK) return st;
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
    double taken = (double)sg_byte_reader_consumed(r->in) - ahead;
    return taken / (taken + ahead + (double)sg_byte_reader_remaining(r->in));
}

bool sg_record_reader_next_fast_row(sg_record_reader *r, const bool *used, size_t width, double *row,
                                    const sg_field **fields, size_t *unparsed)
{
    *fields = r->scanner.fields;
    return sg_csv_scan_fast_row(&r->scanner, used, width, row, unparsed);
}
