/* ranks.c: see ranks.h. */
#include "train/ranks.h"

#include "base/memory.h"
#include "base/team.h"
#include "prep/quantile.h"
#include "train/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a sample of rows, the inputs [first, first + count). */
typedef struct ranked {
    size_t rows, first, count;
    double *x;      /* (rows, count) */
    double *column; /* (rows)        */
} ranked;

static void keep_inputs(void *arg, const sg_rows *rows, double *x)
{
    const ranked *r = arg;
    memcpy(x, rows->a + r->first, r->count * sizeof *x);
}

/* Of each input those values that are there. */
static void fit_knots(const sg_roles *c, const sg_moments *raw, const ranked *s, double *knot, double *score)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t n = 0, input = s->first + i;
        for (size_t r = 0; r < s->rows; r++)
            if (!isnan(s->x[r * s->count + i])) s->column[n++] = s->x[r * s->count + i];
        sg_quantile_fit(s->column, n, raw->low[c->input[input]], raw->high[c->input[input]], knot + input * SG_KNOTS,
                        score + input * SG_KNOTS);
    }
}

/* As many inputs at a time as there is room for, each time from the same rows; of wide ones these are fewer, so that
 * they need not be read often. The step is appended at the end: rows are looked at as they are without it. */
static sg_status find_knots(const sg_source *s, const sg_moments *raw, const sg_prepared *p, double *knot, double *score)
{
    enum { FEWEST = 2000, PASSES = 5 };
    size_t inputs = p->columns.inputs;
    ranked r = {.rows = sg_sample_rows(s, inputs, PASSES * (size_t)SG_SAMPLE_CELLS, FEWEST)};
    size_t most = r.rows ? SG_SAMPLE_CELLS / r.rows : 1;
    if (most > inputs) most = inputs;
    r.x = sg_alloc(r.rows, most * sizeof *r.x);
    r.column = sg_alloc(r.rows, sizeof *r.column);
    sg_status st = sg_team_agree(s->team, r.x && r.column ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for ranks"));
    for (; st == SG_OK && r.first < inputs; r.first += r.count) {
        r.count = inputs - r.first < most ? inputs - r.first : most;
        st = sg_sample_take(s, p, keep_inputs, &r, r.rows, r.count, r.x);
        if (st == SG_OK) fit_knots(&p->columns, raw, &r, knot, score);
    }
    free(r.x);
    free(r.column);
    return st;
}

sg_status sg_ranks_fit(const sg_source *s, const sg_moments *raw, sg_prepared *p)
{
    size_t inputs = p->columns.inputs, n = inputs * SG_KNOTS;
    double *knot = sg_alloc(inputs, 2 * SG_KNOTS * sizeof *knot);
    if (!knot) return sg_fail(SG_ENOMEM, "out of memory for ranks");
    sg_status st = find_knots(s, raw, p, knot, knot + n);
    sg_step *q = st == SG_OK ? sg_view_append(&p->model->a, &sg_step_quantile, inputs) : NULL;
    if (st == SG_OK && !q) st = sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t k = 0; st == SG_OK && k < 2; k++) memcpy(q->number[k], knot + k * n, n * sizeof *knot);
    free(knot);
    return st;
}
