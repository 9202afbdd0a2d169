/* test_batch.c: batches are drawn without replacement, every row equally often, and cut into
 * slices that depend on sizes alone. labels: arithmetic */
#include "test.h"

#include "train/batch.h"

#include <stdlib.h>

static void sizes_of_slices(void **state)
{
    static const size_t cases[][2] = {{1, 1},     {64, 1},     {511, 1},       {512, 8},
                                      {1000, 8},  {1024, 16},  {8192, 128},    {65536, 1024},
                                      {1 << 20, 1024}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sg_batch_slices(cases[i][0]), cases[i][1]);
}

static void slices_partition(void **state)
{
    static const size_t cases[][2] = {{700, 0}, {700, 699}, {10007, 513}, {100000, 4097}, {12, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_batch b;
        size_t at = 0;
        check(sg_batch_init(&b, cases[i][0], cases[i][1]));
        sg_batch_draw(&b, 5, 3);
        for (size_t s = 0; s < b.slices; s++) {
            size_t first, last, low = (size_t)((double)b.total * (double)s / (double)b.slices);
            sg_batch_slice(&b, s, &first, &last);
            assert_int_equal(first, at);
            for (size_t k = first; b.row && k < last; k++) assert_true(b.row[k] >= low);
            at = last;
        }
        assert_int_equal(at, b.n);
        sg_batch_release(&b);
    }
}

static void rows_are_distinct_and_even(void **state)
{
    enum { TOTAL = 97, DRAWS = 20000 };
    static const size_t sizes[] = {1, 7, 64, 96};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t hits[TOTAL] = {0};
        sg_batch b;
        check(sg_batch_init(&b, TOTAL, sizes[i]));
        for (uint32_t k = 1; k <= DRAWS; k++) {
            sg_batch_draw(&b, 11, k);
            for (size_t j = 0; j < b.n; j++) {
                assert_true(b.row[j] < TOTAL && (j == 0 || b.row[j] > b.row[j - 1]));
                hits[b.row[j]]++;
            }
        }
        double p = (double)sizes[i] / TOTAL, spread = sqrt(DRAWS * p * (1 - p));
        for (size_t r = 0; r < TOTAL; r++) assert_close((double)hits[r], DRAWS * p, 5 * spread);
        sg_batch_release(&b);
    }
}

/* All 35 sets of 3 out of 7 rows, and all 35 of 4, come up about equally often. */
static void every_set_comes_up(void **state)
{
    enum { DRAWS = 35000 };
    (void)state;
    for (size_t n = 3; n <= 4; n++) {
        size_t count[128] = {0}, sets = 0;
        double chi = 0;
        sg_batch b;
        check(sg_batch_init(&b, 7, n));
        for (uint32_t k = 1; k <= DRAWS; k++) {
            size_t set = 0;
            sg_batch_draw(&b, 2385, k);
            for (size_t j = 0; j < n; j++) set |= (size_t)1 << b.row[j];
            count[set]++;
        }
        for (size_t i = 0; i < 128; i++) {
            sets += count[i] > 0;
            if (count[i]) chi += ((double)count[i] - 1000) * ((double)count[i] - 1000) / 1000;
        }
        assert_int_equal(sets, 35);
        assert_close(chi, 34, 5 * sqrt(68));
        sg_batch_release(&b);
    }
}

/* Sizes that strain the set of rows: almost all rows, one row, very many rows. */
static void extreme_sizes(void **state)
{
    static const size_t huge = (size_t)1 << 53;
    static const struct {
        size_t total, n;
    } cases[] = {{2, 1},         {3, 2},       {huge, 1},     {huge, 4096},  {huge - 1, 4097},
                 {100000, 99999}, {100000, 50000}, {100000, 49999}, {300000, 140000}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_batch b;
        double mean = 0;
        check(sg_batch_init(&b, cases[i].total, cases[i].n));
        for (uint32_t k = 1; k <= 20; k++) {
            sg_batch_draw(&b, 7, k);
            for (size_t j = 0; j < b.n; j++) {
                assert_true(b.row[j] < b.total && (j == 0 || b.row[j] > b.row[j - 1]));
                mean += ((double)b.row[j] + 0.5) / (double)b.total / (20 * (double)b.n);
            }
        }
        assert_close(mean, 0.5, 5 * 0.2887 / sqrt(20 * (double)b.n));
        sg_batch_release(&b);
    }
}

static void a_draw_is_a_function(void **state)
{
    sg_batch a, b;
    (void)state;
    check(sg_batch_init(&a, 1000, 64));
    check(sg_batch_init(&b, 1000, 64));
    sg_batch_draw(&a, 1, 1);
    sg_batch_draw(&a, 1, 9);
    sg_batch_draw(&b, 1, 9);
    assert_memory_equal(a.row, b.row, 64 * sizeof *a.row);
    sg_batch_draw(&b, 2, 9);
    assert_memory_not_equal(a.row, b.row, 64 * sizeof *a.row);
    sg_batch_release(&a);
    sg_batch_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_slices),
        cmocka_unit_test(slices_partition),
        cmocka_unit_test(rows_are_distinct_and_even),
        cmocka_unit_test(every_set_comes_up),
        cmocka_unit_test(extreme_sizes),
        cmocka_unit_test(a_draw_is_a_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
