/* test_importance.c: importance of inputs and rules and partial dependence, compared with known values. labels: memory
 */
#include "test.h"

#include "category_model.h"
#include "model/model.h"

enum { ROWS = 700 };

static const char *const names[] = {"a", "b", "y"};

/* y = 2 a - 3 b + 1 */
static sg_table *plane(void)
{
    double v[ROWS * 3];
    sg_table *t;
    for (size_t i = 0; i < ROWS; i++) {
        double a = (double)(i % 7), b = (double)(i * 5 % 11);
        v[i * 3] = a;
        v[i * 3 + 1] = b;
        v[i * 3 + 2] = 2 * a - 3 * b + 1;
    }
    check(sg_table_new(names, 3, v, ROWS, &t));
    return t;
}

static sg_model *train(const char *settings, const sg_source *rows)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    check(sg_trainer_new(o, rows, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

static void importance_of_a_plane(void **state)
{
    sg_table *t = plane();
    sg_source rows = sg_table_source(t);
    sg_model *m = train("preset=rr l2=0", &rows);
    sg_input_importance input[2];
    sg_rule_importance rule;
    size_t used;
    (void)state;
    check(sg_model_importance(m, &rows, 1, input, &rule, &used));
    assert_int_equal(used, ROWS);
    assert_close(input[0].contribution, 2 * 2, 1e-6);        /* 2 sd(a); sd of 0 to 6 is 2          */
    assert_close(input[1].contribution, 3 * sqrt(10), 0.01); /* sd of 0 to 10 is about sqrt 10      */
    assert_close(input[0].permutation, 4 * sqrt(2), 0.4);    /* difference of independent values     */
    assert_close(input[1].permutation, 3 * sqrt(20), 1);
    assert_true(rule.top_fraction == 1 && rule.ablation == 0);
    assert_close(rule.mean_firing, 1, 1e-12);
    sg_model_free(m);
    sg_table_free(t);
}

/* The result does not depend on the number of threads. */
static void importance_of_rules(void **state)
{
    sg_table *t = plane();
    sg_source rows = sg_table_source(t);
    sg_model *m = train("mfs=2 iters=50", &rows);
    sg_input_importance input[2], again[2];
    sg_rule_importance rule[4], same[4];
    double share = 0, leads = 0;
    (void)state;
    check(sg_model_importance(m, &rows, 1, input, rule, NULL));
    check(sg_model_importance(m, &rows, 3, again, same, NULL));
    assert_memory_equal(input, again, sizeof input);
    assert_memory_equal(rule, same, sizeof rule);
    for (size_t i = 0; i < 4; i++) {
        share += rule[i].mean_firing;
        leads += rule[i].top_fraction;
        assert_true(rule[i].mean_firing > 0 && rule[i].ablation > 0);
    }
    assert_close(share, 1, 1e-9);
    assert_close(leads, 1, 1e-9);
    sg_model_free(m);
    sg_table_free(t);
}

/* Compares with the model without the rule, row by row. */
static void ablation_of_rules(void **state)
{
    sg_table *t = plane();
    sg_source rows = sg_table_source(t);
    sg_model *m = train("mfs=2 iters=50", &rows);
    sg_input_importance input[2];
    sg_rule_importance rule[4];
    sg_explainer *e;
    double squares[4] = {0};
    (void)state;
    check(sg_model_importance(m, &rows, 1, input, rule, NULL));
    check(sg_explainer_new(m, &e));
    for (size_t i = 0; i < ROWS; i++) {
        const sg_explanation *x = sg_explainer_row(e, sg_table_values(t) + i * 3);
        for (size_t r = 0; r < 4; r++) {
            double sum = 0, left = 0;
            for (size_t k = 0; k < 4; k++) sum += k == r ? 0 : x->firing[k] * x->rule_output[k];
            for (size_t k = 0; k < 4; k++) left += k == r ? 0 : x->firing[k];
            squares[r] += pow(x->prediction - sum / left, 2);
        }
    }
    for (size_t r = 0; r < 4; r++) assert_close(rule[r].ablation, sqrt(squares[r] / ROWS), 1e-9);
    sg_explainer_free(e);
    sg_model_free(m);
    sg_table_free(t);
}

static void partial_dependence_of_a_plane(void **state)
{
    sg_table *t = plane();
    sg_source rows = sg_table_source(t);
    sg_model *m = train("preset=rr l2=0", &rows);
    double at[5], y[5], mean = 0;
    size_t used;
    (void)state;
    for (size_t i = 0; i < ROWS; i++) mean += sg_table_values(t)[i * 3 + 1] / ROWS;
    assert_int_equal(sg_model_input_grid(m, 0, 5, NULL), 5);
    assert_int_equal(sg_model_input_grid(m, 0, 5, at), 5);
    assert_true(at[0] == 0 && at[1] == 1.5 && at[4] == 6);
    check(sg_model_partial_dependence(m, &rows, 0, at, 5, 2, y, &used));
    for (size_t i = 0; i < 5; i++) assert_close(y[i], 2 * at[i] - 3 * mean + 1, 1e-6);
    assert_int_equal(used, ROWS);
    assert_int_equal(sg_model_input_grid(m, 2, 5, NULL), 0);
    check_fails(sg_model_partial_dependence(m, &rows, 2, at, 5, 1, y, NULL), SG_EINVAL, "no input 2");
    sg_model_free(m);
    sg_table_free(t);
}

/* A fixed random sample of many rows. */
static void samples_many_rows(void **state)
{
    enum { MANY = 12345 };
    double *v = malloc(MANY * 3 * sizeof *v), at[1] = {2.5}, y[2];
    sg_table *few = plane(), *t;
    sg_source rows = sg_table_source(few);
    sg_model *m = train("preset=rr l2=0", &rows);
    size_t used;
    (void)state;
    assert_non_null(v);
    for (size_t i = 0; i < MANY * 3; i++) v[i] = (double)(i * i % 1009);
    check(sg_table_new(names, 3, v, MANY, &t));
    rows = sg_table_source(t);
    check(sg_model_partial_dependence(m, &rows, 0, at, 1, 1, &y[0], &used));
    check(sg_model_partial_dependence(m, &rows, 0, at, 1, 2, &y[1], NULL));
    assert_true(y[0] == y[1]);
    assert_int_equal(used, 10000);
    sg_table_free(t);
    sg_table_free(few);
    sg_model_free(m);
    free(v);
}

/* The points of a category are its levels; the last one pools rare levels. */
static void partial_dependence_on_levels(void **state)
{
    static const char *const columns[] = {"sex", "u"};
    sg_model *m;
    sg_table *t;
    double at[4], y[4], x[2] = {0, 1.25}, one;
    (void)state;
    check(sg_model_from_json(category_model, strlen(category_model), "m.json", &m));
    check(sg_table_new(columns, 2, (double[]){7, 1.25}, 1, &t));
    sg_source rows = sg_table_source(t);
    assert_int_equal(sg_model_input_grid(m, 0, 33, at), 4);
    check(sg_model_partial_dependence(m, &rows, 0, at, 4, 1, y, NULL));
    for (size_t i = 0; i < 4; i++) {
        x[0] = at[i];
        check(sg_model_predict(m, x, 1, &one));
        assert_true(y[i] == one);
    }
    sg_table_free(t);
    sg_model_free(m);
}

/* Effects derived from an input change with it. Compared row by row. */
static void effects_follow_inputs(void **state)
{
    sg_table *t = plane();
    sg_source rows = sg_table_source(t);
    sg_model *m = train("rules=3 pca=0 iters=30 effects=a", &rows);
    double at[3] = {0, 2, 5.5}, y[3];
    (void)state;
    assert_true(m->encoder && m->encoder->effects == 1);
    check(sg_model_partial_dependence(m, &rows, 0, at, 3, 1, y, NULL));
    for (size_t p = 0; p < 3; p++) {
        double mean = 0, one;
        for (size_t i = 0; i < ROWS; i++) {
            check(sg_model_predict(m, (double[]){at[p], sg_table_values(t)[i * 3 + 1]}, 1, &one));
            mean += one / ROWS;
        }
        assert_close(y[p], mean, 1e-9);
    }
    sg_model_free(m);
    sg_table_free(t);
}

static void reports_errors(void **state)
{
    const sg_comm team = {.ranks = 2};
    sg_table *t = plane();
    sg_source rows = sg_table_source(t);
    sg_model *m = train("preset=rr", &rows);
    sg_input_importance input[2];
    sg_rule_importance rule;
    (void)state;
    rows.rows = 0;
    check_fails(sg_model_importance(m, &rows, 1, input, &rule, NULL), SG_EDATA, "no rows");
    rows.rows = ROWS;
    rows.comm = &team;
    check_fails(sg_model_importance(m, &rows, 1, input, &rule, NULL), SG_EINVAL, "distributed rows");
    sg_model_free(m);
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(importance_of_a_plane), cmocka_unit_test(importance_of_rules),
    cmocka_unit_test(ablation_of_rules),     cmocka_unit_test(partial_dependence_of_a_plane),
    cmocka_unit_test(samples_many_rows),     cmocka_unit_test(partial_dependence_on_levels),
    cmocka_unit_test(effects_follow_inputs), cmocka_unit_test(reports_errors),
};
TEST_GROUP(tests, NULL, NULL)
