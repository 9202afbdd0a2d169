/* test_extreme_values.c: for extreme data and options, the trained model can be written and read, and
 * predicts finite numbers. */
#include "test.h"

#include <float.h>
#include <stdlib.h>

enum { ROWS = 40, COLUMNS = 8 };

/* Makes seven inputs and a target around `offset`, with the spread `scale`. */
static sg_table *table_of(double scale, double target_scale, double offset)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "y"};
    double v[ROWS * COLUMNS];
    sg_table *t;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < COLUMNS - 1; c++)
            v[r * COLUMNS + c] = scale * (offset + sin(1.7 * (double)(r * (c + 2)) + (double)c));
        v[r * COLUMNS + COLUMNS - 1] = target_scale * (offset + cos(0.9 * (double)r));
    }
    check(sg_table_new(names, COLUMNS, v, ROWS, &t));
    return t;
}

static void reload_and_predict(const sg_trainer *t, const char *what)
{
    static const double far[] = {0, 1, -1e30, 1e99, DBL_MAX, -DBL_MAX};
    sg_model *m, *back;
    char *text;
    double x[COLUMNS], y;
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    if (sg_model_from_json(text, strlen(text), "m", &back) != SG_OK) fail_msg("%s: %s", what, sg_errmsg());
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        for (size_t c = 0; c < sg_model_inputs(back); c++) x[c] = c % 2 ? -far[i] : far[i];
        check(sg_model_predict(back, x, 1, &y));
        if (!isfinite(y)) fail_msg("%s: prediction %g", what, y);
    }
    sg_string_free(text);
    sg_model_free(m);
    sg_model_free(back);
}

static void train_on(const sg_table *table, const char *settings, const char *what)
{
    sg_source s = sg_table_source(table);
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    sg_status st = sg_trainer_new(o, &s, NULL, &t);
    if (st == SG_EDATA) { /* an error is acceptable: the spread is too small to divide by */
        sg_options_free(o);
        return;
    }
    check(st);
    do st = sg_trainer_step(t, &p);
    while (st == SG_OK && p.more);
    if (st != SG_OK && st != SG_EDIVERGED) fail_msg("%s: %s", what, sg_errmsg());
    reload_and_predict(t, what);
    sg_trainer_free(t);
    sg_options_free(o);
}

static void every_model_can_be_read_back(void **state)
{
    static const double scales[][3] = {{1, 1, 0},       {1e99, 1, 0.01}, {1e-95, 1, 0},    {1, 1e70, 0},
                                       {1e90, 1e90, 0}, {1e6, 1e-80, 3}, {1e-99, 1e98, 0}, {1, 1, 1e9}};
    static const char *const settings[] = {
        "iters=60",
        "iters=60 scale=none",
        "iters=40 scale=none pca=0 rules=5",
        "iters=60 optim=sgd rate=1000 mf=tri",
        "iters=60 optim=sgd rate=1000 mf=trap drop=mf",
        "iters=60 optim=sgd rate=1e6 mf=gbell",
        "iters=60 optim=sgd rate=2 drop=none l2=0 target=zscore",
        "iters=60 optim=adabound rate=10 valid-fraction=0.3",
        "iters=60 optim=sgd rate=100 mf=gauss-a loss=mean",
        "preset=anfis-gd-lse iters=10",
        "preset=anfis-gd-lse-r iters=10 scale=none rate=10",
        "preset=rr scale=none l2=0",
        "iters=40 scale=quantile pca=0 rules=5 start=ridge noise=1 average=0.9 refit=1e-6",
        "iters=40 scale=none start=ridge huber=1e-9 refit=1 average=0.9",
        "iters=40 scale=none start=ridge centres=tree rules=9 pca=0 noise=10 optim=adam rate=1000 average=0.99",
        "iters=40 scale=none centres=fcm rules=9 pca=0 mf=gauss-a",
        "iters=40 scale=none rules=9 pca=0 width=0.001",
        "iters=40 rules=9 pca=0 balance=1e12 optim=sgd rate=1",
        "iters=40 scale=none balance=1 precision=f64 loss=mean",
        "iters=40 centres=fcm rules=20 pca=0 optim=sgd rate=1000 power=0.01 refit=1e12 mf=tri average=0.5",
        "iters=40 centres=kmeans-y rules=7 pca=0 width=0.001 schedule=cosine warmup=1 start=ridge target=none "
        "refit=1e-9",
        "iters=40 centres=tree rules=7 pca=0 width=1000 firing=mean mf=gbell optim=sgd rate=1e6 refit=0.1 "
        "valid-fraction=0.3",
    };
    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sg_table *t = table_of(scales[i][0], scales[i][1], scales[i][2]);
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            char what[160];
            snprintf(what, sizeof what, "inputs %g, target %g, offset %g, %s", scales[i][0], scales[i][1], scales[i][2],
                     settings[k]);
            train_on(t, settings[k], what);
        }
        sg_table_free(t);
    }
}

/* Predictions are finite for any missing inputs. */
static void missing_inputs_give_numbers(void **state)
{
    sg_table *table = table_of(1, 1, 0);
    sg_source s = sg_table_source(table);
    sg_options *o = options_of("iters=3 pca=0 rules=4");
    sg_trainer *t;
    double x[3][COLUMNS - 1], y[3];
    (void)state;
    check(sg_trainer_new(o, &s, NULL, &t));
    sg_progress p;
    for (int k = 0; k < 3; k++) check(sg_trainer_step(t, &p));
    for (size_t i = 0; i < COLUMNS - 1; i++) {
        x[0][i] = 0.1;
        x[1][i] = i == 1 ? (double)NAN : 0.1;
        x[2][i] = NAN;
    }
    check(sg_model_predict(sg_trainer_current(t), x[0], 3, y));
    for (size_t i = 0; i < 3; i++) assert_true(isfinite(y[i]));
    assert_true(y[0] != y[1] && y[1] != y[2]);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
}

/* Without scaling, PCA centres the rows. */
static void components_are_centred(void **state)
{
    static const char *const names[] = {"a", "b", "y"};
    double v[50 * 3], x[2];
    sg_table *table;
    (void)state;
    for (size_t i = 0; i < 50; i++) { /* far from 0, spread along (1, -1) */
        double t = sin((double)i);
        double row[] = {1000 + t, 1000 - t + 0.01 * cos(7.0 * (double)i), t};
        memcpy(v + 3 * i, row, sizeof row);
    }
    check(sg_table_new(names, 3, v, 50, &table));
    sg_source s = sg_table_source(table);
    sg_options *o = options_of("preset=rr scale=none pca=1");
    sg_trainer *t;
    check(sg_trainer_new(o, &s, NULL, &t));
    double low, high;
    x[0] = 999;
    x[1] = 1001;
    check(sg_model_predict(sg_trainer_current(t), x, 1, &low));
    x[0] = 1001;
    x[1] = 999;
    check(sg_model_predict(sg_trainer_current(t), x, 1, &high));
    assert_close(low, -1, 0.02);
    assert_close(high, 1, 0.02);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_model_can_be_read_back),
    cmocka_unit_test(missing_inputs_give_numbers),
    cmocka_unit_test(components_are_centred),
};
TEST_GROUP(tests, NULL, NULL)
