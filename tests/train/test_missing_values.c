/* test_missing_values.c: training, prediction and evaluation with missing values: their meaning, finite results
 * from every kernel and structure, and incomplete rows.
 * labels: arithmetic memory */
#include "kernel_test_support.h"

enum { ROWS = 300, INPUTS = 4, COLUMNS = INPUTS + 2 };

static const char *const names[COLUMNS] = {"a", "b", "c", "d", "y", "w"};

/* y is a smooth function; `lost` percent of the inputs are missing, and all of the first row. */
static double *rows_of(size_t lost)
{
    static double v[ROWS * COLUMNS];
    sg_random_stream s = sg_random_stream_at(61, SG_RANDOM_SYNTHETIC_DATA, 0, lost);
    for (size_t r = 0; r < ROWS; r++) {
        double *x = v + r * COLUMNS;
        for (size_t i = 0; i < INPUTS; i++) x[i] = draw(&s, -1.4, 2.6) * (double)(i + 1);
        x[INPUTS] = sin(x[0]) + 0.4 * x[1] - 0.1 * x[2] * x[3] + draw(&s, -0.1, 0.1);
        x[INPUTS + 1] = draw(&s, 0.3, 1.9);
        for (size_t i = 0; i < INPUTS; i++)
            if (sg_random_stream_below(&s, 100) < lost || (lost && r == 0)) x[i] = NAN;
    }
    return v;
}

static sg_table *table_of(const double *v)
{
    sg_table *t;
    check(sg_table_new(names, COLUMNS, v, ROWS, &t));
    return t;
}

static sg_trainer *train_on(const sg_table *table, const char *settings, sg_notice_fn *hear, void *arg)
{
    sg_source s = sg_table_source(table);
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    sg_options_on_notice(o, hear, arg);
    check(sg_trainer_new(o, &s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    sg_options_free(o);
    return t;
}

/* --- finite results --- */

static const char *const settings[] = {
    "targets=y weights=w",
    "targets=y weights=w precision=f32",
    "targets=y ignore=w scale=none pca=0",
    "targets=y ignore=w rules=7 pca=0",
    "targets=y ignore=w rules=7 pca=0 precision=f32 batch=0",
    "targets=y ignore=w pca=2",
    "targets=y ignore=w mfs=3 pca=0 mf=tri",
    "targets=y ignore=w rules=5 pca=0 mf=trap",
    "targets=y ignore=w rules=5 pca=0 mf=gbell drop=membership",
    "targets=y ignore=w pca=0 mf=gauss-a drop=mf valid-fraction=0.3",
    "targets=y ignore=w preset=rr pca=0",
    "targets=y ignore=w preset=anfis-gd-lse-r",
    "targets=y ignore=w preset=anfis-gd-lse rules=4 pca=0",
    "targets=y ignore=w rules=5 pca=0 scale=quantile start=ridge noise=0.1 refit=0.1",
    "targets=y weights=w rules=5 pca=0 centres=tree start=ridge firing=mean scale=quantile precision=f32",
    "targets=y ignore=w preset=fcm-rdpa start=ridge",
};

static void half_of_it_is_enough(void **state)
{
    sg_table *table = table_of(rows_of(50));
    sg_source s = sg_table_source(table);
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char all[160];
        sg_metrics m;
        snprintf(all, sizeof all, "iters=60 %s", settings[i]);
        sg_trainer *t = train_on(table, all, NULL, NULL);
        const sg_model *model = sg_trainer_current(t);
        check(sg_model_evaluate(model, &s, NULL, 1, &m));
        if (!(m.r2 > 0 && m.r2 < 1) || m.rows != ROWS) fail_msg("%s: R2 %g, %zu rows", all, m.r2, m.rows);
        double none[INPUTS] = {NAN, NAN, NAN, NAN}, y;
        check(sg_model_predict(model, none, 1, &y));
        assert_true(isfinite(y));
        sg_trainer_free(t);
    }
    sg_table_free(table);
}

/* All kernels of one precision, and the model read from its file, give the same predictions. Those of the reference are
 * nearly the same. */
static void kernels_agree(void **state)
{
    sg_table *table = table_of(rows_of(30));
    double *x = malloc(ROWS * INPUTS * sizeof *x);
    static double y[3][ROWS];
    (void)state;
    for (size_t r = 0; r < ROWS; r++) memcpy(x + r * INPUTS, sg_table_values(table) + r * COLUMNS, INPUTS * sizeof *x);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char all[160], *text;
        sg_model *again;
        snprintf(all, sizeof all, "iters=20 %s", settings[i]);
        sg_trainer *t = train_on(table, all, NULL, NULL);
        use_kernel("reference");
        check(sg_model_predict(sg_trainer_current(t), x, ROWS, y[0]));
        use_kernel("portable");
        check(sg_model_predict(sg_trainer_current(t), x, ROWS, y[1]));
        use_kernel(NULL);
        check(sg_model_to_json(sg_trainer_current(t), &text));
        check(sg_model_from_json(text, strlen(text), "m.json", &again));
        for (size_t r = 0; r < ROWS; r++)
            check(sg_model_predict(again, x + r * INPUTS, 1, &y[2][r])); /* one at a time */
        assert_memory_equal(y[1], y[2], sizeof y[1]);
        for (size_t r = 0; r < ROWS; r++) assert_close(y[0][r], y[1][r], 1e-11);
        sg_string_free(text);
        sg_model_free(again);
        sg_trainer_free(t);
    }
    free(x);
    sg_table_free(table);
}

/* --- the meaning of missing inputs --- */

/* In rules without conditions, a missing input counts as the mean of its present values. */
static void consequents_take_the_mean(void **state)
{
    static const char *const kinds[] = {"targets=y ignore=w preset=rr pca=0",
                                        "targets=y ignore=w preset=rr pca=0 scale=none"};
    double *v = rows_of(25), mean = 0, n = 0, x[2 * INPUTS] = {0.3, NAN, 1.1, -0.6, 0.3, 0, 1.1, -0.6}, y[2];
    for (size_t r = 0; r < ROWS; r++)
        if (!isnan(v[r * COLUMNS + 1])) {
            mean += v[r * COLUMNS + 1];
            n++;
        }
    (void)state;
    x[INPUTS + 1] = mean / n;
    for (size_t i = 0; i < 2; i++) {
        sg_table *table = table_of(v);
        sg_trainer *t = train_on(table, kinds[i], NULL, NULL);
        check(sg_model_predict(sg_trainer_current(t), x, 2, y));
        assert_close(y[0], y[1], 1e-13);
        sg_trainer_free(t);
        sg_table_free(table);
    }
}

/* If the only input in which two rules differ is missing, the prediction is their mean, (3 + 7) / 2. */
static void conditions_are_left_out(void **state)
{
    static const char text[] = "{\"kind\": \"sugeno model\", \"format\": 1, \"inputs\": [{\"name\": \"u\", \"low\": 0, "
                               "\"high\": 1, \"mean\": 0.125}], "
                               "\"targets\": [{\"name\": \"y\", \"mean\": 0, \"scale\": 1, \"y0\": 0}], "
                               "\"antecedents_see\": [], \"blocks\": [{\"mf\": \"gauss\", "
                               "\"weight\": 1, \"h\": 1, \"rank\": 0, \"mfs\": [{\"input\": 0, \"c\": 0, \"sigma\": "
                               "0.1}, {\"input\": 0, \"c\": 1, \"sigma\": 0.1}], "
                               "\"rules\": [{\"if\": [0], \"then\": [[3, 0]]}, {\"if\": [1], \"then\": [[7, 0]]}]}]}";
    double x[] = {0, NAN, 1}, y[3];
    sg_model *m;
    (void)state;
    check(sg_model_from_json(text, sizeof text - 1, "m.json", &m));
    check(sg_model_predict(m, x, 3, y));
    assert_close(y[0], 3, 1e-12);
    assert_true(y[1] == 5);
    assert_close(y[2], 7, 1e-12);
    double a[3];
    check(sg_model_transform(m, x, 3, a));
    assert_true(a[0] == 0 && isnan(a[1]) && a[2] == 1);
    sg_model_free(m);
}

/* --- incomplete rows --- */

typedef struct notices {
    char text[512];
} notices;

static void hear(void *arg, const char *sentence)
{
    notices *n = arg;
    size_t used = strlen(n->text);
    snprintf(n->text + used, sizeof n->text - used, "%s\n", sentence);
}

/* Rows without a target or weight have no effect. */
static void rows_without_a_target(void **state)
{
    double *v = rows_of(10);
    static double left[ROWS * COLUMNS];
    size_t n = 0;
    notices heard = {{0}};
    sg_table *some, *few;
    char *a, *b;
    (void)state;
    for (size_t r = 0; r < ROWS; r++) {
        if (r % 50 == 7) v[r * COLUMNS + INPUTS] = NAN;
        else if (r % 50 == 9) v[r * COLUMNS + INPUTS + 1] = NAN;
        else memcpy(left + n++ * COLUMNS, v + r * COLUMNS, COLUMNS * sizeof *v);
    }
    some = table_of(v);
    check(sg_table_new(names, COLUMNS, left, n, &few));
    sg_trainer *t = train_on(some, "targets=y weights=w iters=30", hear, &heard);
    assert_string_equal(heard.text, "skipped 12 rows without a target or a weight\n");
    sg_trainer *u = train_on(few, "targets=y weights=w iters=30", hear, &heard);
    assert_string_equal(heard.text, "skipped 12 rows without a target or a weight\n");
    check(sg_model_to_json(sg_trainer_current(t), &a));
    check(sg_model_to_json(sg_trainer_current(u), &b));
    assert_string_equal(a, b);

    sg_metrics m[3];
    sg_source rows = sg_table_source(some), others = sg_table_source(few);
    sg_scorer *scorer;
    check(sg_model_evaluate(sg_trainer_current(t), &rows, "w", 1, &m[0]));
    check(sg_model_evaluate(sg_trainer_current(t), &others, "w", 1, &m[1]));
    check(sg_scorer_new(sg_trainer_current(t), &rows, "w", 1, &scorer));
    check(sg_scorer_run(scorer, &m[2]));
    assert_int_equal(m[0].rows, n);
    assert_memory_equal(&m[0], &m[1], sizeof m[0]);
    assert_memory_equal(&m[0], &m[2], sizeof m[0]);
    sg_scorer_free(scorer);
    sg_string_free(a);
    sg_string_free(b);
    sg_trainer_free(t);
    sg_trainer_free(u);
    sg_table_free(some);
    sg_table_free(few);
}

static void folds_leave_them_out_too(void **state)
{
    double *v = rows_of(10);
    sg_metrics m[3];
    notices heard = {{0}};
    size_t finished;
    (void)state;
    for (size_t r = 0; r < ROWS; r += 3) v[r * COLUMNS + INPUTS] = NAN;
    sg_table *table = table_of(v);
    sg_source rows = sg_table_source(table);
    sg_options *o = options_of("targets=y ignore=w iters=5 threads=1");
    sg_options_on_notice(o, hear, &heard);
    check(sg_cross_validate(o, &rows, &(sg_cv_options){.folds = 3}, m, &finished));
    assert_string_equal(heard.text, "skipped 100 rows without a target\n");
    assert_true(finished == 3 && m[0].rows + m[1].rows + m[2].rows == 200);
    sg_options_free(o);
    sg_table_free(table);
}

static void nothing_left_is_an_error(void **state)
{
    double *v = rows_of(10);
    sg_trainer *t;
    (void)state;
    for (size_t r = 0; r < ROWS; r++) {
        v[r * COLUMNS + 2] = NAN; /* an input that no row has */
        if (r > 5) v[r * COLUMNS + INPUTS] = NAN;
    }
    sg_table *table = table_of(v);
    sg_source rows = sg_table_source(table);
    notices heard = {{0}};
    t = train_on(table, "targets=y ignore=w iters=3 pca=0", hear, &heard);
    assert_string_equal(heard.text, "skipped 294 rows without a target\n"
                                    "column \"c\" has no values, so the model does not use it\n");
    assert_int_equal(sg_model_inputs(sg_trainer_current(t)), INPUTS - 1);
    sg_trainer_free(t);
    sg_options *o = options_of("targets=c ignore=w");
    assert_int_equal(sg_trainer_new(o, &rows, NULL, &t), SG_EDATA);
    assert_string_equal(sg_errmsg(), "the data: no row has all targets");
    sg_options_free(o);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(half_of_it_is_enough),      cmocka_unit_test(kernels_agree),
    cmocka_unit_test(consequents_take_the_mean), cmocka_unit_test(conditions_are_left_out),
    cmocka_unit_test(rows_without_a_target),     cmocka_unit_test(folds_leave_them_out_too),
    cmocka_unit_test(nothing_left_is_an_error),
};
TEST_GROUP(tests, NULL, NULL)
