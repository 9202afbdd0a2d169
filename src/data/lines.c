/* lines.c: see lines.h. A window over the input that holds at least one whole line. */
#include "data/lines.h"

#include "base/memory.h"
#include "data/csv_layout.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 27 }; /* bytes: as for the records of a CSV file */

struct sg_lines {
    sg_input *in;
    char *window;
    size_t room, at, end; /* what is left of it: [at, end) */
    bool last;            /* nothing follows end           */
    size_t number;
};

sg_status sg_lines_new(sg_input *in, size_t block, sg_lines **out)
{
    sg_status st = sg_csv_encoding(in);
    if (st != SG_OK) return st;
    sg_lines *l = sg_alloc(1, sizeof *l);
    if (l) *l = (sg_lines){.in = in, .window = malloc(block), .room = block};
    if (!l || !l->window) {
        free(l);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_input_name(in));
    }
    *out = l;
    return SG_OK;
}

void sg_lines_free(sg_lines *l)
{
    if (!l) return;
    free(l->window);
    free(l);
}

static sg_status widen(sg_lines *l)
{
    if (l->room >= LONGEST)
        return sg_fail(SG_EDATA, "%s:%zu:1: more than %d MB without a line end", sg_input_name(l->in), l->number + 1,
                       LONGEST >> 20);
    if (!sg_grow(&l->window, &l->room, l->room + 1, 1))
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", sg_input_name(l->in));
    return SG_OK;
}

/* More bytes behind what is left. */
static sg_status refill(sg_lines *l)
{
    size_t kept = l->end - l->at, got;
    sg_status st = kept == l->room ? widen(l) : SG_OK;
    if (st != SG_OK) return st;
    memmove(l->window, l->window + l->at, kept);
    l->at = 0;
    l->end = kept;
    st = sg_input_read(l->in, l->window + kept, l->room - kept, &got);
    if (st != SG_OK) return st;
    l->last = got < l->room - kept;
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

sg_status sg_lines_next(sg_lines *l, sg_line *line, bool *got)
{
    size_t seen = 0; /* bytes of what is left that hold no line end */
    const char *end;
    while (!(end = memchr(l->window + l->at + seen, '\n', l->end - l->at - seen)) && !l->last) {
        seen = l->end - l->at;
        sg_status st = refill(l);
        if (st != SG_OK) return st;
    }
    *got = end || l->at < l->end;
    if (!*got) return SG_OK;
    const char *start = l->window + l->at, *stop = end ? end : l->window + l->end;
    l->at = (size_t)(stop - l->window) + (end ? 1 : 0);
    if (stop > start && stop[-1] == '\r') stop--;
    *line = (sg_line){.at = start, .end = stop, .number = ++l->number, .file = sg_input_name(l->in)};
    return check_bytes(line);
}

bool sg_line_skip(sg_line *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t')) line->at++;
    return line->at < line->end;
}
