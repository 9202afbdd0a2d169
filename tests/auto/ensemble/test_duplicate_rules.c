/* test_duplicate_rules.c: rows whose inputs come again: remembered where their targets tell of each other, and only
 * there. */
#include "model/model.h"
#include "test.h"

enum { KINDS = 150, ROWS = 2 * KINDS, COLUMNS = 4 };
static const char *const names[] = {"a", "b", "c", "y"};

static double chance(size_t i) { return (double)(i * 7919 % 1009) / 1009 - 0.5; }

/* Each kind of rows twice, but for the last `single`; of what no neighbour knows some belongs to the kind, some to the
 * row. */
static sg_table *rows_of(double common, double own, size_t single)
{
    double row[ROWS][COLUMNS];
    sg_table *t;
    for (size_t i = 0; i < ROWS - single; i++) {
        size_t kind = i % KINDS;
        double a = (double)(kind * 37 % 101) / 50 - 1, b = (double)(kind * 53 % 89) / 44 - 1, c = (double)(kind % 3);
        memcpy(row[i], ((double[]){a, b, c, a - b + 3 * a * b + common * chance(kind) + own * chance(i * i)}),
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

static bool recalls(const sg_model *m)
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

/* What belongs to the kind of a row is known, also of kinds that came once. */
static void what_is_common_is_kept(void **state)
{
    (void)state;
    sg_table *t = rows_of(1, 0, 40), *all = rows_of(1, 0, 0);
    sg_model *m = train("", t);
    assert_true(recalls(m));
    assert_true(rmse_of(m, all) < 0.01);
    assert_int_equal(m->block[m->blocks - 1].rules, KINDS + 1);
    sg_model_free(m);
    sg_table_free(t);
    sg_table_free(all);
}

/* Near to known rows, and far away, the block says nothing. */
static void neighbours_are_left_alone(void **state)
{
    (void)state;
    sg_table *t = rows_of(1, 0, 0);
    sg_model *m = train("", t), *less;
    char *text;
    double near[4] = {0, 0, 0, 0}, y[2];
    check(sg_model_to_json(m, &text));
    check(sg_model_from_json(text, strlen(text), "m", &less));
    assert_true(recalls(m));
    less->block[less->blocks - 1].weight = 0;
    for (int i = -5; i < 6; i++) {
        near[0] = i * 0.2 + 0.01;
        check(sg_model_predict(m, near, 1, &y[0]));
        check(sg_model_predict(less, near, 1, &y[1]));
        assert_close(y[0], y[1], 1e-6);
    }
    sg_string_free(text);
    sg_model_free(m);
    sg_model_free(less);
    sg_table_free(t);
}

static void nothing_else_is(void **state)
{
    static const struct {
        double common, own;
        size_t single;
        const char *options;
    } cases[] = {{0, 5, 0, ""}, {1, 4, 0, ""}, {1, 0, KINDS - 10, ""}, {1, 0, 0, "rules=8"}, {1, 0, 0, "group=c"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_table *t = rows_of(cases[i].common, cases[i].own, cases[i].single);
        sg_model *m = train(cases[i].options, t);
        if (recalls(m)) fail_msg("case %zu", i);
        sg_model_free(m);
        sg_table_free(t);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_common_is_kept),
                                          cmocka_unit_test(neighbours_are_left_alone),
                                          cmocka_unit_test(nothing_else_is)};
TEST_GROUP(tests, NULL, NULL)
