/* boost_scatter.c: cuts by chance, between the least and the largest value of a leaf (Geurts, Ernst and Wehenkel,
 * "Extremely randomized trees", 2006): quick, and trees that differ so much err less together. */
#include "auto/boost_boxes.h"

#include <math.h>

/* A cut in [low, high). */
static double draw(sg_stream *random, double low, double high)
{
    double cut = low + (high - low) * sg_stream_unit(random);
    return cut < high ? cut : low;
}

static double value_of(const sg_grower *g, size_t i, size_t feature)
{
    return sg_boost_value(g->boost, g->x + g->order[i] * g->width, feature);
}

void sg_scatter_try(sg_grower *g, sg_leaf *l, size_t f)
{
    double all[SG_BOOST_TARGETS] = {0}, part[SG_BOOST_TARGETS] = {0}, rest[SG_BOOST_TARGETS], weight = 0, below = 0;
    double low = INFINITY, high = -INFINITY;
    size_t outputs = g->outputs, rows = 0, least = g->plan->least;
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        double x = value_of(g, i, f);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (!(low < high)) return;
    double cut = draw(&g->random, low, high);
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        size_t row = g->order[i];
        bool in = value_of(g, i, f) <= cut;
        double w = g->w[row];
        weight += w;
        below += in ? w : 0;
        rows += in;
        for (size_t o = 0; o < outputs; o++) {
            double y = w * g->left[row * outputs + o];
            all[o] += y;
            part[o] += in ? y : 0;
        }
    }
    if (rows < least || l->rows - rows < least) return;
    for (size_t o = 0; o < outputs; o++) rest[o] = all[o] - part[o];
    double gain = sg_leaf_score(part, outputs, below) + sg_leaf_score(rest, outputs, weight - below) -
                  sg_leaf_score(all, outputs, weight);
    if (gain <= l->gain) return;
    l->gain = gain;
    l->feature = f;
    l->cut = cut;
}
