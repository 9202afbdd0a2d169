/* explain_csv.c: writes the terms of predictions as CSV, after the columns row, target (if several) and prediction. */
#include "cli.h"
#include "output/csv_emit.h"

#include <stdlib.h>
#include <string.h>

typedef struct csv {
    cli_csv out;
    const sg_model *model;
    sg_explainer *explainer;
    sg_grouping by;
    char **name; /* column names of the terms, NULL-terminated */
} csv;

/* --- column names, which must be unique --- */

/* Returns whether another column has this name: a fixed column, another term, or an earlier column. */
static bool is_name_used(const csv *to, size_t i, const char *name)
{
    const sg_term *term;
    if (cli_list_contains("row target prediction", name)) return true;
    for (size_t k = 0; (term = sg_explainer_term(to->explainer, to->by, k)); k++)
        if ((k != i && strcmp(term->name, name) == 0) || (k < i && strcmp(to->name[k], name) == 0)) return true;
    return false;
}

/* Returns whether an input, curve or pair has the name of another column. If two terms have the same name (one may be
 * an effect), the first keeps it. */
static bool needs_suffix(const csv *to, size_t i, const sg_term *term)
{
    if (term->kind != SG_TERM_INPUT && term->kind != SG_TERM_CURVE && term->kind != SG_TERM_PAIR) return false;
    if (cli_list_contains("row target prediction base clip rounding", term->name)) return true;
    for (size_t k = 0; k < i; k++)
        if (strcmp(to->name[k], term->name) == 0) return true;
    return false;
}

/* Returns a copy of the name, with " (input)" appended until it is unique, or NULL if out of memory. */
static char *make_unique_name(const csv *to, size_t i, const sg_term *term)
{
    static const char suffix[] = " (input)";
    char *name = strdup(term->name);
    if (!needs_suffix(to, i, term)) return name;
    do {
        size_t length = name ? strlen(name) : 0;
        char *longer = name ? realloc(name, length + sizeof suffix) : NULL;
        if (longer) memcpy(longer + length, suffix, sizeof suffix);
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
    sg_set_errmsg("out of memory while naming columns");
    return SG_ENOMEM;
}

static void release_names(csv *to)
{
    for (size_t i = 0; to->name && to->name[i]; i++) free(to->name[i]);
    free(to->name);
}

/* --- lines --- */

static void write_header(csv *to)
{
    cli_csv_text(&to->out, sg_model_outputs(to->model) > 1 ? "row,target,prediction" : "row,prediction");
    for (size_t i = 0; to->name[i]; i++) {
        cli_csv_text(&to->out, ",");
        cli_csv_name(&to->out, "", to->name[i]);
    }
    cli_csv_text(&to->out, "\n");
}

static void write_line(csv *to, size_t row, size_t o, const sg_explanation *x)
{
    cli_csv_count(&to->out, row + 1);
    cli_csv_text(&to->out, ",");
    if (sg_model_outputs(to->model) > 1) {
        cli_csv_name(&to->out, "", sg_model_output_name(to->model, o));
        cli_csv_text(&to->out, ",");
    }
    cli_csv_numbers(&to->out, &x->prediction, 1);
    cli_csv_text(&to->out, ",");
    cli_csv_numbers(&to->out, to->by == SG_BY_RULE ? x->by_rule : x->by_input,
                    sg_explainer_terms(to->explainer, to->by));
    cli_csv_text(&to->out, "\n");
}

/* An sg_explanation_fn. */
static sg_status write_row(void *arg, size_t row, const sg_explanation *outputs)
{
    csv *to = arg;
    sg_status st = cli_check_interrupt();
    if (st != SG_OK) return st;
    for (size_t o = 0; o < sg_model_outputs(to->model); o++) write_line(to, row, o, &outputs[o]);
    return to->out.status;
}

int cli_explain_csv(const cli_command *c, const sg_model *m, const sg_source *rows, size_t first, size_t n)
{
    csv to = {.model = m, .by = c->settings.by_rule ? SG_BY_RULE : SG_BY_INPUT};
    if (*c->settings.output) cli_interrupt_watch(); /* Ctrl-C removes the temporary file */
    sg_status st = sg_explainer_new(m, &to.explainer);
    if (st == SG_OK) st = name_columns(&to);
    if (st == SG_OK) {
        cli_csv_open(&to.out, c->settings.output);
        write_header(&to);
        st = to.out.status;
    }
    if (st == SG_OK) st = sg_explainer_source(to.explainer, rows, first, n, write_row, &to);
    st = cli_csv_close(&to.out, st);
    release_names(&to);
    sg_explainer_free(to.explainer);
    return cli_exit_code(st);
}
