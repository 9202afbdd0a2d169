/* test_additive_update.c: sg_model_update: the weights of earlier and new rows, constraints, and models that it
 * refuses. labels: memory */
#include "kernel_test_support.h"

enum { ROWS = 400, COLUMNS = 4 };

static const char *const names[COLUMNS] = {"a", "b", "y", "w"};

/* y is a smooth function plus `shift`. Some inputs are missing. */
static sg_table *rows_of(uint64_t part, size_t rows, double shift)
{
    static double v[ROWS * COLUMNS];
    sg_random_stream s = sg_random_stream_at(17, SG_RANDOM_SYNTHETIC_DATA, 0, part);
    sg_table *t;
    for (size_t r = 0; r < rows; r++) {
        double *x = v + r * COLUMNS, a = draw(&s, -2.385, 2.385), b = draw(&s, 0, 7.1);
        x[0] = r % 13 == 0 ? (double)NAN : a;
        x[1] = b;
        x[2] = sin(a) + 0.3 * a * b + shift + draw(&s, -0.1, 0.1);
        x[3] = 0.5 + (double)(r % 3);
    }
    check(sg_table_new(names, COLUMNS, v, rows, &t));
    return t;
}

static sg_model *train(const char *settings)
{
    sg_table *t = rows_of(0, ROWS, 0);
    sg_source rows = sg_table_source(t);
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_train(o, &rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    sg_table_free(t);
    return m;
}

static sg_status update(const sg_model *m, const char *settings, size_t rows, double shift, sg_model **out)
{
    sg_table *t = rows_of(1, rows, shift);
    sg_source s = sg_table_source(t);
    sg_options *o = options_of(settings);
    sg_status st = sg_model_update(m, o, &s, out);
    sg_options_free(o);
    sg_table_free(t);
    return st;
}

/* A shift of a quarter of all rows moves the mean by a quarter of the shift. */
static void all_rows_count_equally(void **state)
{
    static const char *const settings[] = {
        "preset=additive-pairs pairs=a:b targets=y ignore=w",
        "preset=additive-pairs pairs=a:b targets=y weights=w monotone=b:+",
        "preset=additive targets=y ignore=w monotone=a:+,b:+",
    };
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(settings[i]), *moved;
        check(update(m, settings[i], ROWS / 4, 10, &moved));
        assert_close(sg_model_mean(moved, 0) - sg_model_mean(m, 0), 10.0 / 5, 0.25);
        assert_int_equal(sg_model_rules(moved), sg_model_rules(m));
        for (size_t k = 0; k < sg_model_curves(m); k++) {
            sg_curve_view before, after;
            assert_true(sg_model_curve(m, k, &before) && sg_model_curve(moved, k, &after));
            assert_memory_equal(before.knot, after.knot, before.cells * sizeof *before.knot);
            for (size_t c = 1; after.monotone && c < after.cells; c++)
                assert_true(after.value[c] >= after.value[c - 1]);
        }
        sg_model_free(moved);
        sg_model_free(m);
    }
}

static void other_models_are_refused(void **state)
{
    sg_model *m = train("preset=mbgd-rda iters=2 targets=y ignore=w"), *moved;
    (void)state;
    check_fails(update(m, "preset=additive targets=y ignore=w", ROWS, 0, &moved), SG_EINVAL, "curves and pairs");
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_rows_count_equally),
    cmocka_unit_test(other_models_are_refused),
};
TEST_GROUP(tests, NULL, NULL)
