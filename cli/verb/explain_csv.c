/* explain_csv.c: the terms of predictions as CSV: row, target where there are several, prediction, terms. */
#include "output/csv_emit.h"
#include "verb/explain_modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct csv {
    sg_atomic_file *out;
    const sg_model *model;
    sg_explainer *explainer;
    sg_grouping by;
    char **name; /* of the terms' columns */
} csv;

/* --- names of columns: no two are the same --- */

/* Whether another column has it: those of all files, terms that are no inputs, inputs by their own names, and those
 * named already. */
static bool is_name_used(const csv *to, size_t i, const char *name)
{
    static const char *const always[] = {"row", "target", "prediction"};
    const sg_term *term;
    for (size_t k = 0; k < sizeof always / sizeof *always; k++)
        if (strcmp(always[k], name) == 0) return true;
    for (size_t k = 0; (term = sg_explainer_term(to->explainer, to->by, k)); k++)
        if ((k != i && strcmp(term->name, name) == 0) || (k < i && strcmp(to->name[k], name) == 0)) return true;
    return false;
}

/* An input that is called as another column is. Of two inputs (one may be an effect) the first keeps its name. */
static bool needs_suffix(const csv *to, size_t i, const sg_term *term)
{
    static const char *const others[] = {"row", "target", "prediction", "base", "rules", "clip", "rounding"};
    if (term->kind != SG_TERM_INPUT) return false;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k], term->name) == 0) return true;
    for (size_t k = 0; k < i; k++)
        if (strcmp(to->name[k], term->name) == 0) return true;
    return false;
}

/* "base (input)", and again, until no other column is called so. */
static char *make_unique_name(const csv *to, size_t i, const sg_term *term)
{
    static const char more[] = " (input)";
    char *name = strdup(term->name);
    if (!needs_suffix(to, i, term)) return name;
    do {
        size_t length = name ? strlen(name) : 0;
        char *longer = name ? realloc(name, length + sizeof more) : NULL;
        if (longer) memcpy(longer + length, more, sizeof more);
        else free(name);
        name = longer;
    } while (name && is_name_used(to, i, name));
    return name;
}

static sg_status name_columns(csv *to)
{
    const sg_term *term;
    to->name = calloc(sg_explainer_terms(to->explainer, to->by) + 1, sizeof *to->name);
    for (size_t i = 0; to->name && (term = sg_explainer_term(to->explainer, to->by, i)); i++)
        if (!(to->name[i] = make_unique_name(to, i, term))) break;
    if (to->name && to->name[sg_explainer_terms(to->explainer, to->by) - 1]) return SG_OK;
    sg_set_errmsg("out of memory for names");
    return SG_ENOMEM;
}

static void release_names(csv *to)
{
    for (size_t i = 0; to->name && to->name[i]; i++) free(to->name[i]);
    free(to->name);
}

/* --- lines --- */

static sg_status put_header(const csv *to)
{
    sg_status st = cli_csv_text(to->out, sg_model_outputs(to->model) > 1 ? "row,target,prediction" : "row,prediction");
    for (size_t i = 0; st == SG_OK && to->name[i]; i++) {
        st = cli_csv_text(to->out, ",");
        if (st == SG_OK) st = cli_csv_name(to->out, "", to->name[i]);
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

int cli_explain_csv(const cli_command *c, const sg_model *m, const sg_source *rows, size_t first, size_t n)
{
    const char *path = cli_option_get(c, "output");
    csv to = {.model = m, .by = strcmp(cli_option_get(c, "by"), "rules") == 0 ? SG_BY_RULE : SG_BY_INPUT};
    if (*path) cli_interrupt_watch(); /* no unfinished file beside the target after Ctrl-C */
    int code = cli_exit_code(sg_explainer_new(m, &to.explainer));
    if (code == CLI_DONE) code = cli_exit_code(name_columns(&to));
    if (code == CLI_DONE) code = cli_exit_code(sg_atomic_file_open(*path ? path : "-", &to.out));
    if (code == CLI_DONE) code = cli_exit_code(put_header(&to));
    if (code == CLI_DONE) code = cli_exit_code(sg_explainer_source(to.explainer, rows, first, n, put_row, &to));
    if (code == CLI_DONE) code = cli_exit_code(sg_atomic_file_commit(to.out));
    else sg_atomic_file_free(to.out);
    release_names(&to);
    sg_explainer_free(to.explainer);
    return code;
}
