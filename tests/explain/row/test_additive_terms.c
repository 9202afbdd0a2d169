/* test_additive_terms.c: explanations of additive models add up to the prediction to the last bit, and each term is
 * what its curve or pair adds. */
#include "base/random/random.h"
#include "explained_models.h"

enum { LEVELS = 3 };

/* --- random models --- */

/* A category with three levels, one of which is pooled with unlisted ones, and numeric inputs. */
static sg_model *new_mixed_model(size_t outputs)
{
    static const char *const level[] = {"red", "green"};
    static const char *const feature[] = {"colour is red", "colour is green", "colour is other", "a", "b", "c"};
    static const char *const output[] = {"y", "second"};
    sg_model *m;
    check(sg_model_new(feature, 6, output, outputs, &m));
    assert_non_null(m->encoder = sg_encoder_new());
    check(sg_encoder_add_category(m->encoder, "colour", level, 2, true));
    for (size_t i = 3; i < 6; i++) check(sg_encoder_add_number(m->encoder, feature[i]));
    for (size_t k = 0; k < 6; k++) {
        m->low[k] = k < LEVELS ? 0 : -2;
        m->high[k] = k < LEVELS ? 1 : 2;
        m->feature_mean[k] = k < LEVELS ? 0.3 : 0.2 * (double)k;
    }
    return m;
}

static double random_number(sg_random_stream *s) { return 10 * sg_random_stream_normal(s); }

static void fill_curve(curve_spec *c, sg_random_stream *s)
{
    double x = -2;
    for (size_t k = 0; k < c->cells; k++) c->knot[k] = x += 0.1 + sg_random_stream_uniform(s);
    for (size_t k = 0; k <= c->cells; k++) c->value[k] = random_number(s);
}

/* Three curves (the last input has none), two pairs, and with `rules` a rest of four rules. */
static sg_model *random_model(size_t outputs, bool rules, bool clip, sg_random_stream *s)
{
    curve_spec curve[] = {{.input = 0, .cells = LEVELS, .term = {0, 2}, .terms = 2},
                          {.input = 1, .cells = 5, .term = {0, 2, 4}, .terms = 3},
                          {.input = 2, .cells = 12, .term = {1, 6, 11}, .terms = 3}};
    pair_spec pair[] = {{.first = 0, .second = 1}, {.first = 2, .second = 1}};
    sg_model *m = new_mixed_model(outputs);
    for (size_t i = 0; i < 3; i++) fill_curve(&curve[i], s);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 9; k++) pair[i].value[k] = random_number(s);
    if (rules) check(sg_model_add_block(m, sg_mf_find("gauss"), 6, 4, 0));
    add_additive_part(m, curve, 3, pair, 2, true);
    for (size_t k = 0; rules && k < 6; k++) {
        sg_block *b = &m->block[0];
        b->input_of[k] = (uint32_t)k;
        for (size_t r = 0; r < 4; r++) b->mf_of[r * 6 + k] = (r + k) % 2 ? (int32_t)k : -1;
        sg_mf_put(b, k, (double[]){random_number(s) / 10, 0.5});
    }
    for (size_t i = 0; rules && i < 4 * 7 * outputs; i++) m->block[0].conseq[i] = random_number(s);
    for (size_t o = 0; o < outputs; o++) {
        m->mean[o] = 35.82;
        m->scale[o] = 2.5;
        m->y0[o] = 0.3;
        if (clip) m->clip_low[o] = 30;
        if (clip) m->clip_high[o] = 50;
    }
    return m;
}

/* Inputs: a level, an unknown level or a missing one; numbers within and beyond the knots, at a knot, or missing. */
static void random_row(const sg_model *m, sg_random_stream *s, double x[4])
{
    static const double level[] = {0, 1, 2, 7, NAN};
    x[0] = level[(size_t)(5 * sg_random_stream_uniform(s))];
    for (size_t i = 1; i < 4; i++) {
        double u = sg_random_stream_uniform(s);
        x[i] = u < 0.2 ? (double)NAN : u < 0.3 ? m->additive->curve[1].knot[2] : 6 * sg_random_stream_uniform(s) - 3;
    }
}

/* --- checks --- */

static void adds_up(const double *term, size_t n, double prediction)
{
    double sum = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(isfinite(term[i]));
        sum += term[i];
        size += i + 1 < n ? fabs(term[i]) : 0;
    }
    if (sum != prediction) fail_msg("%.17g is not %.17g", sum, prediction);
    if (fabs(term[n - 1]) > 1e-13 * size) fail_msg("rounding %g of %g", term[n - 1], size);
}

/* Compares a term with the change of the prediction if its numbers become 0. Predictions must not be clipped. */
static void is_change_without(const sg_model *m, double *value, size_t n, const double *x, size_t o, double term)
{
    double y[2], without[2], saved[64];
    check(sg_model_predict(m, x, 1, y));
    memcpy(saved, value, n * sizeof *value);
    memset(value, 0, n * sizeof *value);
    check(sg_model_predict(m, x, 1, without));
    memcpy(value, saved, n * sizeof *value);
    assert_close(term, y[o] - without[o], 1e-11);
}

static void check_parts(const sg_model *m, const sg_explainer *e, const sg_explanation *out, const double *x)
{
    const sg_additive *s = m->additive;
    const sg_term *term;
    size_t parts = 0;
    for (size_t i = 0; (term = sg_explainer_term(e, SG_BY_RULE, i)); i++) {
        if (term->kind == SG_TERM_CURVE) {
            sg_curve *c = &s->curve[term->part];
            assert_int_equal(term->input, c->input);
            for (size_t o = 0; o < m->outputs; o++)
                is_change_without(m, c->value, (c->cells + 1) * m->outputs, x, o, out[o].by_rule[i]);
        }
        if (term->kind == SG_TERM_PAIR) {
            sg_pair *p = &s->pair[term->part];
            assert_string_equal(term->name, term->part ? "b and a" : "colour and a");
            for (size_t o = 0; o < m->outputs; o++)
                is_change_without(m, p->value, sg_pair_cells(s, p) * m->outputs, x, o, out[o].by_rule[i]);
        }
        parts += term->kind == SG_TERM_CURVE || term->kind == SG_TERM_PAIR;
    }
    assert_int_equal(parts, 5);
}

static void check_json(const sg_model *m, const sg_explainer *e)
{
    char *text;
    size_t lists = 0;
    double sum = 0, prediction = NAN;
    check(sg_explainer_json(e, 1, &text));
    for (const char *at = text; (at = strpbrk(at, "\"")); at++) {
        if (strncmp(at, "\"prediction\": ", 14) == 0) prediction = strtod(at + 14, NULL);
        if (strncmp(at, "\"adds\": ", 8) != 0) continue;
        char *end;
        sum += strtod(at + 8, &end);
        if (strncmp(end, "}]", 2) != 0) continue;
        if (sum != prediction) fail_msg("%.17g is not %.17g in\n%s", sum, prediction, text);
        sum = 0;
        lists++;
    }
    assert_int_equal(lists, 2 * m->outputs);
    sg_string_free(text);
}

static void check_row(const sg_model *m, sg_explainer *e, const double *x, bool clip)
{
    double y[2];
    const sg_explanation *out = sg_explainer_row(e, x);
    check(sg_model_predict(m, x, 1, y));
    for (size_t o = 0; o < m->outputs; o++) {
        if (out[o].prediction != y[o]) fail_msg("%.17g is predicted, not %.17g", y[o], out[o].prediction);
        adds_up(out[o].by_rule, sg_explainer_terms(e, SG_BY_RULE), y[o]);
        adds_up(out[o].by_input, sg_explainer_terms(e, SG_BY_INPUT), y[o]);
    }
    check_json(m, e);
    if (!clip) check_parts(m, e, out, x);
}

static void adds_up_for_random_models(void **state)
{
    sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        sg_model *m = random_model(1 + i % 2, i / 2 % 2, i / 4 % 2, &s);
        sg_explainer *e;
        check(sg_explainer_new(m, &e));
        for (size_t row = 0; row < 40; row++) {
            double x[4];
            random_row(m, &s, x);
            check_row(m, e, x, i / 4 % 2);
        }
        sg_explainer_free(e);
        sg_model_free(m);
    }
}

/* --- text --- */

static void expect_text(sg_explainer *e, const double *x, const char *name)
{
    char *text;
    sg_explainer_row(e, x);
    check(sg_explainer_text(e, 3, &text));
    expect_golden(name, text);
    sg_string_free(text);
}

static void lists_terms_by_size(void **state)
{
    sg_model *m = concrete_model();
    sg_explainer *e;
    (void)state;
    check(sg_explainer_new(m, &e));
    expect_text(e, (double[]){NAN, 0, 20, 192, 8, 968, 700, 1}, "explain_concrete.txt");
    expect_text(e, (double[]){102, 0, 118.3, 247, 40, 968, 992.6, 1}, "explain_clipped.txt");
    sg_explainer_free(e);
    sg_model_free(m);
    m = house_model();
    check(sg_explainer_new(m, &e));
    expect_text(e, (double[]){2, 280, 1964, 70}, "explain_house.txt");
    sg_explainer_free(e);
    sg_model_free(m);
}

/* --- importance and partial dependence --- */

static sg_table *make_rows(const sg_model *m, size_t n, sg_random_stream *s)
{
    static const char *const column[] = {"colour", "a", "b", "c"};
    double *v = calloc(n, 4 * sizeof *v);
    sg_table *t;
    assert_non_null(v);
    for (size_t i = 0; i < n; i++) {
        random_row(m, s, v + 4 * i);
        v[4 * i] = 1;
    }
    check(sg_table_new(column, 4, v, n, &t));
    free(v);
    return t;
}

static void measures_importance(void **state)
{
    sg_random_stream s = sg_random_stream_at(6, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (int rules = 0; rules < 2; rules++) {
        sg_model *m = random_model(1, rules, false, &s);
        sg_table *t = make_rows(m, 50, &s);
        sg_source rows = sg_table_source(t);
        sg_input_importance inputs[4];
        sg_rule_importance rule[4];
        double y[3], at[] = {-1, 0, 1};
        check(sg_model_importance(m, &rows, 1, inputs, rule, NULL));
        assert_true(inputs[1].contribution > 0 && inputs[1].permutation > 0);
        assert_true((inputs[3].contribution > 0) == rules &&
                    (inputs[3].permutation > 0) == rules); /* without a curve */
        check(sg_model_partial_dependence(m, &rows, 2, at, 3, 1, y, NULL));
        assert_true(isfinite(y[0]) && y[0] != y[1]);
        sg_table_free(t);
        sg_model_free(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(adds_up_for_random_models),
    cmocka_unit_test(lists_terms_by_size),
    cmocka_unit_test(measures_importance),
};
TEST_GROUP(tests, NULL, NULL)
