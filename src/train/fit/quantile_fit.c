/* quantile_fit.c: see quantile_fit.h. */
#include "train/fit/quantile_fit.h"

#include "base/memory.h"
#include "prep/quantile_transform.h"
#include "train/fit/train_sample.h"

#include <stdlib.h>
#include <string.h>

typedef struct ranks {
    const sg_column_roles *columns;
    const sg_moments *raw;
    double *knot, *score; /* (inputs, SG_QUANTILE_KNOTS) */
} ranks;

static void fit_knots(void *arg, size_t input, double *value, size_t n)
{
    const ranks *r = arg;
    size_t column = r->columns->input[input], at = input * SG_QUANTILE_KNOTS;
    sg_quantile_transform_fit(value, n, r->raw->low[column], r->raw->high[column], r->knot + at, r->score + at);
}

/* The step is appended at the end: rows are looked at as they are without it. */
sg_status sg_fit_quantile_knots(const sg_source *s, const sg_moments *raw, sg_preprocessed *p)
{
    size_t inputs = p->columns.inputs, n = inputs * SG_QUANTILE_KNOTS;
    double *knot = sg_calloc(inputs, 2 * SG_QUANTILE_KNOTS * sizeof *knot);
    if (!knot) return sg_fail(SG_ENOMEM, "out of memory for ranks");
    ranks r = {&p->columns, raw, knot, knot + n};
    sg_status st = sg_train_sample_columns(s, p, fit_knots, &r);
    sg_transform *q = st == SG_OK ? sg_pipeline_append(&p->model->a, &sg_transform_quantile, inputs) : NULL;
    if (st == SG_OK && !q) st = sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t k = 0; st == SG_OK && k < 2; k++) memcpy(q->parameter[k], knot + k * n, n * sizeof *knot);
    free(knot);
    return st;
}
