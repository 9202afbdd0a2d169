/* unlisted.c: see unlisted.h. */
#include "train/unlisted.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"

#include <stdlib.h>

typedef struct count {
    const sg_source *of;
    const sg_coding *coding;
    const size_t *column;
    size_t *rows; /* (effects + 1): with such a value of each, and of any */
} count;

static sg_status look(void *arg, const double *row, size_t rows)
{
    const count *c = arg;
    size_t effects = c->coding->effects;
    for (size_t i = 0; i < rows; i++, row += c->of->columns) {
        bool any = false;
        for (size_t k = 0; k < effects; k++) {
            const sg_effect *e = &c->coding->effect[k];
            if (!sg_effect_lacks(e, row[c->column[e->input]])) continue;
            c->rows[k]++;
            any = true;
        }
        c->rows[effects] += any;
    }
    return SG_OK;
}

/* Members of a team tell each other. */
static sg_status look_together(count *c)
{
    const sg_team *team = c->of->team;
    size_t n = c->coding->effects + 1, ranks = sg_team_ranks(team), *all = sg_alloc(ranks, n * sizeof *all);
    sg_status st =
        sg_team_agree(team, all ? sg_source_walk(c->of, look, c) : sg_fail(SG_ENOMEM, "out of memory for columns"));
    if (st == SG_OK) st = sg_team_all(team, c->rows, n * sizeof *all, all);
    for (size_t k = 0; st == SG_OK && all && k < n; k++) {
        c->rows[k] = 0;
        for (size_t i = 0; i < ranks; i++) c->rows[k] += all[i * n + k];
    }
    free(all);
    return st;
}

static sg_status tell(const sg_options *o, const count *c)
{
    size_t effects = c->coding->effects, any = c->rows[effects];
    sg_text names = {0};
    for (size_t k = 0; k < effects; k++)
        if (c->rows[k])
            sg_text_format(&names, "%s\"%s\"", names.length ? ", " : "",
                           c->coding->input[c->coding->effect[k].input].name);
    if (any && !names.failed)
        sg_notice(o,
                  "%zu of %zu rows with values of %s that no training row holds, or one: what values near them add "
                  "counts, and may be far off",
                  any, c->of->rows, names.bytes);
    sg_status st = names.failed ? sg_fail(SG_ENOMEM, "out of memory for a notice") : SG_OK;
    sg_text_release(&names);
    return st;
}

sg_status sg_tell_unlisted(const sg_options *o, const sg_source *rows, const sg_coding *c, const size_t *column)
{
    size_t listed = 0;
    for (size_t k = 0; k < c->effects; k++) listed += c->effect[k].values;
    if (listed == 0) return SG_OK;
    count n = {rows, c, column, sg_alloc(c->effects + 1, sizeof *n.rows)};
    if (!n.rows) return sg_fail(SG_ENOMEM, "out of memory for columns");
    sg_status st = look_together(&n);
    if (st == SG_OK) st = tell(o, &n);
    free(n.rows);
    return st;
}
