/* check_rows.c: checks the values of rows, and finds rows that lack a target or a weight. */
#include "rows/check_rows.h"

#include "base/memory.h"
#include "comm/collectives.h"

#include <math.h>
#include <stdlib.h>

/* Weights with a smaller sum cannot be scaled to a mean of 1. */
static const double min_weight = 1e-90;

static sg_status check_value(const sg_source *s, size_t row, size_t column, double value)
{
    if (fabs(value) <= SG_MAX_VALUE || isnan(value)) return SG_OK;
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": %g is out of range; expected a number between -1e99 and 1e99",
                   sg_source_name(s), row + 1, s->names[column], value);
}

static sg_status check_weight(const sg_source *s, size_t row, size_t column, double w)
{
    if ((w >= 0 && w <= SG_MAX_VALUE) || isnan(w)) return SG_OK;
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": a weight must be at least 0%s, not %g", sg_source_name(s),
                   row + 1, s->names[column], w > 0 ? " and at most 1e99" : "", w);
}

sg_status sg_check_row(const sg_source *s, const sg_column_roles *c, bool inputs, const double *x, size_t row)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && inputs && i < c->inputs; i++)
        st = check_value(s, row, c->input[i], x[c->input[i]]);
    for (size_t i = 0; st == SG_OK && i < c->targets; i++) st = check_value(s, row, c->target[i], x[c->target[i]]);
    return st == SG_OK && c->weight != SG_NO_COLUMN ? check_weight(s, row, c->weight, x[c->weight]) : st;
}

double sg_row_weight(const sg_column_roles *c, const double *row)
{
    for (size_t i = 0; i < c->targets; i++)
        if (isnan(row[c->target[i]])) return NAN;
    return c->weight == SG_NO_COLUMN ? 1 : row[c->weight];
}

sg_status sg_check_row_weights(const sg_source *s, const sg_column_roles *c, size_t incomplete, double weight)
{
    if (incomplete == s->rows)
        return sg_fail(SG_EDATA, "%s: no row has %s", sg_source_name(s),
                       c->weight == SG_NO_COLUMN ? "all targets" : "all targets and a weight");
    if (weight >= min_weight) return SG_OK;
    return sg_fail(SG_EDATA, "%s: the row weights are all zero, or nearly so", sg_source_name(s));
}

sg_status sg_complete_rows(const sg_source *s, const sg_column_roles *roles, bool zeros, sg_subset **out)
{
    enum { READ_ROWS = 256 };
    sg_select_bitset marks = {0};
    double *block = sg_calloc(s->columns, READ_ROWS * sizeof *block);
    size_t begin, end;
    sg_source_local_range(s, &begin, &end);
    bool ok = block && sg_select_bitset_init(&marks, end - begin);
    sg_status st = ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while selecting from %zu rows", s->rows);
    for (size_t first = begin; st == SG_OK && first < end; first += READ_ROWS) {
        size_t n = end - first < READ_ROWS ? end - first : READ_ROWS;
        st = s->read(s->self, first, n, block);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            double w = sg_row_weight(roles, block + i * s->columns);
            if (w > 0 || (w == 0 && zeros)) sg_select_bitset_set(&marks, first - begin + i);
        }
    }
    free(block);
    st = sg_comm_agree_status(s->comm, st);
    if (st == SG_OK) return sg_subset_from_bitset(s, &marks, out);
    sg_select_bitset_release(&marks);
    return st;
}

void sg_notify_incomplete_rows(const sg_options *o, const sg_column_roles *roles, size_t incomplete, const char *which)
{
    if (incomplete)
        sg_notice(o, "skipped %zu %srow%s without a target%s", incomplete, which, incomplete == 1 ? "" : "s",
                  roles->weight == SG_NO_COLUMN ? "" : " or a weight");
}
