/* test_toy_datasets.c: generated datasets. labels: arithmetic */
#include "test.h"

static sg_table *generate(const char *name, size_t rows, uint64_t seed, size_t columns)
{
    sg_table *t;
    check(sg_table_generate(name, rows, seed, &t));
    assert_int_equal(sg_table_rows(t), rows);
    assert_int_equal(sg_table_columns(t), columns);
    assert_string_equal(sg_table_source(t).name, name);
    return t;
}

/* The first row of the documented deterministic case, to the last bit. */
static void lcg(void **state)
{
    (void)state;
    static const double row[] = {.048047360083421323, -1.1232650751463724, -.66285059173719763,
                                 .11962889271036795,  1.5506286190610212,  .11985980665072782};
    sg_table *t = generate("lcg", 500, 7, 6);
    for (size_t j = 0; j < 6; j++) assert_true(sg_table_values(t)[j] == row[j]);
    assert_string_equal(sg_table_name(t, 0), "x1");
    assert_string_equal(sg_table_name(t, 5), "y");
    sg_table_free(t);
}

/* Values from an independent program with the same step size. */
static void mackey_glass(void **state)
{
    (void)state;
    static const char *const names[] = {"x(t-18)", "x(t-12)", "x(t-6)", "x(t)", "x(t+6)"};
    sg_table *t = generate("mackey-glass", 1000, 0, 5);
    const double *v = sg_table_values(t), *last = v + 999 * 5;
    for (size_t j = 0; j < 5; j++) assert_string_equal(sg_table_name(t, j), names[j]);
    assert_close(v[0], 0.9411677601849898, 1e-12); /* t = 100 */
    assert_close(v[3], 1.149122184608485, 1e-12);  /* t = 118 */
    assert_close(v[4], 1.0243079559201753, 1e-12); /* t = 124 */
    assert_close(v[(500 - 118) * 5 + 3], 0.947409847955751, 1e-11);
    assert_close(last[3], 1.1786491805048644, 1e-10); /* t = 1117 */
    assert_close(last[4], 1.0074760761438604, 1e-10);
    for (size_t i = 0; i + 6 < 1000; i++)
        for (size_t j = 0; j < 4; j++) assert_true(v[i * 5 + j + 1] == v[(i + 6) * 5 + j]);
    sg_table_free(t);
}

/* y without noise, from the inputs. */
static double friedman_mean(const double *x)
{
    return 10 * sin(acos(-1) * x[0] * x[1]) + 20 * (x[2] - .5) * (x[2] - .5) + 10 * x[3] + 5 * x[4];
}

/* Bounds: six standard errors of the mean and of the variance. */
static void friedman(void **state)
{
    (void)state;
    enum { N = 20000 };
    sg_table *t = generate("friedman", N, 42, 11);
    const double *v = sg_table_values(t);
    double mean = 0, square = 0, inputs[10] = {0};
    for (size_t i = 0; i < N; i++) {
        double noise = v[i * 11 + 10] - friedman_mean(v + i * 11);
        mean += noise / N;
        square += noise * noise / N;
        for (size_t j = 0; j < 10; j++) {
            assert_true(v[i * 11 + j] >= 0 && v[i * 11 + j] < 1);
            inputs[j] += v[i * 11 + j] / N;
        }
    }
    assert_close(mean, 0, 6 / sqrt(N));
    assert_close(square, 1, 6 * sqrt(2. / N));
    for (size_t j = 0; j < 10; j++) assert_close(inputs[j], .5, 6 / sqrt(12. * N));
    sg_table_free(t);
}

/* Row i depends only on the seed and i. */
static void friedman_by_seed(void **state)
{
    (void)state;
    sg_table *a = generate("friedman", 50, 42, 11), *b = generate("friedman", 9, 42, 11);
    sg_table *c = generate("friedman", 9, 43, 11);
    assert_memory_equal(sg_table_values(a), sg_table_values(b), 9 * 11 * sizeof(double));
    assert_true(sg_table_values(b)[0] != sg_table_values(c)[0]);
    sg_table_free(a);
    sg_table_free(b);
    sg_table_free(c);
}

static void refuses(void **state)
{
    (void)state;
    sg_table *t = NULL;
    check_fails(sg_table_generate("makey-glass", 9, 1, &t), SG_EINVAL,
                "unknown dataset \"makey-glass\"; did you mean mackey-glass?");
    check_fails(sg_table_generate("iris", 9, 1, &t), SG_EINVAL,
                "unknown dataset \"iris\"; expected one of mackey-glass, friedman, lcg");
    check_fails(sg_table_generate("lcg", 0, 1, &t), SG_EINVAL, "lcg: expected at least one row, got none");
    check_fails(sg_table_generate("lcg", SIZE_MAX / 4, 1, &t), SG_ENOMEM, "out of memory");
    check_fails(sg_table_generate("mackey-glass", SIZE_MAX / 40, 1, &t), SG_ENOMEM, "out of memory");
    assert_null(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lcg),      cmocka_unit_test(mackey_glass),
    cmocka_unit_test(friedman), cmocka_unit_test(friedman_by_seed),
    cmocka_unit_test(refuses),
};
TEST_GROUP(tests, NULL, NULL)
