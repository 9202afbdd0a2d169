/* additive_accessors.c: accessors of the public API for curves, pairs and the reading cost of a model. */
#include "model/model.h"

size_t sg_model_curves(const sg_model *m) { return m->additive ? m->additive->curves : 0; }

size_t sg_model_pairs(const sg_model *m) { return m->additive ? m->additive->pairs : 0; }

int sg_model_curve(const sg_model *m, size_t i, sg_curve_view *out)
{
    if (i >= sg_model_curves(m)) return 0;
    const sg_curve *c = &m->additive->curve[i];
    *out = (sg_curve_view){.input = c->input,
                           .cells = c->cells,
                           .knot = c->is_category ? NULL : c->knot,
                           .value = c->value,
                           .standard_error = c->band,
                           .share = c->share,
                           .importance = c->deviation,
                           .monotone = c->monotone};
    return 1;
}

int sg_model_pair(const sg_model *m, size_t i, sg_pair_view *out)
{
    if (i >= sg_model_pairs(m)) return 0;
    const sg_pair *p = &m->additive->pair[i];
    const sg_curve *first = &m->additive->curve[p->curve[0]], *second = &m->additive->curve[p->curve[1]];
    *out = (sg_pair_view){.input = {first->input, second->input},
                          .curve = {p->curve[0], p->curve[1]},
                          .terms = {first->terms, second->terms},
                          .cell = {first->term, second->term},
                          .value = p->value,
                          .importance = p->deviation};
    return 1;
}

/* --- reading cost --- */

/* Returns how many of n cells have a number that is not 0 for any output. */
static size_t count_cells(const double *value, size_t n, size_t outputs)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool any = false;
        for (size_t o = 0; o < outputs; o++) any = any || value[i * outputs + o] != 0;
        count += any;
    }
    return count;
}

static size_t additive_cost(const sg_additive *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->curves; i++)
        n += s->curve[i].cells + count_cells(s->curve[i].value, s->curve[i].cells + 1, s->outputs);
    for (size_t i = 0; i < s->pairs; i++) n += count_cells(s->pair[i].value, sg_pair_cells(s, &s->pair[i]), s->outputs);
    return n;
}

/* Returns the number of MFs that a rule uses. */
static size_t count_mfs(const sg_block *b)
{
    size_t used = 0;
    for (size_t mf = 0; mf < b->mfs; mf++) {
        bool any = false;
        for (size_t r = 0; !any && r < b->rules; r++) any = b->mf_of[r * b->inputs + b->input_of[mf]] == (int32_t)mf;
        used += any;
    }
    return used;
}

static size_t block_cost(const sg_block *b)
{
    size_t n = count_mfs(b);
    for (size_t i = 0; i < b->rules * b->inputs; i++) n += b->mf_of[i] >= 0;
    n += count_cells(b->low_rank, b->rules * b->rank * b->inputs, 1);
    return n + count_cells(b->conseq, b->rules * (b->terms + 1) * b->outputs, 1);
}

size_t sg_model_reading_cost(const sg_model *m)
{
    size_t n = m->additive ? additive_cost(m->additive) : 0;
    for (size_t b = 0; b < m->blocks; b++) n += block_cost(&m->block[b]);
    return n;
}
