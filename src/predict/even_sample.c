/* even_sample.c: see even_sample.h. */
#include "predict/even_sample.h"

#include "comm/comm.h"

#include <string.h>

/* Those that are here: [range[0], range[1]). */
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

/* Members of a team tell each other what they have. */
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
