/* tree_grower.c: a tree, the best split of all leaves first; its leaves are boxes. */
#include "auto/boost/soft_leaf.h"

#include "base/memory.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MAX_STEEPNESS = 4096, ROUNDING = 1e4;

static bool has_constant_leaves(const sg_tree_grower *g) { return g->config->kind != SG_TREES_GBDT_LINEAR; }

static void try_histogram_split(sg_tree_grower *g, sg_grow_leaf *l, size_t f)
{
    const double least = (double)g->config->min_leaf_rows;
    double all[SG_TREES_MAX_OUTPUTS] = {0}, part[SG_TREES_MAX_OUTPUTS] = {0}, weight = 0, below = 0, rows = 0;
    size_t outputs = g->outputs;
    memset(g->bin_sum, 0, g->bins * outputs * sizeof *g->bin_sum);
    memset(g->bin_weight, 0, g->bins * sizeof *g->bin_weight);
    memset(g->bin_count, 0, g->bins * sizeof *g->bin_count);
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        size_t row = g->row_order[i], b = g->bin[row * g->width + f];
        g->bin_weight[b] += g->row_weight[row];
        g->bin_count[b]++;
        for (size_t o = 0; o < outputs; o++)
            g->bin_sum[b * outputs + o] += g->row_weight[row] * g->residual[row * outputs + o];
    }
    for (size_t b = 0; b < g->bins; b++) {
        weight += g->bin_weight[b];
        for (size_t o = 0; o < outputs; o++) all[o] += g->bin_sum[b * outputs + o];
    }
    double before = sg_split_score(all, outputs, weight);
    for (size_t b = 0; b + 1 < g->bins; b++) {
        double rest[SG_TREES_MAX_OUTPUTS];
        below += g->bin_weight[b];
        rows += g->bin_count[b];
        for (size_t o = 0; o < outputs; o++) {
            part[o] += g->bin_sum[b * outputs + o];
            rest[o] = all[o] - part[o];
        }
        if (g->bin_count[b] == 0 || rows < least || (double)l->rows - rows < least) continue;
        double gain = sg_split_score(part, outputs, below) + sg_split_score(rest, outputs, weight - below) - before;
        if (gain > l->gain) {
            l->gain = gain;
            l->split_feature = f;
            l->split_bin = b;
        }
    }
}

/* Of so many, at least one. */
static void sample_columns(sg_tree_grower *g)
{
    size_t n = (size_t)(g->config->column_fraction * (double)g->width + 0.5), left = n ? n : 1;
    for (size_t f = 0; f < g->width; f++) {
        g->feature_mask[f] = sg_random_stream_below(&g->rng, g->width - f) < left;
        left -= g->feature_mask[f];
    }
}

static void find_split(sg_tree_grower *g, sg_grow_leaf *l)
{
    l->gain = 0;
    if (l->rows < 2 * g->config->min_leaf_rows) return;
    if (g->config->kind == SG_TREES_BAGGED) sample_columns(g);
    for (size_t f = 0; f < g->width; f++) {
        if (!g->feature_mask[f]) continue;
        if (g->config->kind == SG_TREES_EXTRA) sg_extra_trees_try_split(g, l, f);
        else try_histogram_split(g, l, f);
    }
}

static bool goes_right(const sg_tree_grower *g, const sg_grow_leaf *l, size_t row)
{
    if (g->config->kind == SG_TREES_EXTRA)
        return sg_tree_feature_value(g->ensemble, g->x + row * g->width, l->split_feature) > l->threshold;
    return g->bin[row * g->width + l->split_feature] > l->split_bin;
}

/* A cut that parts the same values, with few digits if there is one. */
static double round_threshold(double cut, double below, double above)
{
    double few = floor(cut * ROUNDING + 0.5) / ROUNDING;
    return few > below && few < above ? few : cut;
}

/* Of a side that is so far away from the rows next to it; at most twice SHARPEST, and a power of two, which is short in
 * a file. */
static double bound_steepness(const sg_tree_grower *g, double reach)
{
    int power;
    double width = g->config->softness * reach;
    frexp(1 / fmax(width, 1 / MAX_STEEPNESS), &power);
    return ldexp(1, power);
}

/* Rows above the cut go to the end, into a new leaf. */
static void split_leaf(sg_tree_grower *g, sg_grow_leaf *l, sg_grow_leaf *new)
{
    size_t i = l->first, end = l->first + l->rows, f = l->split_feature;
    double below = -INFINITY, above = INFINITY;
    double cut = g->config->kind == SG_TREES_EXTRA ? l->threshold : g->bin_edge[f * SG_MAX_BINS + l->split_bin];
    while (i < end) {
        size_t row = g->row_order[i];
        double x = sg_tree_feature_value(g->ensemble, g->x + row * g->width, f);
        if (!goes_right(g, l, row)) {
            below = fmax(below, x);
            i++;
        } else {
            above = fmin(above, x);
            g->row_order[i] = g->row_order[--end];
            g->row_order[end] = row;
        }
    }
    memcpy(new->low, l->low, 4 * g->width * sizeof *l->low);
    new->first = end;
    new->rows = l->first + l->rows - end;
    l->rows = end - l->first;
    if (has_constant_leaves(g)) cut = round_threshold(cut, below, above);
    l->high[f] = new->low[f] = cut;
    l->inv_width_above[f] = new->inv_width_below[f] = bound_steepness(g, fmin(cut - below, above - cut));
    find_split(g, l);
    find_split(g, new);
}

/* --- leaves as boxes --- */

static size_t count_bounds(const sg_tree_grower *g, const sg_grow_leaf *l)
{
    size_t n = 0;
    for (size_t f = 0; f < g->width; f++) n += !isinf(l->low[f]) || !isinf(l->high[f]);
    return has_constant_leaves(g) || n < SG_LEAF_MAX_BOUNDS ? n : SG_LEAF_MAX_BOUNDS;
}

static sg_leaf_bound gaussian_bound(const sg_tree_grower *g, const sg_grow_leaf *l, size_t f)
{
    bool below = isinf(l->low[f]), above = isinf(l->high[f]);
    double low = below ? g->ensemble->feature_min[f] : l->low[f],
           high = above ? g->ensemble->feature_max[f] : l->high[f];
    double half = 0.5 * (high - low) * g->config->softness, middle = 0.5 * (low + high),
           per = 1 / (half > 1e-3 ? half : 1e-3);
    return (sg_leaf_bound){f, middle, middle, below ? 0 : per, above ? 0 : per};
}

/* An open end is where the other one is. */
static sg_leaf_bound soft_bound(const sg_grow_leaf *l, size_t f)
{
    bool below = isinf(l->low[f]), above = isinf(l->high[f]);
    return (sg_leaf_bound){f, below ? l->high[f] : l->low[f], above ? l->low[f] : l->high[f],
                           below ? 0 : l->inv_width_below[f], above ? 0 : l->inv_width_above[f]};
}

/* Of its rows, each as often as it is there; nearly so, with l2. */
static void leaf_mean(const sg_tree_grower *g, const sg_grow_leaf *l, double *out)
{
    double weight = g->config->l2;
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        size_t row = g->row_order[i];
        weight += g->row_weight[row];
        for (size_t o = 0; o < g->outputs; o++) out[o] += g->row_weight[row] * g->residual[row * g->outputs + o];
    }
    for (size_t o = 0; o < g->outputs; o++) out[o] = weight > 0 ? out[o] / weight : 0;
}

static bool make_soft_leaf(const sg_tree_grower *g, const sg_grow_leaf *l, sg_soft_leaf *b)
{
    size_t sides = count_bounds(g, l);
    b->slopes = has_constant_leaves(g) ? 0 : sides;
    b->bound = sg_calloc(sides ? sides : 1, sizeof *b->bound);
    b->coef = sg_calloc(b->slopes + 1, g->outputs * sizeof *b->coef);
    if (!b->bound || !b->coef) return false;
    for (size_t f = 0; f < g->width && b->bounds < sides; f++) {
        if (isinf(l->low[f]) && isinf(l->high[f])) continue;
        b->bound[b->bounds++] = has_constant_leaves(g) ? soft_bound(l, f) : gaussian_bound(g, l, f);
    }
    if (has_constant_leaves(g)) leaf_mean(g, l, b->coef);
    return true;
}

void sg_tree_release(sg_tree *s)
{
    for (size_t k = 0; s->leaf && k < s->leaves; k++) {
        free(s->leaf[k].bound);
        free(s->leaf[k].coef);
    }
    free(s->leaf);
    *s = (sg_tree){0};
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
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for trees");
}

void sg_tree_grower_bin_features(sg_tree_grower *g, sg_tree_ensemble *b, double *column)
{
    for (size_t f = 0; f < g->width; f++) {
        double *edge = g->bin_edge + f * SG_MAX_BINS;
        for (size_t i = 0; i < g->rows; i++) column[i] = sg_tree_feature_value(b, g->x + i * g->width, f);
        sg_sort_doubles(column, g->rows);
        b->feature_min[f] = column[0];
        b->feature_max[f] = column[g->rows - 1];
        for (size_t k = 0; k < g->bins; k++) {
            size_t at = (k + 1) * g->rows / g->bins;
            if (at == 0) at = 1;
            while (at < g->rows && column[at] == column[at - 1]) at++;
            edge[k] = at < g->rows ? 0.5 * (column[at - 1] + column[at]) : (double)INFINITY;
        }
        for (size_t i = 0; i < g->rows; i++) {
            size_t k = 0;
            while (sg_tree_feature_value(b, g->x + i * g->width, f) > edge[k]) k++;
            g->bin[i * g->width + f] = (unsigned char)k;
        }
    }
}
