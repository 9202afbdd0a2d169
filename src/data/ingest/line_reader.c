/* line_reader.c: splits an input into lines, with a window over the input that holds at least one whole line. */
#include "data/ingest/line_reader.h"

#include "base/memory.h"
#include "data/format/csv/csv_sniff.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINE_BYTES = 1 << 27 }; /* as for CSV records */

struct sg_line_reader {
    sg_byte_reader *in;
    char *window;
    size_t capacity, begin, end; /* [begin, end) is not yet read */
    bool last;                   /* end of input */
    size_t number;
};

sg_status sg_line_reader_new(sg_byte_reader *in, size_t block, sg_line_reader **out)
{
    sg_status st = sg_csv_check_encoding(in);
    if (st != SG_OK) return st;
    if (!block) block = SG_READ_BLOCK_BYTES;
    sg_line_reader *l = sg_calloc(1, sizeof *l);
    if (l) *l = (sg_line_reader){.in = in, .window = malloc(block), .capacity = block};
    if (!l || !l->window) {
        free(l);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_byte_reader_name(in));
    }
    *out = l;
    return SG_OK;
}

void sg_line_reader_free(sg_line_reader *l)
{
    if (!l) return;
    free(l->window);
    free(l);
}

static sg_status grow_window(sg_line_reader *l)
{
    if (l->capacity >= MAX_LINE_BYTES)
        return sg_fail(SG_EDATA, "%s:%zu:1: more than %d MB without a line end", sg_byte_reader_name(l->in),
                       l->number + 1, MAX_LINE_BYTES >> 20);
    if (!sg_array_reserve(&l->window, &l->capacity, l->capacity + 1, 1))
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_byte_reader_name(l->in));
    return SG_OK;
}

/* Reads more bytes after the unread ones. */
static sg_status refill(sg_line_reader *l)
{
    size_t kept = l->end - l->begin, got;
    sg_status st = kept == l->capacity ? grow_window(l) : SG_OK;
    if (st != SG_OK) return st;
    memmove(l->window, l->window + l->begin, kept);
    l->begin = 0;
    l->end = kept;
    st = sg_byte_reader_read(l->in, l->window + kept, l->capacity - kept, &got);
    if (st != SG_OK) return st;
    l->last = got < l->capacity - kept;
    l->end += got;
    return SG_OK;
}

static sg_status check_bytes(const sg_line *line)
{
    const char *nul = memchr(line->at, '\0', (size_t)(line->end - line->at));
    if (!nul) return SG_OK;
    return sg_fail(SG_EDATA, "%s:%zu:%zu: NUL byte; expected text in UTF-8", line->file, line->number,
                   (size_t)(nul - line->at) + 1);
}

sg_status sg_line_reader_next(sg_line_reader *l, sg_line *line, bool *got)
{
    size_t seen = 0; /* unread bytes that contain no line end */
    const char *end;
    while (!(end = memchr(l->window + l->begin + seen, '\n', l->end - l->begin - seen)) && !l->last) {
        seen = l->end - l->begin;
        sg_status st = refill(l);
        if (st != SG_OK) return st;
    }
    *got = end || l->begin < l->end;
    if (!*got) return SG_OK;
    const char *start = l->window + l->begin, *stop = end ? end : l->window + l->end;
    l->begin = (size_t)(stop - l->window) + (end ? 1 : 0);
    if (stop > start && stop[-1] == '\r') stop--;
    *line = (sg_line){.at = start, .end = stop, .number = ++l->number, .file = sg_byte_reader_name(l->in)};
    return check_bytes(line);
}

bool sg_line_skip_blanks(sg_line *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t')) line->at++;
    return line->at < line->end;
}
