/* trend_text.c: see trend_text.h. */
#include "explain/global/trend_text.h"

#include "base/memory.h"
#include "explain/global/rule_trends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INPUTS = 16 };
static const double negligible_span = 0.05; /* of what moves predictions most */

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rules in words"); }

const char *sg_format_input_value(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_BUFFER_SIZE])
{
    double q[SG_QUANTILE_COUNT];
    sg_model_feature_quantiles(m, feature, q);
    return sg_format_to_resolution(value, (q[SG_QUANTILE_COUNT - 1] - q[0]) / 2, buf);
}

/* --- over all rows --- */

/* How predictions of one output go with one input. */
typedef struct pd_curve {
    size_t input, n;
    double value[SG_PD_MAX_POINTS];
    double *y; /* (outputs, n) */
    double span;
} pd_curve;

static int compare_span(const void *a, const void *b)
{
    const pd_curve *x = a, *y = b;
    if (x->span != y->span) return x->span < y->span ? 1 : -1;
    return x->input < y->input ? -1 : x->input > y->input;
}

static void free_curves(pd_curve *c, size_t n)
{
    for (size_t i = 0; c && i < n; i++) free(c[i].y);
    free(c);
}

static sg_status make_curves(sg_centroid_pd *f, pd_curve **out)
{
    const sg_model *m = f->model;
    size_t n = sg_model_inputs(m);
    pd_curve *c = sg_calloc(n, sizeof *c);
    bool ok = c != NULL;
    sg_centroid_pd_weight_all(f);
    for (size_t i = 0; ok && i < n; i++) {
        c[i].input = i;
        c[i].n = sg_centroid_pd_values(m, i, c[i].value);
        c[i].y = sg_calloc(m->outputs, SG_PD_MAX_POINTS * sizeof *c[i].y);
        ok = c[i].y != NULL;
        if (ok) sg_centroid_pd_curve(f, i, c[i].value, c[i].n, c[i].y);
        for (size_t o = 0; ok && o < m->outputs; o++)
            f->net_change[o * n + i] = sg_pd_net_change(c[i].y + o * c[i].n, c[i].n);
    }
    if (!ok) free_curves(c, n);
    else *out = c;
    return ok ? SG_OK : out_of_memory();
}

/* *span: the largest. */
static void sort_curves(pd_curve *c, size_t n, size_t output, double *span)
{
    *span = 0;
    for (size_t i = 0; i < n; i++) c[i].span = sg_pd_span(c[i].y + output * c[i].n, c[i].n);
    if (n) qsort(c, n, sizeof *c, compare_span);
    if (n) *span = c[0].span;
}

/* "y mostly rises with x:", "y goes up, then down with x:", "y differs by sex:" */
static void write_direction(sg_text_writer *p, const sg_model *m, const pd_curve *c, size_t output)
{
    static const char *const verb[] = {"hardly depends on",       "rises with",
                                       "mostly rises with",       "falls with",
                                       "mostly falls with",       "goes up, then down with",
                                       "goes down, then up with", "goes up and down with"};
    const char *name = sg_model_input_name(m, c->input), *y = sg_model_output_name(m, output);
    bool category = sg_model_levels(m, c->input) > 0;
    sg_text_writer_nobreak(p, "%s", y);
    sg_text_writer_word(p, " %s %s:", category ? "differs by" : verb[sg_trend_classify(c->y + output * c->n, c->n)],
                        name);
}

/* largest: span of all courses. */
static void write_curve(sg_text_writer *p, const sg_model *m, const pd_curve *c, size_t output, double largest)
{
    char y[SG_NUMBER_BUFFER_SIZE], x[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_begin_line(p, "  ", "- ", "     ");
    write_direction(p, m, c, output);
    for (size_t k = 0; k < c->n; k++) {
        const char *end = k + 1 < c->n ? "," : "";
        sg_format_to_resolution(c->y[output * c->n + k], largest, y);
        if (!sg_model_levels(m, c->input)) {
            sg_text_writer_word(p, " %s at %s%s", y,
                                sg_format_input_value(m, sg_model_first_feature(m, c->input), c->value[k], x), end);
            continue;
        }
        char *level = sg_encoded_input_level_name(&m->encoder->input[c->input], k);
        if (level) sg_text_writer_word(p, " %s for %s%s", y, level, end);
        else p->text->failed = true;
        free(level);
    }
    sg_text_writer_end_line(p);
}

static void write_curves(sg_text_writer *p, const sg_model *m, const pd_curve *c, size_t n, size_t output)
{
    size_t said = 0;
    for (; said < n && said < MAX_INPUTS && c[said].n > 1 && c[said].span > negligible_span * c[0].span; said++)
        write_curve(p, m, &c[said], output, c[0].span);
    if (said == n) return;
    sg_text_writer_begin_line(p, "  ", "- ", "     ");
    sg_text_writer_nobreak(p, "%s", sg_model_output_name(m, output));
    if (n - said > MAX_INPUTS) sg_text_writer_word(p, " depends less on %zu other inputs", n - said);
    else sg_text_writer_word(p, said ? " depends far less on" : " does not depend on");
    for (size_t i = said; n - said <= MAX_INPUTS && i < n; i++)
        sg_text_writer_word(p, " %s%s", sg_model_input_name(m, c[i].input), i + 1 < n ? "," : "");
    sg_text_writer_end_line(p);
}

sg_status sg_global_trends_text(sg_text_writer *p, sg_centroid_pd *f)
{
    pd_curve *c = NULL;
    size_t n = sg_model_inputs(f->model);
    if (!f->has_stats) return SG_OK;
    sg_status st = make_curves(f, &c);
    if (st != SG_OK) return st;
    sg_text_writer_heading(p, 2, "Overall, as one input moves and the others stay as in the training rows");
    sg_text_append(p->text, p->markdown ? "\n\n" : "\n");
    for (size_t o = 0; o < f->model->outputs; o++) {
        sort_curves(c, n, o, &f->span[o]);
        write_curves(p, f->model, c, n, o);
    }
    free_curves(c, n);
    return SG_OK;
}

/* --- where a rule governs --- */

/* " and rises with a and b", " and falls with c, unlike overall": in order, verbs that are the same once. */
static void write_input_trends(sg_text_writer *p, const sg_model *m, const sg_input_trend *v, size_t n)
{
    static const char *const verb[] = {"", "rises with ", "mostly rises with ", "falls with ", "mostly falls with "};
    for (size_t i = 0; i < n; i++) {
        bool again = i && v[i].trend == v[i - 1].trend && v[i].opposes_global == v[i - 1].opposes_global;
        bool last = i + 1 == n || v[i + 1].trend != v[i].trend || v[i + 1].opposes_global != v[i].opposes_global;
        sg_text_writer_word(p, " and %s%s%s", again ? "" : verb[v[i].trend], sg_model_input_name(m, v[i].input),
                            v[i].opposes_global && last ? "," : "");
        if (v[i].opposes_global && last) sg_text_writer_word(p, " unlike overall");
    }
}

/* spread: of predictions. */
static void write_rule_trends(sg_text_writer *p, const sg_model *m, const sg_rule_trends *t, size_t o, double spread)
{
    char mean[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_begin_line(p, "       There", "- There", "      ");
    if (m->blocks > 1) sg_text_writer_nobreak(p, ", all blocks together,");
    sg_text_writer_nobreak(p, " %s", sg_model_output_name(m, o));
    sg_text_writer_word(p, " is about %s", sg_format_to_resolution(t->mean[o], spread, mean));
    write_input_trends(p, m, t->trend + o * sg_model_inputs(m), t->shown[o]);
    sg_text_writer_nobreak(p, ".");
    sg_text_writer_end_line(p);
}

sg_status sg_rule_trends_text(sg_text_writer *p, sg_centroid_pd *f, const sg_ranked_rule *g)
{
    sg_rule_trends t;
    double share = f->has_stats ? f->model->block[g->block].firing_share[g->rule] : 0;
    if (!(share > 0)) return SG_OK;
    sg_status st = sg_rule_trends_find(&t, f, g);
    if (st != SG_OK) return st;
    for (size_t o = 0; o < f->model->outputs; o++) write_rule_trends(p, f->model, &t, o, f->span[o]);
    sg_rule_trends_release(&t);
    return SG_OK;
}

/* --- places --- */

/* The most frequent level, and how often. */
static void write_most_frequent_level(sg_text_writer *p, const sg_encoded_input *in, const double *share)
{
    size_t best = 0;
    for (size_t k = 1; k < sg_encoded_input_features(in); k++)
        if (share[k] > share[best]) best = k;
    char *level = sg_encoded_input_level_name(in, best);
    if (level) sg_text_writer_word(p, " %s %s (%.0f %%)", in->name, level, 100 * share[best]);
    else p->text->failed = true;
    free(level);
}

bool sg_rule_centroid_text(sg_text_writer *p, const sg_model *m, const sg_ranked_rule *g)
{
    const double *place = m->block[g->block].centroid + g->rule * m->features;
    size_t n = sg_model_inputs(m);
    char x[SG_NUMBER_BUFFER_SIZE];
    if (n > MAX_INPUTS) return false;
    if (p->markdown) sg_text_writer_begin_line(p, "", "\n\n- On average with", "");
    else sg_text_writer_word(p, ", on average with");
    for (size_t i = 0; i < n; i++) {
        size_t at = sg_model_first_feature(m, i);
        if (sg_model_levels(m, i)) write_most_frequent_level(p, &m->encoder->input[i], place + at);
        else sg_text_writer_word(p, " %s %s", sg_model_input_name(m, i), sg_format_input_value(m, at, place[at], x));
        if (i + 1 < n) sg_text_writer_nobreak(p, ",");
    }
    return true;
}

/* --- as JSON --- */

static const char *const direction_name[] = {"level",        "rises",         "mostly rises",  "falls",
                                             "mostly falls", "up, then down", "down, then up", "up and down"};

static void add_number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_append_number(t, value);
    else sg_text_append(t, "null");
}

void sg_json_number_list(sg_text *t, const double *x, size_t n)
{
    sg_text_append(t, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_append(t, ", ");
        add_number(t, x[i]);
    }
    sg_text_append(t, "]");
}

static void add_curve_json(sg_text *t, const sg_model *m, const pd_curve *c, size_t o)
{
    const double *y = c->y + o * c->n;
    sg_text_append(t, "{\"target\": ");
    sg_text_append_json(t, sg_model_output_name(m, o));
    sg_text_append(t, ", \"input\": ");
    sg_text_append_json(t, sg_model_input_name(m, c->input));
    if (!sg_model_levels(m, c->input)) {
        sg_text_append_format(t, ", \"direction\": \"%s\", \"at\": ", direction_name[sg_trend_classify(y, c->n)]);
        sg_json_number_list(t, c->value, c->n);
    }
    sg_text_append(t, ", \"mean\": ");
    sg_json_number_list(t, y, c->n);
    sg_text_append(t, "}");
}

sg_status sg_global_trends_json(sg_text *t, sg_centroid_pd *f)
{
    pd_curve *c = NULL;
    size_t n = sg_model_inputs(f->model), written = 0;
    if (!f->has_stats) return SG_OK;
    sg_status st = make_curves(f, &c);
    if (st != SG_OK) return st;
    sg_text_append(t, "  \"overall\": [");
    for (size_t o = 0; o < f->model->outputs; o++) {
        sort_curves(c, n, o, &f->span[o]);
        for (size_t i = 0; i < n; i++) {
            sg_text_append(t, written++ ? ",\n    " : "\n    ");
            add_curve_json(t, f->model, &c[i], o);
        }
    }
    sg_text_append(t, "\n  ],\n");
    free_curves(c, n);
    return SG_OK;
}

/* "directions", and which of them are the other way than over all rows. */
static void add_input_trends_json(sg_text *t, const sg_model *m, const sg_input_trend *v, size_t n)
{
    size_t unlike = 0;
    sg_text_append(t, ", \"directions\": {");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_append(t, ", ");
        sg_text_append_json(t, sg_model_input_name(m, v[i].input));
        sg_text_append_format(t, ": \"%s\"", direction_name[v[i].trend]);
    }
    sg_text_append(t, "}");
    for (size_t i = 0; i < n; i++) {
        if (!v[i].opposes_global) continue;
        sg_text_append(t, unlike++ ? ", " : ", \"unlike_overall\": [");
        sg_text_append_json(t, sg_model_input_name(m, v[i].input));
    }
    if (unlike) sg_text_append(t, "]");
}

static void add_rule_trends_json(sg_text *t, const sg_model *m, const sg_rule_trends *h)
{
    sg_text_append(t, ", \"there\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_append(t, o ? ", {\"target\": " : "{\"target\": ");
        sg_text_append_json(t, sg_model_output_name(m, o));
        sg_text_append(t, ", \"about\": ");
        add_number(t, h->mean[o]);
        add_input_trends_json(t, m, h->trend + o * sg_model_inputs(m), h->shown[o]);
        sg_text_append(t, "}");
    }
    sg_text_append(t, "]");
}

sg_status sg_rule_trends_json(sg_text *t, sg_centroid_pd *f, const sg_ranked_rule *g, bool details)
{
    const sg_model *m = f->model;
    const sg_block *b = &m->block[g->block];
    sg_rule_trends h;
    if (!f->has_stats) return SG_OK;
    sg_text_append(t, ", \"share\": ");
    add_number(t, b->firing_share[g->rule]);
    if (m->blocks > 1) sg_text_append(t, ", \"part\": "); /* of all blocks: what rules are sorted by */
    if (m->blocks > 1) add_number(t, g->coverage);
    sg_text_append(t, ", \"mean\": ");
    sg_json_number_list(t, b->centroid + g->rule * m->features, m->features);
    if (!details || !(b->firing_share[g->rule] > 0)) return SG_OK;
    sg_status st = sg_rule_trends_find(&h, f, g);
    if (st != SG_OK) return st;
    add_rule_trends_json(t, m, &h);
    sg_rule_trends_release(&h);
    return SG_OK;
}
