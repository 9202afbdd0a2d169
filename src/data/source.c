/* source.c: see source.h. */
#include "data/source.h"

#include "base/memory.h"

#include <stdlib.h>

const char *sg_source_name(const sg_source *s) { return s->name ? s->name : "the data"; }

bool sg_source_has_words(const sg_source *s, size_t column) { return s->level && s->level(s->self, column, 0); }

const char *sg_source_word(const sg_source *s, size_t column, double cell)
{
    return s->level && cell >= 0 ? s->level(s->self, column, (size_t)cell) : NULL;
}

/* Neighbours are read together where it can't gather. */
sg_status sg_source_gather(const sg_source *s, const size_t *rows, size_t n, double *out)
{
    if (s->gather) return s->gather(s->self, rows, n, out);
    for (size_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && rows[i + run] == rows[i] + run;) run++;
        sg_status st = s->read(s->self, rows[i], run, out + i * s->columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_source_walk(const sg_source *s, sg_block_fn *take, void *arg)
{
    enum { NUMBERS = 1 << 15 }; /* in a block, unless one row has more */
    size_t most = s->columns < NUMBERS ? NUMBERS / s->columns : 1;
    double *block = sg_alloc(s->columns, most * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < most ? s->rows - first : most;
        st = s->read(s->self, first, n, block);
        if (st == SG_OK) st = take(arg, block, n);
    }
    free(block);
    return st;
}
