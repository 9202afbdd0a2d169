/* verb_simplify.c: fewer rules and conditions, and what they cost. */
#include "json_emit.h"
#include "together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points of the frontier, the model as it is first. */
typedef struct table {
    sg_simpler *point;
    size_t count;
    bool failed; /* no memory */
} table;

static void take(void *arg, const sg_simpler *p)
{
    table *t = arg;
    sg_simpler *grown = realloc(t->point, (t->count + 1) * sizeof *grown);
    if (grown) t->point = grown;
    t->failed = t->failed || !grown;
    if (!t->failed) t->point[t->count++] = *p;
}

static void as_json(const table *t, const char *path)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_open(&j, "frontier", '[');
    for (const sg_simpler *p = t->point; p < t->point + t->count; p++) {
        cli_json_open(&j, NULL, '{');
        cli_json_count(&j, "rules", p->rules);
        cli_json_count(&j, "conditions", p->conditions);
        cli_json_count(&j, "mfs", p->mfs);
        cli_json_number(&j, "rmse", p->rmse);
        cli_json_flag(&j, "chosen", p->chosen != 0);
        cli_json_close(&j, '{');
    }
    cli_json_close(&j, '[');
    cli_json_text(&j, "model", *path ? path : NULL);
    cli_json_close(&j, '{');
    putchar('\n');
}

static void as_text(const table *t, const char *path)
{
    const double first = t->count ? t->point->rmse : 0;
    printf("rules  conditions   MFs        RMSE  change\n");
    for (const sg_simpler *p = t->point; p < t->point + t->count; p++) {
        printf("%5zu  %10zu  %4zu  %10.6g  ", p->rules, p->conditions, p->mfs, p->rmse);
        if (p == t->point || !(first > 0)) printf("%s", p == t->point ? "as it is" : "");
        else printf("%+.1f %%", 100 * (p->rmse - first) / first);
        puts(p->chosen ? "  <- chosen" : "");
    }
    if (*path) printf("model  %s\n", path);
    else puts("-o FILE writes the chosen one; --max-rules and --tolerance choose another.");
}

/* "2%" or "0.02"; who writes 2 means 2 %, not 200 %. */
static int read_tolerance(const char *text, double *out)
{
    char *end;
    if (!cli_percent(text, out)) {
        *out = strtod(text, &end);
        if (end == text || *end) *out = -1;
        if (*out > 1)
            return cli_usage("--tolerance: \"%s\" would be %g %%; expected %g%% or %g", text, 100 * *out, *out,
                             *out / 100);
    }
    if (!(*out >= 0 && *out <= 1000)) return cli_usage("--tolerance: \"%s\" is none; expected 2%% or 0.02", text);
    return CLI_DONE;
}

/* As `calibrate` tells, by the number of rows. */
static void warn(const cli_call *c, const sg_model *m, const sg_source *rows)
{
    if ((double)rows->rows != cli_fact_number(m, "rows")) return;
    cli_notice(
        c, "these are as many rows as the model was trained on: if they are the same, its RMSE here is too good, and "
           "less is simplified than could be; rows that it was not trained on judge better");
}

static int simplify(const cli_call *c, const sg_model *m, const sg_data *data, double tolerance)
{
    table t = {0};
    sg_simplify how = {
        .max_rules = strtoul(cli_own(c, "max-rules"), NULL, 10), .tolerance = tolerance, .take = take, .arg = &t};
    sg_source rows = sg_data_source(data);
    sg_model *simpler = NULL;
    const char *path = cli_own(c, "output");
    int code = cli_check(sg_model_simplify(m, &rows, &how, &simpler));
    if (code == CLI_DONE && t.failed) code = cli_error("out of memory");
    if (code == CLI_DONE) warn(c, m, &rows);
    if (code == CLI_DONE && *path) code = cli_check(sg_model_save(simpler, path));
    if (code == CLI_DONE && c->json) as_json(&t, path);
    else if (code == CLI_DONE) as_text(&t, path);
    if (code == CLI_DONE && sg_model_interval_rows(m) && !sg_model_interval_rows(simpler))
        cli_notice(c, "the simpler model errs otherwise and knows no intervals: sugeno calibrate finds them, with rows "
                      "of their own");
    free(t.point);
    sg_model_free(simpler);
    return code;
}

int cli_simplify(const cli_call *c)
{
    sg_model *m = NULL;
    sg_data *data = NULL;
    double tolerance;
    int code = read_tolerance(cli_own(c, "tolerance"), &tolerance);
    if (code == CLI_DONE && strcmp(cli_own(c, "output"), "-") == 0)
        code = cli_usage("-o -: standard output has the table; expected a file");
    if (code == CLI_DONE) code = cli_check_written(c, "-o ", cli_own(c, "output"), c->operands);
    if (code == CLI_DONE) code = cli_load(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_read_for(c, m, true, &data);
    if (code == CLI_DONE) code = simplify(c, m, data, tolerance);
    sg_data_free(data);
    sg_model_free(m);
    return code;
}
