/* extra_trees.c: random splits: a threshold drawn uniformly between the smallest and the largest value in a leaf
 * (Geurts, Ernst and Wehenkel, "Extremely randomized trees", 2006). */
#include "auto/boost/tree_grower.h"

#include <math.h>

/* Returns a threshold in [low, high). */
static double draw_threshold(sg_random_stream *random, double low, double high)
{
    double threshold = low + (high - low) * sg_random_stream_uniform(random);
    return threshold < high ? threshold : low;
}

static double feature_value(const sg_tree_grower *g, size_t i, size_t feature)
{
    return sg_tree_feature_value(g->ensemble, g->x + g->row_order[i] * g->width, feature);
}

void sg_extra_trees_try_split(sg_tree_grower *g, sg_grow_leaf *leaf, size_t f)
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
    double gain = sg_split_score(left, outputs, left_weight) + sg_split_score(right, outputs, weight - left_weight) -
                  sg_split_score(all, outputs, weight);
    if (gain <= leaf->gain) return;
    leaf->gain = gain;
    leaf->split_feature = f;
    leaf->threshold = threshold;
}
