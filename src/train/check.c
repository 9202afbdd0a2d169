/* check.c: see check.h. */
#include "train/check.h"

#include "base/memory.h"
#include "data/subset.h"
#include "train/rows.h"

#include <math.h>
#include <stdlib.h>

/* Weights whose sum is below this can't be scaled to a mean of 1. */
static const double least_weight = 1e-90;

static sg_status check_value(const sg_source *s, size_t row, size_t column, double value)
{
    if (fabs(value) <= SG_LARGEST_VALUE || isnan(value)) return SG_OK;
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": %g is not a number within 1e99, the largest that can be worked with",
                   sg_source_name(s), row + 1, s->names[column], value);
}

static sg_status check_weight(const sg_source *s, size_t row, size_t column, double w)
{
    if ((w >= 0 && w <= SG_LARGEST_VALUE) || isnan(w)) return SG_OK;
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

/* Of a row; NaN where it lacks a target or the weight itself. */
static double weight_of(const sg_roles *c, const double *x)
{
    for (size_t i = 0; i < c->targets; i++)
        if (isnan(x[c->target[i]])) return NAN;
    return c->weight == SG_NO_COLUMN ? 1 : x[c->weight];
}

static sg_status judge(const sg_source *s, const sg_roles *c, const sg_unusable *found, double weight)
{
    if (found->lacking == s->rows)
        return sg_fail(SG_EDATA, "%s: no row has %s", sg_source_name(s),
                       c->weight == SG_NO_COLUMN ? "all targets" : "all targets and a weight");
    if (weight >= least_weight) return SG_OK;
    return sg_fail(SG_EDATA, "%s: the row weights are all 0, or nearly so", sg_source_name(s));
}

sg_status sg_check_rows(const sg_source *s, const sg_roles *roles, bool inputs, sg_unusable *out)
{
    if (s->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(s));
    double *block = sg_alloc(s->columns, SG_ROWS * sizeof *block), weight = 0;
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    *out = (sg_unusable){0};
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_ROWS) {
        size_t n = s->rows - first < SG_ROWS ? s->rows - first : SG_ROWS;
        st = s->read(s->self, first, n, block);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            const double *x = block + i * s->columns;
            double w = weight_of(roles, x);
            st = check_row(s, roles, inputs, x, first + i);
            out->lacking += isnan(w);
            out->zeros += w == 0;
            weight += isnan(w) ? 0 : w;
        }
    }
    free(block);
    return st == SG_OK ? judge(s, roles, out, weight) : st;
}

sg_status sg_usable_rows(const sg_source *s, const sg_roles *roles, bool zeros, sg_subset **out)
{
    sg_marks marks = {0};
    double *block = sg_alloc(s->columns, SG_ROWS * sizeof *block);
    bool room = block && sg_marks_init(&marks, s->rows);
    sg_status st = room ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu rows", s->rows);
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_ROWS) {
        size_t n = s->rows - first < SG_ROWS ? s->rows - first : SG_ROWS;
        st = s->read(s->self, first, n, block);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            double w = weight_of(roles, block + i * s->columns);
            if (w > 0 || (w == 0 && zeros)) sg_marks_set(&marks, first + i);
        }
    }
    free(block);
    if (st == SG_OK) return sg_subset_marked(s, &marks, out);
    sg_marks_release(&marks);
    return st;
}

void sg_tell_lacking(const sg_options *o, const sg_roles *roles, size_t lacking, const char *which)
{
    if (lacking)
        sg_notice(o, "%zu %srow%s without a target%s left out", lacking, which, lacking == 1 ? "" : "s",
                  roles->weight == SG_NO_COLUMN ? "" : " or a weight");
}
