/* info_data.c: the columns of a data file. */
#include "info.h"
#include "json_emit.h"

#include <math.h>
#include <stdio.h>

/* Of the values that are there. */
typedef struct column {
    double low, mean, high, sd; /* sd with n - 1, as the z-score has it */
    size_t missing;
} column;

static column look_at(const sg_table *t, size_t which)
{
    size_t rows = sg_table_rows(t), columns = sg_table_columns(t);
    const double *x = sg_table_values(t) + which;
    column c = {.low = INFINITY, .high = -INFINITY}; /* there is a value: others are left out */
    for (size_t i = 0; i < rows; i++) {
        c.low = fmin(c.low, x[i * columns]);
        c.high = fmax(c.high, x[i * columns]);
    }
    /* In units of a power of two near the largest value, so that no square overflows or vanishes. */
    int unit;
    double squares = 0, mean = 0, n = 0;
    frexp(fmax(fabs(c.low), fabs(c.high)), &unit);
    for (size_t i = 0; i < rows; i++) {
        double value = ldexp(x[i * columns], -unit), off = value - mean;
        if (isnan(value)) continue;
        mean += off / ++n;
        squares += off * (value - mean);
    }
    c.mean = ldexp(mean, unit);
    c.sd = n > 1 ? ldexp(sqrt(squares / (n - 1)), unit) : 0;
    c.missing = rows - (size_t)n;
    return c;
}

static void as_text(const sg_table *t, const char *path)
{
    size_t n = sg_table_columns(t), missing = 0;
    for (size_t i = 0; i < n; i++) missing += look_at(t, i).missing;
    printf("data     %s\nrows     %zu\ncolumns  %zu\n\n", path, sg_table_rows(t), n);
    printf("%-24s %12s %12s %12s %12s%s\n", "", "min", "mean", "max", "sd", missing ? "      missing" : "");
    for (size_t i = 0; i < n; i++) {
        column c = look_at(t, i);
        printf("%-24s %12.6g %12.6g %12.6g %12.6g", sg_table_name(t, i), c.low, c.mean, c.high, c.sd);
        if (missing) printf(" %12zu", c.missing);
        putchar('\n');
    }
}

static void as_json(const sg_table *t)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "kind", "data");
    cli_json_count(&j, "rows", sg_table_rows(t));
    cli_json_open(&j, "columns", '[');
    for (size_t i = 0; i < sg_table_columns(t); i++) {
        column c = look_at(t, i);
        cli_json_open(&j, NULL, '{');
        cli_json_text(&j, "name", sg_table_name(t, i));
        cli_json_number(&j, "min", c.low);
        cli_json_number(&j, "mean", c.mean);
        cli_json_number(&j, "max", c.high);
        cli_json_number(&j, "sd", c.sd);
        cli_json_count(&j, "missing", c.missing);
        cli_json_close(&j, '{');
    }
    cli_json_close(&j, '[');
    cli_json_close(&j, '{');
    putchar('\n');
}

int cli_info_data(const cli_call *c)
{
    sg_table *t;
    int code = cli_check(sg_table_read(c->operand[0], c->options, NULL, 0, &t));
    if (code != CLI_DONE) return code;
    if (c->json) as_json(t);
    else as_text(t, c->operand[0]);
    sg_table_free(t);
    return CLI_DONE;
}
