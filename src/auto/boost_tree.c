/* boost_tree.c: a tree, the best split of all leaves first; its leaves are boxes. */
#include "auto/boost_boxes.h"

#include "base/memory.h"
#include "prep/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARPEST = 4096, GRAIN = 1e4;

static bool is_flat(const sg_grower *g) { return g->plan->kind != SG_BOOSTED; }

static void try_feature(sg_grower *g, sg_leaf *l, size_t f)
{
    const double least = (double)g->plan->least;
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
    double before = sg_leaf_score(all, outputs, weight);
    for (size_t b = 0; b + 1 < g->bins; b++) {
        double rest[SG_BOOST_TARGETS];
        below += g->weight[b];
        rows += g->count[b];
        for (size_t o = 0; o < outputs; o++) {
            part[o] += g->sum[b * outputs + o];
            rest[o] = all[o] - part[o];
        }
        if (g->count[b] == 0 || rows < least || (double)l->rows - rows < least) continue;
        double gain = sg_leaf_score(part, outputs, below) + sg_leaf_score(rest, outputs, weight - below) - before;
        if (gain > l->gain) {
            l->gain = gain;
            l->feature = f;
            l->bin = b;
        }
    }
}

/* Of so many, at least one. */
static void draw_columns(sg_grower *g)
{
    size_t n = (size_t)(g->plan->columns * (double)g->width + 0.5), left = n ? n : 1;
    for (size_t f = 0; f < g->width; f++) {
        g->use[f] = sg_stream_below(&g->random, g->width - f) < left;
        left -= g->use[f];
    }
}

static void find_split(sg_grower *g, sg_leaf *l)
{
    l->gain = 0;
    if (l->rows < 2 * g->plan->least) return;
    if (g->plan->kind == SG_BAGGED) draw_columns(g);
    for (size_t f = 0; f < g->width; f++) {
        if (!g->use[f]) continue;
        if (g->plan->kind == SG_SCATTERED) sg_scatter_try(g, l, f);
        else try_feature(g, l, f);
    }
}

static bool is_above(const sg_grower *g, const sg_leaf *l, size_t row)
{
    if (g->plan->kind == SG_SCATTERED) return sg_boost_value(g->boost, g->x + row * g->width, l->feature) > l->cut;
    return g->bin[row * g->width + l->feature] > l->bin;
}

/* A cut that parts the same values, with few digits if there is one. */
static double shorten(double cut, double below, double above)
{
    double few = floor(cut * GRAIN + 0.5) / GRAIN;
    return few > below && few < above ? few : cut;
}

/* Of a side that is so far away from the rows next to it; at most twice SHARPEST, and a power of two, which is short in
 * a file. */
static double sharpness(const sg_grower *g, double reach)
{
    int power;
    double width = g->plan->width * reach;
    frexp(1 / fmax(width, 1 / SHARPEST), &power);
    return ldexp(1, power);
}

/* Rows above the cut go to the end, into a new leaf. */
static void split(sg_grower *g, sg_leaf *l, sg_leaf *new)
{
    size_t i = l->first, end = l->first + l->rows, f = l->feature;
    double below = -INFINITY, above = INFINITY;
    double cut = g->plan->kind == SG_SCATTERED ? l->cut : g->edge[f * SG_BINS + l->bin];
    while (i < end) {
        size_t row = g->order[i];
        double x = sg_boost_value(g->boost, g->x + row * g->width, f);
        if (!is_above(g, l, row)) {
            below = fmax(below, x);
            i++;
        } else {
            above = fmin(above, x);
            g->order[i] = g->order[--end];
            g->order[end] = row;
        }
    }
    memcpy(new->low, l->low, 4 * g->width * sizeof *l->low);
    new->first = end;
    new->rows = l->first + l->rows - end;
    l->rows = end - l->first;
    if (is_flat(g)) cut = shorten(cut, below, above);
    l->high[f] = new->low[f] = cut;
    l->above[f] = new->below[f] = sharpness(g, fmin(cut - below, above - cut));
    find_split(g, l);
    find_split(g, new);
}

/* --- leaves as boxes --- */

static size_t sides_of(const sg_grower *g, const sg_leaf *l)
{
    size_t n = 0;
    for (size_t f = 0; f < g->width; f++) n += !isinf(l->low[f]) || !isinf(l->high[f]);
    return is_flat(g) || n < SG_MOST_SIDES ? n : SG_MOST_SIDES;
}

static sg_side bell(const sg_grower *g, const sg_leaf *l, size_t f)
{
    bool below = isinf(l->low[f]), above = isinf(l->high[f]);
    double low = below ? g->boost->low[f] : l->low[f], high = above ? g->boost->high[f] : l->high[f];
    double half = 0.5 * (high - low) * g->plan->width, middle = 0.5 * (low + high),
           per = 1 / (half > 1e-3 ? half : 1e-3);
    return (sg_side){f, middle, middle, below ? 0 : per, above ? 0 : per};
}

/* An open end is where the other one is. */
static sg_side shoulders(const sg_leaf *l, size_t f)
{
    bool below = isinf(l->low[f]), above = isinf(l->high[f]);
    return (sg_side){f, below ? l->high[f] : l->low[f], above ? l->low[f] : l->high[f], below ? 0 : l->below[f],
                     above ? 0 : l->above[f]};
}

/* Of its rows, each as often as it is there; nearly so, with l2. */
static void mean_of(const sg_grower *g, const sg_leaf *l, double *out)
{
    double weight = g->plan->l2;
    for (size_t i = l->first; i < l->first + l->rows; i++) {
        size_t row = g->order[i];
        weight += g->w[row];
        for (size_t o = 0; o < g->outputs; o++) out[o] += g->w[row] * g->left[row * g->outputs + o];
    }
    for (size_t o = 0; o < g->outputs; o++) out[o] = weight > 0 ? out[o] / weight : 0;
}

static bool box_of(const sg_grower *g, const sg_leaf *l, sg_box *b)
{
    size_t sides = sides_of(g, l);
    b->slopes = is_flat(g) ? 0 : sides;
    b->side = sg_alloc(sides ? sides : 1, sizeof *b->side);
    b->line = sg_alloc(b->slopes + 1, g->outputs * sizeof *b->line);
    if (!b->side || !b->line) return false;
    for (size_t f = 0; f < g->width && b->sides < sides; f++) {
        if (isinf(l->low[f]) && isinf(l->high[f])) continue;
        b->side[b->sides++] = is_flat(g) ? shoulders(l, f) : bell(g, l, f);
    }
    if (is_flat(g)) mean_of(g, l, b->line);
    return true;
}

void sg_stage_release(sg_stage *s)
{
    for (size_t k = 0; s->box && k < s->boxes; k++) {
        free(s->box[k].side);
        free(s->box[k].line);
    }
    free(s->box);
    *s = (sg_stage){0};
}

static bool take_boxes(const sg_grower *g, const sg_leaf *leaf, size_t n, sg_stage *out)
{
    bool ok = true;
    out->box = sg_alloc(n, sizeof *out->box);
    if (!out->box) return false;
    out->boxes = n;
    for (size_t k = 0; ok && k < n; k++) ok = box_of(g, &leaf[k], &out->box[k]);
    return ok;
}

/* --- the tree --- */

static size_t grow(sg_grower *g, size_t rows, sg_leaf *leaf, size_t most)
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
        split(g, &leaf[best], &leaf[n]);
        n++;
    }
    return n;
}

sg_status sg_grower_run(sg_grower *g, size_t rows, sg_stage *out)
{
    size_t most = g->plan->leaves < rows ? g->plan->leaves : rows, width = g->width;
    if (most == 0) most = 1;
    sg_leaf *leaf = sg_alloc(most, sizeof *leaf);
    double *bounds = sg_alloc(most, 4 * width * sizeof *bounds);
    bool ok = leaf && bounds;
    for (size_t k = 0; ok && k < most; k++) {
        leaf[k].low = bounds + 4 * k * width;
        leaf[k].high = leaf[k].low + width;
        leaf[k].below = leaf[k].high + width;
        leaf[k].above = leaf[k].below + width;
    }
    if (ok) ok = take_boxes(g, leaf, grow(g, rows, leaf, most), out);
    free(leaf);
    free(bounds);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for trees");
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
