/* test_validation.c: validation rows, patience, and messages about bad rows with the user's row numbers. */
#include "test.h"

#include <stdbool.h>
#include <stdlib.h>

enum { ROWS = 400 };

static sg_table *table_with(size_t row, size_t column, double value)
{
    static const char *const names[] = {"a", "y", "w"};
    double v[ROWS * 3];
    sg_table *t;
    for (size_t i = 0; i < ROWS; i++) {
        double a = sin(2.3 * (double)i);
        double one[] = {a, a * a + 0.1 * cos(5.0 * (double)i), 1 + a * a};
        memcpy(v + 3 * i, one, sizeof one);
    }
    v[row * 3 + column] = value;
    check(sg_table_new(names, 3, v, ROWS, &t));
    return t;
}

/* Evaluations take place every 100 iterations here; a patience of 10 is rounded up to that. */
static void patience_waits_for_a_look(void **state)
{
    sg_table *train = table_with(0, 0, 0), *valid = table_with(1, 0, 0.5);
    sg_source s = sg_table_source(train), v = sg_table_source(valid);
    sg_options *o = options_of("targets=y ignore=w batch=1 patience=10 iters=3000 preset=mbgd-a");
    sg_trainer *t;
    sg_progress p;
    size_t looks = 0;
    (void)state;
    check(sg_trainer_new(o, &s, &v, &t));
    do {
        check(sg_trainer_step(t, &p));
        looks += !isnan(p.valid_rmse);
    } while (p.more);
    assert_true(looks >= 2);
    assert_false(isnan(p.best_rmse));
    assert_true(p.iteration % 100 == 0);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(train);
    sg_table_free(valid);
}

typedef struct mistake {
    size_t row, column;
    double value;
    const char *settings, *sentence;
} mistake;

static const mistake mistakes[] = {
    {249, 0, 1e150, "targets=y ignore=w", "row 250, column \"a\": 1e+150"},
    {249, 1, -1e150, "targets=y ignore=w valid-fraction=0.5 seed=1", "row 250, column \"y\""},
    {249, 1, -1e150, "targets=y ignore=w valid-fraction=0.5 seed=2", "row 250, column \"y\""},
    {5, 2, -5, "targets=y weights=w", "row 6, column \"w\": a weight must be at least 0, not -5"},
    {5, 2, -5, "targets=y weights=w valid-fraction=0.3 seed=1", "row 6, column \"w\""},
    {5, 2, -5, "targets=y weights=w valid-fraction=0.3 seed=4", "row 6, column \"w\""},
};

static void messages_name_the_users_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        sg_table *table = table_with(m->row, m->column, m->value), *fine = table_with(0, 0, 0);
        sg_source s = sg_table_source(table), good = sg_table_source(fine);
        sg_options *o = options_of(m->settings);
        sg_trainer *t;
        sg_metrics metrics[4];
        size_t finished;
        check_fails(sg_trainer_new(o, &s, NULL, &t), SG_EDATA, m->sentence);
        check_fails(sg_trainer_new(o, &good, &s, &t), SG_EDATA, m->sentence);
        check_fails(sg_cross_validate(o, &s, &(sg_cv_options){.folds = 4}, metrics, &finished), SG_EDATA, m->sentence);
        sg_options_free(o);
        sg_table_free(table);
        sg_table_free(fine);
    }
}

static void weights_must_not_all_be_zero(void **state)
{
    static const char *const names[] = {"a", "y", "w"};
    static const double sizes[] = {0, 1e-310};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double v[20 * 3];
        sg_table *none, *fine = table_with(0, 0, 0);
        sg_trainer *t;
        for (size_t i = 0; i < 20; i++) {
            double one[] = {(double)i, (double)(i % 3), sizes[k]};
            memcpy(v + 3 * i, one, sizeof one);
        }
        check(sg_table_new(names, 3, v, 20, &none));
        sg_source bad = sg_table_source(none), good = sg_table_source(fine);
        sg_options *o = options_of("targets=y weights=w");
        check_fails(sg_trainer_new(o, &bad, NULL, &t), SG_EDATA, "weights are all zero");
        check_fails(sg_trainer_new(o, &good, &bad, &t), SG_EDATA, "weights are all zero");
        sg_options_free(o);
        sg_table_free(none);
        sg_table_free(fine);
    }
}

/* Rows of weight 0 do not change a byte of the model, even with batches and clusters. */
static char *trained(const sg_table *table, const char *settings)
{
    sg_source s = sg_table_source(table);
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_model *m;
    sg_progress p;
    char *text;
    check(sg_trainer_new(o, &s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    sg_trainer_free(t);
    sg_options_free(o);
    return text;
}

static void rows_of_weight_zero_are_not_there(void **state)
{
    static const char *const names[] = {"a", "y", "w"};
    static const char *const settings[] = {"targets=y weights=w iters=30 batch=16",
                                           "targets=y weights=w iters=30 rules=3 batch=16"};
    double all[90 * 3], some[60 * 3];
    size_t n = 0;
    sg_table *with, *without;
    (void)state;
    for (size_t i = 0; i < 90; i++) {
        bool zero = i % 3 == 0;
        double one[] = {zero ? 900 : sin((double)i), zero ? -1e50 : cos(3.0 * (double)i), zero ? 0 : 2.5};
        memcpy(all + 3 * i, one, sizeof one);
        if (!zero) memcpy(some + 3 * n++, one, sizeof one);
    }
    check(sg_table_new(names, 3, all, 90, &with));
    check(sg_table_new(names, 3, some, n, &without));
    for (size_t k = 0; k < 2; k++) {
        char *a = trained(with, settings[k]), *b = trained(without, settings[k]);
        assert_string_equal(a, b);
        sg_string_free(a);
        sg_string_free(b);
    }
    sg_table_free(with);
    sg_table_free(without);
}

/* The source has no gather function. */
static void gather_may_be_absent(void **state)
{
    sg_table *table = table_with(0, 0, 0);
    sg_source s = sg_table_source(table), plain = s;
    sg_trainer *a, *b;
    sg_progress p;
    sg_options *o = options_of("targets=y ignore=w batch=37");
    (void)state;
    plain.gather = NULL;
    check(sg_trainer_new(o, &s, NULL, &a));
    check(sg_trainer_new(o, &plain, NULL, &b));
    for (int k = 0; k < 5; k++) {
        check(sg_trainer_step(a, &p));
        check(sg_trainer_step(b, &p));
    }
    const sg_model *m = sg_trainer_current(a), *n = sg_trainer_current(b);
    assert_memory_equal(sg_model_theta(m), sg_model_theta(n), sg_model_parameters(m) * sizeof(double));
    sg_trainer_free(a);
    sg_trainer_free(b);
    sg_options_free(o);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(patience_waits_for_a_look),    cmocka_unit_test(messages_name_the_users_rows),
    cmocka_unit_test(weights_must_not_all_be_zero), cmocka_unit_test(rows_of_weight_zero_are_not_there),
    cmocka_unit_test(gather_may_be_absent),
};
TEST_GROUP(tests, NULL, NULL)
