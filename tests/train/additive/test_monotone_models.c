/* test_monotone_models.c: predictions of trained additive models with --monotone never move against a direction, not
 * even by rounding, whatever the other inputs are. Checked on pairs of rows that differ in one input. */
#include "kernel_test_support.h"

enum { ROWS = 1200, INPUTS = 4, COLUMNS = INPUTS + 1, CHUNK = 500, MAX_INPUTS = 16 };

static const char *const names[COLUMNS] = {"a", "b", "c", "d", "y"};

/* Smooth, with interactions of monotone inputs, and against the directions at places. */
static double *synthetic_rows(void)
{
    static double v[ROWS * COLUMNS];
    sg_random_stream s = sg_random_stream_at(11, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t r = 0; r < ROWS; r++) {
        double *x = v + r * COLUMNS;
        for (size_t i = 0; i < INPUTS; i++) x[i] = draw(&s, -2.385, 2.385) * (double)(i + 1);
        if (r % 11 == 0) x[r % INPUTS] = NAN;
        double a = isnan(x[0]) ? 0 : x[0], b = isnan(x[1]) ? 1 : x[1], c = isnan(x[2]) ? 0 : x[2];
        x[4] = a + sin(2 * a) - 0.5 * b + 0.2 * a * (b < 0) * c + 0.15 * a * b + 0.1 * c * c + draw(&s, -0.3, 0.3);
    }
    return v;
}

static sg_model *train(const sg_source *rows, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_train(o, rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

/* Draws a row, some of whose inputs are beyond the training range, at a knot or missing. */
static void draw_row(sg_random_stream *s, const sg_model *m, double *x)
{
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        double grid[3];
        sg_model_input_grid(m, i, 3, grid);
        double low = grid[0], width = grid[2] - grid[0];
        x[i] = draw(s, low - 0.1 * width, low + 1.1 * width);
        if (sg_random_stream_below(s, 20) == 0) x[i] = NAN;
    }
    for (size_t i = 0; i < sg_model_curves(m); i++) {
        sg_curve_view c;
        assert_true(sg_model_curve(m, i, &c));
        if (c.knot && sg_random_stream_below(s, 5) == 0) x[c.input] = c.knot[sg_random_stream_below(s, c.cells)];
    }
}

/* Draws two values of an input, often very close together. */
static void draw_two(sg_random_stream *s, const sg_curve_view *c, double *low, double *high)
{
    double width = c->knot[c->cells - 1] - c->knot[0], step = width * pow(10, draw(s, -16, 0));
    *low = draw(s, c->knot[0] - 0.1 * width, c->knot[0] + 1.1 * width);
    if (sg_random_stream_below(s, 4) == 0) *low = nextafter(c->knot[sg_random_stream_below(s, c->cells)], -1e300);
    *high = sg_random_stream_below(s, 3) == 0 ? nextafter(*low, 1e300) : *low + step;
}

/* Returns in how many of n pairs of rows the prediction moves against the direction of curve c. */
static size_t count_violations(const sg_model *m, const sg_curve_view *c, size_t n)
{
    static double x[2 * CHUNK * MAX_INPUTS], y[2 * CHUNK];
    const size_t inputs = sg_model_inputs(m);
    sg_random_stream s = sg_random_stream_at(13, SG_RANDOM_SYNTHETIC_DATA, 0, c->input);
    size_t found = 0;
    for (size_t done = 0; done < n; done += CHUNK) {
        for (size_t i = 0; i < CHUNK; i++) {
            double *low = x + 2 * i * inputs, *high = low + inputs;
            draw_row(&s, m, low);
            memcpy(high, low, inputs * sizeof *low);
            draw_two(&s, c, &low[c->input], &high[c->input]);
        }
        check(sg_model_predict(m, x, 2 * CHUNK, y));
        for (size_t i = 0; i < CHUNK; i++) found += c->monotone * (y[2 * i + 1] - y[2 * i]) < 0;
    }
    return found;
}

/* Returns the number of curves with a direction. */
static size_t check_monotone(const sg_model *m, size_t probes)
{
    size_t found = 0;
    for (size_t i = 0; i < sg_model_curves(m); i++) {
        sg_curve_view c;
        assert_true(sg_model_curve(m, i, &c));
        if (!c.monotone) continue;
        found++;
        size_t wrong = count_violations(m, &c, is_quick() ? CHUNK : probes);
        if (wrong) fail_msg("%s: %zu violations", sg_model_input_name(m, c.input), wrong);
    }
    return found;
}

static void synthetic_models_are_monotone(void **state)
{
    static const struct {
        const char *settings;
        size_t directions, pairs;
    } cases[] = {
        {"preset=additive monotone=a:+", 1, 0},
        {"preset=additive monotone=a:+,b:-,c:+", 3, 0},
        {"preset=additive-pairs pairs=a:c,b:c monotone=a:+", 1, 2},                 /* the first input of a pair  */
        {"preset=additive-pairs pairs=a:c,b:c monotone=c:-", 1, 2},                 /* the second input           */
        {"preset=additive-pairs pairs=a:b,a:c,b:c,a:d monotone=a:+,b:-,c:+", 3, 4}, /* both       */
        {"preset=additive-pairs pairs=a:b mfs=9 monotone=b:-,a:+ smoothing=0.01", 2, 1},
    };
    sg_table *t;
    (void)state;
    check(sg_table_new(names, COLUMNS, synthetic_rows(), ROWS, &t));
    sg_source rows = sg_table_source(t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_model *m = train(&rows, cases[i].settings);
        assert_int_equal(sg_model_pairs(m), cases[i].pairs);
        assert_int_equal(check_monotone(m, 40000), cases[i].directions);
        sg_model_free(m);
    }
    sg_table_free(t);
}

/* The probes find violations: a model without directions has many. */
static void an_unconstrained_model_is_not_monotone(void **state)
{
    sg_table *t;
    sg_curve_view c;
    (void)state;
    check(sg_table_new(names, COLUMNS, synthetic_rows(), ROWS, &t));
    sg_source rows = sg_table_source(t);
    sg_model *m = train(&rows, "preset=additive-pairs");
    assert_true(sg_model_curve(m, 0, &c));
    c.monotone = 1;
    assert_true(count_violations(m, &c, 2000) > 20);
    sg_model_free(m);
    sg_table_free(t);
}

static void concrete_is_monotone(void **state)
{
    static const char *const settings[] = {
        "preset=additive-pairs monotone=cement_kg_m3:+",
        "preset=additive-pairs monotone=cement_kg_m3:+,water_kg_m3:-,age_days:+,blast_furnace_slag_kg_m3:+",
    };
    sg_table *t;
    (void)state;
    t = dataset_of("concrete.csv");
    sg_source rows = sg_table_source(t);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(&rows, settings[i]);
        assert_true(sg_model_pairs(m) > 0 && check_monotone(m, i ? 25000 : 100000) == (i ? 4 : 1));
        sg_model_free(m);
    }
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(synthetic_models_are_monotone),
    cmocka_unit_test(an_unconstrained_model_is_not_monotone),
    cmocka_unit_test(concrete_is_monotone),
};
TEST_GROUP(tests, NULL, NULL)
