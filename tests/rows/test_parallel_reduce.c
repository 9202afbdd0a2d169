/* test_parallel_reduce.c: block sizes and the number of partial sums. */
#include "test.h"

#include "rows/parallel_reduce.h"

static size_t rows_of_block(size_t rows, size_t columns, size_t size)
{
    return sg_parallel_reduce_block_rows(&(sg_source){.rows = rows, .columns = columns}, size);
}

/* With large sums a block is an eighth of the rows, up to 16 MB. */
static void sizes_of_blocks(void **state)
{
    const size_t large = (1 << 20) + 8;
    (void)state;
    assert_int_equal(rows_of_block(1000000, 11, 1 << 20), 4096);
    assert_int_equal(rows_of_block(4096, 11, large), 4096);
    assert_int_equal(rows_of_block(1000000, 11, large), 126976);
    assert_int_equal(rows_of_block(10000000, 11, large), 188416);
    assert_int_equal(rows_of_block((size_t)1 << 40, 1000, large), 4096);
    for (size_t columns = 1; columns < 512; columns = columns * 3 / 2 + 1)
        assert_true(rows_of_block((size_t)1 << 40, columns, large) * columns * sizeof(double) <= 16 << 20);
}

/* Partial sums take at most 512 MB, or are four. */
static void sums_that_wait(void **state)
{
    static const size_t cases[][4] = {/* rows, columns, bytes of a sum, sums that wait */
                                      {1 << 20, 2, 256 << 20, 4},           {(size_t)1 << 40, 11, 32 << 20, 16},
                                      {(size_t)1 << 30, 11, 256 << 20, 4},  {(size_t)1 << 30, 11, 100 << 20, 5},
                                      {(size_t)1 << 30, 1000, 64 << 20, 8}, {5000, 2000, 256 << 20, 2},
                                      {(size_t)1 << 24, 11, 40 << 20, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_source s = {.rows = cases[i][0], .columns = cases[i][1]};
        size_t rows = sg_parallel_reduce_block_rows(&s, cases[i][2]);
        assert_int_equal(sg_parallel_reduce_max_sums(&s, rows), cases[i][3]);
        assert_int_equal(rows % 4096, 0);
    }
}

static sg_status add(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    (void)arg, (void)worker, (void)first, (void)n, (void)sum;
    return SG_OK;
}

static void sums_that_are_held(void **state)
{
    static const size_t cases[][3] = {/* threads, bytes of a sum, sums at once */
                                      {1, 800, 1},      {6, 800, 48},      {6, 8 << 20, 6},
                                      {6, 20 << 20, 3}, {6, 100 << 20, 1}, {1, 100 << 20, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_thread_pool *pool;
        sg_parallel_reduce w;
        check(sg_thread_pool_new(cases[i][0], &pool));
        check(sg_parallel_reduce_init(&w, &(sg_source){.rows = 100, .columns = 3}, 4096, cases[i][1], add, NULL, NULL,
                                      pool));
        assert_int_equal(w.round, cases[i][2]);
        sg_parallel_reduce_release(&w);
        sg_thread_pool_free(pool);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_of_blocks), cmocka_unit_test(sums_that_wait),
                                          cmocka_unit_test(sums_that_are_held)};
TEST_GROUP(tests, NULL, NULL)
