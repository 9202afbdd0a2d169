/* test_interval_coverage.c: prediction intervals have their nominal coverage on the paper's ten datasets, from the
 * folder $SUGENO_DATA; skipped without it. labels: errors */
#include "test.h"

enum { SPLITS = 10 };

static const char *const files[] = {"pm10.csv",     "no2.csv",     "housing.csv",    "concrete.csv",   "airfoil.csv",
                                    "wine-red.csv", "abalone.csv", "wine-white.csv", "powerplant.csv", "protein.csv"};
enum { FILES = sizeof files / sizeof *files };

typedef struct tally {
    const sg_model *model;
    const sg_source *rows;
    size_t within;
} tally;

static sg_status count(void *arg, size_t first, size_t rows, const double *y)
{
    tally *t = arg;
    double row[32], lower, upper;
    for (size_t i = 0; i < rows; i++) {
        check(t->rows->read(t->rows->self, first + i, 1, row));
        check(sg_model_interval(t->model, 0.9, y + i, 1, &lower, &upper));
        t->within += row[t->rows->columns - 1] >= lower && row[t->rows->columns - 1] <= upper;
    }
    return SG_OK;
}

/* Trains a model on 70 % of the rows and returns the coverage of its intervals on the others. */
static double coverage(const sg_source *s, const sg_options *o, uint64_t seed)
{
    size_t held_out = (size_t)(0.3 * (double)s->rows + 0.5);
    sg_subset *in, *out;
    sg_model *m;
    check(sg_subset_split(s, seed, 0, held_out, 0, &in));
    check(sg_subset_split(s, seed, 0, held_out, 1, &out));
    sg_source train = sg_subset_source(in), test = sg_subset_source(out);
    check(sg_train(o, &train, NULL, NULL, NULL, &m));
    tally t = {m, &test, 0};
    check(sg_model_predict_source(m, &test, 1, count, &t));
    sg_model_free(m);
    sg_subset_free(in);
    sg_subset_free(out);
    return (double)t.within / (double)held_out;
}

static void nine_of_ten_rows(void **state)
{
    sg_options *o = options_of("intervals=5");
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        sg_table *table = dataset_of(files[i]);
        sg_source s = sg_table_source(table);
        double mean = 0;
        for (uint64_t seed = 0; seed < SPLITS; seed++) {
            double share = coverage(&s, o, seed);
            if (!(share >= 0.8)) fail_msg("%s, seed %d: %g", files[i], (int)seed, share);
            mean += share / SPLITS;
        }
        if (!(mean >= 0.88 && mean <= 0.92)) fail_msg("%s: %g", files[i], mean);
        sg_table_free(table);
    }
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(nine_of_ten_rows)};
TEST_GROUP(tests, NULL, NULL)
