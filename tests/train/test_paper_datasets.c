/* test_paper_datasets.c: the paper's ten datasets, from the folder $SUGENO_DATA; skipped without it.
 * Every preset trains on every set, briefly; ridge regression and MBGD-RDA come out as known. */
#include "test.h"

#include <stdbool.h>
#include <stdlib.h>

enum { SPLITS = 10 };

typedef struct dataset {
    const char *file;
    size_t rows, inputs;
    double ridge; /* mean test RMSE of ridge regression on five components over 100 random splits */
} dataset;

static const dataset datasets[] = {
    {"pm10.csv", 500, 7, .8301},        {"no2.csv", 500, 7, .6194},          {"housing.csv", 506, 13, 5.0999},
    {"concrete.csv", 1030, 8, 12.6088}, {"airfoil.csv", 1503, 5, 4.8134},    {"wine-red.csv", 1599, 11, .6664},
    {"abalone.csv", 4177, 7, 2.2923},   {"wine-white.csv", 4898, 11, .8062}, {"powerplant.csv", 9568, 4, 4.5653},
    {"protein.csv", 45730, 9, 5.5713},
};
enum { COUNT = sizeof datasets / sizeof *datasets };

static sg_table *open_dataset(const dataset *d)
{
    sg_table *t = dataset_of(d->file);
    assert_int_equal(sg_table_rows(t), d->rows);
    assert_int_equal(sg_table_columns(t), d->inputs + 1);
    return t;
}

static sg_trainer *train(const sg_source *s, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    check(sg_trainer_new(o, s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    sg_options_free(o);
    return t;
}

/* Trains a model by any preset, and evaluates it on the training rows. */
static sg_metrics train_and_evaluate(const sg_source *s, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_model *m;
    sg_metrics metrics;
    check(sg_train(o, s, NULL, NULL, NULL, &m));
    check(sg_model_evaluate(m, s, NULL, 2, &metrics));
    sg_model_free(m);
    sg_options_free(o);
    return metrics;
}

/* Writes the settings of a short training with a preset on dataset `set`. Searches choose from their full plan on the
 * first dataset, and do the minimum of work on the others. */
static void short_training(const char *preset, size_t set, char *settings, size_t size)
{
    bool ridge = strcmp(preset, "rr") == 0, all_rows = strncmp(preset, "anfis", 5) == 0;
    size_t iters = ridge ? 1 : all_rows ? 3 + 5000 / datasets[set].rows : 100;
    snprintf(settings, size, "preset=%s iters=%zu budget=%d", preset, iters, set > 0);
}

/* Whether even a short training takes ten seconds or more. */
static bool is_expensive(const char *preset, size_t set)
{
    return strcmp(preset, "auto-ensemble") == 0 && datasets[set].rows > 10000;
}

static void all_presets_on_all_sets(void **state)
{
    size_t presets;
    const sg_preset *preset = sg_preset_table(&presets);
    (void)state;
    for (size_t i = 0; i < COUNT; i += is_quick() ? 3 : 1) {
        sg_table *table = open_dataset(&datasets[i]);
        sg_source s = sg_table_source(table);
        for (size_t k = 0; k < presets; k++) {
            char settings[128];
            if (is_expensive(preset[k].name, i)) continue;
            short_training(preset[k].name, i, settings, sizeof settings);
            sg_metrics m = train_and_evaluate(&s, settings);
            if (!isfinite(m.rmse) || !(m.r2 > -0.5))
                fail_msg("%s, %s: RMSE %g, R2 %g", datasets[i].file, preset[k].name, m.rmse, m.r2);
        }
        sg_table_free(table);
    }
}

/* Computes the mean and standard deviation of the test RMSE over random splits into 70 % and 30 %. */
static void test_rmse(const sg_source *s, const char *settings, double *mean, double *deviation)
{
    double rmse[SPLITS], sum = 0;
    *mean = 0;
    for (uint64_t seed = 0; seed < SPLITS; seed++) {
        size_t held_out = (size_t)(0.3 * (double)s->rows + 0.5);
        sg_subset *in, *out;
        sg_metrics m;
        check(sg_subset_split(s, seed, 0, held_out, 0, &in));
        check(sg_subset_split(s, seed, 0, held_out, 1, &out));
        sg_source train_rows = sg_subset_source(in), test_rows = sg_subset_source(out);
        sg_trainer *t = train(&train_rows, settings);
        check(sg_model_evaluate(sg_trainer_current(t), &test_rows, NULL, 1, &m));
        rmse[seed] = m.rmse;
        *mean += m.rmse / SPLITS;
        sg_trainer_free(t);
        sg_subset_free(in);
        sg_subset_free(out);
    }
    for (size_t i = 0; i < SPLITS; i++) sum += (rmse[i] - *mean) * (rmse[i] - *mean);
    *deviation = sqrt(sum / (SPLITS - 1));
}

static void ridge_regression_as_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i += is_quick() ? 3 : 1) {
        sg_table *table = open_dataset(&datasets[i]);
        sg_source s = sg_table_source(table);
        double mean, deviation;
        test_rmse(&s, "preset=rr", &mean, &deviation);
        /* Here transforms are fitted on the training rows; the known values come from transforms of all rows. The
         * tolerance of 0.5 % allows for that. */
        assert_close(mean, datasets[i].ridge, 3 * deviation / sqrt(SPLITS) + 0.005 * mean);
        sg_table_free(table);
    }
}

/* In Fig. 2 of the paper, at iteration 500, the RMSE of MBGD-RDA on NO2 is 0.5738, that of ridge regression 0.6226. */
static void mbgd_rda_beats_ridge_on_no2(void **state)
{
    sg_table *table = open_dataset(&datasets[1]);
    sg_source s = sg_table_source(table);
    double ridge, rda, deviation;
    (void)state;
    test_rmse(&s, "preset=rr", &ridge, &deviation);
    test_rmse(&s, "preset=mbgd-rda", &rda, &deviation);
    assert_true(rda < ridge);
    assert_close(rda, .5738, deviation);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_presets_on_all_sets),
    cmocka_unit_test(ridge_regression_as_known),
    cmocka_unit_test(mbgd_rda_beats_ridge_on_no2),
};
TEST_GROUP(tests, NULL, NULL)
