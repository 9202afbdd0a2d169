/* explained_models.h: handwritten additive models, built in memory, for tests of texts. */
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
 * equal shares, apart from one percent for missing values. The second output has a 200th of the
 * curves, and a 100th of the pairs, of the first. */
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
                c->value[k * m->outputs + o] = curve[i].value[k == c->cells ? c->cells : k] * (o ? 0.005 : 1);
        for (size_t k = 0; stats && k <= c->cells; k++) {
            c->share[k] = k < c->cells ? 0.99 / (double)c->cells : 0.01;
            for (size_t o = 0; o < m->outputs; o++)
                c->band[k * m->outputs + o] = 0.1 + 0.1 * fabs(c->value[k * m->outputs + o]);
        }
    }
    for (size_t i = 0; i < pairs; i++)
        for (size_t k = 0; k < sg_pair_cells(s, &s->pair[i]); k++)
            for (size_t o = 0; o < m->outputs; o++)
                s->pair[i].value[k * m->outputs + o] = pair[i].value[k] * (o ? 0.01 : 1);
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

/* A category with rare levels and a pooled one, a curve with many knots, an input without a visible effect, two
 * targets, a pair with a category, and a rest of two rules. */
static inline sg_model *house_model(void)
{
    static const char *const level[] = {"north", "south", "harbour", "old_town", "hills", "west"};
    static const char *const output[] = {"price", "rent"};
    const char *feature[10];
    sg_model *m;
    sg_encoder *c = sg_encoder_new();
    assert_non_null(c);
    check(sg_encoder_add_category(c, "district", level, 6, true));
    check(sg_encoder_add_number(c, "area"));
    check(sg_encoder_add_number(c, "year"));
    check(sg_encoder_add_number(c, "noise"));
    for (size_t k = 0; k < 10; k++) assert_non_null(feature[k] = sg_encoder_feature_name(c, k));
    check(sg_model_new(feature, 10, output, 2, &m));
    for (size_t k = 0; k < 10; k++) free((char *)feature[k]);
    m->encoder = c;
    static const double low[] = {20, 1890, 30}, high[] = {300, 2020, 90};
    for (size_t k = 0; k < 10; k++) {
        m->low[k] = k < 7 ? 0 : low[k - 7];
        m->high[k] = k < 7 ? 1 : high[k - 7];
        m->feature_mean[k] = k < 7 ? 1. / 7 : (low[k - 7] + high[k - 7]) / 2;
    }
    static const curve_spec curve[] = {
        {0, 7, 0, {0}, {-21000, -4200, 38500, 9100, 15200, 61000, -47000, -3300}, {0, 1, 2, 3}, 4},
        {1,
         12,
         1,
         {20, 33.5, 41, 52, 60.25, 71, 80, 95, 110, 140, 190, 300},
         {-98000, -81000, -70500, -52000, -41000, -25000, -11000, 9500, 31000, 72000, 118000, 161000, 0},
         {0, 3, 7, 11},
         4},
        {2,
         7,
         0,
         {1890, 1920, 1950, 1970, 1985, 2000, 2020},
         {22000, -4000, -31000, -26000, 1500, 14000, 35500, 0},
         {0},
         0},
        {3, 2, 0, {30, 90}, {12, -15, 0}, {0}, 0},
    };
    static const pair_spec pair[] = {
        {1, 0, {-9000, 2000, -12000, 0, -2500, 500, -3000, 0, 3100, -900, 8000, 0, 15000, -4000, 26000, 0}}};
    check(sg_model_add_block(m, sg_mf_find("gauss"), 2, 2, 0));
    add_additive_part(m, curve, 4, pair, 1, true);
    static const double share[] = {0.3, 0.28, 0.2, 0.1, 0.1, 0.006, 0.004};
    for (size_t k = 0; k < 7; k++) m->additive->curve[0].share[k] = share[k];
    for (size_t i = 0; i < 4; i++) m->additive->curve[i].deviation[0] = (double[]){19000, 64000, 21000, 9}[i];
    for (size_t i = 0; i < 4; i++) m->additive->curve[i].deviation[1] = (double[]){95, 320, 105, 0.045}[i];
    m->additive->curve[2].band[0] = 15000; /* very low, price */
    for (size_t k = 0; k < 2; k++) {
        m->block[0].input_of[k] = 7;
        m->block[0].mf_of[k * 10 + 7] = (int32_t)k;
        sg_mf_put(&m->block[0], k, k ? (double[]){250, 40} : (double[]){60, 40});
        for (size_t o = 0; o < 2; o++) m->block[0].conseq[k * 22 + o] = k ? 8000 : -500;
        for (size_t o = 0; o < 2; o++) m->block[0].conseq[k * 22 + 2 * 9 + o] = k ? -4 : 0;
    }
    m->mean[0] = 312400;
    m->mean[1] = 1596;
    return m;
}

/* Compares a text with the golden file tests/explain/additive/<name>, or writes the file if UPDATE is set. */
static inline void expect_golden(const char *name, const char *text)
{
    char path[4096], *expected;
    snprintf(path, sizeof path, "%s/explain/additive/%s", TESTS_DIR, name);
    FILE *f = fopen(path, getenv("UPDATE") ? "w+" : "r");
    if (!f) fail_msg("cannot open %s", path);
    if (getenv("UPDATE")) assert_true(fputs(text, f) >= 0);
    rewind(f);
    expected = calloc(1, 1 << 20);
    assert_non_null(expected);
    expected[fread(expected, 1, (1 << 20) - 1, f)] = '\0';
    fclose(f);
    if (strcmp(text, expected) != 0) fail_msg("%s differs from:\n%s", path, text);
    free(expected);
}
