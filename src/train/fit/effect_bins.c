/* effect_bins.c: bins, sums and shrunken means of a univariate effect. */
#include "train/fit/effect_bins.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double shrink = 5;

void sg_effect_sums_release(sg_effect_sums *s)
{
    sg_effect_release(&s->table);
    sg_free_all(s->rank_bin, s->bin_of, s->weight, s->sum);
    *s = (sg_effect_sums){0};
}

/* --- bins and values --- */

/* Returns the index of a value's bin, which is based on the value's midrank, so that coarse bins are unions of fine
 * bins. */
static unsigned char rank_bin_of(size_t before, size_t rows, size_t all)
{
    double rank = ((double)before + (double)rows / 2) / (double)all;
    double bin = floor(rank * SG_EFFECT_MAX_BINS);
    return (unsigned char)fmin(bin, SG_EFFECT_MAX_BINS - 1);
}

static void find_rank_bins(const sg_value_freq *value, size_t n, unsigned char *rank_bin)
{
    size_t all = 0, before = 0;
    for (size_t i = 0; i < n; i++) all += value[i].rows;
    for (size_t i = 0; i < n; before += value[i++].rows) rank_bin[i] = rank_bin_of(before, value[i].rows, all);
}

static bool is_listed(const sg_value_freq *value, const unsigned char *rank_bin, size_t n, size_t i)
{
    bool shares = (i && rank_bin[i - 1] == rank_bin[i]) || (i + 1 < n && rank_bin[i + 1] == rank_bin[i]);
    return shares && value[i].rows > 1;
}

/* Returns the midpoint, or `low` if rounding moves the midpoint out of [low, high). */
static double edge_between(double low, double high)
{
    double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

static void layout_bins(sg_effect_sums *s, const sg_value_freq *value, const unsigned char *rank_bin, size_t n,
                        bool list)
{
    size_t bin = 0, listed = 0;
    s->rank_bin[0] = rank_bin[0];
    for (size_t i = 0; i < n; i++) {
        if (i && rank_bin[i] != rank_bin[i - 1]) {
            s->table.edge[bin++] = edge_between(value[i - 1].value, value[i].value);
            s->rank_bin[bin] = rank_bin[i];
        }
        if (!list || !is_listed(value, rank_bin, n, i)) continue;
        s->table.value[listed] = value[i].value;
        s->bin_of[listed++] = bin;
    }
}

bool sg_effect_sums_init(sg_effect_sums *s, size_t input, const sg_value_freq *value, size_t n, bool list)
{
    size_t bins = 1, listed = 0;
    *s = (sg_effect_sums){0};
    unsigned char *rank_bin = sg_calloc(n, 1);
    if (!rank_bin) return false;
    find_rank_bins(value, n, rank_bin);
    for (size_t i = 0; i < n; i++) {
        bins += i && rank_bin[i] != rank_bin[i - 1];
        listed += list && is_listed(value, rank_bin, n, i);
    }
    s->rank_bin = sg_calloc(bins, 1);
    s->bin_of = sg_calloc(listed, sizeof *s->bin_of);
    s->weight = sg_calloc(SG_EFFECT_FOLDS * (bins + listed), sizeof *s->weight);
    s->sum = sg_calloc(SG_EFFECT_FOLDS * (bins + listed), sizeof *s->sum);
    bool ok = sg_effect_init(&s->table, input, bins, listed) && s->rank_bin && s->bin_of && s->weight && s->sum;
    if (ok) layout_bins(s, value, rank_bin, n, list);
    else sg_effect_sums_release(s);
    free(rank_bin);
    return ok;
}

/* --- sums --- */

void sg_effect_sums_add(sg_effect_sums *s, size_t fold, double value, double weight, double residual)
{
    if (isnan(value)) return;
    size_t bins = s->table.bins, at = fold * (bins + s->table.values);
    size_t bin = at + sg_lower_bound(s->table.edge, bins - 1, value), own = sg_effect_find_value(&s->table, value);
    s->weight[bin] += weight;
    s->sum[bin] += weight * residual;
    if (own == s->table.values) return;
    s->weight[at + bins + own] += weight;
    s->sum[at + bins + own] += weight * residual;
}

/* Returns the sum of cells [first, last) over all folds except one. */
static double sum_other_folds(const sg_effect_sums *s, const double *number, size_t except_fold, size_t first,
                              size_t last)
{
    double sum = 0;
    size_t cells = s->table.bins + s->table.values;
    for (size_t fold = 0; fold < SG_EFFECT_FOLDS; fold++)
        for (size_t i = first; fold != except_fold && i < last; i++) sum += number[fold * cells + i];
    return sum;
}

/* Returns the effect of cells [first, last), whose parent group has the effect of_group. */
static double shrunken_effect(const sg_effect_sums *s, size_t except_fold, size_t first, size_t last, double of_group)
{
    double weight = sum_other_folds(s, s->weight, except_fold, first, last),
           sum = sum_other_folds(s, s->sum, except_fold, first, last);
    return of_group + (sum - weight * of_group) / (weight + shrink);
}

/* Fits bins [first, last), which form one group: recursively, in subgroups with equal rank_bin >> bits. */
static void fit_bins(const sg_effect_sums *s, size_t except_fold, size_t first, size_t last, int bits, double of_group,
                     double *effect)
{
    for (size_t i = first, end; i < last; i = end) {
        for (end = i + 1; end < last && s->rank_bin[end] >> bits == s->rank_bin[i] >> bits;) end++;
        bool all = i == first && end == last && bits < 4; /* the subgroup is the whole group */
        double here = all ? of_group : shrunken_effect(s, except_fold, i, end, of_group);
        if (bits) fit_bins(s, except_fold, i, end, bits - 2, here, effect);
        else effect[i] = here;
    }
}

bool sg_effect_sums_solve(const sg_effect_sums *s, size_t except_fold, sg_effect *out)
{
    if (!sg_effect_copy(&s->table, out)) return false;
    fit_bins(s, except_fold, 0, out->bins, 4, 0, out->bin_effect);
    for (size_t i = 0; i < out->values; i++)
        out->value_effect[i] =
            shrunken_effect(s, except_fold, out->bins + i, out->bins + i + 1, out->bin_effect[s->bin_of[i]]);
    return true;
}
