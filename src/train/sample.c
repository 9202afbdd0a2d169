/* sample.c: see sample.h. */
#include "train/sample.h"

#include "base/team.h"

#include <string.h>

enum { MOST = 20000 };

size_t sg_sample_rows(const sg_source *s, size_t cells, size_t most, size_t least)
{
    size_t n = cells ? most / cells : MOST;
    if (n > MOST) n = MOST;
    if (n < least) n = least;
    return n < s->rows ? n : s->rows;
}

typedef struct sampled {
    const sg_source *of;
    size_t n;
} sampled;

static size_t row_of(const sampled *s, size_t i)
{
    return (size_t)((double)i * ((double)s->of->rows / (double)s->n));
}

/* Those of the sample that are here: [*first, *last). */
static sg_status take_here(const sampled *s, const sg_prepared *p, sg_sample_fn *fn, void *arg, size_t width,
                           double *x, size_t *first, size_t *last)
{
    sg_rows rows;
    size_t begin, end;
    sg_source_range(s->of, &begin, &end);
    sg_status st = sg_rows_init(&rows, s->of, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    for (*first = 0; *first < s->n && row_of(s, *first) < begin;) ++*first;
    for (*last = *first; st == SG_OK && *last < s->n && row_of(s, *last) < end; ++*last) {
        st = sg_rows_load(&rows, row_of(s, *last), 1);
        if (st == SG_OK) fn(arg, &rows, x + *last * width);
    }
    sg_rows_release(&rows);
    return st;
}

/* Members of a team tell each other what they have. */
sg_status sg_sample_take(const sg_source *s, const sg_prepared *p, sg_sample_fn *fn, void *arg, size_t n, size_t width,
                         double *x)
{
    size_t range[2] = {0, 0}, theirs[2];
    const sampled some = {s, n};
    sg_status st = sg_team_agree(s->team, take_here(&some, p, fn, arg, width, x, &range[0], &range[1]));
    for (size_t i = 0; st == SG_OK && i < sg_team_ranks(s->team); i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_team_share(s->team, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_team_share(s->team, i, x + theirs[0] * width, (theirs[1] - theirs[0]) * width * sizeof *x);
    }
    return st;
}
