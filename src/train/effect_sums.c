/* effect_sums.c: see effect_sums.h. */
#include "train/effect_sums.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shrink = 5;

void sg_effect_sums_release(sg_effect_sums *s)
{
    sg_effect_release(&s->shape);
    free(s->place);
    free(s->bin_of);
    free(s->weight);
    free(s->sum);
    *s = (sg_effect_sums){0};
}

/* --- which bins and values there are --- */

/* By the middle of a value's ranks, so that equal bins of fewer are whole bins of more. */
static unsigned char place_of(size_t before, size_t rows, size_t all)
{
    double rank = ((double)before + (double)rows / 2) / (double)all;
    double place = floor(rank * SG_EFFECT_BINS);
    return (unsigned char)fmin(place, SG_EFFECT_BINS - 1);
}

static void find_places(const sg_occurrence *value, size_t n, unsigned char *place)
{
    size_t all = 0, before = 0;
    for (size_t i = 0; i < n; i++) all += value[i].rows;
    for (size_t i = 0; i < n; before += value[i++].rows) place[i] = place_of(before, value[i].rows, all);
}

static bool is_listed(const sg_occurrence *value, const unsigned char *place, size_t n, size_t i)
{
    bool shares = (i && place[i - 1] == place[i]) || (i + 1 < n && place[i + 1] == place[i]);
    return shares && value[i].rows > 1;
}

/* Half-way, but below the upper one, however close they are. */
static double edge_between(double low, double high)
{
    double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

static void lay_out(sg_effect_sums *s, const sg_occurrence *value, const unsigned char *place, size_t n, bool list)
{
    size_t bin = 0, listed = 0;
    s->place[0] = place[0];
    for (size_t i = 0; i < n; i++) {
        if (i && place[i] != place[i - 1]) {
            s->shape.edge[bin++] = edge_between(value[i - 1].value, value[i].value);
            s->place[bin] = place[i];
        }
        if (!list || !is_listed(value, place, n, i)) continue;
        s->shape.value[listed] = value[i].value;
        s->bin_of[listed++] = bin;
    }
}

bool sg_effect_sums_init(sg_effect_sums *s, size_t input, const sg_occurrence *value, size_t n, bool list)
{
    size_t bins = 1, listed = 0;
    *s = (sg_effect_sums){0};
    unsigned char *place = sg_alloc(n, 1);
    if (!place) return false;
    find_places(value, n, place);
    for (size_t i = 0; i < n; i++) {
        bins += i && place[i] != place[i - 1];
        listed += list && is_listed(value, place, n, i);
    }
    s->place = sg_alloc(bins, 1);
    s->bin_of = sg_alloc(listed, sizeof *s->bin_of);
    s->weight = sg_alloc(SG_EFFECT_FOLDS * (bins + listed), sizeof *s->weight);
    s->sum = sg_alloc(SG_EFFECT_FOLDS * (bins + listed), sizeof *s->sum);
    bool ok = sg_effect_init(&s->shape, input, bins, listed) && s->place && s->bin_of && s->weight && s->sum;
    if (ok) lay_out(s, value, place, n, list);
    else sg_effect_sums_release(s);
    free(place);
    return ok;
}

/* --- sums --- */

void sg_effect_sums_add(sg_effect_sums *s, size_t fold, double value, double weight, double left)
{
    if (isnan(value)) return;
    size_t bins = s->shape.bins, at = fold * (bins + s->shape.values);
    size_t bin = at + sg_count_below(s->shape.edge, bins - 1, value), own = sg_effect_find(&s->shape, value);
    s->weight[bin] += weight;
    s->sum[bin] += weight * left;
    if (own == s->shape.values) return;
    s->weight[at + bins + own] += weight;
    s->sum[at + bins + own] += weight * left;
}

/* Of cells [first, last), in all folds but one. */
static double part(const sg_effect_sums *s, const double *number, size_t but, size_t first, size_t last)
{
    double sum = 0;
    size_t cells = s->shape.bins + s->shape.values;
    for (size_t fold = 0; fold < SG_EFFECT_FOLDS; fold++)
        for (size_t i = first; fold != but && i < last; i++) sum += number[fold * cells + i];
    return sum;
}

/* The effect of cells that are part of a group with this effect. */
static double effect_of(const sg_effect_sums *s, size_t but, size_t first, size_t last, double of_group)
{
    double weight = part(s, s->weight, but, first, last), sum = part(s, s->sum, but, first, last);
    return of_group + (sum - weight * of_group) / (weight + shrink);
}

/* Bins [first, last) that are one bin of SG_EFFECT_BINS >> bits; those in them follow, unless there is one alone. */
static void divide(const sg_effect_sums *s, size_t but, size_t first, size_t last, int bits, double of_group,
                   double *effect)
{
    for (size_t i = first, end; i < last; i = end) {
        for (end = i + 1; end < last && s->place[end] >> bits == s->place[i] >> bits;) end++;
        bool all = i == first && end == last && bits < 4; /* nothing new */
        double here = all ? of_group : effect_of(s, but, i, end, of_group);
        if (bits) divide(s, but, i, end, bits - 2, here, effect);
        else effect[i] = here;
    }
}

bool sg_effect_sums_table(const sg_effect_sums *s, size_t but, sg_effect *out)
{
    if (!sg_effect_copy(&s->shape, out)) return false;
    divide(s, but, 0, out->bins, 4, 0, out->bin);
    for (size_t i = 0; i < out->values; i++)
        out->own[i] = effect_of(s, but, out->bins + i, out->bins + i + 1, out->bin[s->bin_of[i]]);
    return true;
}
