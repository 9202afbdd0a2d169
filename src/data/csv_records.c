/* csv_records.c: a window over the input that holds at least one whole record.
 *
 * A record that the window cuts off is moved to its front and scanned again with more bytes behind
 * it; a window that such a record fills is doubled. So each byte is scanned a few times at most. */
#include "data/csv_records.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct sg_records {
    sg_input *in;
    char *window; /* room + 1 bytes: one for the newline at the end */
    size_t room;
    sg_scan scan;
};

sg_status sg_records_new(sg_input *in, char delimiter, size_t block, sg_records **out)
{
    sg_records *r = sg_alloc(1, sizeof *r);
    char *window = sg_alloc(block + 1, 1);
    if (!r || !window) {
        free(r);
        free(window);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_input_name(in));
    }
    *r = (sg_records){.in = in, .window = window, .room = block};
    sg_scan_start(&r->scan, delimiter);
    r->scan.at = r->scan.end = window;
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

static sg_status widen(sg_records *r)
{
    const sg_scan *s = &r->scan;
    if (r->room >= SG_CSV_RECORD)
        return sg_fail(SG_EDATA, "%s:%zu:%zu: more than %d MB without an end; is a quote missing?",
                       sg_input_name(r->in), s->line, s->column, SG_CSV_RECORD >> 20);
    char *wider = realloc(r->window, r->room * 2 + 1);
    if (!wider) return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_input_name(r->in));
    r->window = wider;
    r->room *= 2;
    return SG_OK;
}

/* More bytes behind what the scan has not taken yet. */
static sg_status refill(sg_records *r)
{
    sg_scan *s = &r->scan;
    size_t kept = (size_t)(s->end - s->at), got;
    if (s->at > r->window) memmove(r->window, s->at, kept);
    sg_status st = kept == r->room ? widen(r) : SG_OK;
    if (st == SG_OK) st = sg_input_read(r->in, r->window + kept, r->room - kept, &got);
    if (st != SG_OK) return st;
    s->last = got < r->room - kept;
    s->at = r->window;
    s->end = r->window + kept + got;
    r->window[kept + got] = '\n';
    return SG_OK;
}

static sg_status fault(const sg_records *r, sg_scanned what)
{
    const char *why[] = {
        [SG_SCAN_NUL] = "NUL byte; expected text in UTF-8",
        [SG_SCAN_OPEN_QUOTE] = "this quote is never closed",
        [SG_SCAN_AFTER_QUOTE] =
            "text after a closing quote (a quote inside a field is written \"\")",
        [SG_SCAN_TOO_WIDE] = "more than 1,000,000 columns",
        [SG_SCAN_NO_MEMORY] = "out of memory",
    };
    return sg_fail(what == SG_SCAN_NO_MEMORY ? SG_ENOMEM : SG_EDATA, "%s:%zu:%zu: %s",
                   sg_input_name(r->in), r->scan.line, r->scan.column, why[what]);
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
