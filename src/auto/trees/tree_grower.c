/* tree_grower.c: grows a regression tree best-first, with splits from histograms or at random thresholds, and converts
 * its leaves to soft leaves. */
#include "auto/trees/tree_grower.h"

#include "base/memory.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MAX_STEEPNESS = 4096; /* limit of 1 / width, before rounding up to a power of two */
static const double ROUNDING = 1e4;

static bool has_constant_leaves(const sg_tree_grower *g) { return g->config->kind != SG_TREES_GBDT_LINEAR; }

/* Returns the decrease in squared error when rows are predicted by their mean. sum: (outputs), the weighted sums of
 * their residuals. */
static double split_score(const double *sum, size_t outputs, double weight)
{
    double s = 0;
    for (size_t o = 0; o < outputs; o++) s += sum[o] * sum[o];
    return weight > 0 ? s / weight : 0;
}

/* --- random splits, at a threshold drawn uniformly between the smallest and the largest value in a leaf (Geurts, Ernst
 * and Wehenkel, "Extremely randomized trees", 2006) --- */

/* Returns a random threshold in [low, high). */
static double draw_threshold(sg_random_stream *random, double low, double high)
{
    double threshold = low + (high - low) * sg_random_stream_uniform(random);
    return threshold < high ? threshold : low;
}

static double feature_value(const sg_tree_grower *g, size_t i, size_t feature)
{
    return sg_tree_feature_value(g->ensemble, g->x + g->row_order[i] * g->width, feature);
}

/* Tries one random threshold of a feature. Keeps the split if it is better than the best split of the leaf so far. */
static void try_random_split(sg_tree_grower *g, sg_grow_leaf *leaf, size_t f)
{
    double all[SG_TREES_MAX_OUTPUTS] = {0}, left[SG_TREES_MAX_OUTPUTS] = {0}, right[SG_TREES_MAX_OUTPUTS];
    double weight = 0, left_weight = 0, low = INFINITY, high = -INFINITY;
    size_t outputs = g->outputs, left_rows = 0, least = g->config->min_leaf_rows;
    for (size_t i = leaf->first; i < leaf->first + leaf->rows; i++) {
        double x = feature_value(g, i, f);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (!(low < high)) return;
    double threshold = draw_threshold(&g->rng, low, high);
    for (size_t i = leaf->first; i < leaf->first + leaf->rows; i++) {
        size_t row = g->row_order[i];
        bool is_left = feature_value(g, i, f) <= threshold;
        double w = g->row_weight[row];
        weight += w;
        left_weight += is_left ? w : 0;
        left_rows += is_left;
        for (size_t o = 0; o < outputs; o++) {
            double y = w * g->residual[row * outputs + o];
            all[o] += y;
            left[o] += is_left ? y : 0;
        }
    }
    if (left_rows < least || leaf->rows - left_rows < least) return;
    for (size_t o = 0; o < outputs; o++) right[o] = all[o] - left[o];
    double gain = split_score(left, outputs, left_weight) + split_score(right, outputs, weight - left_weight) -
                  split_score(all, outputs, weight);
    if (gain <= leaf->gain) return;
    leaf->gain = gain;
    leaf->split_feature = f;
    leaf->threshold = threshold;
}

/* --- histograms --- */

static void fill_histogram(sg_tree_grower *g, const sg_grow_leaf *leaf, size_t f)
{
    size_t outputs = g->outputs;
    memset(g->bin_sum, 0, g->bins * outputs * sizeof *g->bin_sum);
    memset(g->bin_weight, 0, g->bins * sizeof *g->bin_weight);
    memset(g->bin_count, 0, g->bins * sizeof *g->bin_count);
    for (size_t i = leaf->first; i < leaf->first + leaf->rows; i++) {
        size_t row = g->row_order[i], b = g->bin[row * g->width + f];
        g->bin_weight[b] += g->row_weight[row];
        g->bin_count[b]++;
        for (size_t o = 0; o < outputs; o++)
            g->bin_sum[b * outputs + o] += g->row_weight[row] * g->residual[row * outputs + o];
    }
}

static void try_histogram_split(sg_tree_grower *g, sg_grow_leaf *leaf, size_t f)
{
    const double least = (double)g->config->min_leaf_rows;
    double all[SG_TREES_MAX_OUTPUTS] = {0}, left[SG_TREES_MAX_OUTPUTS] = {0}, right[SG_TREES_MAX_OUTPUTS];
    double weight = 0, left_weight = 0, left_rows = 0;
    size_t outputs = g->outputs;
    fill_histogram(g, leaf, f);
    for (size_t b = 0; b < g->bins; b++) {
        weight += g->bin_weight[b];
        for (size_t o = 0; o < outputs; o++) all[o] += g->bin_sum[b * outputs + o];
    }
    double before = split_score(all, outputs, weight);
    for (size_t b = 0; b + 1 < g->bins; b++) {
        left_weight += g->bin_weight[b];
        left_rows += g->bin_count[b];
        for (size_t o = 0; o < outputs; o++) {
            left[o] += g->bin_sum[b * outputs + o];
            right[o] = all[o] - left[o];
        }
        if (g->bin_count[b] == 0 || left_rows < least || (double)leaf->rows - left_rows < least) continue;
        double gain =
            split_score(left, outputs, left_weight) + split_score(right, outputs, weight - left_weight) - before;
        if (gain > leaf->gain) {
            leaf->gain = gain;
            leaf->split_feature = f;
            leaf->split_bin = b;
        }
    }
}

/* Selects a random column_fraction of the columns, but at least one column. */
static void sample_columns(sg_tree_grower *g)
{
    size_t n = (size_t)(g->config->column_fraction * (double)g->width + 0.5), left = n ? n : 1;
    for (size_t f = 0; f < g->width; f++) {
        g->feature_mask[f] = sg_random_stream_below(&g->rng, g->width - f) < left;
        left -= g->feature_mask[f];
    }
}

static void find_split(sg_tree_grower *g, sg_grow_leaf *leaf)
{
    leaf->gain = 0;
    if (leaf->rows < 2 * g->config->min_leaf_rows) return;
    if (g->config->kind == SG_TREES_BAGGED) sample_columns(g);
    for (size_t f = 0; f < g->width; f++) {
        if (!g->feature_mask[f]) continue;
        if (g->config->kind == SG_TREES_EXTRA) try_random_split(g, leaf, f);
        else try_histogram_split(g, leaf, f);
    }
}

static bool goes_right(const sg_tree_grower *g, const sg_grow_leaf *leaf, size_t row)
{
    if (g->config->kind == SG_TREES_EXTRA)
        return sg_tree_feature_value(g->ensemble, g->x + row * g->width, leaf->split_feature) > leaf->threshold;
    return g->bin[row * g->width + leaf->split_feature] > leaf->split_bin;
}

/* Returns the threshold rounded to four decimals if that separates the same values, and otherwise unchanged. */
static double round_threshold(double threshold, double below, double above)
{
    double rounded = floor(threshold * ROUNDING + 0.5) / ROUNDING;
    return rounded > below && rounded < above ? rounded : threshold;
}

/* Returns 1 / width of a bound at distance `gap` from the nearest row, rounded up to a power of two, which takes few
 * digits in a file. */
static double bound_steepness(const sg_tree_grower *g, double gap)
{
    int power;
    double width = g->config->softness * gap;
    frexp(1 / fmax(width, 1 / MAX_STEEPNESS), &power);
    return ldexp(1, power);
}

/* Splits a leaf: moves the rows above the threshold to the end of its range, which becomes the new leaf `right`. */
static void split_leaf(sg_tree_grower *g, sg_grow_leaf *leaf, sg_grow_leaf *right)
{
    size_t i = leaf->first, end = leaf->first + leaf->rows, f = leaf->split_feature;
    double below = -INFINITY, above = INFINITY;
    double threshold =
        g->config->kind == SG_TREES_EXTRA ? leaf->threshold : g->bin_edge[f * SG_MAX_BINS + leaf->split_bin];
    while (i < end) {
        size_t row = g->row_order[i];
        double x = sg_tree_feature_value(g->ensemble, g->x + row * g->width, f);
        if (!goes_right(g, leaf, row)) {
            below = fmax(below, x);
            i++;
        } else {
            above = fmin(above, x);
            g->row_order[i] = g->row_order[--end];
            g->row_order[end] = row;
        }
    }
    memcpy(right->low, leaf->low, 4 * g->width * sizeof *leaf->low);
    right->first = end;
    right->rows = leaf->first + leaf->rows - end;
    leaf->rows = end - leaf->first;
    if (has_constant_leaves(g)) threshold = round_threshold(threshold, below, above);
    leaf->high[f] = right->low[f] = threshold;
    leaf->inv_width_above[f] = right->inv_width_below[f] =
        bound_steepness(g, fmin(threshold - below, above - threshold));
    find_split(g, leaf);
    find_split(g, right);
}

/* --- soft leaves --- */

static size_t count_bounds(const sg_tree_grower *g, const sg_grow_leaf *leaf)
{
    size_t n = 0;
    for (size_t f = 0; f < g->width; f++) n += !isinf(leaf->low[f]) || !isinf(leaf->high[f]);
    return has_constant_leaves(g) || n < SG_LEAF_MAX_BOUNDS ? n : SG_LEAF_MAX_BOUNDS;
}

static sg_leaf_bound gaussian_bound(const sg_tree_grower *g, const sg_grow_leaf *leaf, size_t f)
{
    bool below = isinf(leaf->low[f]), above = isinf(leaf->high[f]);
    double low = below ? g->ensemble->feature_min[f] : leaf->low[f],
           high = above ? g->ensemble->feature_max[f] : leaf->high[f];
    double half = 0.5 * (high - low) * g->config->softness, middle = 0.5 * (low + high),
           per = 1 / (half > 1e-3 ? half : 1e-3);
    return (sg_leaf_bound){f, middle, middle, below ? 0 : per, above ? 0 : per};
}

/* Returns the bound of a leaf that predicts a constant. A side without a threshold takes the threshold of the other
 * side. */
static sg_leaf_bound soft_bound(const sg_grow_leaf *leaf, size_t f)
{
    bool below = isinf(leaf->low[f]), above = isinf(leaf->high[f]);
    return (sg_leaf_bound){f, below ? leaf->high[f] : leaf->low[f], above ? leaf->low[f] : leaf->high[f],
                           below ? 0 : leaf->inv_width_below[f], above ? 0 : leaf->inv_width_above[f]};
}

/* Computes the weighted mean of the leaf's residuals, shrunk by l2. out must be zeroed. */
static void leaf_mean(const sg_tree_grower *g, const sg_grow_leaf *leaf, double *out)
{
    double weight = g->config->l2;
    for (size_t i = leaf->first; i < leaf->first + leaf->rows; i++) {
        size_t row = g->row_order[i];
        weight += g->row_weight[row];
        for (size_t o = 0; o < g->outputs; o++) out[o] += g->row_weight[row] * g->residual[row * g->outputs + o];
    }
    for (size_t o = 0; o < g->outputs; o++) out[o] = weight > 0 ? out[o] / weight : 0;
}

static bool make_soft_leaf(const sg_tree_grower *g, const sg_grow_leaf *leaf, sg_soft_leaf *out)
{
    size_t bounds = count_bounds(g, leaf);
    out->slopes = has_constant_leaves(g) ? 0 : bounds;
    out->bound = sg_calloc(bounds ? bounds : 1, sizeof *out->bound);
    out->coef = sg_calloc(out->slopes + 1, g->outputs * sizeof *out->coef);
    if (!out->bound || !out->coef) return false;
    for (size_t f = 0; f < g->width && out->bounds < bounds; f++) {
        if (isinf(leaf->low[f]) && isinf(leaf->high[f])) continue;
        out->bound[out->bounds++] = has_constant_leaves(g) ? soft_bound(leaf, f) : gaussian_bound(g, leaf, f);
    }
    if (has_constant_leaves(g)) leaf_mean(g, leaf, out->coef);
    return true;
}

void sg_tree_release(sg_tree *tree)
{
    for (size_t k = 0; tree->leaf && k < tree->leaves; k++) {
        free(tree->leaf[k].bound);
        free(tree->leaf[k].coef);
    }
    free(tree->leaf);
    *tree = (sg_tree){0};
}

static bool make_soft_leaves(const sg_tree_grower *g, const sg_grow_leaf *leaf, size_t n, sg_tree *out)
{
    bool ok = true;
    out->leaf = sg_calloc(n, sizeof *out->leaf);
    if (!out->leaf) return false;
    out->leaves = n;
    for (size_t k = 0; ok && k < n; k++) ok = make_soft_leaf(g, &leaf[k], &out->leaf[k]);
    return ok;
}

/* --- the tree --- */

static size_t grow_best_first(sg_tree_grower *g, size_t rows, sg_grow_leaf *leaf, size_t most)
{
    size_t n = 1;
    for (size_t f = 0; f < g->width; f++) {
        leaf[0].low[f] = -INFINITY;
        leaf[0].high[f] = INFINITY;
    }
    leaf[0].rows = rows;
    find_split(g, &leaf[0]);
    while (n < most) {
        size_t best = 0;
        for (size_t k = 1; k < n; k++)
            if (leaf[k].gain > leaf[best].gain) best = k;
        if (leaf[best].gain <= 0) break;
        split_leaf(g, &leaf[best], &leaf[n]);
        n++;
    }
    return n;
}

sg_status sg_tree_grower_grow(sg_tree_grower *g, size_t rows, sg_tree *out)
{
    size_t most = g->config->max_leaves < rows ? g->config->max_leaves : rows, width = g->width;
    if (most == 0) most = 1;
    sg_grow_leaf *leaf = sg_calloc(most, sizeof *leaf);
    double *bounds = sg_calloc(most, 4 * width * sizeof *bounds);
    bool ok = leaf && bounds;
    for (size_t k = 0; ok && k < most; k++) {
        leaf[k].low = bounds + 4 * k * width;
        leaf[k].high = leaf[k].low + width;
        leaf[k].inv_width_below = leaf[k].high + width;
        leaf[k].inv_width_above = leaf[k].inv_width_below + width;
    }
    if (ok) ok = make_soft_leaves(g, leaf, grow_best_first(g, rows, leaf, most), out);
    free(leaf);
    free(bounds);
    return ok ? SG_OK : sg_fail_out_of_memory("trees");
}

void sg_tree_grower_bin_features(sg_tree_grower *g, sg_tree_ensemble *e, double *scratch)
{
    for (size_t f = 0; f < g->width; f++) {
        double *edge = g->bin_edge + f * SG_MAX_BINS;
        for (size_t i = 0; i < g->rows; i++) scratch[i] = sg_tree_feature_value(e, g->x + i * g->width, f);
        sg_sort_doubles(scratch, g->rows);
        e->feature_min[f] = scratch[0];
        e->feature_max[f] = scratch[g->rows - 1];
        for (size_t k = 0; k < g->bins; k++) {
            size_t at = (k + 1) * g->rows / g->bins;
            if (at == 0) at = 1;
            while (at < g->rows && scratch[at] == scratch[at - 1]) at++;
            edge[k] = at < g->rows ? 0.5 * (scratch[at - 1] + scratch[at]) : (double)INFINITY;
        }
        for (size_t i = 0; i < g->rows; i++) {
            size_t k = 0;
            while (sg_tree_feature_value(e, g->x + i * g->width, f) > edge[k]) k++;
            g->bin[i * g->width + f] = (unsigned char)k;
        }
    }
}
