/* test_sum_remainder.c: terms of any size add up exactly with the remainder. labels: memory */
#include "test.h"

#include "base/random/random.h"
#include "explain/row/sum_remainder.h"

#include <float.h>

enum { MOST = 40 };

static double add(const double *term, size_t n, double *size)
{
    double sum = 0;
    *size = 0;
    for (size_t i = 0; i < n; i++) {
        sum += term[i];
        *size += fabs(term[i]);
    }
    return sum;
}

/* Returns the largest change of a term. */
static double settle(const double *from, size_t n, double sum)
{
    double term[MOST], size, moved = 0;
    memcpy(term, from, n * sizeof *term);
    double rounding = sg_exact_sum_remainder(term, n, sum), so_far = add(term, n, &size);
    assert_true(isfinite(rounding) && isfinite(so_far));
    if (so_far + rounding != sum) fail_msg("%.17g + %.17g is not %.17g", so_far, rounding, sum);
    if (fabs(rounding) > 1e-13 * size) fail_msg("a rounding of %g of terms of %g", rounding, size);
    for (size_t i = 0; i < n; i++) moved = fmax(moved, fabs(term[i] - from[i]));
    return moved;
}

static void adds_up(void **state)
{
    static const struct {
        const char *what;
        double term[4];
        size_t n;
        double sum, moved; /* largest change of a term */
    } cases[] = {
        {"as it is", {2.385, -1.25, 7.5}, 3, 2.385 - 1.25 + 7.5, 0},
        {"the last bits", {0.1, 0.2, 0.3}, 3, 0.6, 0},
        {"nothing", {0, 0}, 2, 0, 0},
        {"one term", {2.385}, 1, 2.385, 0},
        {"a sum below the last bit of terms", {1.7, -1.7 + 1e-15, 0.0}, 3, 3.1e-33, 2e-15},
        {"the same, negative", {1e8, -1e8 + 1.5e-8, 0.25, -0.25}, 4, -2.385e-40, 4e-8},
        {"terms of numbers that cancelled", {3.0 + 1e-9, -2.0}, 2, 1.0, 2e-9},
        {"no terms for a sum", {0, 0, 0}, 3, 2.385, 2.385},
        {"garbage for a small sum", {1.25}, 1, 1e-20, 1.25},
        {"the smallest numbers", {5e-324, 1e-323, 4e-320}, 3, 2e-323, 1e-319},
        {"the largest", {DBL_MAX, DBL_MAX}, 2, DBL_MAX, DBL_MAX},
        {"the largest, one by one", {1e308, -1e308, 3}, 3, -DBL_MAX, INFINITY},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double moved = settle(cases[i].term, cases[i].n, cases[i].sum);
        if (moved > cases[i].moved) fail_msg("%s: moved by %g", cases[i].what, moved);
    }
}

static void survives_infinities(void **state)
{
    static const double bad[] = {INFINITY, -INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double term[3] = {1.5, bad[i], -2.5}, size;
        double rounding = sg_exact_sum_remainder(term, 3, 0.7);
        assert_true(add(term, 3, &size) + rounding == 0.7);
    }
}

/* Terms of all sizes; sums that differ by rounding errors, or that are much smaller. */
static void adds_up_at_random(void **state)
{
    sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (int i = 0; i < (is_quick() ? 2000 : 200000); i++) {
        double term[MOST], size;
        size_t n = 1 + sg_random_stream_below(&s, MOST);
        int spread = (int)sg_random_stream_below(&s, 60);
        for (size_t k = 0; k < n; k++)
            term[k] = ldexp(sg_random_stream_normal(&s), (int)sg_random_stream_below(&s, 1 + (uint64_t)spread));
        double sum = add(term, n, &size);
        if (i % 3 == 0) term[n - 1] -= sum; /* terms nearly cancel */
        sum =
            add(term, n, &size) + ldexp(sg_random_stream_normal(&s), -45 - (int)sg_random_stream_below(&s, 40)) * size;
        if (i % 5 == 0) sum = ldexp(sum, -(int)sg_random_stream_below(&s, 200));
        settle(term, n, sum);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(adds_up),
    cmocka_unit_test(survives_infinities),
    cmocka_unit_test(adds_up_at_random),
};
TEST_GROUP(tests, NULL, NULL)
