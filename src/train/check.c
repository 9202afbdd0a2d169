/* check.c: see check.h. */
#include "train/check.h"

#include "base/memory.h"
#include "train/rows.h"

#include <math.h>
#include <stdlib.h>

/* Weights whose sum is below this can't be scaled to a mean of 1. */
static const double least_weight = 1e-90;

static sg_status check_value(const sg_source *s, size_t row, size_t column, double value)
{
    if (fabs(value) <= SG_LARGEST_VALUE) return SG_OK;
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": %g is not a number within 1e99, the largest that can be worked with",
                   sg_source_name(s), row + 1, s->names[column], value);
}

static sg_status check_weight(const sg_source *s, size_t row, size_t column, double w)
{
    if (w >= 0 && w <= SG_LARGEST_VALUE) return SG_OK;
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": a weight must be at least 0, not %g",
                   sg_source_name(s), row + 1, s->names[column], w);
}

static sg_status check_row(const sg_source *s, const sg_roles *c, bool inputs, const double *x,
                           size_t row)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && inputs && i < c->inputs; i++)
        st = check_value(s, row, c->input[i], x[c->input[i]]);
    for (size_t i = 0; st == SG_OK && i < c->targets; i++)
        st = check_value(s, row, c->target[i], x[c->target[i]]);
    if (st != SG_OK || c->weight == SG_NO_COLUMN) return st;
    return check_weight(s, row, c->weight, x[c->weight]);
}

sg_status sg_check_rows(const sg_source *s, const sg_roles *roles, bool inputs, size_t *zeros)
{
    if (s->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(s));
    double *block = sg_alloc(s->columns, SG_ROWS * sizeof *block), weight = 0;
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    size_t none = 0;
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_ROWS) {
        size_t n = s->rows - first < SG_ROWS ? s->rows - first : SG_ROWS;
        st = s->read(s->self, first, n, block);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            const double *x = block + i * s->columns;
            st = check_row(s, roles, inputs, x, first + i);
            double w = roles->weight == SG_NO_COLUMN ? 1 : x[roles->weight];
            weight += w;
            none += w == 0;
        }
    }
    free(block);
    if (st == SG_OK && !(weight >= least_weight))
        st = sg_fail(SG_EDATA, "%s: the row weights are all 0, or nearly so", sg_source_name(s));
    if (zeros) *zeros = none;
    return st;
}
