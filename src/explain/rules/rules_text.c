/* rules_text.c: describes the rule base as plain text or Markdown. */
#include "explain/rules/rules_text.h"
#include "base/memory.h"
#include "explain/additive/additive_text.h"
#include "explain/global/interaction_tables.h"
#include "explain/global/trends_text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EFFECT_DIGITS = 4, EFFECT_LINES = 8 };
enum { SPAN_DEVIATIONS = 3 }; /* rough number of standard deviations between the 5 % and 95 % quantiles */

/* --- linear functions --- */

/* Returns the magnitude by which the result changes over the range of feature k in the training rows. */
static double term_effect(const sg_model *m, const double *slope, size_t k)
{
    double range = m->high[k] - m->low[k]; /* may be 0 in a model written by hand */
    return fabs(slope[k]) * (range > 0 ? range : 1);
}

/* Returns whether a feature is the indicator of a level. */
static bool is_level(const sg_model *m, size_t k)
{
    return m->encoder && sg_encoder_feature_input(m->encoder, k)->levels;
}

/* The precision of a formula: at the features `at`, its error is at most a hundredth of `spread`. */
typedef struct formula_precision {
    const double *at; /* NULL: unknown */
    double spread;    /* 0: unknown    */
} formula_precision;

/* Formats a coefficient that is multiplied by `times`. All terms get the same share of the error. */
static const char *format_coefficient(const sg_model *m, const formula_precision *e, double value, double times,
                                      char buf[SG_NUMBER_BUFFER_SIZE])
{
    const double steps = 2 * 20; /* the error of sg_format_to_resolution is at most 1/40 of its spread */
    if (!(e->spread > 0)) return sg_format_short(value, buf);
    return sg_format_to_resolution(value, steps * 0.01 * e->spread / (double)(m->features + 1) / fmax(times, DBL_MIN),
                                   buf);
}

/* Returns whether a feature is a level with less than 1 % of the training rows. The slope of such a level rests on few
 * rows. */
static bool is_rare_level(const sg_model *m, size_t k)
{
    const double rare_share = 0.01;
    return is_level(m, k) && m->feature_mean[k] < rare_share;
}

/* Completes a line with " 0.41 + 0.23 a - 1.2 b". Leaves out slopes that are 0 up to rounding. Rare levels come last.
 */
static void write_formula(sg_text_writer *p, const sg_model *m, const formula_precision *e, double constant,
                          const double *slope)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    double largest = fabs(constant);
    for (size_t k = 0; k < m->features; k++) largest = fmax(largest, term_effect(m, slope, k));
    sg_text_writer_nobreak(p, " %s", format_coefficient(m, e, constant, 1, x));
    for (size_t i = 0; i < 2 * m->features; i++) {
        size_t k = i % m->features;
        bool rare = is_rare_level(m, k);
        if (rare != (i >= m->features) || slope[k] == 0 || term_effect(m, slope, k) < 1e-9 * largest) continue;
        double times = is_level(m, k) ? 1 : e->at ? fabs(e->at[k]) : fmax(fabs(m->low[k]), fabs(m->high[k]));
        sg_text_writer_word(p,
                            rare             ? " %c %s [%s, rare]"
                            : is_level(m, k) ? " %c %s [%s]"
                                             : " %c %s %s",
                            slope[k] < 0 ? '-' : '+', format_coefficient(m, e, fabs(slope[k]), times, x),
                            m->feature_name[k]);
    }
    sg_text_writer_end_line(p);
}

/* --- introduction --- */

static void write_components(sg_text_writer *p, const sg_original_units *u)
{
    const sg_model *m = u->model;
    bool any = false, used = false;
    for (size_t i = 0; i < m->a.out; i++) any = any || sg_original_units_input(u, i) < 0;
    for (size_t b = 0; b < m->blocks; b++) used = used || m->block[b].mfs > 0;
    if (!any || !used) return; /* a linear model has no conditions */
    sg_text_writer_heading(p, 2, "Components");
    sg_text_append(p->text, p->markdown ? "\n\nConditions" : ": conditions");
    sg_text_append(p->text, " use principal components of the inputs; train with\n"
                            "--pca 0 for conditions on the inputs themselves.\n");
    if (p->markdown) sg_text_writer_end_line(p);
    for (size_t i = 0; i < m->a.out; i++) {
        char name[32];
        sg_text_writer_begin_line(p, "  ", "- ", "      ");
        sg_text_writer_nobreak(p, "%s =", sg_original_units_name(u, i, name, sizeof name));
        write_formula(p, m, &(formula_precision){m->feature_mean, 1}, u->a_shift[i], u->a + i * m->features);
    }
}

static void write_heading(sg_text_writer *p, const sg_model *m)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    size_t rules = sg_model_rules(m), inputs = sg_model_inputs(m);
    sg_text_writer_heading(p, 1, "%zu rule%s, %zu input%s, target", rules, rules == 1 ? "" : "s", inputs,
                           inputs == 1 ? "" : "s");
    for (size_t o = 0; o < m->outputs; o++)
        sg_text_writer_word(p, " %s%s", m->output_name[o], o + 1 < m->outputs ? "," : "");
    sg_text_writer_end_line(p);
    if (m->blocks == 1) return;
    if (p->markdown) sg_text_writer_end_line(p);
    sg_text_writer_begin_line(p, "", "", " ");
    sg_text_writer_nobreak(p, "The prediction is the sum of %zu blocks of rules and the constant", m->blocks);
    for (size_t o = 0; o < m->outputs; o++)
        sg_text_writer_word(p, "%s %s", o ? "," : "", sg_format_short(m->mean[o] + m->scale[o] * m->y0[o], x));
    sg_text_writer_nobreak(p, ".");
    sg_text_writer_end_line(p);
}

/* Returns whether any block has MFs of this kind over inputs that a quantile step transforms (if `ranks` is set) or
 * does not transform (if it is not). */
static bool has_kind(const sg_model *m, const sg_mf_kind *kind, bool ranks)
{
    for (const sg_block *b = m->block; b < m->block + m->blocks; b++)
        if (b->mfs && b->kind == kind && ranks == !sg_pipeline_is_affine(sg_block_pipeline(m, b))) return true;
    return false;
}

/* Explains the membership functions of conditions. */
static void explain_membership(sg_text *t, const sg_original_units *u)
{
    char h[SG_NUMBER_BUFFER_SIZE];
    const sg_model *m = u->model;
    const sg_block *b = &m->block[0];
    bool bells = has_kind(m, &sg_mf_gauss, false) || has_kind(m, &sg_mf_gauss_a, false);
    if (has_kind(m, &sg_mf_gauss, true) || has_kind(m, &sg_mf_gauss_a, true))
        sg_text_append(t, " The membership of \"about c, l to h\" is 1 at c, 0.61 at l and h, and smaller beyond them. "
                          "Bounds and centres outside the data are left out: \"about c, up to h\", \"from l\".");
    if (bells && m->blocks == 1 && sg_mf_table_exists(u, b))
        sg_text_append(t,
                       " The membership of \"about c, sigma s\" and of \"about c +- s\" is exp(-((x - c) / s)^2 / 2).");
    else if (bells) sg_text_append(t, " The membership of \"about c +- s\" is exp(-((x - c) / s)^2 / 2).");
    if (bells && m->blocks == 1 && sg_centres_outside_data(u, b))
        sg_text_append(t, " If c is outside the data, only the bound within the data is printed, as \"up to c + s\" or "
                          "\"from c - s\".");
    if (has_kind(m, &sg_mf_gauss2, false) || has_kind(m, &sg_mf_gauss2, true))
        sg_text_append(
            t,
            " The membership of \"a to b +- s\" is 1 from a to b (for \"below b\", up to b; for \"above a\", from a), "
            "0.61 at distance s from that interval, and 0.14 at distance 2 s; if the two sides have different "
            "widths, s is the smaller one.");
    sg_text_append(t, " The memberships of a rule's conditions are multiplied");
    if (b->firing_scale != 1)
        sg_text_append_format(t, ", and the product is raised to the power %s", sg_format_short(b->firing_scale, h));
    sg_text_append(t, ".");
}

static void report_omitted_conditions(sg_text *t, const sg_original_units *u)
{
    size_t all = 0, omitted = 0, some;
    for (size_t k = 0; k < u->model->blocks; k++) {
        all += sg_conditions_count(u, &u->model->block[k], &some);
        omitted += some;
    }
    if (omitted == 0) return;
    sg_text_append_format(
        t,
        " Of %zu conditions, %zu %s omitted. A condition is omitted if all rules share it or if its membership is at "
        "least 0.75 on the whole range of the training rows.",
        all, omitted, omitted == 1 ? "is" : "are");
}

/* Explains how the rules give a prediction. */
static void write_reading_guide(sg_text_writer *p, const sg_original_units *u)
{
    const sg_model *m = u->model;
    sg_text t = {0};
    if (sg_model_block_rules(m) == m->blocks) return; /* each block has one rule: there is nothing to average */
    sg_text_append(&t, m->blocks > 1 ? "Each block is the mean of its"
                       : m->additive ? "What the rules add is the mean of the"
                                     : "A prediction is the mean of the");
    sg_text_append(&t, " rules' consequents (THEN), weighted by the memberships of their conditions (IF).");
    explain_membership(&t, u);
    report_omitted_conditions(&t, u);
    if (p->markdown) sg_text_writer_end_line(p);
    sg_text_writer_begin_line(p, "", "", "");
    if (t.failed) p->text->failed = true;
    else sg_text_writer_words(p, t.bytes);
    sg_text_release(&t);
    sg_text_writer_end_line(p);
}

/* --- rules --- */

/* Returns a share in percent, such as "5.2". */
static const char *format_percent(double share, char buf[SG_NUMBER_BUFFER_SIZE])
{
    if (share > 0 && share < 0.0005) return "less than 0.1";
    return sg_number_format_rounded(100 * share, share >= 0.1 ? 3 : 2, buf);
}

/* Writes "Rule 3 of block 2: coverage 5.2 %; centroid: ...". In a model with curves, centroids are omitted. */
static void write_rule_heading(sg_text_writer *p, const sg_centroid_pd *f, const sg_ranked_rule *g)
{
    char share[SG_NUMBER_BUFFER_SIZE];
    const sg_model *m = f->model;
    sg_text_writer_heading(p, 3, "Rule %zu", g->rule + 1);
    p->indent = "   ";
    if (m->blocks > 1) sg_text_writer_nobreak(p, " of block %zu", g->block + 1);
    if (f->has_stats)
        sg_text_writer_nobreak(p, ": coverage %s %%", format_percent(m->block[g->block].firing_share[g->rule], share));
    bool has_centroid = f->has_stats && !m->additive && m->block[g->block].firing_share[g->rule] > 0;
    bool averages = has_centroid && sg_rule_centroid_text(p, m, g);
    sg_text_append(p->text, p->markdown && !averages ? "\n\n" : "\n");
}

static void write_consequents(sg_text_writer *p, const sg_original_units *u, const sg_centroid_pd *f,
                              const sg_ranked_rule *g, double *slope)
{
    const sg_model *m = u->model;
    const sg_block *b = &m->block[g->block];
    for (size_t o = 0; o < m->outputs; o++) {
        formula_precision e = {f->has_stats ? b->centroid + g->rule * m->features : NULL,
                               f->span[o] > 0     ? f->span[o] / SPAN_DEVIATIONS
                               : m->scale[o] != 1 ? m->scale[o]
                                                  : 0};
        double constant;
        sg_original_units_consequent(u, b, g->rule, o, &constant, slope);
        sg_text_writer_begin_line(p, o ? "       " : "  THEN ", o ? "- " : "- **THEN** ", "      ");
        sg_text_writer_nobreak(p, sg_model_is_sum(m) ? "adds to %s:" : "%s =", m->output_name[o]);
        write_formula(p, m, &e, constant, slope);
    }
}

/* Returns whether a rule with a zero consequent is the only one of its block, in a model of several blocks. */
static bool is_zero_block(const sg_model *m, const sg_ranked_rule *g)
{
    const sg_block *b = &m->block[g->block];
    if (!sg_model_is_sum(m) || b->rules != 1) return false;
    for (size_t i = 0; i < (b->terms + 1) * b->outputs; i++)
        if (b->weight * b->conseq[i] != 0) return false;
    return true;
}

static sg_status write_rule(sg_text_writer *p, const sg_original_units *u, sg_centroid_pd *f, const sg_ranked_rule *g,
                            double *slope)
{
    const sg_model *m = u->model;
    write_rule_heading(p, f, g);
    sg_conditions_text(p, u, &m->block[g->block], g->rule, m->blocks > 1);
    write_consequents(p, u, f, g, slope);
    return m->additive ? SG_OK : sg_rule_trends_text(p, f, g); /* the curves already show the trends */
}

static void write_omitted_rules(sg_text_writer *p, const sg_centroid_pd *f, size_t more, size_t empty, double shown)
{
    char share[SG_NUMBER_BUFFER_SIZE];
    if (empty)
        sg_text_append_format(p->text, "\n%zu rule%s with a zero consequent %s not shown.\n", empty,
                              empty == 1 ? "" : "s", empty == 1 ? "is" : "are");
    if (!more) return;
    sg_text_append_format(p->text, "\n%zu more rule%s", more, more == 1 ? "" : "s");
    if (f->has_stats)
        sg_text_append_format(p->text, " cover%s %s %% of the data", more == 1 ? "s" : "",
                              format_percent(fmax(0, 1 - shown), share));
    sg_text_append(p->text, ": use --top 0 to list all rules.\n");
}

static sg_status write_rules(sg_text_writer *p, const sg_original_units *u, sg_centroid_pd *f, size_t top)
{
    const sg_model *m = u->model;
    double coverage = 0, *slope = sg_calloc(m->features, sizeof *slope);
    size_t shown = 0, empty = 0;
    sg_status st = slope ? SG_OK : sg_fail_out_of_memory("the description of rules");
    for (size_t i = 0; st == SG_OK && i < f->rules; i++) {
        bool adds = !is_zero_block(m, &f->ranked[i]);
        empty += !adds;
        if (!adds || (top && shown == top)) continue;
        st = write_rule(p, u, f, &f->ranked[i], slope);
        coverage += f->ranked[i].coverage;
        shown++;
    }
    free(slope);
    if (st == SG_OK) write_omitted_rules(p, f, f->rules - shown - empty, empty, coverage);
    return st;
}

/* --- effects --- */

/* Appends a line with the mean effect of the bins [first, last). */
static void add_bins(sg_text *t, const sg_effect *e, const char *name, size_t first, size_t last)
{
    double sum = 0;
    bool end = last == e->bins;
    for (size_t i = first; i < last; i++) sum += e->bin_effect[i] / (double)(last - first);
    sg_text_append(t, "    ");
    sg_text_append_escaped(t, name);
    sg_text_append(t, first == 0 && end ? " anything" : end ? " above " : " up to ");
    if (first || !end) sg_text_append_rounded(t, e->edge[(end ? first : last) - 1], EFFECT_DIGITS);
    sg_text_append(t, ": ");
    sg_text_append_rounded(t, sum, EFFECT_DIGITS);
    sg_text_append(t, "\n");
}

static void add_effect(sg_text *t, const sg_effect *e, const char *name)
{
    size_t lines = e->bins < EFFECT_LINES ? e->bins : EFFECT_LINES;
    sg_text_append(t, "  effect of ");
    sg_text_append_escaped(t, name);
    if (e->values)
        sg_text_append_format(t, " (and %zu value%s with individual effects)", e->values, e->values == 1 ? "" : "s");
    sg_text_append(t, "\n");
    for (size_t i = 0; i < lines; i++) add_bins(t, e, name, e->bins * i / lines, e->bins * (i + 1) / lines);
}

static void write_effects(sg_text_writer *p, const sg_encoder *c)
{
    if (!c || !c->effects) return;
    if (p->markdown) sg_text_append(p->text, "\n```");
    sg_text_append(p->text, "\nEffects: nonlinear contributions of single inputs, averaged over a few intervals\n");
    for (size_t i = 0; i < c->effects; i++) add_effect(p->text, &c->effect[i], c->input[c->effect[i].input].name);
    if (p->markdown) sg_text_append(p->text, "```\n");
}

/* --- limits --- */

static void add_range(sg_text *t, double low, double high)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    sg_text_append(t, sg_format_to_resolution(low, high - low, x));
    sg_text_append(t, " to ");
    sg_text_append(t, sg_format_to_resolution(high, high - low, x));
}

static bool is_training_range(const sg_model *m, const sg_transform *clamp)
{
    size_t n = m->encoder ? sg_encoder_base_features(m->encoder) : m->features;
    for (size_t i = 0; i < n; i++)
        if (clamp->parameter[0][i] != m->low[i] || clamp->parameter[1][i] != m->high[i]) return false;
    return true;
}

static void write_input_limits(sg_text *text, const sg_model *m, const sg_transform *clamp)
{
    sg_text_writer p = {.text = text};
    size_t remaining = 0;
    for (size_t i = 0; i < sg_model_inputs(m); i++) remaining += sg_model_levels(m, i) == 0;
    sg_text_writer_begin_line(&p, "Inputs are clamped to these ranges:", "", " ");
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        size_t k = sg_model_first_feature(m, i);
        sg_text range = {0};
        if (sg_model_levels(m, i)) continue;
        sg_text_append_format(&range, " %s ", sg_model_input_name(m, i));
        add_range(&range, clamp->parameter[0][k], clamp->parameter[1][k]);
        sg_text_append(&range, --remaining ? "," : ".");
        sg_text_writer_take(&p, &range);
    }
    sg_text_writer_end_line(&p);
}

static void write_limits(sg_text *t, const sg_model *m)
{
    const sg_transform *clamp = sg_pipeline_input_clamp(&m->a);
    bool started = clamp != NULL;
    if (clamp) sg_text_append(t, "\n");
    if (clamp && is_training_range(m, clamp))
        sg_text_append(t, "Inputs are clamped to the range of the training rows.\n");
    else if (clamp) write_input_limits(t, m, clamp);
    for (size_t o = 0; o < m->outputs; o++) {
        if (!sg_model_is_clipped(m, o)) continue;
        sg_text_append(t, started ? "Predictions " : "\nPredictions ");
        started = true;
        if (m->outputs > 1) sg_text_append(t, "of ");
        if (m->outputs > 1) sg_text_append_escaped(t, m->output_name[o]);
        sg_text_append(t, m->outputs > 1 ? " are clipped to the range " : "are clipped to the range ");
        add_range(t, m->clip_low[o], m->clip_high[o]);
        sg_text_append(t, ".\n");
    }
}

/* --- description --- */

/* Describes an additive model: its curves and pairs, then its rules, if it has any, as the rest. */
static sg_status write_additive_model(sg_text_writer *p, const sg_original_units *u, sg_centroid_pd *f, size_t top)
{
    const sg_model *m = u->model;
    size_t rules = sg_model_block_rules(m);
    sg_status st = sg_additive_text(p, m, top);
    if (st != SG_OK || m->blocks == 0) return st;
    sg_text_writer_heading(p, 2, "The rest: %zu rule%s", rules, rules == 1 ? "" : "s");
    sg_text_writer_end_line(p);
    write_reading_guide(p, u);
    write_components(p, u);
    if (m->blocks == 1) sg_mf_table_text(p, u, &m->block[0]);
    st = write_rules(p, u, f, top);
    if (st == SG_OK) write_effects(p, m->encoder);
    return st;
}

static sg_status write_description(sg_text_writer *p, const sg_original_units *u, sg_centroid_pd *f, size_t top)
{
    const sg_model *m = u->model;
    if (m->additive) return write_additive_model(p, u, f, top);
    write_heading(p, m);
    write_reading_guide(p, u);
    sg_status st = sg_global_trends_text(p, f);
    if (st == SG_OK) st = sg_interactions_text(p, f);
    if (st != SG_OK) return st;
    write_components(p, u);
    if (m->blocks == 1) sg_mf_table_text(p, u, &m->block[0]);
    st = write_rules(p, u, f, top);
    if (st != SG_OK) return st;
    write_effects(p, m->encoder);
    write_limits(p->text, m);
    return SG_OK;
}

sg_status sg_model_describe_as(const sg_model *m, const char *format, size_t top, char **out)
{
    sg_original_units u;
    sg_centroid_pd f;
    sg_text t = {0};
    sg_text_writer writer = {.text = &t, .markdown = strcmp(format, "markdown") == 0, .indent = ""};
    bool json = strcmp(format, "json") == 0;
    if (!json && !writer.markdown && strcmp(format, "text") != 0)
        return sg_fail(SG_EINVAL, "unknown format \"%.40s\": expected text, markdown or json", format);
    sg_status st = sg_original_units_init(&u, m);
    if (st != SG_OK) return st;
    st = sg_centroid_pd_init(&f, m);
    if (st == SG_OK) st = json ? sg_rules_json(&t, &u, &f) : write_description(&writer, &u, &f, top);
    if (st == SG_OK) st = sg_text_finish(&t, "the description of rules", out);
    sg_text_release(&t);
    sg_centroid_pd_release(&f);
    sg_original_units_release(&u);
    return st;
}

sg_status sg_model_describe(const sg_model *m, char **out) { return sg_model_describe_as(m, "text", 0, out); }

sg_status sg_model_describe_json(const sg_model *m, char **out) { return sg_model_describe_as(m, "json", 0, out); }
