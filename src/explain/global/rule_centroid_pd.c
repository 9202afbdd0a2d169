/* rule_centroid_pd.c: ranks rules by coverage and averages predictions over the rule centroids. */
#include "explain/global/rule_centroid_pd.h"

#include "base/memory.h"
#include "explain/global/row_sample.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 256, MIN_POINTS = 16 };
static const double max_work = 1e8; /* limit on the work for all inputs, in units of about 10 ns: one second */

/* --- ranking --- */

static int compare_coverage(const void *a, const void *b)
{
    const sg_ranked_rule *x = a, *y = b;
    if (x->coverage != y->coverage) return x->coverage < y->coverage ? 1 : -1;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static void rank_rules(sg_centroid_pd *f)
{
    const sg_model *m = f->model;
    size_t n = 0;
    double all = 0;
    for (size_t b = 0; b < m->blocks; b++) all += fabs(m->block[b].weight);
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t r = 0; r < m->block[b].rules; r++) {
            double part = all > 0 ? fabs(m->block[b].weight) / all : 1;
            f->ranked[n++] = (sg_ranked_rule){b, r, f->has_stats ? part * m->block[b].firing_share[r] : 0};
        }
    if (n) qsort(f->ranked, n, sizeof *f->ranked, compare_coverage);
}

/* Returns the approximate cost of one prediction, in the units of max_work. */
static double prediction_cost(const sg_model *m)
{
    double row = 0;
    for (size_t b = 0; b < m->blocks; b++)
        row += (double)m->block[b].rules * (double)(m->block[b].inputs + m->block[b].terms);
    return row;
}

/* Returns the number of centroids to use: fewer than all if the curves of all inputs would take more than max_work. */
static size_t choose_points(const sg_model *m, size_t rules)
{
    const double points = max_work / (SG_QUANTILE_COUNT * (double)m->features * prediction_cost(m));
    size_t n = points < MIN_POINTS ? MIN_POINTS : points > MAX_POINTS ? MAX_POINTS : (size_t)points;
    return rules < n ? rules : n;
}

sg_status sg_centroid_pd_init(sg_centroid_pd *f, const sg_model *m)
{
    *f = (sg_centroid_pd){.model = m, .has_stats = m->blocks > 0, .rules = sg_model_block_rules(m)};
    for (size_t b = 0; b < m->blocks; b++) f->has_stats = f->has_stats && m->block[b].firing_share;
    f->points = choose_points(m, f->rules);
    f->ranked = sg_calloc(f->rules, sizeof *f->ranked);
    const sg_double_array arrays[] = {{&f->x, m->features},    {&f->y, m->outputs},
                                      {&f->weight, f->points}, {&f->net_change, sg_model_inputs(m) * m->outputs},
                                      {&f->span, m->outputs},  {&f->scratch, 3 * m->outputs}};
    f->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    sg_status st =
        f->ranked && f->buffer ? sg_reference_eval_init(&f->eval, m) : sg_fail_out_of_memory("partial dependence");
    if (st == SG_OK) rank_rules(f);
    else sg_centroid_pd_release(f);
    return st;
}

void sg_centroid_pd_release(sg_centroid_pd *f)
{
    sg_reference_eval_release(&f->eval);
    free(f->ranked);
    free(f->buffer);
    *f = (sg_centroid_pd){0};
}

bool sg_centroid_pd_affords_rules(const sg_centroid_pd *f, size_t rules)
{
    const double neighbours = 8; /* typical number of centroids that have a weight for a rule */
    return (double)rules * 3 * neighbours * (double)f->model->features * prediction_cost(f->model) <= 5 * max_work;
}

bool sg_centroid_pd_affords(const sg_centroid_pd *f, size_t predictions)
{
    return (double)predictions * (double)f->points * prediction_cost(f->model) <= max_work;
}

/* --- mean predictions --- */

static const double *rule_centroid(const sg_centroid_pd *f, const sg_ranked_rule *g)
{
    return f->model->block[g->block].centroid + g->rule * f->model->features;
}

void sg_centroid_pd_weight_all(sg_centroid_pd *f)
{
    for (size_t i = 0; i < f->points; i++) f->weight[i] = f->ranked[i].coverage;
}

/* Ignores centroids with less than a hundredth of the largest weight: they cost time and change next to nothing. */
void sg_centroid_pd_weight_rule(sg_centroid_pd *f, const sg_ranked_rule *g)
{
    double largest = 0;
    for (size_t i = 0; i < f->points; i++) {
        sg_reference_eval_set_row(&f->eval, rule_centroid(f, &f->ranked[i]));
        f->weight[i] = f->ranked[i].coverage * sg_reference_eval_firing(&f->eval, g->block)[g->rule];
        largest = fmax(largest, f->weight[i]);
    }
    for (size_t i = 0; i < f->points; i++)
        if (f->weight[i] < 0.01 * largest) f->weight[i] = 0;
}

static void set_input(sg_centroid_pd *f, size_t input, double value)
{
    sg_features_set_input(f->model, input, value, f->x);
}

/* Adds the weighted prediction for f->x to y[0], y[stride], and so on. */
static void add_prediction(sg_centroid_pd *f, double weight, size_t stride, double *y)
{
    sg_reference_eval_set_row(&f->eval, f->x);
    sg_reference_eval_predict(&f->eval, f->y);
    for (size_t o = 0; o < f->model->outputs; o++) y[o * stride] += weight * f->y[o];
}

static double total_weight(const sg_centroid_pd *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->points; i++) sum += f->weight[i];
    return sum > 0 ? sum : 1;
}

void sg_centroid_pd_rule_mean(sg_centroid_pd *f, const sg_ranked_rule *g, double *y)
{
    const sg_block *b = &f->model->block[g->block];
    const size_t outputs = f->model->outputs;
    if (b->mean_prediction) {
        memcpy(y, b->mean_prediction + g->rule * outputs, outputs * sizeof *y);
        return;
    }
    sg_reference_eval_set_row(&f->eval, rule_centroid(f, g));
    sg_reference_eval_predict(&f->eval, y);
}

/* Computes y[outputs * n * m] like sg_centroid_pd_grid. Without `across`, only `down` varies, and m is 1. */
static void compute_means(sg_centroid_pd *f, size_t down, const double *value, size_t n, const size_t *across,
                          const double *other, size_t m, double *y)
{
    const double sum = total_weight(f);
    memset(y, 0, f->model->outputs * n * m * sizeof *y);
    for (size_t i = 0; i < f->points; i++) {
        if (f->weight[i] == 0) continue;
        memcpy(f->x, rule_centroid(f, &f->ranked[i]), f->model->features * sizeof *f->x);
        for (size_t r = 0; r < n; r++) {
            set_input(f, down, value[r]);
            for (size_t c = 0; c < m; c++) {
                if (across) set_input(f, *across, other[c]);
                add_prediction(f, f->weight[i] / sum, n * m, y + r * m + c);
            }
        }
    }
}

void sg_centroid_pd_curve(sg_centroid_pd *f, size_t input, const double *value, size_t n, double *y)
{
    compute_means(f, input, value, n, NULL, NULL, 1, y);
}

void sg_centroid_pd_grid(sg_centroid_pd *f, size_t down, const double *value, size_t n, size_t across,
                         const double *other, size_t m, double *y)
{
    compute_means(f, down, value, n, &across, other, m, y);
}

/* --- values of an input --- */

void sg_model_feature_quantiles(const sg_model *m, size_t feature, double q[SG_QUANTILE_COUNT])
{
    static const double part[SG_QUANTILE_COUNT] = {-0.9, -0.5, 0, 0.5, 0.9}; /* share of the way from mean to limit */
    double mean = m->feature_mean[feature];
    for (size_t k = 0; k < SG_QUANTILE_COUNT; k++)
        q[k] = mean + fabs(part[k]) * ((part[k] < 0 ? m->low[feature] : m->high[feature]) - mean);
    if (m->quantile && sg_model_is_numeric_feature(m, feature))
        memcpy(q, m->quantile + feature * SG_QUANTILE_COUNT, SG_QUANTILE_COUNT * sizeof *q);
}

size_t sg_centroid_pd_values(const sg_model *m, size_t input, double value[SG_PD_MAX_POINTS])
{
    double q[SG_QUANTILE_COUNT];
    size_t n = 0, levels = sg_model_levels(m, input) ? sg_encoded_input_features(&m->encoder->input[input]) : 0;
    for (; n < levels && n < SG_PD_MAX_POINTS; n++) value[n] = (double)n;
    if (levels) return n;
    sg_model_feature_quantiles(m, sg_model_first_feature(m, input), q);
    for (size_t k = 0; k < SG_QUANTILE_COUNT; k++)
        if (n == 0 || q[k] > value[n - 1]) value[n++] = q[k];
    return n;
}

/* Takes the centroid and the values half the interquartile range (or, if that is 0, an eighth of the range) below and
 * above it, clamped to the range. */
size_t sg_centroid_pd_rule_values(const sg_model *m, const sg_ranked_rule *g, size_t input,
                                  double value[SG_PD_MAX_POINTS])
{
    size_t at = sg_model_first_feature(m, input);
    double q[SG_QUANTILE_COUNT], range = m->high[at] - m->low[at],
                                 middle = m->block[g->block].centroid[g->rule * m->features + at];
    sg_model_feature_quantiles(m, at, q);
    double half = q[3] > q[1] ? (q[3] - q[1]) / 2 : range / 8;
    value[0] = fmax(m->low[at], middle - half);
    value[1] = middle;
    value[2] = fmin(m->high[at], middle + half);
    return value[0] < value[1] && value[1] < value[2] ? 3 : 0;
}

/* --- margin of a trend --- */

/* The total weight, and weighted sums of the changes of the prediction and of their squares: (outputs) each. */
typedef struct trend_sums {
    double weight, *change, *square;
    double *low; /* predictions at the low value */
} trend_sums;

/* Adds the change of the prediction as the input goes from value[0] to value[2], weighted by `weight` times the firing
 * level of the rule at f->x. */
static void add_input_change(sg_centroid_pd *f, const sg_ranked_rule *g, size_t input,
                             const double value[SG_PD_MAX_POINTS], double weight, trend_sums *s)
{
    sg_reference_eval_set_row(&f->eval, f->x);
    weight *= sg_reference_eval_firing(&f->eval, g->block)[g->rule];
    s->weight += weight;
    for (int k = 0; k < 2; k++) {
        set_input(f, input, value[k ? 2 : 0]);
        sg_reference_eval_set_row(&f->eval, f->x);
        sg_reference_eval_predict(&f->eval, k ? f->y : s->low);
    }
    for (size_t o = 0; o < f->model->outputs; o++) {
        double change = f->y[o] - s->low[o];
        s->change[o] += weight * change;
        s->square[o] += weight * change * change;
    }
}

/* Adds the change of the prediction at the centroid with another input at its low and at its high value. A category
 * takes each of its levels instead, weighted by the frequency of the level. */
static void add_change_with_other(sg_centroid_pd *f, const sg_ranked_rule *g, size_t input,
                                  const double value[SG_PD_MAX_POINTS], size_t other, trend_sums *s)
{
    const sg_model *m = f->model;
    const double *centroid = rule_centroid(f, g);
    double at[SG_PD_MAX_POINTS];
    bool category = sg_model_levels(m, other) > 0;
    size_t n = category ? sg_centroid_pd_values(m, other, at) : sg_centroid_pd_rule_values(m, g, other, at);
    for (size_t k = 0; k < n; k++) {
        if (!category && k == 1) continue; /* the centroid itself */
        memcpy(f->x, centroid, m->features * sizeof *f->x);
        set_input(f, other, at[k]);
        add_input_change(f, g, input, value, category ? centroid[sg_model_first_feature(m, other) + k] : 1, s);
    }
}

void sg_centroid_pd_margin(sg_centroid_pd *f, const sg_ranked_rule *g, size_t input, double *margin)
{
    const sg_model *m = f->model;
    const size_t outputs = m->outputs;
    double value[SG_PD_MAX_POINTS];
    trend_sums s = {.change = f->scratch, .square = f->scratch + outputs, .low = f->scratch + 2 * outputs};
    memset(f->scratch, 0, 3 * outputs * sizeof *f->scratch);
    memset(margin, 0, outputs * sizeof *margin);
    if (sg_model_levels(m, input) || !sg_centroid_pd_rule_values(m, g, input, value)) return;
    memcpy(f->x, rule_centroid(f, g), m->features * sizeof *f->x);
    add_input_change(f, g, input, value, 1, &s);
    for (size_t i = 0; i < sg_model_inputs(m); i++)
        if (i != input) add_change_with_other(f, g, input, value, i, &s);
    for (size_t o = 0; o < outputs && s.weight > 0; o++) {
        double mean = s.change[o] / s.weight, deviation = sqrt(fmax(0, s.square[o] / s.weight - mean * mean));
        margin[o] = mean / fmax(deviation, 1e-9 * fabs(mean) + DBL_MIN);
    }
}

/* --- shape of a curve --- */

double sg_pd_span(const double *y, size_t n)
{
    double low = y[0], high = y[0];
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    return isfinite(high - low) ? high - low : 0;
}

/* Returns the index of the maximum or, with sign -1, of the minimum. */
static size_t extremum_index(const double *y, size_t n, double sign)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (sign * y[i] > sign * y[best]) best = i;
    return best;
}

/* Returns whether the curve rises to an inner maximum and then falls, apart from at most a tenth of its total variation
 * `all`. With sign -1, returns whether it falls to an inner minimum and then rises. */
static bool has_one_turn(const double *y, size_t n, double sign, double all)
{
    size_t turn = extremum_index(y, n, sign);
    double against = 0;
    for (size_t i = 1; i < n; i++) against += fmax(0, (i <= turn ? -sign : sign) * (y[i] - y[i - 1]));
    return turn > 0 && turn + 1 < n && against <= 0.1 * all;
}

sg_trend sg_trend_classify(const double *y, size_t n)
{
    double up = 0, down = 0;
    for (size_t i = 1; i < n; i++) {
        double step = y[i] - y[i - 1];
        up += step > 0 ? step : 0;
        down -= step < 0 ? step : 0;
    }
    double all = up + down;
    if (!(all > 0)) return SG_TREND_FLAT;
    if (down <= 0.02 * all) return SG_TREND_RISES;
    if (up <= 0.02 * all) return SG_TREND_FALLS;
    if (up - down >= 0.5 * all) return SG_TREND_MOSTLY_RISES;
    if (down - up >= 0.5 * all) return SG_TREND_MOSTLY_FALLS;
    if (has_one_turn(y, n, 1, all)) return SG_TREND_PEAKS;
    return has_one_turn(y, n, -1, all) ? SG_TREND_DIPS : SG_TREND_VARIES;
}
