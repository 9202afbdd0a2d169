/* info_data.c: computes and prints the statistics of the columns of a data file, for sugeno info. */
#include "cli.h"
#include "output/json_emit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Statistics of the values of a column that are not missing. */
typedef struct column {
    double low, high;
    int unit;             /* mean and squares refer to value / 2^unit */
    size_t count;         /* number of values                         */
    double mean, squares; /* Welford's running sums                   */
    size_t levels;        /* 0 for a numeric column                   */
    size_t *level_count;  /* (levels)                                 */
} column;

/* --- two passes over the rows --- */

static void add_to_range(column *c, double value)
{
    c->low = fmin(c->low, value);
    c->high = fmax(c->high, value);
}

/* Adds a value, scaled by a power of two near the largest magnitude, so that squares do not overflow or underflow. */
static void add_value(column *c, double value)
{
    double scaled = ldexp(value, -c->unit), delta = scaled - c->mean;
    c->count++;
    if (c->levels) {
        if (value >= 0 && value < (double)c->levels) c->level_count[(size_t)value]++;
        return;
    }
    c->mean += delta / (double)c->count;
    c->squares += delta * (scaled - c->mean);
}

static sg_status scan_rows(const sg_source *s, void (*add)(column *c, double value), double *block, size_t most,
                           column *c)
{
    for (size_t first = 0, n; first < s->rows; first += n) {
        n = s->rows - first < most ? s->rows - first : most;
        sg_status st = s->read(s->self, first, n, block);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n * s->columns; i++)
            if (!isnan(block[i])) add(&c[i % s->columns], block[i]);
    }
    return SG_OK;
}

/* Initialises the columns and counts their levels. Returns false if out of memory. */
static bool init_columns(const sg_source *s, column *c)
{
    for (size_t k = 0; k < s->columns; k++) {
        c[k] = (column){.low = INFINITY, .high = -INFINITY};
        while (s->level && s->level(s->self, k, c[k].levels)) c[k].levels++;
        if (c[k].levels && !(c[k].level_count = calloc(c[k].levels, sizeof *c[k].level_count))) return false;
    }
    return true;
}

static int scan_columns(const sg_source *s, column *c)
{
    enum { ROWS = 64 };
    double *block = init_columns(s, c) ? calloc(s->columns, ROWS * sizeof *block) : NULL;
    if (!block) return cli_error("out of memory");
    sg_status st = scan_rows(s, add_to_range, block, ROWS, c);
    for (size_t k = 0; k < s->columns; k++) frexp(fmax(fabs(c[k].low), fabs(c[k].high)), &c[k].unit);
    if (st == SG_OK) st = scan_rows(s, add_value, block, ROWS, c);
    free(block);
    return cli_exit_code(st);
}

static double mean(const column *c) { return ldexp(c->mean, c->unit); }

/* Returns the standard deviation with the divisor n - 1, as for z-scores. */
static double deviation(const column *c)
{
    return c->count > 1 ? ldexp(sqrt(c->squares / (double)(c->count - 1)), c->unit) : 0;
}

/* --- printing --- */

/* Returns the level that follows `at` in order of frequency, then of level index, or c->levels after the last one. `at`
 * is the level printed last, or c->levels at the start. */
static size_t next_level(const column *c, size_t at)
{
    size_t best = c->levels, bound = at < c->levels ? c->level_count[at] : (size_t)-1;
    for (size_t i = 0; i < c->levels; i++) {
        bool listed = c->level_count[i] > bound || (c->level_count[i] == bound && i <= at && at < c->levels);
        if (!listed && (best == c->levels || c->level_count[i] > c->level_count[best])) best = i;
    }
    return best;
}

enum { SHOWN_LEVELS = 5 };

static void print_numeric(const sg_source *s, const column *c)
{
    size_t missing = 0, numbers = 0;
    for (size_t i = 0; i < s->columns; i++) {
        missing += s->rows - c[i].count;
        numbers += !c[i].levels;
    }
    if (!numbers) return;
    printf("\n%-24s %12s %12s %12s %12s%s\n", "", "min", "mean", "max", "sd", missing ? "      missing" : "");
    for (size_t i = 0; i < s->columns; i++) {
        if (c[i].levels) continue;
        cli_print_escaped(stdout, s->names[i], 24);
        printf(" %12.6g %12.6g %12.6g %12.6g", c[i].low, mean(&c[i]), c[i].high, deviation(&c[i]));
        if (missing) printf(" %12zu", s->rows - c[i].count);
        putchar('\n');
    }
}

static void print_categorical(const sg_source *s, const column *c)
{
    bool any = false;
    for (size_t i = 0; i < s->columns; i++) {
        if (!c[i].levels) continue;
        if (!any) printf("\n%-24s %12s %12s  %s\n", "", "levels", "missing", "most frequent");
        any = true;
        cli_print_escaped(stdout, s->names[i], 24);
        printf(" %12zu %12zu  ", c[i].levels, s->rows - c[i].count);
        size_t at = c[i].levels;
        for (size_t k = 0; k < SHOWN_LEVELS && (at = next_level(&c[i], at)) < c[i].levels; k++) {
            if (k) fputs(", ", stdout);
            cli_print_escaped(stdout, s->level(s->self, i, at), 0);
            printf(" (%zu)", c[i].level_count[at]);
        }
        printf("%s\n", c[i].levels > SHOWN_LEVELS ? ", ..." : "");
    }
}

static void emit_categorical(cli_json *j, const sg_source *s, const column *c, size_t i)
{
    cli_json_count(j, "levels", c->levels);
    cli_json_open(j, "frequent", '[');
    size_t at = c->levels;
    for (size_t k = 0; k < SHOWN_LEVELS && (at = next_level(c, at)) < c->levels; k++) {
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "level", s->level(s->self, i, at));
        cli_json_count(j, "rows", c->level_count[at]);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
}

static void emit_numeric(cli_json *j, const column *c)
{
    cli_json_number(j, "min", c->low);
    cli_json_number(j, "mean", mean(c));
    cli_json_number(j, "max", c->high);
    cli_json_number(j, "sd", deviation(c));
}

static void print_json(const sg_source *s, const column *c)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "kind", "data");
    cli_json_count(&j, "rows", s->rows);
    cli_json_open(&j, "columns", '[');
    for (size_t i = 0; i < s->columns; i++) {
        cli_json_open(&j, NULL, '{');
        cli_json_text(&j, "name", s->names[i]);
        if (c[i].levels) emit_categorical(&j, s, &c[i], i);
        else emit_numeric(&j, &c[i]);
        cli_json_count(&j, "missing", s->rows - c[i].count);
        cli_json_close(&j, '{');
    }
    cli_json_close(&j, '[');
    cli_json_close(&j, '{');
}

int cli_info_data(const cli_command *c)
{
    sg_dataset *data;
    int code = cli_open_data(c, 0, 1, &data);
    if (code != CLI_DONE) return code;
    sg_source rows = sg_dataset_source(data);
    column *columns = calloc(rows.columns, sizeof *columns);
    code = columns ? scan_columns(&rows, columns) : cli_error("out of memory");
    if (code == CLI_DONE && c->json) print_json(&rows, columns);
    else if (code == CLI_DONE) {
        printf("data     %s\nrows     %zu\ncolumns  %zu\n", c->operand[0], rows.rows, rows.columns);
        print_numeric(&rows, columns);
        print_categorical(&rows, columns);
    }
    for (size_t i = 0; columns && i < rows.columns; i++) free(columns[i].level_count);
    free(columns);
    sg_dataset_free(data);
    return code;
}
