/* line_reader.c: splits an input into lines. */
#include "data/ingest/line_reader.h"

#include "base/memory.h"
#include "data/format/csv/csv_sniff.h"

#include <stdlib.h>
#include <string.h>

struct sg_line_reader {
    sg_byte_window window;
    size_t number; /* number of the last line */
};

sg_status sg_line_reader_new(sg_byte_reader *in, size_t block, sg_line_reader **out)
{
    sg_status st = sg_csv_check_encoding(in);
    if (st != SG_OK) return st;
    sg_line_reader *l = sg_calloc(1, sizeof *l);
    if (!l) return sg_fail_read_memory(sg_byte_reader_name(in));
    st = sg_byte_window_init(&l->window, in, block);
    if (st == SG_OK) *out = l;
    else sg_line_reader_free(l);
    return st;
}

void sg_line_reader_free(sg_line_reader *l)
{
    if (!l) return;
    sg_byte_window_release(&l->window);
    free(l);
}

static sg_status check_bytes(const sg_line *line)
{
    const char *nul = memchr(line->at, '\0', (size_t)(line->end - line->at));
    if (!nul) return SG_OK;
    return sg_fail(SG_EDATA, "%s:%zu:%zu: the line contains a NUL byte; expected text in UTF-8", line->file,
                   line->number, (size_t)(nul - line->at) + 1);
}

sg_status sg_line_reader_next(sg_line_reader *l, sg_line *line, bool *got)
{
    sg_byte_window *w = &l->window;
    size_t seen = 0; /* number of unread bytes known to contain no line end */
    const char *end;
    while (!(end = memchr(w->at + seen, '\n', (size_t)(w->end - w->at) - seen)) && !w->at_eof) {
        seen = (size_t)(w->end - w->at);
        sg_status st = sg_byte_window_refill(w, l->number + 1, 1);
        if (st != SG_OK) return st;
    }
    *got = end || w->at < w->end;
    if (!*got) return SG_OK;
    const char *start = w->at, *stop = end ? end : w->end;
    w->at = stop + (end ? 1 : 0);
    if (stop > start && stop[-1] == '\r') stop--;
    *line = (sg_line){.at = start, .end = stop, .number = ++l->number, .file = sg_byte_reader_name(w->in)};
    return check_bytes(line);
}

bool sg_line_skip_blanks(sg_line *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t')) line->at++;
    return line->at < line->end;
}
