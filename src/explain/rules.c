/* rules.c: the rule base in words. */
#include "base/memory.h"
#include "base/text.h"
#include "explain/effects_shown.h"
#include "explain/flow.h"
#include "explain/limits.h"
#include "explain/rules_words.h"
#include "explain/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 4 };

static void number(sg_text *t, double value) { sg_text_rounded(t, value, DIGITS); }

/* How far a term moves the result over the range of its input in the training rows. */
static double effect(const sg_model *m, const double *slope, size_t k)
{
    double range = m->high[k] - m->low[k]; /* a model written by hand may not know it */
    return fabs(slope[k]) * (range > 0 ? range : 1);
}

/* A feature that is 1 or 0. */
static bool is_level(const sg_model *m, size_t k) { return m->coding && sg_coding_of(m->coding, k)->levels; }

/* y = 0.41 + 0.23 a - 1.2 b; slopes that are 0 but for rounding are left out. */
static void formula(sg_text *t, const sg_model *m, const char *left, double constant,
                    const double *slope, const char *indent)
{
    size_t start = t->length;
    double largest = 0;
    for (size_t k = 0; k < m->inputs; k++) largest = fmax(largest, effect(m, slope, k));
    largest = fmax(largest, fabs(constant));
    sg_text_format(t, "%s%s = ", indent, left);
    number(t, constant);
    for (size_t k = 0; k < m->inputs; k++) {
        if (slope[k] == 0 || effect(m, slope, k) < 1e-9 * largest) continue;
        sg_text term = {0};
        sg_text_add(&term, slope[k] < 0 ? " - " : " + ");
        number(&term, fabs(slope[k]));
        sg_text_format(&term, is_level(m, k) ? " [%s]" : " %s", m->input_name[k]);
        char further[32];
        snprintf(further, sizeof further, "%.20s    ", indent);
        if (!term.failed) sg_flow(t, &start, term.bytes, further);
        sg_text_release(&term);
    }
    sg_text_add(t, "\n");
}

/* "about 1.31, sigma 0.23"; an inverse width is shown as the width. */
static void shape(sg_text *t, const sg_mf_kind *kind, const double *p)
{
    if (kind->centre >= 0) {
        sg_text_add(t, "about ");
        number(t, p[kind->centre]);
    }
    for (size_t k = 0; k < kind->arity; k++) {
        bool inverse = kind->role[k] == 'i';
        if ((int)k == kind->centre) continue;
        sg_text_format(t, "%s%s%s ", k || kind->centre >= 0 ? ", " : "", inverse ? "sigma" : kind->parameter[k],
                       inverse ? kind->parameter[k] + 1 : ""); /* of a2: sigma2 */
        if (inverse && p[k] == 0) sg_text_add(t, "without end");
        else number(t, inverse ? 1 / p[k] : p[k]);
    }
}

/* One line a term of an input that has words for them. */
static void terms_of_input(sg_text *t, const sg_units *u, const sg_block *b, size_t i)
{
    static const char *const verdict[] = {"no", "rather not", "either", "rather", "yes"};
    char name[32];
    double p[SG_MF_PARAMETERS];
    bool first = true;
    size_t level;
    const sg_coded *category = sg_units_level(u, i, &level);
    for (size_t mf = 0; mf < b->mfs; mf++) {
        const char *label = b->input_of[mf] == i ? sg_term_label(b, mf) : NULL;
        if (!label) continue;
        if (category) label = verdict[sg_units_verdict(u, b, mf)];
        if (first) sg_text_format(t, "  %s\n", sg_units_name(u, i, name, sizeof name));
        first = false;
        sg_units_mf(u, b, mf, p);
        sg_text_format(t, "    %-10s ", label);
        shape(t, b->kind, p);
        sg_text_add(t, "\n");
    }
}

static bool has_labels(const sg_block *b)
{
    for (size_t mf = 0; mf < b->mfs; mf++)
        if (sg_term_label(b, mf)) return true;
    return false;
}

static void components(sg_text *t, const sg_units *u)
{
    const sg_model *m = u->model;
    bool any = false, asked = false;
    for (size_t i = 0; i < m->a.out; i++) any = any || sg_units_input(u, i) < 0;
    for (size_t b = 0; b < m->blocks; b++) asked = asked || m->block[b].mfs > 0;
    if (!any || !asked) return; /* a linear system has no conditions */
    sg_text_add(t, "\nComponents: conditions are on principal components of the inputs; train with\n"
                   "--pca 0 for conditions on the inputs themselves.\n");
    for (size_t i = 0; i < m->a.out; i++) {
        char name[32];
        formula(t, m, sg_units_name(u, i, name, sizeof name), u->a_shift[i], u->a + i * m->inputs,
                "  ");
    }
}

/* "sex is M", "sex is not M" */
static void condition_on_level(sg_text *t, const sg_units *u, const sg_block *b, const sg_coded *category, size_t level,
                               size_t mf)
{
    static const char *const before[] = {"is not", "is rather not", "is", "is rather", "is"};
    sg_verdict verdict = sg_units_verdict(u, b, mf);
    char *name = sg_coded_level(category, level);
    if (name) sg_text_format(t, "%s %s %s%s", category->name, before[verdict], name, verdict == SG_EITHER ? " or not" : "");
    else t->failed = true;
    free(name);
}

static void condition(sg_text *t, const sg_units *u, const sg_block *b, size_t i, size_t mf)
{
    char name[32];
    double p[SG_MF_PARAMETERS];
    size_t level;
    const sg_coded *category = sg_units_level(u, i, &level);
    const char *label = sg_term_label(b, mf);
    if (category) {
        condition_on_level(t, u, b, category, level, mf);
        return;
    }
    sg_text_format(t, "%s is ", sg_units_name(u, i, name, sizeof name));
    sg_units_mf(u, b, mf, p);
    if (label) sg_text_add(t, label);
    else {
        sg_text_add(t, "about ");
        number(t, sg_term_place(b->kind, p));
        sg_text_add(t, " +- ");
        number(t, b->kind->width(p));
    }
}

/* " - 0.4 b", and the first one " and b": of ranks "rank(b)", of a level "[sex=M]". */
static void summand(sg_text *t, const sg_units *u, const sg_block *b, size_t i, double weight, bool first)
{
    char name[32];
    size_t level;
    bool ranks = !sg_view_is_affine(sg_block_view(u->model, b)), is_one = sg_units_level(u, i, &level) != NULL;
    sg_text_add(t, first ? weight < 0 ? " and -" : " and " : weight < 0 ? " - " : " + ");
    if (fabs(weight) != 1) number(t, fabs(weight));
    if (fabs(weight) != 1) sg_text_add(t, " ");
    sg_text_format(t, ranks ? "rank(%s)" : is_one ? "[%s]" : "%s", sg_units_name(u, i, name, sizeof name));
}

/* " and a - 0.4 b + 2 c is about 3.1 +- 0.7", on as many lines as it takes. */
static void combination(sg_text *t, size_t *start, const sg_units *u, const sg_block *b, const sg_combination *c)
{
    bool first = true;
    for (size_t i = 0; i < b->inputs; i++) {
        if (c->weight[i] == 0) continue;
        sg_text one = {0};
        summand(&one, u, b, i, c->weight[i], first);
        if (!one.failed) sg_flow(t, start, one.bytes, first ? "      " : "        ");
        sg_text_release(&one);
        first = false;
    }
    sg_text end = {0};
    sg_text_add(&end, " is about ");
    number(&end, c->about);
    sg_text_add(&end, " +- ");
    number(&end, c->sigma);
    if (!end.failed) sg_flow(t, start, end.bytes, "        ");
    sg_text_release(&end);
}

static void combinations(sg_text *t, size_t *start, const sg_units *u, const sg_block *b, size_t r)
{
    sg_combination c = {.weight = sg_alloc(b->inputs, sizeof *c.weight)};
    if (!c.weight) t->failed = true;
    for (size_t k = 0; c.weight && k < b->rank; k++)
        if (sg_units_combination(u, b, r, k, &c)) combination(t, start, u, b, &c);
    free(c.weight);
}

void sg_conditions_words(sg_text *t, const sg_units *u, const sg_block *b, size_t r)
{
    size_t start = t->length, n = 0;
    sg_text_add(t, "  IF   ");
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        if (mf < 0) continue;
        sg_text one = {0};
        sg_text_add(&one, n ? " and " : "");
        condition(&one, u, b, i, (size_t)mf);
        if (!one.failed && n == 0) sg_text_add(t, one.bytes); /* a break would gain nothing */
        else if (!one.failed) sg_flow(t, &start, one.bytes, "      ");
        sg_text_release(&one);
        n++;
    }
    if (n && b->rank) combinations(t, &start, u, b, r);
    sg_text_add(t, n ? "\n" : "anything\n");
}

static void rule(sg_text *t, const sg_units *u, const sg_block *b, size_t r, double *slope)
{
    const sg_model *m = u->model;
    sg_conditions_words(t, u, b, r);
    for (size_t o = 0; o < m->outputs; o++) {
        double constant;
        sg_text left = {0};
        sg_units_consequent(u, b, r, o, &constant, slope);
        sg_text_format(&left, "%s %s", o ? "    " : "THEN", m->output_name[o]);
        if (!left.failed) formula(t, m, left.bytes, constant, slope, "  ");
        sg_text_release(&left);
    }
}

static void heading(sg_text *t, const sg_model *m)
{
    size_t rules = sg_model_rules(m), inputs = sg_model_inputs(m), start = t->length;
    sg_text_format(t, "%zu rule%s, %zu input%s, target", rules, rules == 1 ? "" : "s", inputs, inputs == 1 ? "" : "s");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text one = {0};
        sg_text_format(&one, " %s%s", m->output_name[o], o + 1 < m->outputs ? "," : "");
        if (!one.failed) sg_flow(t, &start, one.bytes, " ");
        sg_text_release(&one);
    }
    sg_text_add(t, "\n");
    if (m->blocks == 1) return;
    sg_text_format(t, "The prediction is the sum of %zu blocks of rules and of", m->blocks);
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_add(t, o ? ", " : " ");
        number(t, m->mean[o] + m->scale[o] * m->y0[o]);
    }
    sg_text_add(t, ".\n");
}

static sg_status write_rules(const sg_units *u, sg_text *t)
{
    const sg_model *m = u->model;
    double *slope = sg_alloc(m->inputs, sizeof *slope);
    if (!slope) return sg_fail(SG_ENOMEM, "out of memory for rules in words");
    heading(t, m);
    components(t, u);
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        if (m->blocks > 1) sg_text_format(t, "\nBlock %zu\n", i + 1);
        if (has_labels(b)) sg_text_add(t, "\nTerms\n");
        for (size_t k = 0; k < b->inputs; k++) terms_of_input(t, u, b, k);
        for (size_t r = 0; r < b->rules; r++) {
            sg_text_format(t, "\nRule %zu\n", r + 1);
            rule(t, u, b, r, slope);
        }
    }
    sg_effects_words(t, m);
    sg_limits_words(t, m);
    free(slope);
    return t->failed ? sg_fail(SG_ENOMEM, "out of memory for rules in words") : SG_OK;
}

sg_status sg_model_describe(const sg_model *m, char **out)
{
    sg_units u;
    sg_text t = {0};
    sg_status st = sg_units_init(&u, m);
    if (st != SG_OK) return st;
    st = write_rules(&u, &t);
    sg_units_release(&u);
    if (st != SG_OK) sg_text_release(&t);
    else *out = t.bytes;
    return st;
}
