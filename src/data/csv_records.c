/* csv_records.c: a window over the input that holds at least one whole record.
 *
 * A record that the window cuts off is moved to its front and scanned again with more bytes behind
 * it; a window that such a record fills is doubled. So each byte is scanned a few times at most. */
#include "data/csv_records.h"

#include "base/memory.h"
#include "data/csv_row.h"

#include <stdlib.h>
#include <string.h>

struct sg_records {
    sg_input *in;
    char *window; /* made by new_window */
    size_t room;
    sg_scan scan;
};

/* A window for `room` bytes. What was kept starts where the bytes behind it are aligned; newlines
 * are behind the text. */
static char *new_window(size_t room)
{
    size_t bytes = room + SG_INPUT_ALIGN + SG_SCAN_BEYOND;
    if (bytes < room) return NULL;
    return aligned_alloc(SG_INPUT_ALIGN, (bytes + SG_INPUT_ALIGN - 1) / SG_INPUT_ALIGN * SG_INPUT_ALIGN);
}

sg_status sg_records_new(sg_input *in, char delimiter, size_t block, sg_records **out)
{
    sg_records *r = sg_alloc(1, sizeof *r);
    char *window = new_window(block);
    if (!r || !window) {
        free(r);
        free(window);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_input_name(in));
    }
    *r = (sg_records){.in = in, .window = window, .room = block};
    sg_scan_start(&r->scan, delimiter);
    r->scan.at = r->scan.end = memset(window, '\n', SG_SCAN_BEYOND);
    *out = r;
    return SG_OK;
}

void sg_records_free(sg_records *r)
{
    if (!r) return;
    sg_scan_release(&r->scan);
    free(r->window);
    free(r);
}

/* Moves what the scan has not taken yet to the front of a window, of this one or another. */
static void move_rest(sg_records *r, char *window)
{
    sg_scan *s = &r->scan;
    size_t kept = (size_t)(s->end - s->at);
    char *to = window + (SG_INPUT_ALIGN - kept % SG_INPUT_ALIGN) % SG_INPUT_ALIGN;
    s->at = memmove(to, s->at, kept);
    s->end = to + kept;
}

static sg_status widen(sg_records *r)
{
    const sg_scan *s = &r->scan;
    if (r->room >= SG_CSV_RECORD)
        return sg_fail(SG_EDATA, "%s:%zu:%zu: more than %d MB without an end; is a quote missing?",
                       sg_input_name(r->in), s->line, s->column, SG_CSV_RECORD >> 20);
    char *wider = new_window(r->room * 2);
    if (!wider) return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_input_name(r->in));
    move_rest(r, wider);
    free(r->window);
    r->window = wider;
    r->room *= 2;
    return SG_OK;
}

/* More bytes behind what the scan has not taken yet. */
static sg_status refill(sg_records *r)
{
    sg_scan *s = &r->scan;
    size_t kept = (size_t)(s->end - s->at), got;
    sg_status st = kept == r->room ? widen(r) : SG_OK;
    if (st != SG_OK) return st;
    move_rest(r, r->window);
    char *end = r->window + (s->end - r->window);
    st = sg_input_read(r->in, end, r->room - kept, &got);
    if (st != SG_OK) return st;
    s->last = got < r->room - kept;
    s->end = memset(end + got, '\n', SG_SCAN_BEYOND);
    return SG_OK;
}

static sg_status fault(const sg_records *r, sg_scanned what)
{
    const char *why[] = {
        [SG_SCAN_NUL] = "NUL byte; expected text in UTF-8",
        [SG_SCAN_OPEN_QUOTE] = "this quote is never closed",
        [SG_SCAN_AFTER_QUOTE] = "text after a closing quote (a quote inside a field is written \"\")",
        [SG_SCAN_TOO_WIDE] = "more than 1,000,000 columns",
        [SG_SCAN_NO_MEMORY] = "out of memory",
    };
    return sg_fail(what == SG_SCAN_NO_MEMORY ? SG_ENOMEM : SG_EDATA, "%s:%zu:%zu: %s", sg_input_name(r->in),
                   r->scan.line, r->scan.column, why[what]);
}

sg_status sg_records_next(sg_records *r, const sg_field **fields, size_t *count)
{
    sg_scan *s = &r->scan;
    sg_scanned got;
    while ((got = sg_scan_record(s)) == SG_SCAN_MORE) {
        sg_status st = refill(r);
        if (st != SG_OK) return st;
    }
    if (got != SG_SCAN_RECORD) return fault(r, got);
    for (size_t i = 0; i < s->count; i++)
        if (s->fields[i].doubled) sg_field_plain(&s->fields[i]);
    *fields = s->fields;
    *count = s->count;
    return SG_OK;
}

double sg_records_share(const sg_records *r)
{
    double ahead = (double)(r->scan.end - r->scan.at);
    double taken = (double)sg_input_taken(r->in) - ahead;
    return taken / (taken + ahead + (double)sg_input_left(r->in));
}

bool sg_records_row(sg_records *r, const bool *used, size_t width, double *row, const sg_field **fields, size_t *odd)
{
    *fields = r->scan.fields;
    return sg_scan_row(&r->scan, used, width, row, odd);
}
