/* explain_csv.c: the terms of predictions as CSV: row, target where there are several, prediction, terms. */
#include "csv_emit.h"
#include "explaining.h"

#include <stdio.h>
#include <string.h>

typedef struct csv {
    sg_output *out;
    const sg_model *model;
    sg_explainer *explainer;
    sg_grouping by;
} csv;

static sg_status put_header(const csv *to)
{
    const sg_term *term;
    sg_status st = cli_csv_text(to->out, sg_model_outputs(to->model) > 1 ? "row,target,prediction" : "row,prediction");
    for (size_t i = 0; st == SG_OK && (term = sg_explainer_term(to->explainer, to->by, i)); i++) {
        st = cli_csv_text(to->out, ",");
        if (st == SG_OK) st = cli_csv_name(to->out, "", term->name);
    }
    return st == SG_OK ? cli_csv_text(to->out, "\n") : st;
}

static sg_status put_output(const csv *to, size_t row, size_t o, const sg_explanation *x)
{
    char head[32];
    snprintf(head, sizeof head, "%zu,", row + 1);
    sg_status st = cli_csv_text(to->out, head);
    if (st == SG_OK && sg_model_outputs(to->model) > 1) {
        st = cli_csv_name(to->out, "", sg_model_output_name(to->model, o));
        if (st == SG_OK) st = cli_csv_text(to->out, ",");
    }
    if (st == SG_OK) st = cli_csv_numbers(to->out, &x->prediction, 1);
    if (st == SG_OK) st = cli_csv_text(to->out, ",");
    if (st == SG_OK)
        st = cli_csv_numbers(to->out, to->by == SG_BY_RULE ? x->by_rule : x->by_input,
                             sg_explainer_terms(to->explainer, to->by));
    return st == SG_OK ? cli_csv_text(to->out, "\n") : st;
}

static sg_status put_row(void *arg, size_t row, const sg_explanation *outputs)
{
    const csv *to = arg;
    sg_status st = SG_OK;
    if (cli_interrupted()) {
        sg_set_errmsg("interrupted: nothing was written");
        return SG_EIO;
    }
    for (size_t o = 0; st == SG_OK && o < sg_model_outputs(to->model); o++) st = put_output(to, row, o, &outputs[o]);
    return st;
}

int cli_explain_csv(const cli_call *c, const sg_model *m, const sg_source *rows, size_t first, size_t n)
{
    const char *path = cli_own(c, "output");
    csv to = {.model = m, .by = strcmp(cli_own(c, "by"), "rules") == 0 ? SG_BY_RULE : SG_BY_INPUT};
    if (*path) cli_interrupt_watch(); /* no unfinished file beside the target after Ctrl-C */
    int code = cli_check(sg_explainer_new(m, &to.explainer));
    if (code == CLI_DONE) code = cli_check(sg_output_open(*path ? path : "-", &to.out));
    if (code == CLI_DONE) code = cli_check(put_header(&to));
    if (code == CLI_DONE) code = cli_check(sg_explainer_source(to.explainer, rows, first, n, put_row, &to));
    if (code == CLI_DONE) code = cli_check(sg_output_commit(to.out));
    else sg_output_free(to.out);
    sg_explainer_free(to.explainer);
    return code;
}
