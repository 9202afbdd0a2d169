/* test_even_sample.c: sizes of samples; quantiles of wide rows, whose inputs are sampled in parts. */
#include "prep/quantile_transform.h"
#include "test.h"
#include "train/fit/even_sample.h"

static void rows_of_samples(void **state)
{
    static const size_t cases[][5] = {/* rows, cells of a row, most cells, least rows, rows of the sample */
                                      {100, 5, 4000000, 500, 100},          {1000000, 5, 4000000, 500, 20000},
                                      {1000000, 200, 4000000, 500, 20000},  {1000000, 1000, 4000000, 500, 4000},
                                      {1000000, 100000, 4000000, 500, 500}, {1000000, 100000, 4000000, 1600, 1600},
                                      {300, 100000, 4000000, 1600, 300}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t *c = cases[i];
        assert_int_equal(sg_train_sample_size(&(sg_source){.rows = c[0]}, c[1], c[2], c[3]), c[4]);
    }
}

/* --- wide rows --- */

enum { ROWS = 2500, INPUTS = 1900 }; /* two parts: 4,000,000 cells are 1,600 inputs */

static double value_at(size_t row, size_t column)
{
    size_t x = row * 7919 + column * 104729;
    return (double)(x % 6007) * (double)(1 + x % 3) + (double)column;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= INPUTS; k++) *out++ = value_at(first + i, k);
    return SG_OK;
}

static void check_input(const sg_transform *q, size_t k)
{
    static double column[ROWS], knot[SG_QUANTILE_KNOTS], score[SG_QUANTILE_KNOTS];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < ROWS; i++) {
        column[i] = value_at(i, k);
        low = fmin(low, column[i]);
        high = fmax(high, column[i]);
    }
    sg_quantile_transform_fit(column, ROWS, low, high, knot, score);
    assert_memory_equal(q->parameter[0] + k * SG_QUANTILE_KNOTS, knot, sizeof knot);
    assert_memory_equal(q->parameter[1] + k * SG_QUANTILE_KNOTS, score, sizeof score);
}

static void ranks_of_wide_rows(void **state)
{
    static char text[INPUTS + 1][8];
    static const char *names[INPUTS + 1];
    sg_source s = {.rows = ROWS, .columns = INPUTS + 1, .names = names, .read = read_rows};
    sg_options *o = options_of("scale=quantile pca=0");
    sg_preprocessed p;
    (void)state;
    for (size_t k = 0; k <= INPUTS; k++) {
        snprintf(text[k], sizeof text[k], "x%zu", k);
        names[k] = text[k];
    }
    check(sg_preprocess_fit_raw(o, &s, NULL, &p));
    assert_int_equal(p.columns.inputs, INPUTS);
    for (size_t k = 0; k < INPUTS; k += 61) check_input(&p.model->a.step[0], k);
    check_input(&p.model->a.step[0], INPUTS - 1);
    sg_preprocessed_release(&p);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_samples), cmocka_unit_test(ranks_of_wide_rows)};
TEST_GROUP(tests, NULL, NULL)
