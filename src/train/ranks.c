/* ranks.c: see ranks.h. */
#include "train/ranks.h"

#include "base/memory.h"
#include "prep/quantile.h"
#include "train/sample.h"

#include <stdlib.h>
#include <string.h>

typedef struct ranks {
    const sg_roles *columns;
    const sg_moments *raw;
    double *knot, *score; /* (inputs, SG_KNOTS) */
} ranks;

static void fit_knots(void *arg, size_t input, double *value, size_t n)
{
    const ranks *r = arg;
    size_t column = r->columns->input[input], at = input * SG_KNOTS;
    sg_quantile_fit(value, n, r->raw->low[column], r->raw->high[column], r->knot + at, r->score + at);
}

/* The step is appended at the end: rows are looked at as they are without it. */
sg_status sg_ranks_fit(const sg_source *s, const sg_moments *raw, sg_prepared *p)
{
    size_t inputs = p->columns.inputs, n = inputs * SG_KNOTS;
    double *knot = sg_alloc(inputs, 2 * SG_KNOTS * sizeof *knot);
    if (!knot) return sg_fail(SG_ENOMEM, "out of memory for ranks");
    ranks r = {&p->columns, raw, knot, knot + n};
    sg_status st = sg_sample_values(s, p, fit_knots, &r);
    sg_step *q = st == SG_OK ? sg_view_append(&p->model->a, &sg_step_quantile, inputs) : NULL;
    if (st == SG_OK && !q) st = sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t k = 0; st == SG_OK && k < 2; k++) memcpy(q->number[k], knot + k * n, n * sizeof *knot);
    free(knot);
    return st;
}
