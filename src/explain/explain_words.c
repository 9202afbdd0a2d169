/* explain_words.c: an explanation in words. Few terms are told one by one, the largest; the others are one term. Each
 * is told with all digits, so that they add up. */
#include "base/memory.h"
#include "explain/conditions.h"
#include "explain/explain.h"
#include "explain/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 5, INPUTS = 15, COLUMN = 24, ENDS = 5 };

/* One that is told: base, rules, the largest inputs, all others, clip, rounding. */
typedef struct told {
    const sg_term *term; /* NULL: all others */
    size_t number;       /* of the rule or input; how many others */
} told;

typedef struct list {
    const sg_explainer *e;
    const sg_explanation *x;
    sg_grouping by;
    const double *value; /* of all terms */
    size_t most;         /* rules or inputs that are told one by one */
    size_t *order;       /* (rules or inputs that count): the largest first */
    size_t count;
    told told[INPUTS + ENDS];
    double adds[INPUTS + ENDS];
    size_t n;
} list;

/* Terms before the first rule or input. */
static size_t before(const list *l) { return l->by == SG_BY_INPUT ? 2 : l->e->model->blocks != 1; }

/* How a rule or input is ranked: rules of one block by how far they fire, since what they say may be about a large
 * number. */
static double rank_of(const list *l, size_t k)
{
    bool one = l->by == SG_BY_RULE && l->e->model->blocks == 1;
    return one ? l->x->firing[k] : fabs(l->value[before(l) + k]);
}

static void take_in(list *l, size_t k)
{
    size_t at = l->count++;
    for (; at > 0 && rank_of(l, k) > rank_of(l, l->order[at - 1]); at--) l->order[at] = l->order[at - 1];
    l->order[at] = k;
}

static void tell(list *l, const sg_term *term, size_t number, double adds)
{
    l->told[l->n] = (told){term, number};
    l->adds[l->n++] = adds;
}

/* One more than the most is told, too, rather than be the only one of the others. */
static void choose(list *l)
{
    const sg_term *term = l->e->term[l->by];
    size_t first = before(l), all = l->by == SG_BY_RULE ? l->e->rules : l->e->shown, end = l->e->terms[l->by];
    for (size_t k = 0; k < all; k++)
        if (l->by == SG_BY_INPUT || l->x->firing[k] != 0 || l->value[first + k] != 0) take_in(l, k);
    size_t shown = l->count <= l->most + 1 ? l->count : l->most;
    double others = 0;
    for (size_t i = 0; i < first; i++) tell(l, &term[i], 0, l->value[i]);
    for (size_t i = 0; i < shown; i++) tell(l, &term[first + l->order[i]], l->order[i], l->value[first + l->order[i]]);
    for (size_t i = shown; i < l->count; i++) others += l->value[first + l->order[i]];
    if (shown < l->count) tell(l, NULL, l->count - shown, others);
    for (size_t i = first + all; i + 1 < end; i++) tell(l, &term[i], 0, l->value[i]);
    tell(l, &term[end - 1], 0, sg_settle(l->adds, l->n, l->x->prediction));
}

/* --- words for a term --- */

/* spread: of what it has to be told from; 0 where that is nothing. */
static void number(sg_pen *p, const char *before, double value, double spread, const char *after)
{
    char x[SG_NUMBER_SIZE];
    sg_pen_word(p, "%s%s%s", before, sg_pen_near(value, spread, x), after);
}

static void rule_words(sg_pen *p, const list *l, const told *x)
{
    double says = l->x->says[x->number], apart = fabs(says - l->x->prediction);
    sg_pen_word(p, " %s,", x->term->name);
    number(p, " which fires ", l->x->firing[x->number], 0, "");
    number(p, " and says ", says, apart > 1e-9 * fabs(says) ? apart : 0, "");
}

static void category_words(sg_pen *p, const list *l, const told *x)
{
    const sg_coded *in = &l->e->model->coding->input[x->term->input];
    double level = l->x->value[x->number];
    char *name = level < (double)sg_coded_features(in) ? sg_coded_level(in, (size_t)level) : NULL;
    sg_pen_word(p, " %s is", x->term->name);
    sg_pen_word(p, " %s", isnan(level) ? "missing" : name ? name : "a level that is new");
    free(name);
}

static void input_words(sg_pen *p, const list *l, const told *x)
{
    double value = l->x->value[x->number], counts = l->x->counts[x->number];
    const sg_model *m = l->e->model;
    size_t feature = m->coding ? m->coding->input[x->term->input].first : x->term->input;
    double range = m->high[feature] - m->low[feature];
    bool limited = !isnan(value) && counts != value;
    if (isnan(x->term->mean)) {
        category_words(p, l, x);
        return;
    }
    sg_pen_word(p, " %s is", x->term->name);
    if (isnan(value)) sg_pen_word(p, " missing;");
    else number(p, " ", value, range, limited ? "," : ";");
    if (limited) number(p, " which counts as ", counts, range, ";");
    number(p, " mean ", x->term->mean, range, ",");
    number(p, " slope ", l->x->slope[x->number], 0, "");
}

static void term_words(sg_pen *p, const list *l, const told *x)
{
    static const char *const words[] = {
        [SG_TERM_BASE] = " base: the prediction at the means of all inputs",
        [SG_TERM_RULES] = " rules: others fire here than at the means",
        [SG_TERM_OFFSET] = " offset: what is no rule's",
        [SG_TERM_CLIP] = " clip: the model limits its predictions",
        [SG_TERM_ROUNDING] = " rounding",
    };
    if (!x->term) sg_pen_word(p, " the other %zu %ss", x->number, l->by == SG_BY_RULE ? "rule" : "input");
    else if (x->term->kind == SG_TERM_RULE) rule_words(p, l, x);
    else if (x->term->kind == SG_TERM_INPUT) input_words(p, l, x);
    else sg_pen_words(p, words[x->term->kind]);
}

/* --- lists --- */

/* A limit that was not met, a rounding that was not needed, rules where there is one are not told. */
static bool is_said(const list *l, size_t i)
{
    const sg_term *term = l->told[i].term;
    bool may_lack =
        term && (term->kind == SG_TERM_CLIP || term->kind == SG_TERM_ROUNDING || term->kind == SG_TERM_RULES);
    return l->adds[i] != 0 || !may_lack;
}

static void begin_line(sg_pen *p, double value)
{
    char number[SG_NUMBER_SIZE];
    sg_pen_line(p, "", "", "                           "); /* beyond the column of numbers */
    sg_pen_stay(p, "%*s ", COLUMN, sg_number_shortest(value, number));
}

static void write_list(sg_text *t, const list *l)
{
    sg_pen p = {.text = t};
    for (size_t i = 0; i < l->n; i++) {
        if (!is_said(l, i)) continue;
        begin_line(&p, l->adds[i]);
        term_words(&p, l, &l->told[i]);
        sg_pen_end(&p);
    }
    begin_line(&p, l->x->prediction);
    sg_pen_stay(&p, " the prediction");
    sg_pen_end(&p);
}

/* What the rules ask for that are told. */
static void write_rules(sg_text *t, const list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const sg_term *term = l->told[i].term;
        if (!term || term->kind != SG_TERM_RULE) continue;
        sg_text_format(t, "\n%c%s\n", term->name[0] - 'a' + 'A', term->name + 1);
        sg_pen pen = {.text = t};
        sg_conditions_words(&pen, &l->e->units, &l->e->model->block[term->block], term->rule, true);
    }
}

static void list_terms(list *l, const sg_explainer *e, size_t o, sg_grouping by)
{
    const sg_explanation *x = &e->out[o];
    bool rules = by == SG_BY_RULE;
    *l = (list){.e = e,
                .x = x,
                .by = by,
                .value = rules ? x->by_rule : x->by_input,
                .most = rules ? RULES : INPUTS,
                .order = sg_alloc(rules ? e->rules : e->shown, sizeof *l->order)};
    if (l->order) choose(l);
}

static void output(sg_text *t, const sg_explainer *e, size_t row, size_t o)
{
    char number[SG_NUMBER_SIZE];
    list rules, inputs;
    list_terms(&rules, e, o, SG_BY_RULE);
    list_terms(&inputs, e, o, SG_BY_INPUT);
    if (!rules.order || !inputs.order) t->failed = true;
    if (o) sg_text_add(t, "\n");
    if (row) sg_text_format(t, "Row %zu: ", row);
    sg_text_shown(t, e->model->output_name[o]);
    sg_text_format(t, " = %s\n", sg_number_shortest(e->out[o].prediction, number));
    sg_text_add(t, "\nBy rule: how far it fires, times what it says\n");
    write_list(t, &rules);
    sg_text_add(t, "\nBy input: the slope of these rules together, times (input - training mean)\n");
    write_list(t, &inputs);
    write_rules(t, &rules);
    free(rules.order);
    free(inputs.order);
}

sg_status sg_explainer_text(const sg_explainer *e, size_t row, char **out)
{
    sg_text t = {0};
    for (size_t o = 0; o < e->model->outputs; o++) output(&t, e, row, o);
    if (t.failed) {
        sg_text_release(&t);
        return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    }
    *out = t.bytes;
    return SG_OK;
}
