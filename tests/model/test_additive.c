/* test_additive.c: the additive part of a model against the sum over its rules, written out. labels: memory arithmetic
 */
#include "additive_model.h"
#include "base/random/random.h"
#include "model/outside_training.h"
#include "test.h"

enum { INPUTS = 3, OUTPUTS = 2, ROWS = 1000 };

static sg_model *read_model(const char *text)
{
    sg_model *m;
    check(sg_model_from_json(text, strlen(text), "m.json", &m));
    return m;
}

static sg_model *pooled(void) { return read_model(ADDITIVE_MODEL(ADDITIVE_MODEL_POOLED, "")); }
static sg_model *listed(void) { return read_model(ADDITIVE_MODEL(ADDITIVE_MODEL_LISTED, "")); }
static sg_model *with_block(void) { return read_model(ADDITIVE_MODEL(ADDITIVE_MODEL_POOLED, ADDITIVE_MODEL_BLOCK)); }

/* --- the same numbers as rules --- */

static const double knot[] = {1, 7, 28, 90.5}, pair_knot[] = {1, 28, 90.5};
static const double age_then[OUTPUTS][4] = {{-18.3, -7.1, 2.4, 9.9}, {-1, -0.5, 0, 0}};
static const double age_missing[OUTPUTS] = {-2.1, 0.3};
static const double wood_then[OUTPUTS][3] = {{-1.5, 0.5, 1.25}, {0.1, 0.2, -0.3}};
static const double wood_missing[OUTPUTS] = {0.7, 0.9};
static const double pair_then[OUTPUTS][3][3] = {{{0.1, 0.2, -0.3}, {0.4, 0.3, 0}, {0.5, 0.6, 0.7}},
                                                {{-0.2, 0, 0}, {0.1, 0, 0.125}, {0.1, 0.2, 0.3}}};

/* The triangular membership of x in term k of n, with shoulders at both ends. */
static double membership(const double *at, size_t n, size_t k, double x)
{
    double rises = k == 0 ? 1 : (x - at[k - 1]) / (at[k] - at[k - 1]);
    double falls = k + 1 == n ? 1 : (at[k + 1] - x) / (at[k + 1] - at[k]);
    return fmax(0, fmin(1, fmin(rises, falls)));
}

/* The sum over all rules. `wood` is the index of a level; 3 is no level. */
static double sum_of_rules(double age, double wood, size_t o)
{
    double sum = isnan(age) ? age_missing[o] : 0;
    for (size_t k = 0; !isnan(age) && k < 4; k++) sum += membership(knot, 4, k, age) * age_then[o][k];
    if (isnan(wood)) return sum + wood_missing[o];
    if (wood == 3) return sum;
    sum += wood_then[o][(size_t)wood];
    for (size_t k = 0; !isnan(age) && k < 3; k++)
        sum += membership(pair_knot, 3, k, age) * pair_then[o][k][(size_t)wood];
    return sum;
}

static double clipped(double y, size_t o) { return o == 1 && y < -4 ? -4 : y; }

/* Rows with values on, between and outside the knots, missing values and all levels. */
static void make_rows(double *x)
{
    sg_random_stream s = sg_random_stream_at(11, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t i = 0; i < ROWS; i++, x += INPUTS) {
        x[0] = i % 5 == 3 ? knot[i % 4] : i % 11 == 7 ? (double)NAN : -20 + 130 * sg_random_stream_uniform(&s);
        x[1] = i % 13 == 2 ? (double)NAN : (double)sg_random_stream_below(&s, 3);
        x[2] = i % 7 == 4 ? (double)NAN : 100 + 200 * sg_random_stream_uniform(&s);
    }
}

static void equals_the_sum_over_rules(void **state)
{
    static double x[ROWS * INPUTS], y[ROWS * OUTPUTS];
    sg_model *m = pooled();
    (void)state;
    make_rows(x);
    check(sg_model_predict(m, x, ROWS, y));
    for (size_t i = 0; i < ROWS; i++) {
        const double *row = x + i * INPUTS;
        assert_close(y[i * OUTPUTS], 35.8 + sum_of_rules(row[0], row[1], 0), 1e-12);
        assert_close(y[i * OUTPUTS + 1], clipped(-2.25 + 2 * 0.5 + sum_of_rules(row[0], row[1], 1), 1), 1e-12);
    }
    sg_model_free(m);
}

/* The block gives mean + scale (y0 + weight * consequent), in which a missing input is its mean. */
static void adds_to_the_blocks(void **state)
{
    static double x[ROWS * INPUTS], y[ROWS * OUTPUTS];
    static const double share[] = {0.5, 0.25, 0.25}, slope[] = {1.5, 2.5, 3.5};
    sg_model *m = with_block();
    (void)state;
    make_rows(x);
    check(sg_model_predict(m, x, ROWS, y));
    for (size_t i = 0; i < ROWS; i++) {
        double age = x[i * INPUTS], wood = x[i * INPUTS + 1], water = x[i * INPUTS + 2], then = 0.5;
        then += 0.125 * (isnan(age) ? 45.7 : age) - 0.375 * (isnan(water) ? 181 : water);
        for (size_t k = 0; k < 3; k++) then += slope[k] * (isnan(wood) ? share[k] : wood == (double)k);
        assert_close(y[i * OUTPUTS], 35.8 + 0.75 * then + sum_of_rules(age, wood, 0), 1e-11);
        double last = isnan(wood) ? share[2] : wood == 2;
        assert_close(y[i * OUTPUTS + 1], -2.25 + 2 * (0.5 + 0.75 * last) + sum_of_rules(age, wood, 1), 1e-12);
    }
    assert_int_equal(sg_model_rules(m), 1 + 3 + 4 + 9);
    assert_int_equal(sg_model_block_rules(m), 1);
    sg_model_free(m);
}

/* --- special values --- */

static void predict_row(const sg_model *m, double age, double wood, double *y)
{
    check(sg_model_predict(m, (double[]){age, wood, 181}, 1, y));
}

static void an_unknown_level_adds_nothing(void **state)
{
    sg_model *m = listed();
    double y[OUTPUTS];
    (void)state;
    for (double level = 3; level < 1e6; level = level * 7 + 1) {
        predict_row(m, 28, level, y);
        assert_true(y[0] == 35.8 + 2.4);
    }
    sg_model_free(m);
    m = pooled(); /* the last level stands for all others */
    predict_row(m, 28, 7, y);
    assert_close(y[0], 35.8 + 2.4 + 1.25 + 0, 1e-13);
    sg_model_free(m);
}

/* Values at knots and beyond them are those of the file, to the last bit. */
static void is_constant_outside_the_knots(void **state)
{
    sg_model *m = pooled();
    double y[OUTPUTS], low[OUTPUTS], high[OUTPUTS];
    (void)state;
    predict_row(m, 1, (double)NAN, low);
    predict_row(m, 90.5, (double)NAN, high);
    assert_true(low[0] == 35.8 + (0.7 - 18.3) && high[0] == 35.8 + (0.7 + 9.9));
    for (double beyond = 1e-9; beyond < 1e300; beyond *= 1e50) {
        predict_row(m, 1 - beyond, (double)NAN, y);
        assert_memory_equal(y, low, sizeof y);
        predict_row(m, 90.5 + beyond, (double)NAN, y);
        assert_memory_equal(y, high, sizeof y);
    }
    sg_model_free(m);
}

/* The sum of the monotone curve and its pair never decreases, not even by rounding. */
static void is_monotone_to_the_last_bit(void **state)
{
    sg_model *m = pooled();
    sg_random_stream s = sg_random_stream_at(3, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    const sg_curve *c = &m->additive->curve[1];
    const sg_pair *p = &m->additive->pair[0];
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        for (size_t i = OUTPUTS; i < c->cells * OUTPUTS; i++) /* ascending, with repeated values */
            c->value[i] = c->value[i - OUTPUTS] + (double)sg_random_stream_below(&s, 3) * sg_random_stream_uniform(&s);
        for (size_t i = 3 * OUTPUTS; i < 9 * OUTPUTS; i++)
            p->value[i] = p->value[i - 3 * OUTPUTS] + 0.1 * sg_random_stream_uniform(&s);
        assert_true(sg_curve_is_ordered(m->additive, c) && sg_pair_is_ordered(m->additive, p));
        double x = trial % 2 ? knot[trial % 4] - 1e-14 : 100 * sg_random_stream_uniform(&s), wood = trial % 3;
        double y[OUTPUTS], before[OUTPUTS] = {-1e300, -1e300};
        for (int step = 0; step < 100; step++, x = trial % 2 ? nextafter(x, 1000) : x + sg_random_stream_uniform(&s)) {
            predict_row(m, x, wood, y);
            assert_true(y[0] >= before[0] && y[1] >= before[1]);
            memcpy(before, y, sizeof y);
        }
    }
    c->value[0] = 1e9;
    assert_false(sg_curve_is_ordered(m->additive, c));
    p->value[8 * OUTPUTS] = -1e9;
    assert_false(sg_pair_is_ordered(m->additive, p));
    sg_model_free(m);
}

/* Just below a knot, v0 + t (v1 - v0) may round to more than v1. */
static void rounding_never_exceeds_a_knot(void **state)
{
    sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    sg_additive *a = sg_additive_new(1, 1, 0);
    double theta[5], x, y, before;
    size_t rounded_up = 0;
    (void)state;
    sg_additive_add_curve(a, 0, 0, 2, false);
    sg_additive_bind(a, theta);
    const sg_feature_columns row = {.n = 1, .pitch = 1, .x = &x};
    for (int trial = 0; trial < 20000; trial++) {
        theta[0] = sg_random_stream_normal(&s);
        theta[1] = theta[0] + sg_random_stream_uniform(&s) + 1e-9;
        theta[2] = -10 * sg_random_stream_uniform(&s);
        theta[3] = 0.1 * sg_random_stream_uniform(&s); /* the difference has fewer digits */
        before = theta[2];
        x = theta[1];
        for (int k = 0; k < 4; k++) x = nextafter(x, theta[0]);
        for (; x <= theta[1]; x = nextafter(x, 100), before = y) {
            double t = (x - theta[0]) / (theta[1] - theta[0]);
            y = 0;
            sg_curve_add(a, &a->curve[0], &row, &y);
            assert_true(y >= before && y <= theta[3]);
            rounded_up += theta[2] + t * (theta[3] - theta[2]) > theta[3];
        }
    }
    assert_true(rounded_up > 100); /* the limit matters */
    sg_additive_free(a);
}

/* --- the same bits in any way --- */

static void rows_chunks_and_precisions_give_the_same_bits(void **state)
{
    static double x[ROWS * INPUTS], y[ROWS * OUTPUTS], again[ROWS * OUTPUTS];
    sg_model *m = pooled(), *copy;
    sg_predictor *p;
    (void)state;
    make_rows(x);
    check(sg_model_predict(m, x, ROWS, y));
    for (size_t i = 0; i < ROWS; i++) check(sg_model_predict(m, x + i * INPUTS, 1, again + i * OUTPUTS));
    assert_memory_equal(again, y, sizeof y);
    check(sg_model_copy(m, &copy));
    sg_model_free(m);
    check(sg_model_predict(copy, x, ROWS, again));
    assert_memory_equal(again, y, sizeof y);
    check(sg_predictor_new(copy, "f32", 2, &p)); /* curves are always evaluated in double */
    check(sg_predictor_run(p, x, ROWS, again));
    assert_memory_equal(again, y, sizeof y);
    sg_predictor_free(p);
    sg_model_free(copy);
}

static void the_reference_gives_the_same_bits(void **state)
{
    static double x[ROWS * INPUTS], y[ROWS * OUTPUTS];
    sg_model *m = pooled();
    sg_reference_eval e;
    double feature[5], one[OUTPUTS];
    (void)state;
    make_rows(x);
    check(sg_model_predict(m, x, ROWS, y));
    check(sg_reference_eval_init(&e, m));
    for (size_t i = 0; i < ROWS; i++) {
        sg_encoder_apply(m->encoder, x + i * INPUTS, feature);
        sg_reference_eval_set_row(&e, feature);
        sg_reference_eval_predict(&e, one);
        assert_memory_equal(one, y + i * OUTPUTS, sizeof one);
    }
    sg_reference_eval_release(&e);
    sg_model_free(m);
}

/* --- what a model without blocks supports --- */

static void expect_outside(sg_model *m, const double feature[5], const double expected[INPUTS])
{
    sg_reference_eval e;
    double outside[INPUTS], scratch[5];
    check(sg_reference_eval_init(&e, m));
    sg_support_mark_outside(&e, feature, scratch, outside);
    assert_memory_equal(outside, expected, sizeof outside);
    sg_reference_eval_release(&e);
}

static void only_ranges_and_levels_are_checked(void **state)
{
    sg_model *m = listed();
    (void)state;
    assert_true(sg_model_has_support(m));
    m->calibration.support_rows = 10; /* a file may say anything */
    m->calibration.min_log_firing = 5;
    expect_outside(m, (double[]){28, 0, 1, 0, 181}, (double[]){0, 0, 0});
    expect_outside(m, (double[]){366, 0, 1, 0, 119}, (double[]){1, 0, 1});
    expect_outside(m, (double[]){28, 0, 0, 0, 181}, (double[]){0, 1, 0});
    expect_outside(m, (double[]){NAN, NAN, NAN, NAN, NAN}, (double[]){0, 0, 0});
    sg_model_free(m);
}

static void cannot_be_trained_further(void **state)
{
    static const char *const names[] = {"age", "wood", "water", "y", "z"};
    static const double x[] = {1, 0, 150, 3, 4, 28, 1, 160, 5, 6};
    sg_model *m = pooled();
    sg_options *o = options_of("preset=mbgd-rda");
    sg_trainer *t = NULL;
    sg_table *rows;
    (void)state;
    check(sg_table_new(names, 5, x, 2, &rows));
    sg_source source = sg_table_source(rows);
    check_fails(sg_trainer_continue(m, NULL, o, &source, &t), SG_EINVAL,
                "a model with curves can't be trained in steps");
    assert_null(t);
    sg_table_free(rows);
    sg_options_free(o);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equals_the_sum_over_rules),
    cmocka_unit_test(adds_to_the_blocks),
    cmocka_unit_test(an_unknown_level_adds_nothing),
    cmocka_unit_test(is_constant_outside_the_knots),
    cmocka_unit_test(is_monotone_to_the_last_bit),
    cmocka_unit_test(rounding_never_exceeds_a_knot),
    cmocka_unit_test(rows_chunks_and_precisions_give_the_same_bits),
    cmocka_unit_test(the_reference_gives_the_same_bits),
    cmocka_unit_test(only_ranges_and_levels_are_checked),
    cmocka_unit_test(cannot_be_trained_further),
};
TEST_GROUP(tests, NULL, NULL)
