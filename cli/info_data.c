/* info_data.c: the columns of a data file. */
#include "info.h"
#include "json_emit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Of the values that are there. */
typedef struct column {
    double low, high;
    int unit;             /* sums are in units of 2^unit */
    size_t count;         /* of the values               */
    double mean, squares; /* so far                      */
    size_t levels;        /* 0: numbers                  */
    size_t *seen;         /* (levels) how often          */
} column;

/* --- two passes over the rows --- */

static void see_range(column *c, double value)
{
    c->low = fmin(c->low, value);
    c->high = fmax(c->high, value);
}

/* In units of a power of two near the largest value, so that no square overflows or vanishes. */
static void see_spread(column *c, double value)
{
    double scaled = ldexp(value, -c->unit), off = scaled - c->mean;
    c->mean += off / (double)++c->count;
    c->squares += off * (scaled - c->mean);
}

static void see_level(column *c, double value)
{
    c->count++;
    if (value >= 0 && value < (double)c->levels) c->seen[(size_t)value]++;
}

typedef void see_fn(column *c, double value);

static sg_status see_all(const sg_source *s, see_fn *see, double *block, size_t most, column *c)
{
    for (size_t first = 0, n; first < s->rows; first += n) {
        n = s->rows - first < most ? s->rows - first : most;
        sg_status st = s->read(s->self, first, n, block);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < s->columns; k++)
                if (!isnan(block[i * s->columns + k]) && (see == see_level) == (c[k].levels > 0))
                    see(&c[k], block[i * s->columns + k]);
    }
    return SG_OK;
}

/* False: no memory. */
static bool prepare(const sg_source *s, column *c)
{
    for (size_t k = 0; k < s->columns; k++) {
        c[k] = (column){.low = INFINITY, .high = -INFINITY};
        while (s->level && s->level(s->self, k, c[k].levels)) c[k].levels++;
        if (c[k].levels && !(c[k].seen = calloc(c[k].levels, sizeof *c[k].seen))) return false;
    }
    return true;
}

static int look_at(const sg_source *s, column *c)
{
    enum { ROWS = 64 };
    double *block = prepare(s, c) ? calloc(s->columns, ROWS * sizeof *block) : NULL;
    if (!block) return cli_error("out of memory");
    sg_status st = see_all(s, see_range, block, ROWS, c);
    for (size_t k = 0; k < s->columns; k++) frexp(fmax(fabs(c[k].low), fabs(c[k].high)), &c[k].unit);
    if (st == SG_OK) st = see_all(s, see_spread, block, ROWS, c);
    if (st == SG_OK && s->level) st = see_all(s, see_level, block, ROWS, c);
    free(block);
    return cli_check(st);
}

static double mean(const column *c) { return ldexp(c->mean, c->unit); }

/* With n - 1, as the z-score has it. */
static double deviation(const column *c)
{
    return c->count > 1 ? ldexp(sqrt(c->squares / (double)(c->count - 1)), c->unit) : 0;
}

/* --- printing --- */

/* The most frequent level after `at`, the last one that was told, or c->levels for the first; of equally
 * frequent ones the first. c->levels: there is none. */
static size_t next_level(const column *c, size_t at)
{
    size_t best = c->levels, bound = at < c->levels ? c->seen[at] : (size_t)-1;
    for (size_t i = 0; i < c->levels; i++) {
        bool told = c->seen[i] > bound || (c->seen[i] == bound && i <= at && at < c->levels);
        if (!told && (best == c->levels || c->seen[i] > c->seen[best])) best = i;
    }
    return best;
}

enum { TOLD = 5 }; /* levels of a column that are told */

static void text_of_numbers(const sg_source *s, const column *c)
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
        cli_show(stdout, s->names[i], 24);
        printf(" %12.6g %12.6g %12.6g %12.6g", c[i].low, mean(&c[i]), c[i].high, deviation(&c[i]));
        if (missing) printf(" %12zu", s->rows - c[i].count);
        putchar('\n');
    }
}

static void text_of_words(const sg_source *s, const column *c)
{
    bool any = false;
    for (size_t i = 0; i < s->columns; i++) {
        if (!c[i].levels) continue;
        if (!any) printf("\n%-24s %12s %12s  %s\n", "", "levels", "missing", "most frequent");
        any = true;
        cli_show(stdout, s->names[i], 24);
        printf(" %12zu %12zu  ", c[i].levels, s->rows - c[i].count);
        size_t at = c[i].levels;
        for (size_t k = 0; k < TOLD && (at = next_level(&c[i], at)) < c[i].levels; k++) {
            if (k) fputs(", ", stdout);
            cli_show(stdout, s->level(s->self, i, at), 0);
            printf(" (%zu)", c[i].seen[at]);
        }
        printf("%s\n", c[i].levels > TOLD ? ", ..." : "");
    }
}

static void as_text(const sg_source *s, const column *c, const char *path)
{
    printf("data     %s\nrows     %zu\ncolumns  %zu\n", path, s->rows, s->columns);
    text_of_numbers(s, c);
    text_of_words(s, c);
}

static void json_of_words(cli_json *j, const sg_source *s, const column *c, size_t i)
{
    cli_json_count(j, "levels", c->levels);
    cli_json_open(j, "frequent", '[');
    size_t at = c->levels;
    for (size_t k = 0; k < TOLD && (at = next_level(c, at)) < c->levels; k++) {
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "level", s->level(s->self, i, at));
        cli_json_count(j, "rows", c->seen[at]);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
}

static void json_of_numbers(cli_json *j, const column *c)
{
    cli_json_number(j, "min", c->low);
    cli_json_number(j, "mean", mean(c));
    cli_json_number(j, "max", c->high);
    cli_json_number(j, "sd", deviation(c));
}

static void as_json(const sg_source *s, const column *c)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "kind", "data");
    cli_json_count(&j, "rows", s->rows);
    cli_json_open(&j, "columns", '[');
    for (size_t i = 0; i < s->columns; i++) {
        cli_json_open(&j, NULL, '{');
        cli_json_text(&j, "name", s->names[i]);
        if (c[i].levels) json_of_words(&j, s, &c[i], i);
        else json_of_numbers(&j, &c[i]);
        cli_json_count(&j, "missing", s->rows - c[i].count);
        cli_json_close(&j, '{');
    }
    cli_json_close(&j, '[');
    cli_json_close(&j, '{');
    putchar('\n');
}

static int describe(const cli_call *c, const sg_source *rows)
{
    column *columns = calloc(rows->columns, sizeof *columns);
    if (!columns) return cli_error("out of memory");
    int code = look_at(rows, columns);
    if (code == CLI_DONE && c->json) as_json(rows, columns);
    else if (code == CLI_DONE) as_text(rows, columns, c->operand[0]);
    for (size_t i = 0; i < rows->columns; i++) free(columns[i].seen);
    free(columns);
    return code;
}

int cli_info_data(const cli_call *c)
{
    sg_data *data;
    int code = cli_read(c, 0, 1, &data);
    if (code != CLI_DONE) return code;
    sg_source rows = sg_data_source(data);
    code = describe(c, &rows);
    sg_data_free(data);
    return code;
}
