/* sample.c: see sample.h. */
#include "train/sample.h"

#include "base/team.h"

#include <string.h>

enum { MOST = 20000 };

size_t sg_sample_rows(const sg_source *s) { return s->rows < MOST ? s->rows : MOST; }

static size_t row_of(const sg_source *s, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)sg_sample_rows(s)));
}

/* Those of the sample that are here: [*first, *last). */
static sg_status take_here(const sg_source *s, const sg_prepared *p, sg_sample_fn *fn, void *arg, size_t width,
                           double *x, size_t *first, size_t *last)
{
    sg_rows rows;
    size_t begin, end, n = sg_sample_rows(s);
    sg_source_range(s, &begin, &end);
    sg_status st = sg_rows_init(&rows, s, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    for (*first = 0; *first < n && row_of(s, *first) < begin;) ++*first;
    for (*last = *first; st == SG_OK && *last < n && row_of(s, *last) < end; ++*last) {
        st = sg_rows_load(&rows, row_of(s, *last), 1);
        if (st == SG_OK) fn(arg, &rows, x + *last * width);
    }
    sg_rows_release(&rows);
    return st;
}

/* Members of a team tell each other what they have. */
sg_status sg_sample_take(const sg_source *s, const sg_prepared *p, sg_sample_fn *fn, void *arg, size_t width,
                         double *x)
{
    size_t range[2] = {0, 0}, theirs[2];
    sg_status st = sg_team_agree(s->team, take_here(s, p, fn, arg, width, x, &range[0], &range[1]));
    for (size_t i = 0; st == SG_OK && i < sg_team_ranks(s->team); i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_team_share(s->team, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_team_share(s->team, i, x + theirs[0] * width, (theirs[1] - theirs[0]) * width * sizeof *x);
    }
    return st;
}
