/* rule_trends.c: describes the mean prediction and the trends on the rows that a rule covers, and the rule's centroid,
 * as text and as JSON. */
#include "base/json_append.h"
#include "base/memory.h"
#include "explain/global/trends_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRENDS = 2, MAX_INPUTS = 16 };
static const double min_coverage = 0.01; /* a rule with less coverage has too few rows for a trend */
static const double min_margin = 3.4;    /* mean change divided by its standard deviation; see docs/decisions.md */

/* The trend of the prediction with a numeric input. */
typedef struct input_trend {
    size_t input;
    double net_change;
    sg_trend trend;
    bool opposes_global; /* the net change over all rows has the opposite sign */
} input_trend;

typedef struct rule_trends {
    double *mean;       /* (outputs): mean prediction                   */
    input_trend *trend; /* (outputs, inputs): trends to show come first */
    size_t *shown;      /* (outputs): number of trends to show          */
} rule_trends;

/* --- finding trends --- */

static bool is_monotone(sg_trend d) { return d >= SG_TREND_RISES && d <= SG_TREND_MOSTLY_FALLS; }

/* Computes out[outputs * inputs]. f must be weighted for the rule; y is scratch. */
static void compute_input_trends(sg_centroid_pd *f, const sg_ranked_rule *g, double *y, input_trend *out)
{
    const sg_model *m = f->model;
    size_t inputs = sg_model_inputs(m);
    double value[SG_PD_MAX_POINTS];
    for (size_t i = 0; i < inputs; i++) {
        size_t n = sg_model_levels(m, i) ? 0 : sg_centroid_pd_rule_values(m, g, i, value);
        if (n) sg_centroid_pd_curve(f, i, value, n, y);
        for (size_t o = 0; o < m->outputs; o++) {
            input_trend *v = &out[o * inputs + i];
            *v = (input_trend){.input = i, .trend = SG_TREND_FLAT};
            if (n) v->trend = sg_trend_classify(y + o * n, n);
            if (n) v->net_change = sg_pd_net_change(y + o * n, n);
            v->opposes_global = v->net_change * f->net_change[o * inputs + i] < 0;
        }
    }
}

/* Moves at most MAX_TRENDS monotone trends, the ones with the largest changes, to the front. Returns the number of
 * trends moved. */
static size_t select_trends(input_trend *v, size_t n)
{
    size_t chosen = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(v[i].net_change));
    while (chosen < MAX_TRENDS) {
        size_t best = n;
        for (size_t i = chosen; i < n; i++)
            if (is_monotone(v[i].trend) && fabs(v[i].net_change) >= 0.5 * most &&
                (best == n || fabs(v[i].net_change) > fabs(v[best].net_change)))
                best = i;
        if (best == n || !(most > 0)) break;
        input_trend moved = v[best];
        memmove(v + chosen + 1, v + chosen, (best - chosen) * sizeof *v);
        v[chosen++] = moved;
    }
    return chosen;
}

/* Drops trends that do not hold around the centroid. Returns the number of trends that remain. */
static size_t keep_significant(sg_centroid_pd *f, const sg_ranked_rule *g, size_t output, input_trend *v, size_t n,
                               double *margin)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        sg_centroid_pd_margin(f, g, v[i].input, margin);
        if ((v[i].net_change > 0 ? margin[output] : -margin[output]) >= min_margin) v[kept++] = v[i];
    }
    return kept;
}

static bool is_affordable(const sg_centroid_pd *f, double coverage)
{
    enum { USUAL_RULES = 64 };
    return coverage >= min_coverage && sg_centroid_pd_affords_rules(f, f->rules < USUAL_RULES ? f->rules : USUAL_RULES);
}

static void release_trends(rule_trends *t) { sg_free_all(t->mean, t->trend, t->shown); }

static sg_status find_trends(rule_trends *t, sg_centroid_pd *f, const sg_ranked_rule *g)
{
    const sg_model *m = f->model;
    const size_t inputs = sg_model_inputs(m);
    double *y = sg_calloc(m->outputs, SG_PD_MAX_POINTS * sizeof *y);
    *t = (rule_trends){.mean = sg_calloc(m->outputs, sizeof *t->mean),
                       .trend = sg_calloc(inputs, m->outputs * sizeof *t->trend),
                       .shown = sg_calloc(m->outputs, sizeof *t->shown)};
    bool ok = y && t->mean && t->trend && t->shown;
    if (ok) {
        sg_centroid_pd_weight_rule(f, g);
        sg_centroid_pd_rule_mean(f, g, t->mean);
    }
    if (ok && is_affordable(f, m->block[g->block].firing_share[g->rule])) {
        compute_input_trends(f, g, y, t->trend);
        for (size_t o = 0; o < m->outputs; o++) {
            input_trend *v = t->trend + o * inputs;
            t->shown[o] = keep_significant(f, g, o, v, select_trends(v, inputs), y);
        }
    }
    free(y);
    if (!ok) release_trends(t);
    return ok ? SG_OK : sg_fail_out_of_memory("the trends of a rule");
}

/* --- text --- */

/* Writes, for example, " and increases with a and b": inputs with the same trend share one verb. */
static void write_input_trends(sg_text_writer *p, const sg_model *m, const input_trend *v, size_t n)
{
    static const char *const verb[] = {"", "increases with ", "mostly increases with ", "decreases with ",
                                       "mostly decreases with "};
    for (size_t i = 0; i < n; i++) {
        bool again = i && v[i].trend == v[i - 1].trend && v[i].opposes_global == v[i - 1].opposes_global;
        bool last = i + 1 == n || v[i + 1].trend != v[i].trend || v[i + 1].opposes_global != v[i].opposes_global;
        sg_text_writer_word(p, " and %s%s%s", again ? "" : verb[v[i].trend], sg_model_input_name(m, v[i].input),
                            v[i].opposes_global && last ? "," : "");
        if (v[i].opposes_global && last) sg_text_writer_word(p, " against the overall trend");
    }
}

static void write_rule_trends(sg_text_writer *p, const sg_centroid_pd *f, const rule_trends *t, size_t o)
{
    const sg_model *m = f->model;
    char mean[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_begin_line(p, "       On these rows", "- On these rows", "      ");
    sg_text_writer_nobreak(p, " %s", sg_model_output_name(m, o));
    if (m->blocks > 1) sg_text_writer_nobreak(p, " (all blocks)");
    sg_text_writer_word(p, " averages %s", sg_format_to_resolution(t->mean[o], f->span[o], mean));
    write_input_trends(p, m, t->trend + o * sg_model_inputs(m), t->shown[o]);
    sg_text_writer_nobreak(p, ".");
    sg_text_writer_end_line(p);
}

sg_status sg_rule_trends_text(sg_text_writer *p, sg_centroid_pd *f, const sg_ranked_rule *g)
{
    rule_trends t;
    if (!f->has_stats || !(f->model->block[g->block].firing_share[g->rule] > 0)) return SG_OK;
    sg_status st = find_trends(&t, f, g);
    if (st != SG_OK) return st;
    for (size_t o = 0; o < f->model->outputs; o++) write_rule_trends(p, f, &t, o);
    release_trends(&t);
    return SG_OK;
}

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
    const double *centroid = m->block[g->block].centroid + g->rule * m->features;
    size_t n = sg_model_inputs(m);
    char x[SG_NUMBER_BUFFER_SIZE];
    if (n > MAX_INPUTS) return false;
    if (p->markdown) sg_text_writer_begin_line(p, "", "\n\n- Centroid:", "");
    else sg_text_writer_word(p, "; centroid:");
    for (size_t i = 0; i < n; i++) {
        size_t k = sg_model_first_feature(m, i);
        if (sg_model_levels(m, i)) write_most_frequent_level(p, &m->encoder->input[i], centroid + k);
        else sg_text_writer_word(p, " %s %s", sg_model_input_name(m, i), sg_format_input_value(m, k, centroid[k], x));
        if (i + 1 < n) sg_text_writer_nobreak(p, ",");
    }
    return true;
}

/* --- JSON --- */

/* Writes "directions", and "unlike_overall", which names the inputs whose trends oppose the global ones. */
static void add_input_trends_json(sg_text *t, const sg_model *m, const input_trend *v, size_t n)
{
    size_t opposing = 0;
    sg_text_append(t, ", \"directions\": {");
    for (size_t i = 0; i < n; i++)
        sg_json_append(t, i ? ", %s: %s" : "%s: %s", sg_model_input_name(m, v[i].input), sg_trend_name[v[i].trend]);
    sg_text_append(t, "}");
    for (size_t i = 0; i < n; i++)
        if (v[i].opposes_global)
            sg_json_append(t, opposing++ ? ", %s" : ", \"unlike_overall\": [%s", sg_model_input_name(m, v[i].input));
    if (opposing) sg_text_append(t, "]");
}

sg_status sg_rule_trends_json(sg_text *t, sg_centroid_pd *f, const sg_ranked_rule *g, bool details)
{
    const sg_model *m = f->model;
    const sg_block *b = &m->block[g->block];
    rule_trends h;
    if (!f->has_stats) return SG_OK;
    sg_json_append(t, ", \"share\": %g", b->firing_share[g->rule]);
    if (m->blocks > 1) sg_json_append(t, ", \"part\": %g", g->coverage);
    sg_json_append_list(t, "mean", b->centroid + g->rule * m->features, m->features);
    if (!details || !(b->firing_share[g->rule] > 0)) return SG_OK;
    sg_status st = find_trends(&h, f, g);
    if (st != SG_OK) return st;
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_append(t, o ? ", " : ", \"there\": [");
        sg_json_append(t, "{\"target\": %s, \"about\": %g", sg_model_output_name(m, o), h.mean[o]);
        add_input_trends_json(t, m, h.trend + o * sg_model_inputs(m), h.shown[o]);
        sg_text_append(t, "}");
    }
    sg_text_append(t, "]");
    release_trends(&h);
    return SG_OK;
}
