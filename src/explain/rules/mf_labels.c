/* mf_labels.c: labels membership functions as "low", "medium" or "high" by the quantiles of the training rows. */
#include "explain/rules/mf_labels.h"

#include "explain/additive/curve_term_names.h"
#include "explain/global/rule_centroid_pd.h"

#include <string.h>

enum { MAX_MFS = 5 };
static const char *const scale_of_five[] = {"very low", "low", "medium", "high", "very high"};
static const char *const scale_of_three[] = {"low", "low", "medium", "high", "high"};

bool sg_mf_labels_are_unique(const sg_original_units *u, const sg_block *b)
{
    size_t conditions = 0;
    if (!u->model->quantile) return true;
    for (size_t i = 0; i < b->rules * b->inputs; i++) conditions += b->mf_of[i] >= 0;
    return b->mfs < conditions;
}

/* Returns the place of x among the quantiles of a feature, from 0, very low, to 4, very high. */
static size_t quantile_bin(const sg_model *m, size_t feature, double x)
{
    double q[SG_QUANTILE_COUNT];
    sg_model_feature_quantiles(m, feature, q);
    if (x <= q[1]) return x <= q[0] ? 0 : 1;
    if (x >= q[3]) return x >= q[4] ? 4 : 3;
    return 2;
}

const char *sg_quantile_label(const sg_model *m, size_t feature, double x)
{
    return scale_of_five[quantile_bin(m, feature, x)];
}

/* --- MFs of an input --- */

typedef struct input_mfs {
    size_t count, bin[MAX_MFS]; /* number of MFs, and the quantile bin of each       */
    size_t below, self;         /* number of MFs left of the one to label; its index */
} input_mfs;

static double mf_location_of(const sg_original_units *u, const sg_block *b, size_t mf)
{
    double p[SG_MF_MAX_PARAMETERS];
    sg_original_units_mf(u, b, mf, p);
    return sg_mf_location(b->kind, p);
}

/* Finds all MFs over the input of `mf`. Returns false if there are too many to label. */
static bool find_mfs(const sg_original_units *u, const sg_block *b, size_t mf, long input, input_mfs *out)
{
    double centre = mf_location_of(u, b, mf);
    *out = (input_mfs){0};
    for (size_t i = 0; i < b->mfs; i++) {
        if (b->input_of[i] != b->input_of[mf]) continue;
        if (out->count == MAX_MFS) return false;
        double other = mf_location_of(u, b, i);
        if (i == mf) out->self = out->count;
        out->below += other < centre || (other == centre && i < mf);
        out->bin[out->count++] = input < 0 ? 0 : quantile_bin(u->model, (size_t)input, other);
    }
    return true;
}

/* Returns the number of MFs with the label of MF i. */
static size_t count_same_label(const input_mfs *t, const char *const *scale, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < t->count; k++) n += strcmp(scale[t->bin[k]], scale[t->bin[i]]) == 0;
    return n;
}

static size_t count_unique_labels(const input_mfs *t, const char *const *scale)
{
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) n += count_same_label(t, scale, i) == 1;
    return n;
}

static const char *label_by_order(const input_mfs *t) { return sg_term_name(t->count, t->below); }

/* Uses the scale of five only if it gives more unique labels than the scale of three: two MFs at the ends need no
 * "very". */
const char *sg_mf_label(const sg_original_units *u, const sg_block *b, size_t mf)
{
    long input = sg_original_units_input(u, b->input_of[mf]);
    input_mfs t;
    if (input >= 0 && !(u->model->low[input] < u->model->high[input])) input = -1;
    if (!find_mfs(u, b, mf, input, &t) || t.count < 2) return NULL;
    if (input < 0) return label_by_order(&t);
    const char *const *scale = count_unique_labels(&t, scale_of_five) > count_unique_labels(&t, scale_of_three)
                                   ? scale_of_five
                                   : scale_of_three;
    return count_same_label(&t, scale, t.self) == 1 ? scale[t.bin[t.self]] : NULL;
}
