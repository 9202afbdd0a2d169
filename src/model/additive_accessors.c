/* additive_accessors.c: accessors of the public API for the constant, curves and pairs. */
#include "model/model.h"

double sg_model_mean(const sg_model *m, size_t output)
{
    return output < m->outputs ? sg_model_constant(m, output) : 0;
}

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
