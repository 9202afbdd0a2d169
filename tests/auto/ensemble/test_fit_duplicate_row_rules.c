/* test_fit_duplicate_row_rules.c: rules for rows with duplicate inputs are added only if duplicates have similar
 * targets.
 */
#include "model/model.h"
#include "test.h"

enum { DISTINCT = 150, ROWS = 2 * DISTINCT, COLUMNS = 4 };
static const char *const names[] = {"a", "b", "c", "y"};

static double pseudo_noise(size_t i) { return (double)(i * 7919 % 1009) / 1009 - 0.5; }

/* Each distinct row twice, except for the last `single`. The target has noise common to duplicates, and noise of its
 * own. */
static sg_table *make_rows(double common, double own, size_t single)
{
    double row[ROWS][COLUMNS];
    sg_table *t;
    for (size_t i = 0; i < ROWS - single; i++) {
        size_t group = i % DISTINCT;
        double a = (double)(group * 37 % 101) / 50 - 1, b = (double)(group * 53 % 89) / 44 - 1, c = (double)(group % 3);
        memcpy(row[i],
               ((double[]){a, b, c, a - b + 3 * a * b + common * pseudo_noise(group) + own * pseudo_noise(i * i)}),
               sizeof row[i]);
    }
    check(sg_table_new(names, COLUMNS, row[0], ROWS - single, &t));
    return t;
}

static sg_model *train(const char *more, const sg_table *t)
{
    char settings[128];
    sg_source rows = sg_table_source(t);
    sg_model *m;
    snprintf(settings, sizeof settings, "preset=auto-ensemble budget=0.3 threads=1 %s", more);
    sg_options *o = options_of(settings);
    check(sg_train(o, &rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

static bool has_duplicate_rules(const sg_model *m)
{
    const char *name, *value;
    for (size_t i = 0; sg_model_record(m, i, &name, &value); i++)
        if (strcmp(name, "tried_recall") == 0) return true;
    return false;
}

static double rmse_of(const sg_model *m, const sg_table *t)
{
    sg_metrics out;
    sg_source rows = sg_table_source(t);
    check(sg_model_evaluate(m, &rows, NULL, 1, &out));
    return out.rmse;
}

/* The common noise is learned, also for rows that occur once. */
static void learns_common_noise(void **state)
{
    (void)state;
    sg_table *t = make_rows(1, 0, 40), *all = make_rows(1, 0, 0);
    sg_model *m = train("", t);
    assert_true(has_duplicate_rules(m));
    assert_true(rmse_of(m, all) < 0.01);
    assert_int_equal(m->block[m->blocks - 1].rules, DISTINCT + 1);
    sg_model_free(m);
    sg_table_free(t);
    sg_table_free(all);
}

/* On other rows, near or far away, the block predicts 0. */
static void other_rows_are_unaffected(void **state)
{
    (void)state;
    sg_table *t = make_rows(1, 0, 0);
    sg_model *m = train("", t), *without_block;
    char *text;
    double near[4] = {0, 0, 0, 0}, y[2];
    check(sg_model_to_json(m, &text));
    check(sg_model_from_json(text, strlen(text), "m", &without_block));
    assert_true(has_duplicate_rules(m));
    without_block->block[without_block->blocks - 1].weight = 0;
    for (int i = -5; i < 6; i++) {
        near[0] = i * 0.2 + 0.01;
        check(sg_model_predict(m, near, 1, &y[0]));
        check(sg_model_predict(without_block, near, 1, &y[1]));
        assert_close(y[0], y[1], 1e-6);
    }
    sg_string_free(text);
    sg_model_free(m);
    sg_model_free(without_block);
    sg_table_free(t);
}

static void adds_no_rules_without_benefit(void **state)
{
    static const struct {
        double common, own;
        size_t single;
        const char *options;
    } cases[] = {{0, 5, 0, ""}, {1, 4, 0, ""}, {1, 0, DISTINCT - 10, ""}, {1, 0, 0, "rules=8"}, {1, 0, 0, "group=c"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_table *t = make_rows(cases[i].common, cases[i].own, cases[i].single);
        sg_model *m = train(cases[i].options, t);
        if (has_duplicate_rules(m)) fail_msg("case %zu", i);
        sg_model_free(m);
        sg_table_free(t);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(learns_common_noise),
                                          cmocka_unit_test(other_rows_are_unaffected),
                                          cmocka_unit_test(adds_no_rules_without_benefit)};
TEST_GROUP(tests, NULL, NULL)
