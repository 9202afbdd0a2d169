/* test_batch_sampler.c: batches are drawn without replacement, all rows equally often, and cut into slices
 * that depend only on the sizes. labels: arithmetic */
#include "test.h"

#include "base/random/random.h"
#include "train/batch/batch_sampler.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

static void sizes_of_slices(void **state)
{
    static const size_t cases[][2] = {{1, 1},     {64, 1},     {511, 1},      {512, 8},       {1000, 8},
                                      {1024, 16}, {8192, 128}, {65536, 1024}, {1 << 20, 1024}};
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

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The rows of a batch are distinct, and sorted if there are several slices. */
static void check_rows(const sg_batch *b)
{
    size_t *row = malloc(b->n * sizeof *row);
    assert_non_null(row);
    memcpy(row, b->row, b->n * sizeof *row);
    qsort(row, b->n, sizeof *row, compare);
    for (size_t i = 0; i < b->n; i++) assert_true(row[i] < b->total && (i == 0 || row[i] > row[i - 1]));
    if (b->slices > 1) assert_memory_equal(row, b->row, b->n * sizeof *row);
    free(row);
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
            check_rows(&b);
            for (size_t j = 0; j < b.n; j++) hits[b.row[j]]++;
        }
        double p = (double)sizes[i] / TOTAL, spread = sqrt(DRAWS * p * (1 - p));
        for (size_t r = 0; r < TOTAL; r++) assert_close((double)hits[r], DRAWS * p, 5 * spread);
        sg_batch_release(&b);
    }
}

/* All 35 sets of 3 out of 7 rows, and all 35 of 4, are drawn about equally often. */
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

/* Batches of one row and of almost all rows, and tables with very many rows. */
static void extreme_sizes(void **state)
{
    static const size_t huge = (size_t)1 << 53;
    static const struct {
        size_t total, n;
    } cases[] = {{2, 1},
                 {3, 2},
                 {huge, 1},
                 {huge, 4096},
                 {huge - 1, 4097},
                 {(size_t)1 << 60, 5000},
                 {((size_t)1 << 32) + 1, 1000},
                 {(size_t)1 << 32, 1000},
                 {((size_t)1 << 32) - 1, 1000},
                 {100000, 99999},
                 {1 << 20, 511},
                 {(1 << 20) + 1, 511},
                 {100000, 50000},
                 {100000, 49999},
                 {300000, 140000}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_batch b;
        double mean = 0;
        check(sg_batch_init(&b, cases[i].total, cases[i].n));
        for (uint32_t k = 1; k <= 20; k++) {
            sg_batch_draw(&b, 7, k);
            check_rows(&b);
            for (size_t j = 0; j < b.n; j++) mean += ((double)b.row[j] + 0.5) / (double)b.total / (20 * (double)b.n);
        }
        assert_close(mean, 0.5, 5 * 0.2887 / sqrt(20 * (double)b.n));
        sg_batch_release(&b);
    }
}

/* With these totals, sampling without rejection would draw a third of the rows twice as often. Draws one row at a
 * time. */
static void no_bias(void **state)
{
    enum { DRAWS = 20000 };
    static const size_t totals[] = {(size_t)3 << 30, (size_t)3 << 62};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t thirds = 0;
        sg_batch b;
        check(sg_batch_init(&b, totals[i], 1));
        for (uint32_t k = 1; k <= DRAWS; k++) {
            sg_batch_draw(&b, 17, k);
            thirds += b.row[0] % 3 == 0;
        }
        assert_close((double)thirds, DRAWS / 3., 5 * sqrt(DRAWS * 2. / 9));
        sg_batch_release(&b);
    }
}

/* --- textbook version of Floyd's sampling --- */

typedef struct book {
    uint32_t iteration;
    size_t counters, used, words;
    uint32_t word[64];
} book;

/* Returns the next random word. Buffers at most 64 words, and no more than there are numbers to draw: first the first
 * word of each counter, then the second word of each, and so on. */
static uint32_t book_word(book *k, size_t wanted)
{
    if (k->used == k->words) {
        size_t words = wanted < 64 ? wanted : 64, n = (words + 3) / 4;
        for (size_t i = 0; i < words; i++)
            k->word[i] = sg_random(3, SG_RANDOM_BATCH, k->iteration, k->counters + i % n, 0).word[i / n];
        k->counters += n;
        k->words = words;
        k->used = 0;
    }
    return k->word[k->used++];
}

static size_t book_number(book *k, size_t n, bool two, size_t wanted)
{
    const wide range = (wide)1 << (two ? 64 : 32);
    for (;;) {
        wide x = book_word(k, two ? 2 * wanted : wanted);
        if (two) x = x << 32 | book_word(k, 0);
        if (x * n % range >= range % n) return (size_t)(x * n / range);
    }
}

static bool contains(const size_t *set, size_t n, size_t row)
{
    while (n > 0)
        if (set[--n] == row) return true;
    return false;
}

static void draws_as_in_the_book(void **state)
{
    enum { MOST = 512 };
    static const size_t cases[][2] = {{2, 1},
                                      {350, 64},
                                      {97, 96},
                                      {513, 64},
                                      {4096, 64},
                                      {4096, 5},
                                      {45730, 64},
                                      {2000, 199},
                                      {2000, 512},
                                      {10007, 130},
                                      {(size_t)3 << 30, 64},
                                      {((size_t)1 << 32) - 1, 100},
                                      {(size_t)1 << 32, 100},
                                      {(size_t)3 << 62, 70},
                                      {(size_t)1 << 60, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t total = cases[i][0], n = cases[i][1];
        sg_batch b;
        check(sg_batch_init(&b, total, n));
        for (uint32_t iteration = 1; iteration <= 50; iteration++) {
            book k = {.iteration = iteration};
            size_t set[MOST];
            for (size_t j = 0; j < n; j++) {
                size_t last = total - n + j, row = book_number(&k, last + 1, total > UINT32_MAX, n - j);
                set[j] = contains(set, j, row) ? last : row;
            }
            sg_batch_draw(&b, 3, iteration);
            qsort(set, n, sizeof *set, compare);
            qsort(b.row, n, sizeof *b.row, compare);
            assert_memory_equal(b.row, set, n * sizeof *set);
        }
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

/* A restricted batch contains the rows of the full batch in its range, whatever was drawn before. */
static void check_range(const sg_batch *whole, const sg_batch *part, size_t first, size_t last)
{
    size_t i = 0, k = 0;
    while (i < whole->n && whole->row[i] < first) i++;
    for (; i < whole->n && whole->row[i] < last; i++, k++)
        assert_true(k < part->count && part->row[k] == whole->row[i]);
    for (; k < part->count; k++) assert_true(part->row[k] >= last && (k == 0 || part->row[k] > part->row[k - 1]));
}

static void parts_of_a_batch(void **state)
{
    static const size_t cases[][2] = {
        {10007, 513}, {100000, 4097}, {3000, 2999}, {1000000, 70000}, {(size_t)1 << 53, 4096}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t low = 0; low <= 8; low++)
            for (size_t high = low; high <= 8; high++) {
                size_t total = cases[i][0], first = total / 8 * low;
                size_t last = high == 8 ? total : total / 8 * high + high % 3;
                if (first > last) first = last;
                sg_batch whole, part;
                check(sg_batch_init(&whole, total, cases[i][1]));
                check(sg_batch_init(&part, total, cases[i][1]));
                sg_batch_restrict(&part, first, last);
                for (uint32_t k = 1; k <= 3; k++) {
                    sg_batch_draw(&whole, 19, k);
                    sg_batch_draw(&part, 19, k);
                    check_range(&whole, &part, first, last);
                }
                sg_batch_release(&whole);
                sg_batch_release(&part);
            }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sizes_of_slices),
    cmocka_unit_test(slices_partition),
    cmocka_unit_test(parts_of_a_batch),
    cmocka_unit_test(rows_are_distinct_and_even),
    cmocka_unit_test(every_set_comes_up),
    cmocka_unit_test(extreme_sizes),
    cmocka_unit_test(no_bias),
    cmocka_unit_test(draws_as_in_the_book),
    cmocka_unit_test(a_draw_is_a_function),
};
TEST_GROUP(tests, NULL, NULL)
