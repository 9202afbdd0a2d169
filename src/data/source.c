/* source.c: see source.h. */
#include "data/source.h"

const char *sg_source_name(const sg_source *s) { return s->name ? s->name : "the data"; }

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
