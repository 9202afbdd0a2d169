/* additive_model.h: handwritten additive models for tests. */
#pragma once

#include "base/memory.h"
#include "model/model.h"
#include "test.h"

/* A curve of a handwritten model. */
typedef struct curve_spec {
    size_t input, cells;
    int monotone;
    double knot[20], value[21]; /* value[cells] is for missing values */
    uint32_t term[5];
    size_t terms;
} curve_spec;

typedef struct pair_spec {
    size_t first, second; /* curves */
    double value[25];
} pair_spec;

static inline bool is_category(const sg_model *m, size_t input) { return sg_model_levels(m, input) > 0; }

/* Adds an additive part to a model. With `stats`, standard errors are a tenth of the values plus 0.1, and cells have
 * equal shares, apart from one percent for missing values. Second outputs are -0.5 times the first, of pairs 2 times.
 */
static inline void add_additive_part(sg_model *m, const curve_spec *curve, size_t curves, const pair_spec *pair,
                                     size_t pairs, bool stats)
{
    sg_additive *s = m->additive = sg_additive_new(m->outputs, curves, pairs);
    assert_non_null(s);
    for (size_t i = 0; i < curves; i++) {
        const curve_spec *c = &curve[i];
        sg_additive_add_curve(s, c->input, sg_model_first_feature(m, c->input), c->cells, is_category(m, c->input));
        s->curve[i].monotone = c->monotone;
        if (c->terms) assert_true(sg_curve_set_terms(&s->curve[i], c->term, c->terms));
        if (stats) assert_true(sg_curve_alloc_stats(&s->curve[i], m->outputs));
    }
    for (size_t i = 0; i < pairs; i++) sg_additive_add_pair(s, pair[i].first, pair[i].second);
    check(sg_model_alloc_theta(m));
    for (size_t i = 0; i < curves; i++) {
        sg_curve *c = &s->curve[i];
        for (size_t k = 0; !c->is_category && k < c->cells; k++) c->knot[k] = curve[i].knot[k];
        for (size_t k = 0; k <= c->cells; k++)
            for (size_t o = 0; o < m->outputs; o++)
                c->value[k * m->outputs + o] = curve[i].value[k == c->cells ? c->cells : k] * (o ? -0.5 : 1);
        for (size_t k = 0; stats && k <= c->cells; k++) {
            c->share[k] = k < c->cells ? 0.99 / (double)c->cells : 0.01;
            for (size_t o = 0; o < m->outputs; o++)
                c->band[k * m->outputs + o] = 0.1 + 0.1 * fabs(c->value[k * m->outputs + o]);
        }
    }
    for (size_t i = 0; i < pairs; i++)
        for (size_t k = 0; k < sg_pair_cells(s, &s->pair[i]); k++)
            for (size_t o = 0; o < m->outputs; o++)
                s->pair[i].value[k * m->outputs + o] = pair[i].value[k] * (o ? 2 : 1);
}

/* Eight numeric inputs, eight pairs. */
static inline sg_model *concrete_model(void)
{
    static const char *const input[] = {"cement",           "slag",           "fly_ash", "water", "superplasticizer",
                                        "coarse_aggregate", "fine_aggregate", "age"};
    static const char *const output[] = {"strength"};
    static const double low[] = {102, 0, 0, 121.8, 0, 801, 594, 1},
                        high[] = {540, 359.4, 200.1, 247, 32.2, 1145, 992.6, 365};
    static const double deviation[] = {8.93, 7.21, 4.02, 4.11, 1.62, 0.88, 0.61, 0.14};
    static const curve_spec curve[] = {
        {7, 7, 1, {1, 3, 7, 14, 28, 90, 365}, {-18.31, -12.04, -7.66, -2.21, 3.35, 10.1, 12.13, 0}, {1, 4, 5}, 3},
        {0,
         7,
         1,
         {102, 155, 192.4, 272.9, 350, 425, 540},
         {-11.2, -8.1, -5.55, 0.04, 4.9, 9.31, 15.22, -2.1},
         {1, 3, 5},
         3},
        {3, 5, -1, {121.8, 164.9, 185, 192, 247}, {8.2, 3.3, -0.4, -2.2, -6.05, 0}, {0, 2, 4}, 3},
        {1, 5, 0, {0, 22, 94, 142.95, 359.4}, {-4.2, -2.6, 1.1, 4.12, 9.3, 0}, {0, 2, 4}, 3},
        {4, 5, 0, {0, 5.2, 8.0, 10.2, 32.2}, {-2.9, 0.9, 1.7, 2.05, -1.2, 0}, {0, 2, 4}, 3},
        {2, 3, 0, {0, 118.3, 200.1}, {0.4, -0.9, 2.3, 0}, {0, 1, 2}, 3},
        {6, 5, 0, {594, 730.9, 779.5, 824, 992.6}, {1.3, 0.55, -0.2, -0.61, -1.4, 0}, {0, 2, 4}, 3},
        {5, 3, 0, {801, 968, 1145}, {0.31, -0.05, 0.12, 0}, {0}, 0},
    };
    static const pair_spec pair[] = {
        {0, 1, {-1.2, 0.3, 1.1, 0.4, -0.2, 0.1, 1.6, -0.3, -2.2}},
        {1, 2, {2.2, 0.1, -1.4, 0, 0.2, 0.31, -1.9, 0.4, 1.3}},
        {0, 3, {-1.1, 0, 1, 0.2, 0, -0.1, 0.7, 0.1, -0.8}},
        {1, 3, {0.5, 0, -0.5, 0, 0, 0, -0.7, 0, 0.7}},
        {2, 4, {0.4, 0, -0.4, 0, 0.1, 0, -0.2, 0, 0.2}},
        {4, 5, {0.3, 0, -0.3, 0, 0, 0, -0.15, 0, 0.15}},
        {0, 5, {0.2, 0, -0.2, 0, 0, 0, -0.15, 0, 0.15}},
        {1, 6, {0.1, 0, -0.1, 0, 0, 0, -0.15, 0, 0.15}},
    };
    sg_model *m;
    check(sg_model_new(input, 8, output, 1, &m));
    memcpy(m->low, low, sizeof low);
    memcpy(m->high, high, sizeof high);
    for (size_t k = 0; k < 8; k++) m->feature_mean[k] = 0.6 * low[k] + 0.4 * high[k];
    m->mean[0] = 35.82;
    m->clip_low[0] = 2.33;
    m->clip_high[0] = 82.6;
    add_additive_part(m, curve, 8, pair, 8, true);
    for (size_t i = 0; i < 8; i++) m->additive->curve[i].deviation[0] = deviation[i];
    return m;
}
