/* test_portable_math.c: elementary functions, compared with the C library in long double.
 * labels: arithmetic */
#include "base/number/portable_math.h"
#include "base/random/random.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

static size_t points(void) { return getenv("TESTS_QUICK") ? 2000 : 200000; }

static const double infinite = INFINITY;

/* Returns the error of y in ulps of a double. */
static double ulps(double y, long double truth)
{
    int exponent;
    frexpl(truth, &exponent);
    int last = exponent - 53 > -1074 ? exponent - 53 : -1074;
    return (double)fabsl(ldexpl((long double)y - truth, -last));
}

typedef struct function {
    const char *name;
    double (*ours)(double);
    long double (*theirs)(long double);
    double most; /* ulps */
} function;

static double our_exp(double x) { return sg_exp(x); }

static const function f_exp = {"exp", our_exp, expl, 1}, f_log = {"log", sg_log, logl, 1},
                      f_log1p = {"log1p", sg_log1p, log1pl, 1.2}, f_sin = {"sin", sg_sin, sinl, 1},
                      f_cos = {"cos", sg_cos, cosl, 1};

static void holds(const function *f, double x)
{
    double y = f->ours(x);
    long double truth = f->theirs((long double)x);
    double off = ulps(y, truth);
    if (!(off <= f->most)) fail_msg("%s(%.17g = %a) = %.17g, %.3g ulp off", f->name, x, x, y, off);
}

static void over(const function *f, double low, double high)
{
    sg_random_stream s = sg_random_stream_at(2385, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t i = 0; i < points(); i++) holds(f, low + (high - low) * sg_random_stream_uniform(&s));
}

/* Any double within the bounds, with all exponents equally likely. */
static void over_bits(const function *f, double low, double high)
{
    sg_random_stream s = sg_random_stream_at(77, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    uint64_t first = sg_double_to_bits(low), last = sg_double_to_bits(high);
    for (size_t i = 0; i < points(); i++)
        holds(f, sg_double_from_bits(first + sg_random_stream_below(&s, last - first)));
}

static void exponentials(void **state)
{
    (void)state;
    over(&f_exp, -0.4, 0.4);
    over(&f_exp, -50, 50);
    over(&f_exp, -708, 709.7);
    over(&f_exp, -745.2, -708); /* subnormal results */
    over_bits(&f_exp, 1e-300, 1);
    holds(&f_exp, 709.782712893384);
    holds(&f_exp, -745.1332191019411);
    assert_true(sg_exp(0) == 1 && sg_exp(-0.0) == 1);
    assert_true(sg_exp(709.7827128933841) == infinite && sg_exp(INFINITY) == infinite && sg_exp(DBL_MAX) == infinite);
    assert_true(sg_exp(-745.133219101941) == 0x1p-1074 && sg_exp(-745.1332191019412) == 0);
    assert_true(sg_exp(-DBL_MAX) == 0 && sg_exp(-INFINITY) == 0 && isnan(sg_exp(NAN)));
}

static void logarithms(void **state)
{
    (void)state;
    over(&f_log, 0.5, 2);
    over(&f_log, 0.99, 1.01);
    over(&f_log, 0.70710, 0.70711);
    over(&f_log, 1.41421, 1.41422);
    over(&f_log, 0, 1e6);
    over_bits(&f_log, 0x1p-1074, DBL_MAX);
    over_bits(&f_log, 0x1p-1074, 0x1p-1022);
    holds(&f_log, DBL_MAX);
    holds(&f_log, 0x1p-1074);
    holds(&f_log, nextafter(1, 0));
    holds(&f_log, nextafter(1, 2));
    assert_true(sg_log(1) == 0 && !signbit(sg_log(1)));
    assert_true(sg_log(0) == -infinite && sg_log(-0.0) == -infinite && sg_log(INFINITY) == infinite);
    assert_true(isnan(sg_log(-1)) && isnan(sg_log(-INFINITY)) && isnan(sg_log(NAN)));
}

static void logarithms_of_one_plus(void **state)
{
    (void)state;
    over(&f_log1p, 0, 1);
    over(&f_log1p, -0.7, 10);
    over_bits(&f_log1p, 1e-300, DBL_MAX);
    assert_true(sg_log1p(0) == 0 && sg_log1p(1e-300) == 1e-300);
    assert_true(sg_log1p(-1) == -infinite && sg_log1p(INFINITY) == infinite && isnan(sg_log1p(NAN)));
}

static void angles(void **state)
{
    const function *both[] = {&f_sin, &f_cos};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        over(both[i], -7, 7);
        over(both[i], -1e5, 1e5);
        over_bits(both[i], 1e-300, 1);
        for (int k = -40000; k < 40000; k += getenv("TESTS_QUICK") ? 97 : 1) /* near their zeros */
            holds(both[i], k * 1.5707963267948966);
    }
    assert_true(sg_sin(0) == 0 && sg_cos(0) == 1);
}

static void powers(void **state)
{
    (void)state;
    assert_true(sg_pow_uint(0.3, 0) == 1 && sg_pow_uint(0.3, 1) == 0.3 && sg_pow_uint(3, 5) == 243);
    for (uint64_t n = 1; n < 4000; n += 13)
        if (ulps(sg_pow_uint(0.999, n), powl(0.999, (long double)n)) > (double)n / 2 + 1)
            fail_msg("0.999^%u", (unsigned)n);
    assert_true(sg_pow_uint(0.9, UINT64_MAX) == 0 && sg_pow_uint(1, UINT64_MAX) == 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exponentials), cmocka_unit_test(logarithms), cmocka_unit_test(logarithms_of_one_plus),
    cmocka_unit_test(angles),       cmocka_unit_test(powers),
};
TEST_GROUP(tests, NULL, NULL)
