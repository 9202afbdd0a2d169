/* test_random.c: Philox against published test vectors, and the distributions.
 * labels: arithmetic */
#include "base/random/philox.h"
#include "base/random/random.h"
#include "test.h"

#include <stdlib.h>

/* Random123's kat_vectors, philox4x32 with 10 rounds. */
static void philox_matches_published_vectors(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], expected[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_random_block w = sg_philox(cases[i].counter, cases[i].key);
        assert_memory_equal(w.word, cases[i].expected, sizeof w.word);
    }
}

/* The layout of the counter must never change: seeds would lose their meaning. */
static void counter_layout_is_fixed(void **state)
{
    const uint32_t counter[4] = {0x02abcdefu, 0x89abcdefu, 0x33445566u, 0x00001122u};
    const uint32_t key[2] = {0x76543210u, 0xfedcba98u};
    (void)state;
    sg_random_block a = sg_philox(counter, key);
    sg_random_block b = sg_random(0xfedcba9876543210u, SG_RANDOM_DROP, 0x89abcdefu, 0x112233445566u, 0xabcdefu);
    assert_int_equal(SG_RANDOM_DROP, 2);
    assert_memory_equal(&a, &b, sizeof a);
}

static void streams_are_blocks_in_order(void **state)
{
    sg_random_stream s = sg_random_stream_at(77, SG_RANDOM_BATCH, 5, 1234567890123u);
    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(sg_random_stream_next(&s),
                         sg_random(77, SG_RANDOM_BATCH, 5, 1234567890123u, i / 4).word[i % 4]);
    sg_random_stream again = sg_random_stream_at(77, SG_RANDOM_BATCH, 5, 1234567890123u);
    double unit = (double)(((uint64_t)sg_random(77, SG_RANDOM_BATCH, 5, 1234567890123u, 0).word[0] << 32 |
                            sg_random(77, SG_RANDOM_BATCH, 5, 1234567890123u, 0).word[1]) >>
                           11) *
                  0x1p-53;
    assert_true(sg_random_stream_uniform(&again) == unit);
}

static void many_rows_are_each_row(void **state)
{
    size_t rows[67];
    uint32_t words[4 * 67];
    (void)state;
    for (size_t i = 0; i < 67; i++) rows[i] = i * i * UINT64_C(123456789) + (i % 3 << 20);
    for (size_t n = 1; n <= 67; n++) {
        sg_random_rows(UINT64_C(0x123456789abcdef), SG_RANDOM_DROP, 77, rows, n, 9, 4, words);
        for (size_t i = 0; i < n; i++) {
            sg_random_block w = sg_random(UINT64_C(0x123456789abcdef), SG_RANDOM_DROP, 77, rows[i], 9);
            for (size_t k = 0; k < 4; k++) assert_int_equal(words[k * n + i], w.word[k]);
        }
    }
}

static bool plain(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    sg_philox_portable(s, rows, n, count, words);
    return true;
}

/* Compares all implementations with single counters; none may write beyond the words. */
static void implementations_agree(void **state)
{
    enum { MOST = 37, AFTER = 0x2385 };
    static bool (*const ways[])(const sg_philox_prefix *, const size_t *, size_t, size_t,
                                uint32_t *) = {plain, sg_philox_avx2};
    const sg_philox_prefix start = {{0xa4093822, 0x299f31d0}, {0x243f6a88, 0xfffffff1}};
    size_t rows[MOST];
    uint32_t words[4 * MOST + 1];
    (void)state;
    for (size_t i = 0; i < MOST; i++) rows[i] = i * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = 0; at < 2 * MOST * 4; at++) {
        size_t way = at % 2, n = at / 2 % MOST + 1, count = at / 2 / MOST + 1;
        words[count * n] = AFTER;
        if (!ways[way](&start, rows, n, count, words)) continue; /* not on this machine */
        for (size_t i = 0; i < n; i++) {
            const uint32_t counter[4] = {start.counter[0], start.counter[1], (uint32_t)rows[i],
                                         (uint32_t)((uint64_t)rows[i] >> 32)};
            sg_random_block w = sg_philox(counter, start.key);
            for (size_t k = 0; k < count; k++) assert_int_equal(words[k * n + i], w.word[k]);
        }
        assert_int_equal(words[count * n], AFTER);
    }
}

static void every_coordinate_matters(void **state)
{
    sg_random_block base = sg_random(1, SG_RANDOM_BATCH, 1, 1, 1);
    const sg_random_block other[] = {
        sg_random(2, SG_RANDOM_BATCH, 1, 1, 1),
        sg_random(1, SG_RANDOM_DROP, 1, 1, 1),
        sg_random(1, SG_RANDOM_BATCH, 2, 1, 1),
        sg_random(1, SG_RANDOM_BATCH, 1, 2, 1),
        sg_random(1, SG_RANDOM_BATCH, 1, 1, 2),
        sg_random(1 + (UINT64_C(1) << 32), SG_RANDOM_BATCH, 1, 1, 1),
        sg_random(1, SG_RANDOM_BATCH, 1, 1 + (UINT64_C(1) << 32), 1),
    };
    (void)state;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        for (size_t k = 0; k < 4; k++) assert_int_not_equal(base.word[k], other[i].word[k]);
}

/* The chi-square statistic with n - 1 degrees of freedom is within 5 standard deviations of its mean. */
static void below_is_uniform(void **state)
{
    static const uint64_t sizes[] = {2, 3, 7, 10, 64, 97, 1000};
    enum { DRAWS = 200000 };
    static size_t count[1000];
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint64_t n = sizes[k];
        sg_random_stream s = sg_random_stream_at(2385, SG_RANDOM_SPLIT, 0, n);
        memset(count, 0, sizeof count);
        for (size_t i = 0; i < DRAWS; i++) {
            uint64_t x = sg_random_stream_below(&s, n);
            assert_true(x < n);
            count[x]++;
        }
        double expected = (double)DRAWS / (double)n, chi = 0, free = (double)n - 1;
        for (size_t i = 0; i < n; i++) chi += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
        if (fabs(chi - free) > 5 * sqrt(2 * free)) fail_msg("n = %u: chi-square %g", (unsigned)n, chi);
    }
}

/* A remainder instead of Lemire's product would double the share of the lower third here. */
static void below_has_no_bias_for_large_n(void **state)
{
    const uint64_t n = (UINT64_C(1) << 63) + (UINT64_C(1) << 62);
    sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SPLIT, 0, 0);
    size_t lower = 0;
    (void)state;
    for (size_t i = 0; i < 30000; i++) {
        uint64_t x = sg_random_stream_below(&s, n);
        assert_true(x < n);
        lower += x < n / 3;
    }
    assert_close((double)lower, 10000, 5 * 82);
    for (size_t i = 0; i < 100; i++) assert_true(sg_random_stream_below(&s, 1) == 0);
}

static void unit_and_normal_have_their_moments(void **state)
{
    enum { DRAWS = 400000 };
    sg_random_stream s = sg_random_stream_at(42, SG_RANDOM_SYNTHETIC_DATA, 3, 9);
    double u1 = 0, u2 = 0, low = 1, high = 0, z[5] = {0};
    size_t beyond = 0;
    (void)state;
    for (size_t i = 0; i < DRAWS; i++) {
        double u = sg_random_stream_uniform(&s), x = sg_random_stream_normal(&s), p = x;
        assert_true(u >= 0 && u < 1 && isfinite(x));
        u1 += u / DRAWS;
        u2 += u * u / DRAWS;
        low = fmin(low, u);
        high = fmax(high, u);
        for (int k = 1; k <= 4; k++, p *= x) z[k] += p / DRAWS;
        beyond += fabs(x) > 1.959963984540054;
    }
    assert_close(u1, 0.5, 5 * 0.2887 / sqrt(DRAWS));
    assert_close(u2, 1.0 / 3, 5 * 0.2981 / sqrt(DRAWS));
    assert_true(low < 1e-4 && high > 1 - 1e-4);
    assert_close(z[1], 0, 5 / sqrt(DRAWS));
    assert_close(z[2], 1, 5 * sqrt(2.0 / DRAWS));
    assert_close(z[3], 0, 5 * sqrt(15.0 / DRAWS));
    assert_close(z[4], 3, 5 * sqrt(96.0 / DRAWS));
    assert_close((double)beyond / DRAWS, 0.05, 5 * sqrt(0.0475 / DRAWS));
}

static void places_are_a_permutation(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; n++) {
        unsigned char seen[300] = {0};
        for (uint64_t i = 0; i < n; i++) {
            uint64_t at = sg_random_permute(2385 + n, SG_RANDOM_SPLIT, n, i);
            assert_true(at < n && !seen[at]);
            seen[at] = 1;
        }
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void places_of_many_rows_differ(void **state)
{
    static const uint64_t sizes[] = {65536, 65537, 100003, UINT64_C(1) << 40, (UINT64_C(1) << 62) + 11, UINT64_MAX};
    enum { SAMPLE = 20000 };
    static uint64_t place[SAMPLE];
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double mean = 0;
        for (uint64_t i = 0; i < SAMPLE; i++) {
            place[i] = sg_random_permute(7, SG_RANDOM_BATCH, sizes[k], i);
            assert_true(place[i] < sizes[k]);
            mean += (double)place[i] / (double)sizes[k] / SAMPLE;
        }
        assert_close(mean, 0.5, 5 * 0.2887 / sqrt(SAMPLE)); /* not the first ones */
        qsort(place, SAMPLE, sizeof *place, compare);
        for (size_t i = 1; i < SAMPLE; i++) assert_true(place[i] != place[i - 1]);
    }
}

/* About one of n rows keeps its position under another seed. */
static void places_depend_on_seed_and_purpose(void **state)
{
    enum { ROWS = 1000 };
    size_t by_seed = 0, by_purpose = 0, still = 0;
    (void)state;
    for (uint64_t i = 0; i < ROWS; i++) {
        uint64_t at = sg_random_permute(1, SG_RANDOM_SPLIT, ROWS, i);
        assert_true(at == sg_random_permute(1, SG_RANDOM_SPLIT, ROWS, i));
        by_seed += at == sg_random_permute(2, SG_RANDOM_SPLIT, ROWS, i);
        by_purpose += at == sg_random_permute(1, SG_RANDOM_BATCH, ROWS, i);
        still += at == i;
    }
    assert_true(by_seed < 10 && by_purpose < 10 && still < 10);
}

/* All 24 permutations of 4 rows are about equally frequent over the seeds. */
static void every_order_comes_up(void **state)
{
    enum { SEEDS = 24000 };
    size_t count[256] = {0}, orders = 0;
    double chi = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t order = 0;
        for (uint64_t i = 0; i < 4; i++) order = order << 2 | sg_random_permute(seed, SG_RANDOM_SPLIT, 4, i);
        count[order]++;
    }
    for (size_t i = 0; i < 256; i++) {
        orders += count[i] > 0;
        if (count[i]) chi += ((double)count[i] - 1000) * ((double)count[i] - 1000) / 1000;
    }
    assert_int_equal(orders, 24);
    assert_close(chi, 23, 5 * sqrt(46));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(philox_matches_published_vectors),
    cmocka_unit_test(counter_layout_is_fixed),
    cmocka_unit_test(streams_are_blocks_in_order),
    cmocka_unit_test(many_rows_are_each_row),
    cmocka_unit_test(implementations_agree),
    cmocka_unit_test(every_coordinate_matters),
    cmocka_unit_test(below_is_uniform),
    cmocka_unit_test(below_has_no_bias_for_large_n),
    cmocka_unit_test(unit_and_normal_have_their_moments),
    cmocka_unit_test(places_are_a_permutation),
    cmocka_unit_test(places_of_many_rows_differ),
    cmocka_unit_test(places_depend_on_seed_and_purpose),
    cmocka_unit_test(every_order_comes_up),
};
TEST_GROUP(tests, NULL, NULL)
