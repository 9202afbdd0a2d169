/* test_column_stats.c: what one pass over the rows tells.
 * labels: memory threads */
#include "base/options.h"
#include "data/source/subset_source.h"
#include "rows/column_stats.h"
#include "test.h"

enum { ROWS = 5000, COLUMNS = 4 };

static const char *const names[COLUMNS] = {"a", "b", "w", "y"};

static sg_table *table_of(const double *values, size_t rows)
{
    sg_table *t;
    check(sg_table_new(names, COLUMNS, values, rows, &t));
    return t;
}

/* Numbers without a pattern; weights of which some are 0. */
static double *numbers(void)
{
    double *x = calloc(ROWS * COLUMNS, sizeof *x);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = i % COLUMNS == 2 ? (double)(i % 11) : 3.7 * sin((double)i) + (double)(i % COLUMNS);
    return x;
}

static sg_column_stats survey_of(const sg_source *s, const char *settings, size_t threads)
{
    sg_options *o = options_of(settings);
    sg_column_roles roles;
    sg_thread_pool *pool;
    sg_column_stats v;
    check(sg_column_roles_from_options(o, s, &roles));
    check(sg_thread_pool_new(threads, &pool));
    check(sg_column_stats_compute(s, &roles, pool, &v));
    sg_thread_pool_free(pool);
    sg_column_roles_release(&roles);
    sg_options_free(o);
    return v;
}

static uint64_t print_of(const double *x, const char *settings)
{
    sg_table *t = table_of(x, ROWS);
    sg_source s = sg_table_source(t);
    sg_column_stats v = survey_of(&s, settings, 1);
    uint64_t fingerprint = v.fingerprint;
    sg_column_stats_release(&v);
    sg_table_free(t);
    return fingerprint;
}

static void threads_do_not_matter(void **state)
{
    double *x = numbers();
    sg_table *t = table_of(x, ROWS);
    sg_source s = sg_table_source(t);
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        sg_column_stats one = survey_of(&s, weighted ? "weights=w" : "", 1),
                        two = survey_of(&s, weighted ? "weights=w" : "", 3);
        assert_true(one.fingerprint == two.fingerprint && one.rows == ROWS && two.rows == ROWS);
        assert_int_equal(one.zero_weight, weighted ? ROWS / 11 + 1 : 0);
        assert_memory_equal(one.moments.rows, two.moments.rows, sg_moments_size(COLUMNS) * sizeof(double));
        assert_true(*one.moments.rows == (double)(ROWS - one.zero_weight));
        sg_column_stats_release(&one);
        sg_column_stats_release(&two);
    }
    sg_table_free(t);
    free(x);
}

/* Every number that is used, its column and its row; nothing else. */
static void the_fingerprint_is_of_what_is_used(void **state)
{
    double *x = numbers();
    uint64_t was = print_of(x, ""), without = print_of(x, "ignore=b");
    (void)state;
    assert_true(was != without && was != print_of(x, "weights=w") && was != print_of(x, "targets=a"));
    x[4321 * COLUMNS + 1] += 1e-9;
    assert_true(print_of(x, "") != was && print_of(x, "ignore=b") == without);
    x[4321 * COLUMNS + 1] -= 1e-9;
    double kept[COLUMNS];
    memcpy(kept, x, sizeof kept); /* two rows change places */
    memcpy(x, x + 77 * COLUMNS, sizeof kept);
    memcpy(x + 77 * COLUMNS, kept, sizeof kept);
    assert_true(print_of(x, "") != was);
    memcpy(x + 77 * COLUMNS, x, sizeof kept);
    memcpy(x, kept, sizeof kept);
    x[5] = NAN;
    uint64_t missing = print_of(x, "");
    uint64_t bits = UINT64_C(0xfff8000000001234);
    memcpy(&x[5], &bits, sizeof bits); /* another NaN */
    assert_true(missing != was && print_of(x, "") == missing);
    free(x);
}

static void rows_that_lack_something(void **state)
{
    double *x = numbers();
    (void)state;
    for (size_t i = 0; i < ROWS; i += 100) x[i * COLUMNS + 3] = NAN;
    x[7 * COLUMNS + 2] = NAN;
    sg_table *t = table_of(x, ROWS);
    sg_source s = sg_table_source(t);
    sg_column_stats plain = survey_of(&s, "", 2), weighted = survey_of(&s, "weights=w", 2);
    assert_true(plain.incomplete == ROWS / 100 && weighted.incomplete == ROWS / 100 + 1);
    assert_int_equal(plain.rows, ROWS - plain.incomplete);
    sg_column_stats_release(&plain);
    sg_column_stats_release(&weighted);
    sg_table_free(t);
    free(x);
}

static void check_refused(double *x, size_t at, double value, const char *settings, const char *sentence)
{
    double was = x[at];
    sg_options *o = options_of(settings);
    sg_column_roles roles;
    sg_column_stats v;
    x[at] = value;
    sg_table *t = table_of(x, ROWS);
    sg_source s = sg_table_source(t);
    check(sg_column_roles_from_options(o, &s, &roles));
    check_fails(sg_column_stats_compute(&s, &roles, NULL, &v), SG_EDATA, sentence);
    sg_column_roles_release(&roles);
    sg_options_free(o);
    sg_table_free(t);
    x[at] = was;
}

static void what_is_wrong_is_named(void **state)
{
    double *x = numbers();
    (void)state;
    check_refused(x, 4999 * COLUMNS + 1, -1e100, "", "row 5000, column \"b\": -1e+100");
    check_refused(x, 12 * COLUMNS + 3, 1e100, "weights=w", "row 13, column \"y\"");
    check_refused(x, 12 * COLUMNS + 2, -1, "weights=w", "row 13, column \"w\": a weight must be at least 0, not -1");
    for (size_t i = 0; i < ROWS; i++) x[i * COLUMNS + 2] = 0;
    check_refused(x, 0, 1, "weights=w", "the row weights are all zero");
    for (size_t i = 0; i < ROWS; i++) x[i * COLUMNS + 3] = NAN;
    check_refused(x, 0, 1, "", "no row has all targets");
    free(x);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(the_fingerprint_is_of_what_is_used),
    cmocka_unit_test(rows_that_lack_something),
    cmocka_unit_test(what_is_wrong_is_named),
};
TEST_GROUP(tests, NULL, NULL)
