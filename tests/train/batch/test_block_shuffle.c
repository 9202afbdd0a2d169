/* test_block_shuffle.c: batches from shuffled blocks contain the right rows, equally often, and do not depend on
 * earlier draws. */
#include "train/batch/batch_sampler.h"

#include "test.h"

#include <stdlib.h>

/* Every batch has n distinct rows, sorted if there are several slices; no row occurs twice in an epoch. */
static void try_epochs(size_t total, size_t n, size_t epochs)
{
    sg_batch b;
    unsigned char *seen = test_calloc(total, 1);
    check(sg_batch_init(&b, total, n));
    check(sg_batch_use_block_shuffle(&b));
    size_t batches = b.block_shuffle->batches * b.block_shuffle->windows, used = 0;
    for (size_t k = 1; k <= epochs * batches; k++) {
        if ((k - 1) % batches == 0) memset(seen, 0, total);
        sg_batch_draw(&b, 11, (uint32_t)k);
        for (size_t i = 0; i < n; i++) {
            assert_true(b.row[i] < total && !seen[b.row[i]]);
            seen[b.row[i]] = 1;
            if (i && b.slices > 1) assert_true(b.row[i] > b.row[i - 1]);
        }
        used += n;
    }
    /* Each window leaves fewer rows than a batch and a block unused, and the last window at most another block. */
    assert_true(epochs * total - used < epochs * (b.block_shuffle->windows + 1) * (n + 2048));
    sg_batch_release(&b);
    test_free(seen);
}

static void epochs(void **state)
{
    static const size_t sizes[][2] = {{2, 1},      {100, 64},    {1023, 64},   {1024, 1000},    {1025, 7},
                                      {65536, 64}, {65537, 600}, {200000, 64}, {140000, 70000}, {300001, 8192}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) try_epochs(sizes[i][0], sizes[i][1], 3);
}

static sg_batch made(size_t total, size_t n)
{
    sg_batch b;
    check(sg_batch_init(&b, total, n));
    check(sg_batch_use_block_shuffle(&b));
    return b;
}

/* A batch depends only on the seed and the iteration, not on the batches drawn before. */
static void pure(void **state)
{
    enum { TOTAL = 400000, N = 640, LAST = 1500 };
    sg_batch forward = made(TOTAL, N), random = made(TOTAL, N);
    size_t *all = test_malloc(LAST * N * sizeof *all);
    bool differs = false;
    (void)state;
    for (size_t k = 1; k <= LAST; k++) {
        sg_batch_draw(&forward, 5, (uint32_t)k);
        memcpy(all + (k - 1) * N, forward.row, N * sizeof *all);
    }
    for (size_t i = 0; i < 300; i++) {
        size_t k = 1 + i * 769 % LAST;
        sg_batch_draw(&random, 5, (uint32_t)k);
        assert_memory_equal(random.row, all + (k - 1) * N, N * sizeof *all);
    }
    sg_batch other = made(TOTAL, N);
    sg_batch_draw(&other, 6, 1);
    for (size_t i = 0; i < N; i++) differs = differs || other.row[i] != all[i];
    assert_true(differs);
    sg_batch_release(&forward);
    sg_batch_release(&random);
    sg_batch_release(&other);
    test_free(all);
}

/* The rows of a window come from no more blocks than fit into a window. */
static void windows_lie_in_pieces(void **state)
{
    enum { TOTAL = 300000 };
    sg_batch b = made(TOTAL, 64);
    unsigned char *in = test_calloc(TOTAL / 1024 + 1, 1);
    size_t blocks = 0, batches = b.block_shuffle->batches;
    (void)state;
    for (size_t k = batches * 2 + 1; k <= batches * 3; k++) {
        sg_batch_draw(&b, 3, (uint32_t)k);
        for (size_t i = 0; i < 64; i++) in[b.row[i] / 1024] = 1;
    }
    for (size_t i = 0; i <= TOTAL / 1024; i++) blocks += in[i];
    assert_true(batches >= 1024 && blocks <= b.block_shuffle->max_rows / 1024);
    test_free(in);
    sg_batch_release(&b);
}

/* All rows are drawn about equally often, including those of the incomplete last block. */
static void fair(void **state)
{
    enum { TOTAL = 200500, N = 500, EPOCHS = 60 };
    sg_batch b = made(TOTAL, N);
    unsigned *times = test_calloc(TOTAL, sizeof *times);
    size_t batches = b.block_shuffle->batches * b.block_shuffle->windows, tail = 0, tail_rows = TOTAL % 1024;
    (void)state;
    for (size_t k = 1; k <= EPOCHS * batches; k++) {
        sg_batch_draw(&b, 1, (uint32_t)k);
        for (size_t i = 0; i < N; i++) times[b.row[i]]++;
    }
    for (size_t i = 0; i < TOTAL; i++) {
        assert_in_range(times[i], EPOCHS * 3 / 4, EPOCHS);
        if (i >= TOTAL - tail_rows) tail += times[i];
    }
    assert_close((double)tail / (double)(tail_rows * EPOCHS), 1, 0.05);
    sg_batch_release(&b);
    test_free(times);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(epochs),
    cmocka_unit_test(pure),
    cmocka_unit_test(windows_lie_in_pieces),
    cmocka_unit_test(fair),
};
TEST_GROUP(tests, NULL, NULL)
