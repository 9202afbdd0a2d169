/* rules.c: the rule base in words, as plain text or Markdown. */
#include "base/memory.h"
#include "explain/conditions.h"
#include "explain/effects_shown.h"
#include "explain/joint.h"
#include "explain/limits.h"
#include "explain/sentences.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 3 }; /* deviations of the target from what 5 % of rows are below to what 95 % are below, about */

/* How far a term moves the result over the range of its input in the training rows. */
static double effect(const sg_model *m, const double *slope, size_t k)
{
    double range = m->high[k] - m->low[k]; /* a model written by hand may not know it */
    return fabs(slope[k]) * (range > 0 ? range : 1);
}

/* A feature that is 1 or 0. */
static bool is_level(const sg_model *m, size_t k) { return m->coding && sg_coding_of(m->coding, k)->levels; }

/* How exact a formula is written: at `at` (inputs; NULL where nobody knows) it is right to a hundredth of `spread`. */
typedef struct exactness {
    const double *at;
    double spread; /* 0: nobody knows */
} exactness;

/* A coefficient of a term that is `times` as large: each of the formula's terms has the same part of the error. */
static const char *coefficient(const sg_model *m, const exactness *e, double value, double times,
                               char buf[SG_NUMBER_SIZE])
{
    const double steps = 2 * 20; /* sg_pen_near is right to half a twentieth of its spread */
    if (!(e->spread > 0)) return sg_pen_number(value, buf);
    return sg_pen_near(value, steps * 0.01 * e->spread / (double)(m->inputs + 1) / fmax(times, DBL_MIN), buf);
}

/* " 0.41 + 0.23 a - 1.2 b"; slopes that are 0 but for rounding are left out. The line has begun. */
static void formula(sg_pen *p, const sg_model *m, const exactness *e, double constant, const double *slope)
{
    char x[SG_NUMBER_SIZE];
    double largest = fabs(constant);
    for (size_t k = 0; k < m->inputs; k++) largest = fmax(largest, effect(m, slope, k));
    sg_pen_stay(p, " %s", coefficient(m, e, constant, 1, x));
    for (size_t k = 0; k < m->inputs; k++) {
        if (slope[k] == 0 || effect(m, slope, k) < 1e-9 * largest) continue;
        double times = is_level(m, k) ? 1 : e->at ? fabs(e->at[k]) : fmax(fabs(m->low[k]), fabs(m->high[k]));
        sg_pen_word(p, is_level(m, k) ? " %c %s [%s]" : " %c %s %s", slope[k] < 0 ? '-' : '+',
                    coefficient(m, e, fabs(slope[k]), times, x), m->input_name[k]);
    }
    sg_pen_end(p);
}

static void components(sg_pen *p, const sg_units *u)
{
    const sg_model *m = u->model;
    bool any = false, asked = false;
    for (size_t i = 0; i < m->a.out; i++) any = any || sg_units_input(u, i) < 0;
    for (size_t b = 0; b < m->blocks; b++) asked = asked || m->block[b].mfs > 0;
    if (!any || !asked) return; /* a linear system has no conditions */
    sg_pen_heading(p, 2, "Components");
    sg_text_add(p->text, p->markdown ? "\n\nConditions" : ": conditions");
    sg_text_add(p->text, " are on principal components of the inputs; train with\n"
                         "--pca 0 for conditions on the inputs themselves.\n");
    if (p->markdown) sg_pen_end(p);
    for (size_t i = 0; i < m->a.out; i++) {
        char name[32];
        sg_pen_line(p, "  ", "- ", "      ");
        sg_pen_stay(p, "%s =", sg_units_name(u, i, name, sizeof name));
        formula(p, m, &(exactness){m->input_mean, 1}, u->a_shift[i], u->a + i * m->inputs); /* of z-scores */
    }
}

static void heading(sg_pen *p, const sg_model *m)
{
    char x[SG_NUMBER_SIZE];
    size_t rules = sg_model_rules(m), inputs = sg_model_inputs(m);
    sg_pen_heading(p, 1, "%zu rule%s, %zu input%s, target", rules, rules == 1 ? "" : "s", inputs,
                   inputs == 1 ? "" : "s");
    for (size_t o = 0; o < m->outputs; o++) sg_pen_word(p, " %s%s", m->output_name[o], o + 1 < m->outputs ? "," : "");
    sg_pen_end(p);
    if (m->blocks == 1) return;
    if (p->markdown) sg_pen_end(p);
    sg_pen_line(p, "", "", " ");
    sg_pen_stay(p, "The prediction is the sum of %zu blocks of rules and of", m->blocks);
    for (size_t o = 0; o < m->outputs; o++)
        sg_pen_word(p, "%s %s", o ? "," : "", sg_pen_number(m->mean[o] + m->scale[o] * m->y0[o], x));
    sg_pen_stay(p, ".");
    sg_pen_end(p);
}

/* Whether some block has MFs of this kind, in original units or in ranks. */
static bool has_kind(const sg_model *m, const sg_mf_kind *kind, bool ranks)
{
    for (const sg_block *b = m->block; b < m->block + m->blocks; b++)
        if (b->mfs && b->kind == kind && ranks == !sg_view_is_affine(sg_block_view(m, b))) return true;
    return false;
}

/* What a condition says in numbers, where that is short. */
static void say_fit(sg_text *t, const sg_units *u)
{
    char h[SG_NUMBER_SIZE];
    const sg_model *m = u->model;
    const sg_block *b = &m->block[0];
    bool bells = has_kind(m, &sg_mf_gauss, false) || has_kind(m, &sg_mf_gauss_a, false);
    if (has_kind(m, &sg_mf_gauss, true) || has_kind(m, &sg_mf_gauss_a, true))
        sg_text_add(t, " A condition about c, l to h fits by 1 at c, by 0.61 at l and h, by 0.14 twice as far.");
    if (bells && m->blocks == 1 && sg_terms_any(u, b))
        sg_text_add(t, " A term about c, sigma s (or a condition about c +- s) fits by exp(-((x - c) / s)^2 / 2).");
    else if (bells) sg_text_add(t, " A condition about c +- s fits by exp(-((x - c) / s)^2 / 2).");
    if (has_kind(m, &sg_mf_gauss2, false) || has_kind(m, &sg_mf_gauss2, true))
        sg_text_add(t, " A condition a to b +- s fits by 1 from a to b (below b: up to b; above a: from a on), by 0.61 "
                       "at s beyond, by 0.14 "
                       "twice as far; where two sides differ, s is that of the steeper one.");
    sg_text_add(t, " The fits of a rule's conditions are multiplied");
    if (b->h != 1) sg_text_format(t, ", and taken to the power of %s", sg_pen_number(b->h, h));
    sg_text_add(t, ".");
}

static void say_left_out(sg_text *t, const sg_units *u)
{
    size_t all = 0, left_out = 0, some;
    for (size_t k = 0; k < u->model->blocks; k++) {
        all += sg_conditions_count(u, &u->model->block[k], &some);
        left_out += some;
    }
    if (left_out == 0) return;
    sg_text_format(t, " Of %zu conditions %zu %s left out: all rules have %s, or %s all training rows by 0.75 or more.",
                   all, left_out, left_out == 1 ? "is" : "are", left_out == 1 ? "it" : "them",
                   left_out == 1 ? "it fits" : "they fit");
}

/* How to come from rules to a prediction. */
static void reading(sg_pen *p, const sg_units *u)
{
    const sg_model *m = u->model;
    sg_text t = {0};
    if (sg_model_rules(m) == m->blocks) return; /* of one rule it is that */
    sg_text_add(&t, m->blocks > 1 ? "Each block" : "A prediction");
    sg_text_add(&t, " is the mean of what its rules say (THEN), each by how well its conditions (IF) fit.");
    say_fit(&t, u);
    say_left_out(&t, u);
    if (p->markdown) sg_pen_end(p);
    sg_pen_line(p, "", "", "");
    if (t.failed) p->text->failed = true;
    else sg_pen_words(p, t.bytes);
    sg_text_release(&t);
    sg_pen_end(p);
}

/* --- rules --- */

/* "5.2 %" */
static const char *percent(double share, char buf[SG_NUMBER_SIZE])
{
    if (share > 0 && share < 0.0005) return "less than 0.1";
    return sg_number_rounded(100 * share, share >= 0.1 ? 3 : 2, buf);
}

/* "Rule 3 of block 2: 5.2 % of the data, on average with ..." */
static void rule_heading(sg_pen *p, const sg_findings *f, const sg_governor *g)
{
    char share[SG_NUMBER_SIZE];
    const sg_model *m = f->model;
    sg_pen_heading(p, 3, "Rule %zu", g->rule + 1);
    p->indent = "   ";
    if (m->blocks > 1) sg_pen_stay(p, " of block %zu", g->block + 1);
    if (f->known) sg_pen_stay(p, ": %s %% of the data", percent(m->block[g->block].share[g->rule], share));
    bool averages = f->known && m->block[g->block].share[g->rule] > 0 && sg_place_words(p, m, g);
    sg_text_add(p->text, p->markdown && !averages ? "\n\n" : "\n");
}

/* Of several blocks each adds its part. */
static void conclusions(sg_pen *p, const sg_units *u, const sg_findings *f, const sg_governor *g, double *slope)
{
    const sg_model *m = u->model;
    const sg_block *b = &m->block[g->block];
    for (size_t o = 0; o < m->outputs; o++) {
        exactness e = {f->known ? b->place + g->rule * m->inputs : NULL, f->span[o] > 0     ? f->span[o] / SPAN
                                                                         : m->scale[o] != 1 ? m->scale[o]
                                                                                            : 0};
        double constant;
        sg_units_consequent(u, b, g->rule, o, &constant, slope);
        sg_pen_line(p, o ? "       " : "  THEN ", o ? "- " : "- **THEN** ", "      ");
        sg_pen_stay(p, m->blocks > 1 ? "adds to %s:" : "%s =", m->output_name[o]);
        formula(p, m, &e, constant, slope);
    }
}

/* The one rule of a block among several, which adds 0. */
static bool adds_nothing(const sg_model *m, const sg_governor *g)
{
    const sg_block *b = &m->block[g->block];
    if (m->blocks == 1 || b->rules != 1) return false;
    for (size_t i = 0; i < (b->terms + 1) * b->outputs; i++)
        if (b->weight * b->conseq[i] != 0) return false;
    return true;
}

/* One rule. */
static sg_status say_rule(sg_pen *p, const sg_units *u, sg_findings *f, const sg_governor *g, double *slope)
{
    const sg_model *m = u->model;
    rule_heading(p, f, g);
    sg_conditions_words(p, u, &m->block[g->block], g->rule, m->blocks > 1);
    conclusions(p, u, f, g, slope);
    return sg_there_words(p, f, g);
}

static void say_others(sg_pen *p, const sg_findings *f, size_t more, size_t nothing, double said)
{
    char share[SG_NUMBER_SIZE];
    if (nothing)
        sg_text_format(p->text, "\n%zu rule%s that %s nothing %s not shown.\n", nothing, nothing == 1 ? "" : "s",
                       nothing == 1 ? "adds" : "add", nothing == 1 ? "is" : "are");
    if (!more) return;
    sg_text_format(p->text, "\n%zu more rule%s", more, more == 1 ? "" : "s");
    if (f->known)
        sg_text_format(p->text, " govern%s %s %% of the data", more == 1 ? "s" : "", percent(fmax(0, 1 - said), share));
    sg_text_add(p->text, ": see sugeno rules --top 0.\n");
}

static sg_status rules(sg_pen *p, const sg_units *u, sg_findings *f, size_t top)
{
    const sg_model *m = u->model;
    double said = 0, *slope = sg_alloc(m->inputs, sizeof *slope);
    size_t shown = 0, nothing = 0;
    sg_status st = slope ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rules in words");
    for (size_t i = 0; st == SG_OK && i < f->rules; i++) {
        bool empty = adds_nothing(m, &f->rule[i]);
        nothing += empty;
        if (empty || (top && shown == top)) continue;
        st = say_rule(p, u, f, &f->rule[i], slope);
        said += f->rule[i].share;
        shown++;
    }
    free(slope);
    if (st == SG_OK) say_others(p, f, f->rules - shown - nothing, nothing, said);
    return st;
}

/* --- the whole --- */

static sg_status write_rules(sg_pen *p, const sg_units *u, sg_findings *f, size_t top)
{
    const sg_model *m = u->model;
    heading(p, m);
    reading(p, u);
    sg_status st = sg_overall_words(p, f);
    if (st == SG_OK) st = sg_joint_words(p, f);
    if (st != SG_OK) return st;
    components(p, u);
    if (m->blocks == 1) sg_terms_words(p, u, &m->block[0]);
    st = rules(p, u, f, top);
    if (st != SG_OK) return st;
    if (p->markdown && m->coding && m->coding->effects) sg_text_add(p->text, "\n```");
    sg_effects_words(p->text, m);
    if (p->markdown && m->coding && m->coding->effects) sg_text_add(p->text, "```\n");
    sg_limits_words(p->text, m);
    return p->text->failed ? sg_fail(SG_ENOMEM, "out of memory for rules in words") : SG_OK;
}

static sg_status describe(const sg_model *m, bool markdown, size_t top, char **out)
{
    sg_units u;
    sg_findings f;
    sg_text t = {0};
    sg_pen pen = {.text = &t, .markdown = markdown, .indent = ""};
    sg_status st = sg_units_init(&u, m);
    if (st != SG_OK) return st;
    st = sg_findings_init(&f, m);
    if (st == SG_OK) st = write_rules(&pen, &u, &f, top);
    if (st == SG_OK) *out = t.bytes;
    else sg_text_release(&t);
    sg_findings_release(&f);
    sg_units_release(&u);
    return st;
}

sg_status sg_model_describe(const sg_model *m, char **out) { return describe(m, false, 0, out); }

sg_status sg_model_describe_as(const sg_model *m, const char *format, size_t top, char **out)
{
    if (strcmp(format, "json") == 0) return sg_model_describe_json(m, out);
    if (strcmp(format, "text") == 0 || strcmp(format, "markdown") == 0) return describe(m, *format == 'm', top, out);
    return sg_fail(SG_EINVAL, "\"%.40s\" is no format of rules: expected text, markdown or json", format);
}
