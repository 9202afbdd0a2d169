/* numeric_effect.c: lookup tables of the effect of numeric inputs on the target, by bin and by value. */
#include "prep/numeric_effect.h"

#include "base/memory.h"
#include "base/random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the total length of the four arrays. Both counts are bounded, so nothing overflows. */
static size_t array_length(const sg_effect *e) { return 2 * e->bins - 1 + 2 * e->values; }

bool sg_effect_init(sg_effect *e, size_t input, size_t bins, size_t values)
{
    *e = (sg_effect){.input = input, .bins = bins, .values = values};
    e->edge = sg_calloc(array_length(e), sizeof *e->edge);
    if (!e->edge) return false;
    e->bin_effect = e->edge + bins - 1;
    e->value = e->bin_effect + bins;
    e->value_effect = e->value + values;
    return true;
}

bool sg_effect_copy(const sg_effect *e, sg_effect *out)
{
    if (!sg_effect_init(out, e->input, e->bins, e->values)) return false;
    memcpy(out->edge, e->edge, array_length(e) * sizeof *e->edge);
    return true;
}

void sg_effect_release(sg_effect *e)
{
    free(e->edge);
    *e = (sg_effect){0};
}

static bool is_increasing(const double *number, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!(number[i] > number[i - 1])) return false;
    return true;
}

const char *sg_effect_validate(const sg_effect *e)
{
    if (!is_increasing(e->edge, e->bins - 1)) return "edges must be increasing";
    return is_increasing(e->value, e->values) ? NULL : "values must be increasing";
}

size_t sg_lower_bound(const double *number, size_t n, double x)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (number[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

size_t sg_effect_find_value(const sg_effect *e, double x)
{
    size_t i = sg_lower_bound(e->value, e->values, x);
    return i < e->values && e->value[i] == x ? i : e->values;
}

static size_t find_bin(const sg_effect *e, double x) { return sg_lower_bound(e->edge, e->bins - 1, x); }

double sg_effect_eval(const sg_effect *e, double x)
{
    if (isnan(x)) return x;
    size_t i = sg_effect_find_value(e, x);
    return i < e->values ? e->value_effect[i] : e->bin_effect[find_bin(e, x)];
}

/* The bin of x contains listed values if and only if it contains the next smaller or the next larger listed value. */
bool sg_effect_is_unlisted(const sg_effect *e, double x)
{
    size_t i = sg_lower_bound(e->value, e->values, x), bin = find_bin(e, x);
    if (isnan(x) || (i < e->values && e->value[i] == x)) return false;
    return (i > 0 && find_bin(e, e->value[i - 1]) == bin) || (i < e->values && find_bin(e, e->value[i]) == bin);
}

void sg_effect_folds_free(sg_effect_folds *f)
{
    if (!f) return;
    for (size_t i = 0; f->effect && i < SG_EFFECT_FOLDS * f->effects; i++) sg_effect_release(&f->effect[i]);
    free(f->effect);
    free(f);
}

size_t sg_effect_fold_of_row(uint64_t seed, size_t row)
{
    return sg_random(seed, SG_RANDOM_EFFECT_FOLDS, 0, row, 0).word[0] % SG_EFFECT_FOLDS;
}
