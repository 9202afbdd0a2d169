/* test_additive_text.c: additive models as text and Markdown against golden files (UPDATE=1 writes them), and as JSON,
 * from which predictions are recomputed. */
#include "explain/additive/curve_shape.h"
#include "explain/additive/curve_term_names.h"
#include "explain/additive/effect_number.h"
#include "explain/text/text_writer.h"
#include "explained_models.h"

#include <jansson.h>

static void expect_description(const sg_model *m, const char *format, size_t top, const char *name)
{
    char *text;
    check(sg_model_describe_as(m, format, top, &text));
    expect_golden(name, text);
    sg_string_free(text);
}

static void describes_models(void **state)
{
    sg_model *m = concrete_model();
    (void)state;
    expect_description(m, "text", 0, "rules_concrete.txt");
    expect_description(m, "markdown", 0, "rules_concrete.md");
    expect_description(m, "text", 2, "rules_top.txt");
    sg_model_free(m);
    m = house_model();
    expect_description(m, "text", 0, "rules_house.txt");
    expect_description(m, "markdown", 0, "rules_house.md");
    sg_model_free(m);
}

/* A model of eight inputs and eight pairs fits on a screen. */
static void fits_a_screen(void **state)
{
    sg_model *m = concrete_model();
    char *text;
    size_t lines = 0;
    (void)state;
    check(sg_model_describe(m, &text));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (sg_text_width(line) > 100) fail_msg("%zu characters: %s", sg_text_width(line), line);
        lines++;
    }
    assert_true(lines <= 60);
    sg_string_free(text);
    sg_model_free(m);
}

/* --- predictions from the JSON --- */

static double at(const json_t *array, size_t i) { return json_number_value(json_array_get(array, i)); }

/* Piecewise linear interpolation, from the definition. */
static double interpolate(const json_t *knots, const json_t *values, double x)
{
    size_t n = json_array_size(knots);
    if (x <= at(knots, 0)) return at(values, 0);
    for (size_t k = 1; k < n; k++)
        if (x <= at(knots, k))
            return at(values, k - 1) +
                   (at(values, k) - at(values, k - 1)) * (x - at(knots, k - 1)) / (at(knots, k) - at(knots, k - 1));
    return at(values, n - 1);
}

static double value_of(const sg_model *m, const json_t *part, const double *x)
{
    const char *name = json_string_value(json_object_get(part, "input"));
    size_t i = 0;
    while (strcmp(sg_model_input_name(m, i), name) != 0) i++;
    return x[i];
}

static double pair_value(const sg_model *m, const json_t *pair, const double *x)
{
    const json_t *down = json_object_get(pair, "down"), *across = json_object_get(pair, "across"),
                 *table = json_array_get(json_object_get(pair, "values"), 0);
    json_t *column = json_array();
    double a = value_of(m, down, x), b = value_of(m, across, x);
    for (size_t r = 0; r < json_array_size(table); r++)
        json_array_append_new(column,
                              json_real(interpolate(json_object_get(across, "at"), json_array_get(table, r), b)));
    double y = isnan(a) || isnan(b) ? 0 : interpolate(json_object_get(down, "at"), column, a);
    json_decref(column);
    return y;
}

static double predict_from_json(const sg_model *m, const json_t *root, const double *x)
{
    const json_t *part;
    size_t i;
    double y = at(json_object_get(root, "offset"), 0);
    json_array_foreach(json_object_get(root, "curves"), i, part)
    {
        double value = value_of(m, part, x);
        y += isnan(value) ? at(json_object_get(part, "missing"), 0)
                          : interpolate(json_object_get(part, "knots"),
                                        json_array_get(json_object_get(part, "values"), 0), value);
    }
    json_array_foreach(json_object_get(root, "pairs"), i, part) y += pair_value(m, part, x);
    return fmin(fmax(y, 2.33), 82.6);
}

static void json_is_complete(void **state)
{
    static const double rows[][8] = {{NAN, 0, 20, 192, 8, 968, 700, 1},
                                     {540, 359.4, 200, 100, 8, 968, 600, 500},
                                     {240, 33, 71, NAN, 3.3, 850, 610, 17}};
    sg_model *m = concrete_model();
    char *text;
    (void)state;
    check(sg_model_describe_json(m, &text));
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    for (size_t i = 0; i < 3; i++) {
        double y;
        check(sg_model_predict(m, rows[i], 1, &y));
        assert_close(predict_from_json(m, root, rows[i]), y, 1e-12);
    }
    json_decref(root);
    sg_string_free(text);
    sg_model_free(m);
    m = house_model();
    check(sg_model_describe_json(m, &text));
    assert_non_null(root = json_loads(text, 0, NULL));
    assert_int_equal(json_array_size(json_object_get(root, "rules")), 2);
    json_decref(root);
    sg_string_free(text);
    sg_model_free(m);
}

/* --- accessors --- */

static void gives_curves_and_pairs(void **state)
{
    sg_model *m = concrete_model();
    sg_curve_view c;
    sg_pair_view p;
    (void)state;
    assert_int_equal(sg_model_curves(m), 8);
    assert_int_equal(sg_model_pairs(m), 8);
    assert_true(sg_model_curve(m, 2, &c) && !sg_model_curve(m, 8, &c) && !sg_model_pair(m, 8, &p));
    assert_true(c.input == 3 && c.cells == 5 && c.knot[1] == 164.9 && c.value[4] == -6.05 && c.monotone == -1);
    assert_true(sg_model_pair(m, 2, &p) && p.input[0] == 7 && p.input[1] == 1 && p.terms[0] == 3 && p.cell[0][2] == 5);
    /* 40 terms, their numbers, those of the mean and a missing value, and those in tables that are not 0 */
    size_t zeros = 0, numbers = 2;
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 9; k++) zeros += m->additive->pair[i].value[k] == 0;
    for (size_t i = 0; i < 8; i++) numbers += 2 * m->additive->curve[i].cells;
    assert_int_equal(sg_model_reading_cost(m), numbers + 72 - zeros);
    sg_model_free(m);
    m = house_model();
    /* 28 terms and as many numbers, the mean and a missing value, 12 in the table; 2 MFs, 2 conditions, 6 consequents
     */
    assert_int_equal(sg_model_reading_cost(m), 28 + 28 + 2 + 12 + 2 + 2 + 6);
    sg_model_free(m);
}

/* --- numbers and terms --- */

static void formats_numbers(void **state)
{
    static const struct {
        double value;
        int decimals;
        const char *expected;
    } cases[] = {{12.345, 1, "+12.3"},  {-0.04, 1, "0"}, {-0.05, 1, "-0.1"},   {7.999, 2, "+8.00"},
                 {12345, -2, "+12300"}, {-49, -2, "0"},  {1e300, 1, "+1e300"}, {-2.5e-12, 14, "-2.5e-12"}};
    char x[SG_NUMBER_BUFFER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sg_format_effect(cases[i].value, cases[i].decimals, true, x), cases[i].expected);
    assert_string_equal(sg_format_effect(12.345, 1, false, x), "12.3");
    assert_string_equal(sg_format_among_neighbours(365, INFINITY, x), "365");
    assert_string_equal(sg_format_among_neighbours(192.375, 40, x), "192");
    assert_string_equal(sg_format_among_neighbours(1000.25, 0.5, x), "1000.25");
}

/* A curve with many knots is shown by few between which it is nearly linear. */
static void chooses_knots(void **state)
{
    sg_model *m = house_model();
    const sg_additive *s = m->additive;
    size_t knot[SG_NAMED_TERMS], n = sg_curve_shown_knots(s, &s->curve[1], 0, knot);
    (void)state;
    assert_int_equal(n, SG_NAMED_TERMS);
    assert_true(knot[0] == 0 && knot[n - 1] == 11);
    for (size_t k = 0, i = 0; k < 12; k++) {
        const sg_curve *c = &s->curve[1];
        while (knot[i + 1] < k) i++;
        double t = (c->knot[k] - c->knot[knot[i]]) / (c->knot[knot[i + 1]] - c->knot[knot[i]]),
               y = (1 - t) * c->value[2 * knot[i]] + t * c->value[2 * knot[i + 1]];
        assert_close(y, c->value[2 * k], 6000);
    }
    assert_int_equal(sg_curve_nearest_cell(&s->curve[1], -5), 0);
    assert_int_equal(sg_curve_nearest_cell(&s->curve[1], 36), 1);
    assert_int_equal(sg_curve_nearest_cell(&s->curve[1], 1e9), 11);
    assert_string_equal(sg_term_name(7, 2), "somewhat low");
    assert_null(sg_term_name(8, 2));
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(describes_models),       cmocka_unit_test(fits_a_screen),   cmocka_unit_test(json_is_complete),
    cmocka_unit_test(gives_curves_and_pairs), cmocka_unit_test(formats_numbers), cmocka_unit_test(chooses_knots),
};
TEST_GROUP(tests, NULL, NULL)
