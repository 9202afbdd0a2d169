/* extra_trees.c: cuts by chance, between the least and the largest value of a leaf (Geurts, Ernst and Wehenkel,
 * "Extremely randomized trees", 2006): quick, and trees that differ so much err less together. */
#include "auto/boost/soft_leaf.h"

#include <math.h>

/* A cut in [low, high). */
static double draw_threshold(sg_random_stream *random, double low, double high)
{
    double cut = low + (high - low) * sg_random_stream_uniform(random);
    return cut < high ? cut : low;
}

static double feature_value(const sg_tree_grower *g, size_t i, size_t feature)
{
    return sg_tree_feature_value(g->ensemble, g->x + g->row_order[i] * g->width, feature);
}

void sg_extra_trees_try_split(sg_tree_grower *g, sg_grow_leaf *l, size_t f)
{
    double all[SG_TREES_MAX_OUTPUTS] = {0}, part[SG_TREES_MAX_OUTPUTS] = {0}, rest[SG_TREES_MAX_OUTPUTS], weight = 0,
           below = 0;
    double low = INFINITY, high = -INFINITY;
    size_t outputs = g->outputs, rows = 0, least = g->config->min_leaf_rows;
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        double x = feature_value(g, i, f);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (!(low < high)) return;
    double cut = draw_threshold(&g->rng, low, high);
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        size_t row = g->row_order[i];
        bool in = feature_value(g, i, f) <= cut;
        double w = g->row_weight[row];
        weight += w;
        below += in ? w : 0;
        rows += in;
        for (size_t o = 0; o < outputs; o++) {
            double y = w * g->residual[row * outputs + o];
            all[o] += y;
            part[o] += in ? y : 0;
        }
    }
    if (rows < least || l->rows - rows < least) return;
    for (size_t o = 0; o < outputs; o++) rest[o] = all[o] - part[o];
    double gain = sg_split_score(part, outputs, below) + sg_split_score(rest, outputs, weight - below) -
                  sg_split_score(all, outputs, weight);
    if (gain <= l->gain) return;
    l->gain = gain;
    l->split_feature = f;
    l->threshold = cut;
}
