/* labels.c: see labels.h. */
#include "explain/labels.h"

#include "explain/findings.h"

#include <string.h>

enum { MOST_TERMS = 5 };
static const char *const scale_of_five[] = {"very low", "low", "medium", "high", "very high"};
static const char *const scale_of_three[] = {"low", "low", "medium", "high", "high"};

bool sg_terms_ordered(const sg_units *u, const sg_block *b)
{
    size_t conditions = 0;
    if (!u->model->quantile) return true;
    for (size_t i = 0; i < b->rules * b->inputs; i++) conditions += b->mf_of[i] >= 0;
    return b->mfs < conditions;
}

/* 0 to 4. */
static size_t place_of(const sg_model *m, size_t feature, double x)
{
    double q[SG_QUANTILES];
    sg_quantiles_of(m, feature, q);
    if (x <= q[1]) return x <= q[0] ? 0 : 1;
    if (x >= q[3]) return x >= q[4] ? 4 : 3;
    return 2;
}

const char *sg_place_label(const sg_model *m, size_t feature, double x)
{
    return scale_of_five[place_of(m, feature, x)];
}

/* --- the terms of an input --- */

/* The MFs of one input. */
typedef struct terms {
    size_t count, place[MOST_TERMS]; /* of each among the training rows */
    size_t below, self;              /* how many come before the one that is asked for, and which one that is */
} terms;

static double centre_of(const sg_units *u, const sg_block *b, size_t mf)
{
    double p[SG_MF_PARAMETERS];
    sg_units_mf(u, b, mf, p);
    return sg_term_place(b->kind, p);
}

/* False where there are too many to tell them apart. */
static bool find_terms(const sg_units *u, const sg_block *b, size_t mf, long input, terms *out)
{
    double centre = centre_of(u, b, mf);
    *out = (terms){0};
    for (size_t i = 0; i < b->mfs; i++) {
        if (b->input_of[i] != b->input_of[mf]) continue;
        if (out->count == MOST_TERMS) return false;
        double other = centre_of(u, b, i);
        if (i == mf) out->self = out->count;
        out->below += other < centre || (other == centre && i < mf);
        out->place[out->count++] = input < 0 ? 0 : place_of(u->model, (size_t)input, other);
    }
    return true;
}

/* How many MFs have the label of MF i. */
static size_t as_many(const terms *t, const char *const *scale, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < t->count; k++) n += strcmp(scale[t->place[k]], scale[t->place[i]]) == 0;
    return n;
}

static size_t told_apart(const terms *t, const char *const *scale)
{
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) n += as_many(t, scale, i) == 1;
    return n;
}

static const char *by_order(const terms *t)
{
    static const char *const words[MOST_TERMS + 1][MOST_TERMS] = {
        {0},
        {0},
        {"low", "high"},
        {"low", "medium", "high"},
        {"very low", "low", "high", "very high"},
        {"very low", "low", "medium", "high", "very high"},
    };
    return words[t->count][t->below];
}

/* The scale of five where it tells more of them apart than that of three, which two MFs at the ends need not be "very".
 */
const char *sg_term_label(const sg_units *u, const sg_block *b, size_t mf)
{
    long input = sg_units_input(u, b->input_of[mf]);
    terms t;
    if (input >= 0 && !(u->model->low[input] < u->model->high[input])) input = -1;
    if (!find_terms(u, b, mf, input, &t) || t.count < 2) return NULL;
    if (input < 0) return by_order(&t);
    const char *const *scale =
        told_apart(&t, scale_of_five) > told_apart(&t, scale_of_three) ? scale_of_five : scale_of_three;
    return as_many(&t, scale, t.self) == 1 ? scale[t.place[t.self]] : NULL;
}
