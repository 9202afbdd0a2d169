/* even_sample.c: gathers an evenly spaced sample of rows from all ranks. */
#include "predict/even_sample.h"

#include "comm/comm.h"

#include <stdlib.h>
#include <string.h>

void sg_row_sample_release(sg_row_sample *s)
{
    free(s->x);
    *s = (sg_row_sample){0};
}

/* Samples the local rows, which are elements [range[0], range[1]) of the sample. */
static sg_status sample_local(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width, double *x,
                              size_t range[2])
{
    size_t begin, end, i = 0;
    sg_status st = SG_OK;
    sg_source_local_range(s, &begin, &end);
    while (i < n && sg_even_sample_row(s, n, i) < begin) i++;
    for (range[0] = i; st == SG_OK && i < n && sg_even_sample_row(s, n, i) < end; i++)
        st = fn(arg, sg_even_sample_row(s, n, i), x + i * width);
    range[1] = i;
    return st;
}

sg_status sg_even_sample_gather(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width, double *x)
{
    size_t range[2] = {0, 0}, theirs[2];
    sg_status st = sg_comm_agree_status(s->comm, sample_local(s, n, fn, arg, width, x, range));
    for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(s->comm); i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_comm_bcast(s->comm, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_comm_bcast(s->comm, i, x + theirs[0] * width, (theirs[1] - theirs[0]) * width * sizeof *x);
    }
    return st;
}
