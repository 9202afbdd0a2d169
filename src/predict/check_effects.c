/* check_effects.c: see check_effects.h. */
#include "predict/check_effects.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/comm.h"

#include <stdlib.h>

typedef struct unlisted_count {
    const sg_source *of;
    const sg_encoder *coding;
    const size_t *column;
    size_t *rows; /* (effects + 1): with such a value of each, and of any */
} unlisted_count;

static sg_status count_rows(void *arg, const double *row, size_t rows)
{
    const unlisted_count *c = arg;
    size_t effects = c->coding->effects;
    for (size_t i = 0; i < rows; i++, row += c->of->columns) {
        bool any = false;
        for (size_t k = 0; k < effects; k++) {
            const sg_effect *e = &c->coding->effect[k];
            if (!sg_effect_is_unlisted(e, row[c->column[e->input]])) continue;
            c->rows[k]++;
            any = true;
        }
        c->rows[effects] += any;
    }
    return SG_OK;
}

/* Members of a team tell each other. */
static sg_status count_all_ranks(unlisted_count *c)
{
    const sg_comm *team = c->of->comm;
    size_t n = c->coding->effects + 1, ranks = sg_comm_ranks(team), *all = sg_calloc(ranks, n * sizeof *all);
    sg_status st = sg_comm_agree_status(team, all ? sg_source_for_each_block(c->of, count_rows, c)
                                                  : sg_fail(SG_ENOMEM, "out of memory for columns"));
    if (st == SG_OK) st = sg_comm_allgather(team, c->rows, n * sizeof *all, all);
    for (size_t k = 0; st == SG_OK && all && k < n; k++) {
        c->rows[k] = 0;
        for (size_t i = 0; i < ranks; i++) c->rows[k] += all[i * n + k];
    }
    free(all);
    return st;
}

static sg_status notify_unlisted(const sg_options *o, const unlisted_count *c)
{
    size_t effects = c->coding->effects, any = c->rows[effects];
    sg_text names = {0};
    for (size_t k = 0; k < effects; k++)
        if (c->rows[k])
            sg_text_append_format(&names, "%s\"%s\"", names.length ? ", " : "",
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

sg_status sg_check_effect_values(const sg_options *o, const sg_source *rows, const sg_encoder *c, const size_t *column)
{
    size_t listed = 0;
    for (size_t k = 0; k < c->effects; k++) listed += c->effect[k].values;
    if (listed == 0) return SG_OK;
    unlisted_count n = {rows, c, column, sg_calloc(c->effects + 1, sizeof *n.rows)};
    if (!n.rows) return sg_fail(SG_ENOMEM, "out of memory for columns");
    sg_status st = count_all_ranks(&n);
    if (st == SG_OK) st = notify_unlisted(o, &n);
    free(n.rows);
    return st;
}
