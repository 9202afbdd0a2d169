/* explain_additive_text.c: writes an explanation of an additive model as text: one list of what is added to the mean.
 */
#include "explain/row/explain_additive_text.h"

#include "base/memory.h"
#include "explain/additive/curve_shape.h"
#include "explain/additive/curve_term_names.h"
#include "explain/additive/effect_number.h"
#include "explain/rules/rules_text.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_TERMS = 20, NUMBER_COLUMN = 12, DIGITS = 4 };

typedef struct additive_list {
    sg_text_writer p;
    const sg_explainer *e;
    const sg_explanation *x;
    const sg_term *term; /* by rule, from the offset on */
    int decimals;
    size_t *order; /* indices of the terms between the offset and the closing terms, by decreasing magnitude */
    size_t count;  /* number of terms in `order` that are not shown as 0                                     */
    size_t first_closing;
} additive_list;

/* --- one term --- */

/* Writes " age is 365" with the value of a curve's input. */
static void write_value(additive_list *l, size_t curve, bool with_name)
{
    const sg_model *m = l->e->model;
    const sg_curve *c = &m->additive->curve[curve];
    double value = l->x->value[l->e->input_terms + curve];
    char x[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_word(&l->p, " %s is", sg_model_input_name(m, c->input));
    if (isnan(value)) sg_text_writer_word(&l->p, " missing");
    else if (c->is_category) {
        sg_text level = {0};
        if (value < (double)c->cells) sg_curve_level_text(&level, m, c, (size_t)value);
        else sg_text_append(&level, "an unknown level");
        sg_text_append(&level, "");
        if (level.failed) l->p.text->failed = true;
        else sg_text_writer_word(&l->p, " %s", level.bytes);
        sg_text_release(&level);
    } else {
        const char *name = sg_curve_cell_name(c, sg_curve_nearest_cell(c, value));
        sg_text_writer_word(&l->p, " %s", sg_format_to_resolution(value, m->high[c->feature] - m->low[c->feature], x));
        if (with_name && name) sg_text_writer_word(&l->p, " (%s)", name);
    }
}

static void write_rule(additive_list *l, const sg_term *term, size_t k)
{
    char level[SG_NUMBER_BUFFER_SIZE], output[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_word(&l->p, " %s of the rest:", term->name);
    sg_text_writer_word(&l->p, " firing level %s,", sg_format_short(l->x->firing[k], level));
    sg_text_writer_word(&l->p, " output %s", sg_format_short(l->x->rule_output[k], output));
}

static void write_term(additive_list *l, size_t i)
{
    const sg_term *term = &l->term[i];
    const sg_additive *s = l->e->model->additive;
    if (term->kind == SG_TERM_CURVE) write_value(l, term->part, true);
    else if (term->kind == SG_TERM_PAIR) {
        write_value(l, s->pair[term->part].curve[0], false);
        sg_text_writer_word(&l->p, " and");
        write_value(l, s->pair[term->part].curve[1], false);
    } else write_rule(l, term, i - 1);
}

/* --- list --- */

static void begin_line(additive_list *l, double value, bool sign)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_begin_line(&l->p, "", "", "               "); /* right of the numbers */
    sg_text_writer_nobreak(&l->p, "%*s ", NUMBER_COLUMN, sg_format_effect(value, l->decimals, sign, number));
}

static void write_line(additive_list *l, double value, bool sign, const char *words)
{
    begin_line(l, value, sign);
    sg_text_writer_words(&l->p, words);
    sg_text_writer_end_line(&l->p);
}

/* Returns the number of decimals that gives the largest number four digits. */
static int choose_decimals(const additive_list *l)
{
    double largest = fabs(l->x->prediction);
    for (size_t i = 0; i < l->first_closing; i++) largest = fmax(largest, fabs(l->x->by_rule[i]));
    return sg_decimals_to_resolve(largest / 1000); /* 10^(DIGITS - 1) */
}

/* Orders the terms of rules, curves and pairs. Returns false if memory is exhausted. */
static bool order_terms(additive_list *l)
{
    double *size = sg_calloc(l->first_closing, sizeof *size);
    for (size_t i = 1; size && i < l->first_closing; i++) size[i - 1] = fabs(l->x->by_rule[i]);
    l->order = size ? sg_importance_order(size, l->first_closing - 1) : NULL;
    for (size_t i = 0; l->order && i + 1 < l->first_closing; i++) l->count += !sg_effect_is_zero(size[i], l->decimals);
    free(size);
    return l->order != NULL;
}

/* Writes the terms, and the sum of those that have no line of their own. */
static void write_terms(additive_list *l)
{
    size_t shown = l->count <= MAX_TERMS + 1 ? l->count : MAX_TERMS;
    double others = 0;
    for (size_t i = 0; i < shown; i++) {
        begin_line(l, l->x->by_rule[l->order[i] + 1], true);
        write_term(l, l->order[i] + 1);
        sg_text_writer_end_line(&l->p);
    }
    for (size_t i = shown; i + 1 < l->first_closing; i++) others += l->x->by_rule[l->order[i] + 1];
    if (shown < l->count || !sg_effect_is_zero(others, l->decimals)) {
        begin_line(l, others, true);
        sg_text_writer_nobreak(&l->p, " the other %zu terms", l->first_closing - 1 - shown);
        sg_text_writer_end_line(&l->p);
    }
}

/* Writes the conditions of the listed rules. */
static void write_conditions(additive_list *l)
{
    for (size_t i = 0; i < l->count && i < MAX_TERMS + 1; i++) {
        const sg_term *term = &l->term[l->order[i] + 1];
        if (term->kind != SG_TERM_RULE) continue;
        sg_text_append_format(l->p.text, "\n%c%s of the rest\n", term->name[0] - 'a' + 'A', term->name + 1);
        sg_conditions_text(&(sg_text_writer){.text = l->p.text}, &l->e->units, &l->e->model->block[term->block],
                           term->rule, true);
    }
}

void sg_explain_additive_text(sg_text *t, const sg_explainer *e, size_t row, size_t o)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    size_t closing = e->terms[SG_BY_RULE] - 1;
    bool clips = e->term[SG_BY_RULE][closing - 1].kind == SG_TERM_CLIP;
    additive_list l = {.p = {.text = t}, .e = e, .x = &e->out[o], .term = e->term[SG_BY_RULE]};
    l.first_closing = clips ? closing - 1 : closing;
    l.decimals = choose_decimals(&l);
    if (o) sg_text_append(t, "\n");
    if (row) sg_text_append_format(t, "Row %zu: ", row);
    sg_text_append_escaped(t, e->model->output_name[o]);
    sg_text_append_format(t, " = %s\n\n", sg_format_effect(l.x->prediction, l.decimals, false, number));
    if (!order_terms(&l)) {
        t->failed = true;
        return;
    }
    write_line(&l, l.x->by_rule[0], false, " the mean");
    write_terms(&l);
    if (clips && !sg_effect_is_zero(l.x->by_rule[closing - 1], l.decimals))
        write_line(&l, l.x->by_rule[closing - 1], true, " clipping of the prediction");
    write_line(&l, l.x->prediction, false, " the prediction");
    write_conditions(&l);
    free(l.order);
}
