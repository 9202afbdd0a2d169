/* boost_tree.c: a small tree, the best split of all leaves first; its leaves are boxes. */
#include "auto/boost_boxes.h"

#include "base/memory.h"
#include "prep/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_ROWS = 8 };

typedef struct leaf {
    size_t first, rows;
    double *low, *high; /* (width) */
    double gain;
    size_t feature, cut;
} leaf;

static double score(const double *sum, size_t outputs, double weight)
{
    double s = 0;
    for (size_t o = 0; o < outputs; o++) s += sum[o] * sum[o];
    return weight > 0 ? s / weight : 0;
}

static void try_feature(sg_grower *g, leaf *l, size_t f)
{
    double all[SG_BOOST_TARGETS] = {0}, part[SG_BOOST_TARGETS] = {0}, weight = 0, below = 0, rows = 0;
    size_t outputs = g->outputs;
    memset(g->sum, 0, g->bins * outputs * sizeof *g->sum);
    memset(g->weight, 0, g->bins * sizeof *g->weight);
    memset(g->count, 0, g->bins * sizeof *g->count);
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        size_t row = g->order[i], b = g->bin[row * g->width + f];
        g->weight[b] += g->w[row];
        g->count[b]++;
        for (size_t o = 0; o < outputs; o++) g->sum[b * outputs + o] += g->w[row] * g->left[row * outputs + o];
    }
    for (size_t b = 0; b < g->bins; b++) {
        weight += g->weight[b];
        for (size_t o = 0; o < outputs; o++) all[o] += g->sum[b * outputs + o];
    }
    double before = score(all, outputs, weight);
    for (size_t b = 0; b + 1 < g->bins; b++) {
        double rest[SG_BOOST_TARGETS];
        below += g->weight[b];
        rows += g->count[b];
        for (size_t o = 0; o < outputs; o++) {
            part[o] += g->sum[b * outputs + o];
            rest[o] = all[o] - part[o];
        }
        if (g->count[b] == 0 || rows < LEAF_ROWS || (double)l->rows - rows < LEAF_ROWS) continue;
        double gain = score(part, outputs, below) + score(rest, outputs, weight - below) - before;
        if (gain > l->gain) {
            l->gain = gain;
            l->feature = f;
            l->cut = b;
        }
    }
}

static void find_split(sg_grower *g, leaf *l)
{
    l->gain = 0;
    if (l->rows < 2 * LEAF_ROWS) return;
    for (size_t f = 0; f < g->width; f++)
        if (g->use[f]) try_feature(g, l, f);
}

/* Rows above the cut go to the end, into a new leaf. */
static void split(sg_grower *g, leaf *l, leaf *new)
{
    size_t i = l->first, end = l->first + l->rows;
    double cut = g->edge[l->feature * SG_BINS + l->cut];
    while (i < end) {
        size_t row = g->order[i];
        if (g->bin[row * g->width + l->feature] <= l->cut) i++;
        else {
            g->order[i] = g->order[--end];
            g->order[end] = row;
        }
    }
    memcpy(new->low, l->low, g->width * sizeof *l->low);
    memcpy(new->high, l->high, g->width * sizeof *l->high);
    new->first = end;
    new->rows = l->first + l->rows - end;
    l->rows = end - l->first;
    l->high[l->feature] = new->low[l->feature] = cut;
    find_split(g, l);
    find_split(g, new);
}

static void box_of(const sg_grower *g, const leaf *l, sg_box *b)
{
    const sg_boost *boost = g->boost;
    for (size_t f = 0; f < g->width && b->sides < SG_MOST_SIDES; f++) {
        bool below = isinf(l->low[f]), above = isinf(l->high[f]);
        if (below && above) continue;
        double low = below ? boost->low[f] : l->low[f], high = above ? boost->high[f] : l->high[f];
        double half = 0.5 * (high - low) * g->plan->width;
        b->side[b->sides++] = (sg_side){f, 0.5 * (low + high), 1 / (half > 1e-3 ? half : 1e-3), below, above};
    }
}

sg_status sg_grower_run(sg_grower *g, size_t rows, sg_stage *out)
{
    size_t most = g->plan->leaves, n = 1;
    leaf *leaf_of = sg_alloc(most, sizeof *leaf_of);
    double *bounds = sg_alloc(most, 2 * g->width * sizeof *bounds);
    out->box = sg_alloc(most, sizeof *out->box);
    if (!leaf_of || !bounds || !out->box) {
        free(leaf_of);
        free(bounds);
        return sg_fail(SG_ENOMEM, "out of memory for trees");
    }
    for (size_t k = 0; k < most; k++) {
        leaf_of[k].low = bounds + 2 * k * g->width;
        leaf_of[k].high = leaf_of[k].low + g->width;
    }
    for (size_t f = 0; f < g->width; f++) {
        leaf_of[0].low[f] = -INFINITY;
        leaf_of[0].high[f] = INFINITY;
    }
    leaf_of[0].rows = rows;
    find_split(g, &leaf_of[0]);
    while (n < most) {
        size_t best = 0;
        for (size_t k = 1; k < n; k++)
            if (leaf_of[k].gain > leaf_of[best].gain) best = k;
        if (leaf_of[best].gain <= 0) break;
        split(g, &leaf_of[best], &leaf_of[n]);
        n++;
    }
    for (size_t k = 0; k < n; k++) box_of(g, &leaf_of[k], &out->box[k]);
    out->boxes = n;
    sg_box *fitting = realloc(out->box, n * sizeof *fitting);
    if (fitting) out->box = fitting;
    free(leaf_of);
    free(bounds);
    return SG_OK;
}

void sg_grower_bins(sg_grower *g, sg_boost *b, double *column)
{
    for (size_t f = 0; f < g->width; f++) {
        double *edge = g->edge + f * SG_BINS;
        for (size_t i = 0; i < g->rows; i++) column[i] = sg_boost_value(b, g->x + i * g->width, f);
        sg_sort_numbers(column, g->rows);
        b->low[f] = column[0];
        b->high[f] = column[g->rows - 1];
        for (size_t k = 0; k < g->bins; k++) {
            size_t at = (k + 1) * g->rows / g->bins;
            if (at == 0) at = 1;
            while (at < g->rows && column[at] == column[at - 1]) at++;
            edge[k] = at < g->rows ? 0.5 * (column[at - 1] + column[at]) : (double)INFINITY;
        }
        for (size_t i = 0; i < g->rows; i++) {
            size_t k = 0;
            while (sg_boost_value(b, g->x + i * g->width, f) > edge[k]) k++;
            g->bin[i * g->width + f] = (unsigned char)k;
        }
    }
}
