/* test_iterate_average.c: the average of iterates equals its formula, and is what is validated and returned. labels:
 * memory */
#include "test.h"

enum { ITERATIONS = 40 };

static void is_the_formula(void **state)
{
    static const double decays[] = {0.5, 0.9, 0.999};
    sg_table *table;
    (void)state;
    check(sg_table_generate("friedman", 300, 5, &table));
    sg_source rows = sg_table_source(table);
    for (size_t i = 0; i < 3; i++) {
        char settings[96];
        snprintf(settings, sizeof settings, "iters=%d rate=0.05 average=%g", ITERATIONS, decays[i]);
        sg_options *o = options_of(settings);
        sg_trainer *t;
        sg_model *m;
        sg_progress p;
        check(sg_trainer_new(o, &rows, NULL, &t));
        size_t n = sg_model_parameters(sg_trainer_current(t)), differ = 0;
        double *mean = calloc(n, sizeof *mean);
        do {
            check(sg_trainer_step(t, &p));
            const double *theta = sg_model_theta(sg_trainer_current(t));
            double share = fmax(1 - decays[i], 1 / (double)p.iteration);
            for (size_t k = 0; k < n; k++) mean[k] = (1 - share) * mean[k] + share * theta[k];
        } while (p.more);
        check(sg_trainer_model(t, &m));
        for (size_t k = 0; k < n; k++) {
            assert_close(sg_model_theta(m)[k], mean[k], 1e-12 * (1 + fabs(mean[k])));
            differ += fabs(mean[k] - sg_model_theta(sg_trainer_current(t))[k]) > 1e-6;
        }
        assert_true(differ > n / 2);
        free(mean);
        sg_model_free(m);
        sg_trainer_free(t);
        sg_options_free(o);
    }
    sg_table_free(table);
}

/* The best validation RMSE is that of the returned model. */
static void is_what_is_validated(void **state)
{
    static const char *const settings[] = {"iters=60 rate=0.05 average=0.9",
                                           "iters=60 rate=0.05 average=0.9 refit=0.01",
                                           "iters=60 rate=0.05 refit=0.01 loss=mean start=ridge"};
    sg_table *table, *others;
    (void)state;
    check(sg_table_generate("friedman", 300, 5, &table));
    check(sg_table_generate("friedman", 200, 6, &others));
    sg_source rows = sg_table_source(table), valid = sg_table_source(others);
    for (size_t i = 0; i < 3; i++) {
        sg_options *o = options_of(settings[i]);
        sg_trainer *t;
        sg_model *m;
        sg_metrics metrics;
        sg_progress p;
        check(sg_trainer_new(o, &rows, &valid, &t));
        do check(sg_trainer_step(t, &p));
        while (p.more);
        check(sg_trainer_model(t, &m));
        check(sg_model_evaluate(m, &valid, NULL, 1, &metrics));
        assert_close(metrics.rmse, p.best_rmse, 1e-12);
        sg_model_free(m);
        sg_trainer_free(t);
        sg_options_free(o);
    }
    sg_table_free(table);
    sg_table_free(others);
}

/* Before the first step the average is the initial theta. */
static void begins_with_the_start(void **state)
{
    static const char *const settings[] = {"iters=5 average=0.9",
                                           "iters=5 average=0.9 preset=anfis-gd-lse pca=2 l2=0.1"};
    sg_table *table;
    (void)state;
    check(sg_table_generate("friedman", 300, 5, &table));
    sg_source rows = sg_table_source(table);
    for (size_t i = 0; i < 2; i++) {
        sg_options *o = options_of(settings[i]);
        sg_trainer *t;
        sg_model *m;
        check(sg_trainer_new(o, &rows, NULL, &t));
        check(sg_trainer_model(t, &m));
        assert_memory_equal(sg_model_theta(m), sg_model_theta(sg_trainer_current(t)),
                            sg_model_parameters(m) * sizeof(double));
        sg_model_free(m);
        sg_trainer_free(t);
        sg_options_free(o);
    }
    sg_table_free(table);
}

/* Rounding must not leave MFs that are invalid in a file. */
static void stays_valid(void **state)
{
    static const char *const kinds[] = {"gauss", "gauss-a", "gbell", "tri", "trap", "gauss2"};
    sg_table *table;
    (void)state;
    check(sg_table_generate("friedman", 300, 5, &table));
    sg_source rows = sg_table_source(table);
    for (size_t i = 0; i < 5; i++) {
        char settings[96], *text;
        snprintf(settings, sizeof settings, "iters=%d rate=0.5 pca=2 average=0.97 mf=%s", 3 * ITERATIONS, kinds[i]);
        sg_options *o = options_of(settings);
        sg_trainer *t;
        sg_model *m, *again;
        sg_progress p;
        check(sg_trainer_new(o, &rows, NULL, &t));
        do check(sg_trainer_step(t, &p));
        while (p.more);
        check(sg_trainer_model(t, &m));
        check(sg_model_to_json(m, &text));
        check(sg_model_from_json(text, strlen(text), "m.json", &again));
        sg_string_free(text);
        sg_model_free(again);
        sg_model_free(m);
        sg_trainer_free(t);
        sg_options_free(o);
    }
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_the_formula),
    cmocka_unit_test(is_what_is_validated),
    cmocka_unit_test(begins_with_the_start),
    cmocka_unit_test(stays_valid),
};
TEST_GROUP(tests, NULL, NULL)
