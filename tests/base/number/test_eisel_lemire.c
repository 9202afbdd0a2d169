/* test_eisel_lemire.c: w * 10^q as a double, against exact arithmetic and strtod; the table.
 * labels: arithmetic */
#include "base/number/eisel_lemire.h"
#include "base/random/random.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t cases_of(uint64_t n) { return getenv("TESTS_QUICK") ? n / 100 : n; }

/* --- The table, checked with long multiplication --- */

enum { LIMBS = 32, BITS = 32 * LIMBS }; /* 5^342 times 128 bits: 923 */

typedef struct natural {
    uint32_t limb[LIMBS];
} natural; /* lowest first */

static void times_five(natural *a)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        carry += UINT64_C(5) * a->limb[i];
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
}

static bool bit_of(const natural *a, int i) { return i >= 0 && a->limb[i / 32] >> i % 32 & 1; }

static int length_of(const natural *a)
{
    int n = BITS;
    while (n > 0 && !bit_of(a, n - 1)) n--;
    return n;
}

static bool exceeds(const natural *a, const natural *b)
{
    size_t i = LIMBS - 1;
    while (i > 0 && a->limb[i] == b->limb[i]) i--;
    return a->limb[i] > b->limb[i];
}

/* Row q holds the leading 128 bits of 5^q, padded with zeros. */
static void table_holds_powers(void **state)
{
    (void)state;
    natural five = {{1}};
    for (int q = 0; q <= SG_POWER_OF_FIVE_MAX; q++, times_five(&five)) {
        const uint64_t *row = sg_powers_of_five[q - SG_POWER_OF_FIVE_MIN];
        int length = length_of(&five);
        for (int i = 0; i < 128; i++)
            if ((row[i / 64] >> (63 - i % 64) & 1) != bit_of(&five, length - 1 - i)) fail_msg("5^%d, bit %d", q, i);
    }
}

/* Row -n holds T = floor(2^k / 5^n) + 1, where k is such that T has 128 bits. The test checks the equivalent condition
 * 2^k < T 5^n <= 2^k + 5^n. */
static void table_holds_reciprocals(void **state)
{
    (void)state;
    natural five = {{1}};
    for (int n = 1; n <= -SG_POWER_OF_FIVE_MIN; n++) {
        times_five(&five);
        const uint64_t *row = sg_powers_of_five[-n - SG_POWER_OF_FIVE_MIN];
        natural product = {{(uint32_t)row[1], (uint32_t)(row[1] >> 32), (uint32_t)row[0], (uint32_t)(row[0] >> 32)}};
        static const natural none;
        assert_true(row[0] >> 63);
        for (int i = 0; i < n; i++) times_five(&product);
        int top = length_of(&product) - 1; /* subtract 2^k; the rest is the error */
        product.limb[top / 32] ^= UINT32_C(1) << top % 32;
        if (!exceeds(&product, &none) || exceeds(&product, &five)) fail_msg("5^-%d", n);
    }
}

/* --- Rounding --- */

static double nearest(uint64_t w, long q)
{
    double value = 2.385;
    assert_true(sg_decimal_to_double_truncated(w, q, true, &value));
    return value;
}

static void expect_same(uint64_t w, long q)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRIu64 "e%ld", w, q);
    double judge = strtod(text, NULL), got = nearest(w, q);
    if (memcmp(&got, &judge, sizeof got) != 0) fail_msg("%s: %a, not %a", text, got, judge);
}

static void knows_the_limits(void **state)
{
    (void)state;
    static const uint64_t w[] = {
        1, 2, 3, 7, 9007199254740993, 999999999999999999, 9999999999999999999u, UINT64_MAX - 1, UINT64_MAX};
    static const long far[] = {309, 400, 2000000, -343, -400, -2000000};
    for (size_t i = 0; i < sizeof w / sizeof *w; i++)
        for (long q = SG_POWER_OF_FIVE_MIN - 2; q <= SG_POWER_OF_FIVE_MAX + 2; q++) expect_same(w[i], q);
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        assert_true(nearest(0, far[i]) == 0);
        assert_true(nearest(UINT64_MAX, far[i]) == (far[i] > 0 ? (double)INFINITY : 0));
    }
}

static uint64_t random_bits(sg_random_stream *s, int bits)
{
    uint64_t word = (uint64_t)sg_random_stream_next(s) << 32;
    return (word | sg_random_stream_next(s)) >> (64 - bits);
}

/* Ties are h * 2^j with h odd, 2^53 < h < 2^54: all q that have them, and their neighbours. */
static void rounds_ties_to_even(void **state)
{
    (void)state;
    uint64_t five = 1, seen = 0;
    for (int n = 0; n <= 23; n++, five *= 5)
        for (uint64_t i = 0; i < 500; i++) {
            sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, (uint32_t)n, i);
            uint64_t h = random_bits(&s, 53) | UINT64_C(1) << 53 | 1;
            uint64_t a = h / five | 1, even = (h >> 1) + (h >> 1 & 1);
            if (n <= 4) {
                double got = nearest(h * five, -n);
                if (got != ldexp((double)even, 1 - n)) fail_msg("%" PRIu64 " / 10^%d", h * five, n);
                expect_same(h * five - 1, -n);
                expect_same(h * five + 1, -n);
            }
            h = a * five;
            if (h >> 53 != 1) continue;
            even = (h >> 1) + (h >> 1 & 1);
            if (nearest(a, n) != ldexp((double)even, 1 + n)) fail_msg("%" PRIu64 "e%d", a, n);
            expect_same(a - 1, n);
            expect_same(a + 1, n);
            seen |= UINT64_C(1) << n;
        }
    assert_int_equal(seen, (1 << 24) - 1);
}

static void agrees_on_random_decimals(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < cases_of(500000); i++) {
        sg_random_stream s = sg_random_stream_at(6, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        uint64_t w = random_bits(&s, 1 + (int)sg_random_stream_below(&s, 64));
        expect_same(w, (long)sg_random_stream_below(&s, 651) + SG_POWER_OF_FIVE_MIN);
    }
}

/* --- Ambiguous inputs --- */

/* The 17 digits of a double are always sufficient. */
static void decides_all_doubles(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < cases_of(300000); i++) {
        sg_random_stream s = sg_random_stream_at(7, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        uint64_t bits = random_bits(&s, 63), w;
        double x, back = 2.385;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        char text[64], *rest;
        snprintf(text, sizeof text, "%.16e", x); /* d.dddddddddddddddde-308 */
        memmove(text + 1, text + 2, strlen(text + 1));
        w = strtoull(text, &rest, 10);
        assert_true(*rest == 'e');
        assert_true(sg_decimal_to_double_truncated(w, strtol(rest + 1, NULL, 10) - 16, true, &back));
        if (memcmp(&back, &x, sizeof x) != 0) fail_msg("%a became %s", x, text);
    }
}

/* Digits after the 19th matter if a tie lies between w and w + 1: about once in 600 cases. */
static void few_long_decimals_are_ambiguous(void **state)
{
    (void)state;
    static const uint64_t least = 1000000000000000000;
    double low, high;
    uint64_t n = cases_of(200000), left = 0;
    for (uint64_t i = 0; i < n; i++) {
        sg_random_stream s = sg_random_stream_at(8, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        uint64_t w = least + sg_random_stream_below(&s, 9 * least); /* 19 digits */
        long q = (long)sg_random_stream_below(&s, 580) - 300;
        bool decided = sg_decimal_to_double_truncated(w, q, false, &low);
        high = nearest(w + 1, q);
        assert_true(low == nearest(w, q));
        assert_int_equal(decided, low == high);
        left += !decided;
    }
    if (left == 0 || left > n / 300) fail_msg("%" PRIu64 " of %" PRIu64, left, n);
    assert_true(sg_decimal_to_double_truncated(least, 400, false, &high) && isinf(high));
    assert_true(sg_decimal_to_double_truncated(least, -400, false, &low) && low == 0);
    assert_false(sg_decimal_to_double_truncated(1797693134862315807, 290, false, &high)); /* may overflow */
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(table_holds_powers),
    cmocka_unit_test(table_holds_reciprocals),
    cmocka_unit_test(knows_the_limits),
    cmocka_unit_test(rounds_ties_to_even),
    cmocka_unit_test(agrees_on_random_decimals),
    cmocka_unit_test(decides_all_doubles),
    cmocka_unit_test(few_long_decimals_are_ambiguous),
};
TEST_GROUP(tests, NULL, NULL)
