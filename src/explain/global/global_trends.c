/* global_trends.c: describes the partial dependence of the predictions on single inputs, as text and as JSON. */
#include "base/json_append.h"
#include "base/memory.h"
#include "explain/additive/curve_shape.h"
#include "explain/global/trends_text.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_INPUTS = 16, MAX_LEVELS = 12 };
static const double negligible_span = 0.05; /* relative to the largest span */
static const double rare_share = 0.01;      /* a level with a smaller share is rare */

const char *const sg_trend_name[] = {"level",        "rises",         "mostly rises",  "falls",
                                     "mostly falls", "up, then down", "down, then up", "up and down"};

const char *sg_format_input_value(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_BUFFER_SIZE])
{
    double q[SG_QUANTILE_COUNT];
    sg_model_feature_quantiles(m, feature, q);
    return sg_format_to_resolution(value, (q[SG_QUANTILE_COUNT - 1] - q[0]) / 2, buf);
}

/* --- curves --- */

typedef struct trend_curve {
    size_t input, n;
    double value[SG_PD_MAX_POINTS];
    double *y;           /* (outputs, n)                                                                   */
    const double *share; /* (n): share of the rows with each level of a category; NULL for a numeric input */
    double span;         /* of the curve for the output being described; inputs are ranked by it           */
} trend_curve;

static int compare_span(const void *a, const void *b)
{
    const trend_curve *x = a, *y = b;
    if (x->span != y->span) return x->span < y->span ? 1 : -1;
    return x->input < y->input ? -1 : x->input > y->input;
}

static void free_curves(trend_curve *c, size_t n)
{
    for (size_t i = 0; c && i < n; i++) free(c[i].y);
    free(c);
}

static sg_status make_curves(sg_centroid_pd *f, trend_curve **out)
{
    const sg_model *m = f->model;
    size_t n = sg_model_inputs(m);
    trend_curve *c = sg_calloc(n, sizeof *c);
    bool ok = c != NULL;
    sg_centroid_pd_weight_all(f);
    for (size_t i = 0; ok && i < n; i++) {
        c[i].input = i;
        c[i].n = sg_centroid_pd_values(m, i, c[i].value);
        c[i].share = sg_model_levels(m, i) ? m->feature_mean + sg_model_first_feature(m, i) : NULL;
        c[i].y = sg_calloc(m->outputs, SG_PD_MAX_POINTS * sizeof *c[i].y);
        ok = c[i].y != NULL;
        if (ok) sg_centroid_pd_curve(f, i, c[i].value, c[i].n, c[i].y);
        for (size_t o = 0; ok && o < m->outputs; o++)
            f->net_change[o * n + i] = sg_pd_net_change(c[i].y + o * c[i].n, c[i].n);
    }
    if (!ok) free_curves(c, n);
    else *out = c;
    return ok ? SG_OK : sg_fail_out_of_memory("partial dependence");
}

/* Returns the mean of a category's curve, weighted by the shares of the levels. */
static double mean_over_levels(const double *y, const double *share, size_t n)
{
    double sum = 0, weight = 0;
    for (size_t k = 0; k < n; k++) {
        sum += share[k] * y[k];
        weight += share[k];
    }
    return weight > 0 ? sum / weight : y[0];
}

/* Returns twice the mean absolute deviation of a category's curve over the rows: each level contributes the magnitude
 * of its effect times its share. For two levels of equal share, the result is the range; it never exceeds the range. */
static double level_span(const double *y, const double *share, size_t n)
{
    double mean = mean_over_levels(y, share, n), sum = 0, weight = 0;
    for (size_t k = 0; k < n; k++) {
        sum += share[k] * fabs(y[k] - mean);
        weight += share[k];
    }
    double span = weight > 0 ? 2 * sum / weight : sg_pd_span(y, n);
    return isfinite(span) ? span : 0;
}

/* Sorts the curves by decreasing span of an output, and stores the largest span in f->span. */
static void sort_curves(sg_centroid_pd *f, trend_curve *c, size_t n, size_t output)
{
    for (size_t i = 0; i < n; i++) {
        const double *y = c[i].y + output * c[i].n;
        c[i].span = c[i].share ? level_span(y, c[i].share, c[i].n) : sg_pd_span(y, c[i].n);
    }
    if (n) qsort(c, n, sizeof *c, compare_span);
    f->span[output] = n ? c[0].span : 0;
}

/* --- text --- */

/* Writes "y mostly increases with x:" or, for a category, "y differs by sex:". */
static void write_trend(sg_text_writer *p, const sg_model *m, const trend_curve *c, size_t output)
{
    static const char *const verb[] = {"hardly depends on",
                                       "increases with",
                                       "mostly increases with",
                                       "decreases with",
                                       "mostly decreases with",
                                       "increases, then decreases with",
                                       "decreases, then increases with",
                                       "varies with"};
    bool category = sg_model_levels(m, c->input) > 0;
    sg_text_writer_nobreak(p, "%s", sg_model_output_name(m, output));
    sg_text_writer_word(p, " %s %s:", category ? "differs by" : verb[sg_trend_classify(c->y + output * c->n, c->n)],
                        sg_model_input_name(m, c->input));
}

/* --- levels --- */

static bool is_rare(const trend_curve *c, size_t level) { return c->share[level] < rare_share; }

/* Orders the levels of a category by decreasing effect times share, with the rare levels last. Returns NULL if memory
 * is exhausted. */
static size_t *order_levels(const trend_curve *c, const double *y)
{
    double mean = mean_over_levels(y, c->share, c->n), *rank = sg_calloc(c->n, sizeof *rank);
    for (size_t k = 0; rank && k < c->n; k++) rank[k] = is_rare(c, k) ? -1 : c->share[k] * fabs(y[k] - mean);
    size_t *order = rank ? sg_importance_order(rank, c->n) : NULL;
    free(rank);
    return order;
}

static void write_level(sg_text_writer *p, const sg_model *m, const trend_curve *c, double y, double largest_span,
                        size_t level, bool last)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    char *name = sg_encoded_input_level_name(&m->encoder->input[c->input], level);
    if (name)
        sg_text_writer_word(p, " %s for %s%s%s", sg_format_to_resolution(y, largest_span, x), name,
                            is_rare(c, level) ? " (rare)" : "", last ? "" : ",");
    else p->text->failed = true;
    free(name);
}

/* Writes " 1.2 to 3.4 for 12 rare levels". */
static void write_pooled_levels(sg_text_writer *p, const double *y, double largest_span, const size_t *level, size_t n,
                                const char *end)
{
    char a[SG_NUMBER_BUFFER_SIZE], b[SG_NUMBER_BUFFER_SIZE];
    double low = y[level[0]], high = low;
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, y[level[i]]);
        high = fmax(high, y[level[i]]);
    }
    sg_text_writer_word(p, " %s to %s for %zu %s", sg_format_to_resolution(low, largest_span, a),
                        sg_format_to_resolution(high, largest_span, b), n, end);
}

static void write_levels(sg_text_writer *p, const sg_model *m, const trend_curve *c, const double *y,
                         double largest_span)
{
    size_t *order = order_levels(c, y), common = 0;
    if (!order) {
        p->text->failed = true;
        return;
    }
    while (common < c->n && !is_rare(c, order[common])) common++;
    size_t rare = c->n - common, shown = common <= MAX_LEVELS + 1 ? common : MAX_LEVELS;
    for (size_t i = 0; i < shown; i++) write_level(p, m, c, y[order[i]], largest_span, order[i], i + 1 == c->n);
    if (shown < common)
        write_pooled_levels(p, y, largest_span, order + shown, common - shown, rare ? "other levels," : "other levels");
    if (rare == 1) write_level(p, m, c, y[order[common]], largest_span, order[common], true);
    else if (rare) write_pooled_levels(p, y, largest_span, order + common, rare, "rare levels");
    free(order);
}

/* --- inputs --- */

static void write_curve(sg_text_writer *p, const sg_model *m, const trend_curve *c, size_t output, double largest_span)
{
    char y[SG_NUMBER_BUFFER_SIZE], x[SG_NUMBER_BUFFER_SIZE];
    sg_text_writer_begin_line(p, "  ", "- ", "     ");
    write_trend(p, m, c, output);
    if (c->share) write_levels(p, m, c, c->y + output * c->n, largest_span);
    for (size_t k = 0; !c->share && k < c->n; k++)
        sg_text_writer_word(p, " %s at %s%s", sg_format_to_resolution(c->y[output * c->n + k], largest_span, y),
                            sg_format_input_value(m, sg_model_first_feature(m, c->input), c->value[k], x),
                            k + 1 < c->n ? "," : "");
    sg_text_writer_end_line(p);
}

static void write_curves(sg_text_writer *p, const sg_model *m, const trend_curve *c, size_t n, size_t output)
{
    size_t written = 0;
    while (written < n && written < MAX_INPUTS && c[written].n > 1 && c[written].span > negligible_span * c[0].span)
        write_curve(p, m, &c[written++], output, c[0].span);
    if (written == n) return;
    sg_text_writer_begin_line(p, "  ", "- ", "     ");
    sg_text_writer_nobreak(p, "%s", sg_model_output_name(m, output));
    if (n - written > MAX_INPUTS) sg_text_writer_word(p, " depends more weakly on %zu other inputs", n - written);
    else sg_text_writer_word(p, written ? " hardly depends on" : " does not depend on");
    for (size_t i = written; n - written <= MAX_INPUTS && i < n; i++)
        sg_text_writer_word(p, " %s%s", sg_model_input_name(m, c[i].input), i + 1 < n ? "," : "");
    sg_text_writer_end_line(p);
}

sg_status sg_global_trends_text(sg_text_writer *p, sg_centroid_pd *f)
{
    trend_curve *c = NULL;
    size_t n = sg_model_inputs(f->model);
    if (!f->has_stats) return SG_OK;
    sg_status st = make_curves(f, &c);
    if (st != SG_OK) return st;
    sg_text_writer_heading(p, 2, "Partial dependence: mean prediction as one input varies");
    sg_text_append(p->text, p->markdown ? "\n\n" : "\n");
    for (size_t o = 0; o < f->model->outputs; o++) {
        sort_curves(f, c, n, o);
        write_curves(p, f->model, c, n, o);
    }
    free_curves(c, n);
    return SG_OK;
}

/* --- JSON --- */

static void add_curve_json(sg_text *t, const sg_model *m, const trend_curve *c, size_t o)
{
    const double *y = c->y + o * c->n;
    sg_json_append(t, "{\"target\": %s, \"input\": %s", sg_model_output_name(m, o), sg_model_input_name(m, c->input));
    if (!sg_model_levels(m, c->input)) {
        sg_json_append(t, ", \"direction\": %s", sg_trend_name[sg_trend_classify(y, c->n)]);
        sg_json_append_list(t, "at", c->value, c->n);
    }
    sg_json_append_list(t, "mean", y, c->n);
    sg_text_append(t, "}");
}

sg_status sg_global_trends_json(sg_text *t, sg_centroid_pd *f)
{
    trend_curve *c = NULL;
    size_t n = sg_model_inputs(f->model), written = 0;
    if (!f->has_stats) return SG_OK;
    sg_status st = make_curves(f, &c);
    if (st != SG_OK) return st;
    sg_text_append(t, "  \"overall\": [");
    for (size_t o = 0; o < f->model->outputs; o++) {
        sort_curves(f, c, n, o);
        for (size_t i = 0; i < n; i++) {
            sg_text_append(t, written++ ? ",\n    " : "\n    ");
            add_curve_json(t, f->model, &c[i], o);
        }
    }
    sg_text_append(t, "\n  ],\n");
    free_curves(c, n);
    return SG_OK;
}
