/* test_trainer_warm_start.c: models trained further on other rows.
 * labels: memory */
#include "test.h"

#include <stdlib.h>

enum { CHUNK = 400, CHUNKS = 6 };

static sg_options *options(const char *preset, const char *iters)
{
    sg_options *o;
    check(sg_options_new(&o));
    check(sg_options_set(o, "preset", preset));
    check(sg_options_set(o, "iters", iters));
    check(sg_options_set(o, "pca", "0"));
    return o;
}

static double rmse(const sg_model *m, const sg_source *rows)
{
    sg_metrics found;
    check(sg_model_evaluate(m, rows, NULL, 1, &found));
    return found.rmse;
}

static void run(sg_trainer *t)
{
    sg_progress p = {.more = 1};
    while (p.more) check(sg_trainer_step(t, &p));
}

/* The error on held-out rows falls with every chunk of rows. */
static void learns(void **state)
{
    (void)state;
    sg_options *o = options("fcm-rdpa", "60");
    sg_table *held, *t[CHUNKS];
    sg_trainer *now = NULL, *next;
    sg_model *m = NULL;
    double first = 0, last = 0;
    check(sg_table_generate("friedman", 1000, 99, &held));
    sg_source judge = sg_table_source(held);
    for (size_t i = 0; i < CHUNKS; i++) {
        check(sg_table_generate("friedman", CHUNK, i, &t[i]));
        sg_source rows = sg_table_source(t[i]);
        if (!now) check(sg_trainer_new(o, &rows, NULL, &next));
        else check(sg_trainer_continue(m, now, o, &rows, &next));
        sg_trainer_free(now);
        sg_model_free(m);
        now = next;
        run(now);
        assert_int_equal(sg_trainer_progress(now).iteration, 60 * (i + 1));
        check(sg_trainer_model(now, &m));
        last = rmse(m, &judge);
        if (i == 0) first = last;
    }
    assert_true(last < 0.9 * first);
    sg_trainer_free(now);
    sg_model_free(m);
    for (size_t i = 0; i < CHUNKS; i++) sg_table_free(t[i]);
    sg_table_free(held);
    sg_options_free(o);
}

/* Moments continue from the previous trainer if there is one, and start at 0 otherwise. A model read from its file
 * behaves the same. */
static void goes_on(void **state)
{
    (void)state;
    sg_options *o = options("mbgd-rda", "30");
    sg_table *a, *b;
    sg_trainer *t, *with, *without, *again;
    sg_model *m, *read;
    char *text;
    check(sg_table_generate("friedman", CHUNK, 1, &a));
    check(sg_table_generate("friedman", CHUNK, 2, &b));
    sg_source rows = sg_table_source(a), more = sg_table_source(b);
    check(sg_trainer_new(o, &rows, NULL, &t));
    run(t);
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    check(sg_model_from_json(text, strlen(text), "text", &read));
    check(sg_trainer_continue(m, t, o, &more, &with));
    check(sg_trainer_continue(m, NULL, o, &more, &without));
    check(sg_trainer_continue(read, NULL, o, &more, &again));
    size_t n = sg_model_parameters(m) * sizeof(double);
    assert_memory_equal(sg_model_theta(sg_trainer_current(with)), sg_model_theta(m), n);
    run(with);
    run(without);
    run(again);
    assert_memory_equal(sg_model_theta(sg_trainer_current(without)), sg_model_theta(sg_trainer_current(again)), n);
    assert_memory_not_equal(sg_model_theta(sg_trainer_current(with)), sg_model_theta(sg_trainer_current(without)), n);
    sg_trainer *all[] = {t, with, without, again};
    for (size_t i = 0; i < 4; i++) sg_trainer_free(all[i]);
    sg_string_free(text);
    sg_model_free(m);
    sg_model_free(read);
    sg_table_free(a);
    sg_table_free(b);
    sg_options_free(o);
}

static void refuses(void **state)
{
    (void)state;
    sg_options *o = options("rr", "1");
    sg_table *a, *other;
    sg_trainer *t, *next = NULL;
    sg_model *m;
    static const char *const names[] = {"u", "v"};
    static const double six[] = {1, 2.385, 3, -1, 5, 0.25};
    check(sg_table_generate("friedman", CHUNK, 1, &a));
    check(sg_table_new(names, 2, six, 3, &other));
    sg_source rows = sg_table_source(a), strange = sg_table_source(other);
    check(sg_trainer_new(o, &rows, NULL, &t));
    check(sg_trainer_model(t, &m));
    assert_int_equal(sg_trainer_continue(m, t, o, &rows, &next), SG_EINVAL);
    assert_non_null(strstr(sg_errmsg(), "the preset rr can't be trained further"));
    sg_options_free(o);
    o = options("mbgd-rda", "3");
    assert_int_equal(sg_trainer_continue(m, NULL, o, &strange, &next), SG_EDATA);
    assert_non_null(strstr(sg_errmsg(), "there is no column"));
    sg_options_set(o, "refit", "0.1");
    assert_int_equal(sg_trainer_continue(m, NULL, o, &rows, &next), SG_EINVAL);
    assert_non_null(strstr(sg_errmsg(), "--refit"));
    assert_null(next);
    sg_options_set(o, "refit", "0");
    check(sg_trainer_continue(m, NULL, o, &rows, &next));
    assert_int_equal(sg_trainer_save(next, "never"), SG_EINVAL);
    assert_non_null(strstr(sg_errmsg(), "checkpoints are not available"));
    sg_trainer_free(next);
    sg_trainer_free(t);
    sg_model_free(m);
    sg_table_free(a);
    sg_table_free(other);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(learns), cmocka_unit_test(goes_on),
                                          cmocka_unit_test(refuses)};
TEST_GROUP(tests, NULL, NULL)
