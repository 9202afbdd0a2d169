/* test_missing_datasets.c: the paper's ten datasets, from the folder $SUGENO_DATA, with a fifth of their input cells
 * removed at random; skipped without it. Trained and tested as they are, they must do no worse than with the
 * training rows' means filled in beforehand. SHOW=1 prints each set. labels: errors */
#include "test.h"

#include "base/random/random.h"

#include <stdlib.h>

enum { SPLITS = 5 };

static const char *const files[] = {"pm10.csv",     "no2.csv",     "housing.csv",    "concrete.csv",   "airfoil.csv",
                                    "wine-red.csv", "abalone.csv", "wine-white.csv", "powerplant.csv", "protein.csv"};
enum { FILES = sizeof files / sizeof *files };

static sg_table *table_of(const sg_table *like, const double *values)
{
    size_t columns = sg_table_columns(like);
    const char *names[64];
    sg_table *t;
    for (size_t i = 0; i < columns; i++) names[i] = sg_table_name(like, i);
    check(sg_table_new(names, columns, values, sg_table_rows(like), &t));
    return t;
}

/* Removes one in five inputs; the target is the last column. */
static double *lose_inputs(const sg_table *t, uint64_t seed)
{
    size_t columns = sg_table_columns(t), n = sg_table_rows(t) * columns;
    double *v = malloc(n * sizeof *v);
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    assert_non_null(v);
    memcpy(v, sg_table_values(t), n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        if (i % columns + 1 < columns && sg_random_stream_below(&s, 5) == 0) v[i] = NAN;
    return v;
}

/* Imputes the means of the training rows. */
static void fill_in(double *v, size_t columns, size_t rows, const sg_source *train)
{
    double *row = malloc(columns * sizeof *row);
    for (size_t c = 0; c + 1 < columns; c++) {
        double sum = 0, n = 0;
        for (size_t i = 0; i < train->rows; i++) {
            check(train->read(train->self, i, 1, row));
            if (isnan(row[c])) continue;
            sum += row[c];
            n++;
        }
        for (size_t r = 0; r < rows; r++)
            if (isnan(v[r * columns + c])) v[r * columns + c] = sum / n;
    }
    free(row);
}

static double test_rmse(const sg_source *train, const sg_source *test, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    sg_metrics m;
    check(sg_trainer_new(o, train, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_model_evaluate(sg_trainer_current(t), test, NULL, 1, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m.rmse;
}

/* Computes the test RMSE on one split: rmse[0] with missing values, rmse[1] with means imputed for them. */
static void one_split(const sg_table *whole, uint64_t seed, const char *settings, double rmse[2])
{
    size_t rows = sg_table_rows(whole), columns = sg_table_columns(whole),
           held_out = (size_t)(0.3 * (double)rows + 0.5);
    double *v = lose_inputs(whole, seed);
    for (int filled = 0; filled < 2; filled++) {
        sg_table *t = table_of(whole, v);
        sg_source s = sg_table_source(t);
        sg_subset *in, *out;
        check(sg_subset_split(&s, seed, 0, held_out, 0, &in));
        check(sg_subset_split(&s, seed, 0, held_out, 1, &out));
        sg_source train = sg_subset_source(in), test = sg_subset_source(out);
        rmse[filled] = test_rmse(&train, &test, settings);
        if (!filled) fill_in(v, columns, rows, &train);
        sg_subset_free(in);
        sg_subset_free(out);
        sg_table_free(t);
    }
    free(v);
}

/* Returns the mean over the sets of log(RMSE with missing values / RMSE with imputed ones), and stores the number of
 * sets whose logarithm is negative in *better. */
static double compare(const char *settings, size_t *better)
{
    double all = 0;
    *better = 0;
    for (size_t i = 0; i < FILES; i++) {
        sg_table *t = dataset_of(files[i]);
        double sum[2] = {0};
        for (uint64_t seed = 0; seed < SPLITS; seed++) {
            double rmse[2];
            one_split(t, seed, settings, rmse);
            for (int k = 0; k < 2; k++) sum[k] += rmse[k] / SPLITS;
        }
        if (getenv("SHOW"))
            print_message("%-16s %8.4f as it is, %8.4f filled in: %+.2f %%\n", files[i], sum[0], sum[1],
                          100 * (sum[0] / sum[1] - 1));
        all += log(sum[0] / sum[1]) / FILES;
        *better += sum[0] < sum[1];
        sg_table_free(t);
    }
    if (getenv("SHOW"))
        print_message("%s: %+.2f %% on average, better on %zu\n", settings, 100 * (exp(all) - 1), *better);
    return all;
}

static void no_worse_than_the_mean(void **state)
{
    static const char *const settings[] = {"preset=mbgd-rda", "preset=mbgd-rda pca=0 rules=32"};
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t better;
        double log_ratio = compare(settings[i], &better);
        if (!(log_ratio <= 0) || better < 7)
            fail_msg("%s: %+.2f %% on average, better on %zu", settings[i], 100 * (exp(log_ratio) - 1), better);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(no_worse_than_the_mean)};
TEST_GROUP(tests, NULL, NULL)
