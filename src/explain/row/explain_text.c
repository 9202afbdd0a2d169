/* explain_text.c: writes an explanation as text: the largest terms one by one, and the sum of the others as one term.
 * Terms are printed with all digits, so that they add up to the prediction. */
#include "base/memory.h"
#include "explain/row/explain_additive_text.h"
#include "explain/row/sum_remainder.h"
#include "explain/rules/rules_text.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_RULES = 5, MAX_INPUTS = 15, NUMBER_COLUMN = 24, EXTRA_TERMS = 5 };

/* A line of the list: a term, or the sum of all rules or inputs that have no line of their own. */
typedef struct listed_term {
    const sg_term *term; /* NULL for the sum of the others                           */
    size_t number;       /* index of the rule or input term, or number of the others */
} listed_term;

typedef struct term_list {
    const sg_explainer *e;
    const sg_explanation *x;
    sg_grouping by;
    const double *value; /* (all terms)                                             */
    size_t most;         /* number of rules or inputs to list                       */
    size_t *order;       /* (count): indices of rules or inputs, by decreasing rank */
    size_t count;
    listed_term listed_term[MAX_INPUTS + EXTRA_TERMS];
    double adds[MAX_INPUTS + EXTRA_TERMS];
    size_t n;
} term_list;

/* Returns the number of terms before the first rule or input. */
static size_t leading_terms(const term_list *l) { return l->by == SG_BY_INPUT || l->e->model->blocks != 1; }

/* Returns the number by which a term is ranked. If the model has one block, rules are ranked by firing level: their
 * outputs include the offset, so their magnitude says little. All other terms are ranked by magnitude. */
static double term_rank(const term_list *l, size_t k)
{
    bool one = l->by == SG_BY_RULE && l->e->model->blocks == 1;
    return one ? l->x->firing[k] : fabs(l->value[leading_terms(l) + k]);
}

static void insert_ranked(term_list *l, size_t k)
{
    size_t at = l->count++;
    for (; at > 0 && term_rank(l, k) > term_rank(l, l->order[at - 1]); at--) l->order[at] = l->order[at - 1];
    l->order[at] = k;
}

static void append_term(term_list *l, const sg_term *term, size_t number, double adds)
{
    l->listed_term[l->n] = (listed_term){term, number};
    l->adds[l->n++] = adds;
}

/* Chooses the terms to list: one rule or input more than `most` if it would be the only one left out. */
static void select_terms(term_list *l)
{
    const sg_term *term = l->e->term[l->by];
    size_t first = leading_terms(l), all = l->by == SG_BY_RULE ? l->e->rules : l->e->input_terms,
           end = l->e->terms[l->by];
    for (size_t k = 0; k < all; k++)
        if (l->by == SG_BY_INPUT || l->x->firing[k] != 0 || l->value[first + k] != 0) insert_ranked(l, k);
    size_t shown = l->count <= l->most + 1 ? l->count : l->most;
    double others = 0;
    for (size_t i = 0; i < first; i++) append_term(l, &term[i], 0, l->value[i]);
    for (size_t i = 0; i < shown; i++)
        append_term(l, &term[first + l->order[i]], l->order[i], l->value[first + l->order[i]]);
    for (size_t i = shown; i < l->count; i++) others += l->value[first + l->order[i]];
    if (shown < l->count) append_term(l, NULL, l->count - shown, others);
    for (size_t i = first + all; i + 1 < end; i++) append_term(l, &term[i], 0, l->value[i]);
    append_term(l, &term[end - 1], 0, sg_exact_sum_remainder(l->adds, l->n, l->x->prediction));
}

/* --- one term --- */

/* Writes a number with the resolution of `spread`, or with four digits if `spread` is 0. */
static void write_number(sg_text_writer *p, const char *before, double value, double spread, const char *after)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_word(p, "%s%s%s", before, sg_format_to_resolution(value, spread, x), after);
}

static void write_rule(sg_text_writer *p, const term_list *l, const listed_term *x)
{
    double output = l->x->rule_output[x->number], apart = fabs(output - l->x->prediction);
    sg_text_writer_word(p, " %s:", x->term->name);
    write_number(p, " firing level ", l->x->firing[x->number], 0, ",");
    write_number(p, " output ", output, apart > 1e-9 * fabs(output) ? apart : 0, "");
}

static void write_category(sg_text_writer *p, const term_list *l, const listed_term *x)
{
    const sg_encoded_input *in = &l->e->model->encoder->input[x->term->input];
    double level = l->x->value[x->number];
    char *name = level < (double)sg_encoded_input_features(in) ? sg_encoded_input_level_name(in, (size_t)level) : NULL;
    sg_text_writer_word(p, " %s is", x->term->name);
    sg_text_writer_word(p, " %s", isnan(level) ? "missing" : name ? name : "an unknown level");
    free(name);
}

static void write_input(sg_text_writer *p, const term_list *l, const listed_term *x)
{
    double value = l->x->value[x->number], effective = l->x->effective_value[x->number];
    const sg_model *m = l->e->model;
    size_t feature = sg_model_first_feature(m, x->term->input);
    double range = m->high[feature] - m->low[feature];
    bool clamped = !isnan(value) && effective != value;
    if (isnan(x->term->mean)) {
        write_category(p, l, x);
        return;
    }
    sg_text_writer_word(p, " %s is", x->term->name);
    if (isnan(value)) sg_text_writer_word(p, " missing;");
    else write_number(p, " ", value, range, clamped ? "," : ";");
    if (clamped) write_number(p, " clamped to ", effective, range, ";");
    write_number(p, " mean ", x->term->mean, range, "");
}

static void write_term(sg_text_writer *p, const term_list *l, const listed_term *x)
{
    static const char *const words[] = {
        [SG_TERM_BASE] = " base: the prediction with all inputs at their means",
        [SG_TERM_OFFSET] = " offset: the constant part of the prediction",
        [SG_TERM_CLIP] = " clip: change due to clipping of the prediction",
        [SG_TERM_ROUNDING] = " rounding",
    };
    if (!x->term) sg_text_writer_word(p, " the other %zu %ss", x->number, l->by == SG_BY_RULE ? "rule" : "input");
    else if (x->term->kind == SG_TERM_RULE) write_rule(p, l, x);
    else if (x->term->kind == SG_TERM_INPUT) write_input(p, l, x);
    else sg_text_writer_words(p, words[x->term->kind]);
}

/* --- lists --- */

/* Returns whether a term gets a line. The terms clip and rounding are left out if they are 0. */
static bool is_listed(const term_list *l, size_t i)
{
    const sg_term *term = l->listed_term[i].term;
    if (l->adds[i] != 0 || !term) return true;
    return term->kind != SG_TERM_CLIP && term->kind != SG_TERM_ROUNDING;
}

static void begin_line(sg_text_writer *p, double value)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_begin_line(p, "", "", "                           "); /* right of the numbers */
    sg_text_writer_nobreak(p, "%*s ", NUMBER_COLUMN, sg_number_format_shortest(value, number));
}

static void write_list(sg_text *t, const term_list *l)
{
    sg_text_writer p = {.text = t};
    for (size_t i = 0; i < l->n; i++) {
        if (!is_listed(l, i)) continue;
        begin_line(&p, l->adds[i]);
        write_term(&p, l, &l->listed_term[i]);
        sg_text_writer_end_line(&p);
    }
    begin_line(&p, l->x->prediction);
    sg_text_writer_nobreak(&p, " the prediction");
    sg_text_writer_end_line(&p);
}

/* Writes the conditions of the listed rules. */
static void write_rules(sg_text *t, const term_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const sg_term *term = l->listed_term[i].term;
        if (!term || term->kind != SG_TERM_RULE) continue;
        sg_text_append_format(t, "\n%c%s\n", term->name[0] - 'a' + 'A', term->name + 1);
        sg_conditions_text(&(sg_text_writer){.text = t}, &l->e->units, &l->e->model->block[term->block], term->rule,
                           true);
    }
}

static void list_terms(term_list *l, const sg_explainer *e, size_t o, sg_grouping by)
{
    const sg_explanation *x = &e->out[o];
    bool rules = by == SG_BY_RULE;
    *l = (term_list){.e = e,
                     .x = x,
                     .by = by,
                     .value = rules ? x->by_rule : x->by_input,
                     .most = rules ? MAX_RULES : MAX_INPUTS,
                     .order = sg_calloc(rules ? e->rules : e->input_terms, sizeof *l->order)};
    if (l->order) select_terms(l);
}

static void write_output(sg_text *t, const sg_explainer *e, size_t row, size_t o)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    term_list rules, inputs;
    list_terms(&rules, e, o, SG_BY_RULE);
    list_terms(&inputs, e, o, SG_BY_INPUT);
    if (!rules.order || !inputs.order) t->failed = true;
    if (o) sg_text_append(t, "\n");
    if (row) sg_text_append_format(t, "Row %zu: ", row);
    sg_text_append_escaped(t, e->model->output_name[o]);
    sg_text_append_format(t, " = %s\n", sg_number_format_shortest(e->out[o].prediction, number));
    sg_text_append(t, "\nBy rule: firing level times output of the rule\n");
    write_list(t, &rules);
    sg_text_append(t, "\nBy input: change of the prediction as the inputs move from their training means\n");
    write_list(t, &inputs);
    write_rules(t, &rules);
    free(rules.order);
    free(inputs.order);
}

sg_status sg_explainer_text(const sg_explainer *e, size_t row, char **out)
{
    sg_text t = {0};
    for (size_t o = 0; o < e->model->outputs; o++) {
        if (e->model->additive) sg_explain_additive_text(&t, e, row, o);
        else write_output(&t, e, row, o);
    }
    return sg_text_finish(&t, "an explanation", out);
}
