/* test_number_parse_format.c: parsing and formatting of numbers, compared with strtod, in several locales.
 * labels: arithmetic */
#include "base/number/format_shortest.h"
#include "base/random/random.h"
#include "base/text.h"
#include "test.h"

#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* In the C locale, strtod of glibc rounds correctly. */
static void expect_same(const char *text)
{
    double got = 2.385, judge = strtod(text, NULL);
    sg_number_result kind = sg_number_parse(text, strlen(text), &got);
    if (kind != (isfinite(judge) ? SG_NUMBER_OK : SG_NUMBER_OUT_OF_RANGE)) fail_msg("%s: %d", text, kind);
    if (isfinite(judge) && bits_of(got) != bits_of(judge)) fail_msg("%s: %a, not %a", text, got, judge);
}

static void reads_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-0", -0.0},
        {"+7", 7},
        {".5", .5},
        {"5.", 5},
        {"-1.5e3", -1500},
        {"1E-2", .01},
        {"0.1", 0x1.999999999999ap-4},
        {"2.3850000000000002", 0x1.3147ae147ae15p+1},
        {"9007199254740993", 0x1p53}, /* tie, to even */
        {"9007199254740993.0000001", 0x1.0000000000001p53},
        {"9007199254740995", 0x1.0000000000002p53},
        {"1e23", 0x1.52d02c7e14af6p+76}, /* not 1e22 * 10              */
        {"8.5e22", 8.5e22},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"2.4703282292062327e-324", 0},         /* just below half of the smallest subnormal */
        {"2.4703282292062328e-324", 0x1p-1074}, /* just above                 */
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
        {"2.2250738585072014e-308", 0x1p-1022},
        {"2.2250738585072011360574097967091319759348195463516456e-308", 0x0.fffffffffffffp-1022},
        {"2.2250738585072011360574097967091319759348195463516457e-308", 0x1p-1022},
        {"1e-323", 0x1p-1073},                  /* 2.02 times the smallest subnormal */
        {"7.4109846876186982e-324", 0x1p-1073}, /* just above one and a half  */
        {"7.4109846876186981e-324", 0x1p-1074}, /* just below                 */
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
        {"1.7976931348623158e308", 0x1.fffffffffffffp1023}, /* below the tie with infinity */
        {"179769313486231580793e288", 0x1.fffffffffffffp1023},
        {"1e-400", 0},
        {"-1e-400", -0.0},
        {"-0e-400", -0.0},
        {"18446744073709551615e-343", 0}, /* 1.84e-324, less than half  */
        {"0e999999999999", 0},
        {"0.1e-30", 0x1.039d665896880p-103},
        {"123456789012345678901234567890", 0x1.8ee90ff6c373ep+96},
        {"9007199254740992.99999999999999999999", 0x1p53},
        {"9007199254740993.00000000000000000000", 0x1p53}, /* trailing zeros are not significant */
        {"9007199254740993.00000000000000000001", 0x1.0000000000001p53},
        {"4503599627370496.5", 0x1p52}, /* tie, q < 0 */
        {"4503599627370497.5", 0x1.0000000000002p52},
        {"562949953421312.0625", 0x1p49},
        {"562949953421312.1875", 0x1.0000000000002p49},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double got = 2.385;
        assert_int_equal(sg_number_parse(cases[i].text, strlen(cases[i].text), &got), SG_NUMBER_OK);
        if (bits_of(got) != bits_of(cases[i].value)) fail_msg("%s: %a", cases[i].text, got);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const char *const not [] = {
        "",   "+",     "-",   ".",   "e5",  "1e",    "1e+",   "1e-x", "0x10", "inf",  "-inf",     "nan",          "1 ",
        " 1", "1,5",   "1_0", "--1", "+-1", "1.2.3", "1e5.0", "1f",   "1d5",  "1e5 ", "infinity", "\xEF\xBC\x91", "1\n",
        "#1", "1e5e5", "-.",  ".e1", "0b1", "1'000"};
    static const char *const beyond[] = {"1e400",
                                         "-1e309",
                                         "1.7976931348623159e308",
                                         "1e999999999999",
                                         "-1e310",
                                         "18446744073709551615e289",
                                         "17976931348623158079372897140530341508e271"};
    double got;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        if (sg_number_parse(not [i], strlen(not [i]), &got) != SG_NUMBER_INVALID) fail_msg("<%s>", not [i]);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        if (sg_number_parse(beyond[i], strlen(beyond[i]), &got) != SG_NUMBER_OUT_OF_RANGE) fail_msg("<%s>", beyond[i]);
    assert_int_equal(sg_number_parse("1\0002", 3, &got), SG_NUMBER_INVALID);
}

/* Only the first n bytes count. */
static void stops_at_length(void **state)
{
    (void)state;
    double got;
    assert_int_equal(sg_number_parse("12345", 2, &got), SG_NUMBER_OK);
    assert_true(got == 12);
    char text[3000];
    memset(text, '1', sizeof text);
    memcpy(text + 2000, "e-1990", 6);
    assert_int_equal(sg_number_parse(text, 2006, &got), SG_NUMBER_OK);
    assert_true(got == 1111111111.1111111111);
}

/* An exponent that compensates for very many zeros, or nearly. */
static void handles_many_zeros(void **state)
{
    (void)state;
    enum { ZEROS = 100000 };
    static char text[ZEROS + 32];
    static const struct {
        const char *tail;
        sg_number_result kind;
    } cases[] = {{"1e100001", SG_NUMBER_OK}, {"1e1000000", SG_NUMBER_OUT_OF_RANGE}};
    memset(text, '0', ZEROS + 2);
    text[1] = '.';
    for (size_t i = 0; i < 2; i++) {
        double got = 1;
        strcpy(text + 2 + ZEROS, cases[i].tail);
        assert_int_equal(sg_number_parse(text, strlen(text), &got), cases[i].kind);
        assert_true(got == 1);
    }
}

static uint64_t cases_of(uint64_t n) { return getenv("TESTS_QUICK") ? n / 100 : n; }

/* Digits, a point, an exponent or none: texts for each code path. */
static void random_text(sg_random_stream *s, char *text)
{
    size_t digits = 1 + sg_random_stream_below(s, sg_random_stream_below(s, 10) ? 19 : 60);
    size_t point = sg_random_stream_below(s, digits + 3), n = 0;
    if (sg_random_stream_below(s, 3) == 0) text[n++] = sg_random_stream_below(s, 2) ? '-' : '+';
    for (size_t i = 0; i < digits; i++) {
        if (i == point) text[n++] = '.';
        text[n++] = (char)('0' + sg_random_stream_below(s, 10));
    }
    int widest = sg_random_stream_below(s, 2) ? 30 : 340;
    int exponent = (int)sg_random_stream_below(s, (uint64_t)(2 * widest)) - widest;
    text[n] = '\0';
    if (sg_random_stream_below(s, 3)) sprintf(text + n, "%c%d", sg_random_stream_below(s, 2) ? 'e' : 'E', exponent);
}

static void agrees_on_random_texts(void **state)
{
    (void)state;
    char text[128];
    for (uint64_t i = 0; i < cases_of(1000000); i++) {
        sg_random_stream s = sg_random_stream_at(1, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        random_text(&s, text);
        expect_same(text);
    }
}

static double random_double(sg_random_stream *s)
{
    for (;;) {
        uint64_t bits = (uint64_t)sg_random_stream_next(s) << 32;
        bits |= sg_random_stream_next(s);
        if (sg_random_stream_below(s, 8) == 0) bits &= ~(UINT64_C(0x7fe) << 52); /* subnormal or nearly */
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) return x;
    }
}

static void agrees_on_doubles(void **state)
{
    (void)state;
    char text[64];
    for (uint64_t i = 0; i < cases_of(300000); i++) {
        sg_random_stream s = sg_random_stream_at(4, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        double x = random_double(&s), back = 2.385;
        snprintf(text, sizeof text, "%.17g", x);
        expect_same(text);
        assert_int_equal(sg_number_parse(text, strlen(text), &back), SG_NUMBER_OK);
        if (bits_of(back) != bits_of(x)) fail_msg("%a became %s", x, text);
    }
}

/* The exact decimal between two adjacent doubles, and the same with a digit more or less at the end: the hardest
 * inputs. A long double holds the midpoint exactly. */
static void agrees_half_way(void **state)
{
    (void)state;
    char text[2000];
    for (uint64_t i = 0; i < cases_of(20000); i++) {
        sg_random_stream s = sg_random_stream_at(2, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        double x = random_double(&s);
        long double half = ((long double)x + (long double)nextafter(x, 0)) / 2;
        int n = snprintf(text, sizeof text, "%.*Lf", i % 2 ? 1100 : 0, half);
        expect_same(text);
        text[n] = '1';
        text[n + 1] = '\0';
        expect_same(text);
        text[n - 1]--;
        if (text[n - 1] >= '0') expect_same(text);
        snprintf(text, sizeof text, "%.770Le", half);
        expect_same(text);
    }
}

static void expect_round_trip(double x)
{
    char buf[32];
    double back = 2.385;
    sg_number_format(x, buf);
    assert_int_equal(sg_number_parse(buf, strlen(buf), &back), SG_NUMBER_OK);
    if (bits_of(back) != bits_of(x)) fail_msg("%a became %s, that is %a", x, buf, back);
}

static void writes_what_reads_back(void **state)
{
    (void)state;
    static const double few[] = {0, -0.0, 1, -1, .1, 1e22, 1e23, 0x1p-1074, 0x1.fffffffffffffp1023};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) expect_round_trip(few[i]);
    for (uint64_t i = 0; i < cases_of(100000); i++) {
        sg_random_stream s = sg_random_stream_at(3, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        expect_round_trip(random_double(&s));
    }
    char buf[32];
    assert_string_equal(sg_number_format(0.1, buf), "0.1"); /* shortest, not 0.10000000000000001 */
    assert_string_equal(sg_number_format(0.1 + 0.2, buf), "0.30000000000000004");
    assert_string_equal(sg_number_format(-2.385, buf), "-2.385");
}

/* The first of 15, 16 and 17 digits of printf that parses to the same double. */
static void expect_like_printf(double x)
{
    char fast[32], plain[32], *e;
    if (!sg_format_shortest(x, fast)) return; /* such cases are left to printf */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(plain, sizeof plain, "%.*g", digits, x);
        if (strtod(plain, NULL) == x) break;
    }
    if ((e = strchr(plain, 'e')) != NULL) snprintf(e + 1, 6, "%d", atoi(e + 1)); /* e+05 is e5 */
    assert_string_equal(fast, plain);
}

static void writes_like_printf(void **state)
{
    char buf[32];
    (void)state;
    for (uint64_t i = 0; i < cases_of(100000); i++) {
        sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        double unit = sg_random_stream_uniform(&s), whole = floor(ldexp(unit, (int)(i % 60)));
        expect_like_printf(random_double(&s));
        expect_like_printf(-unit);
        expect_like_printf(whole);
        expect_like_printf(whole / pow(10, (double)(i % 23)));
        expect_like_printf(ldexp(whole, -(int)(i % 71)));
    }
    for (int e = -1022; e < 1024; e++)
        for (int k = -1; k <= 1; k++) expect_like_printf(k ? nextafter(ldexp(1, e), k * HUGE_VAL) : ldexp(1, e));
    for (int e = -290; e <= 308; e++) {
        snprintf(buf, sizeof buf, "1e%d", e);
        double ten = strtod(buf, NULL);
        assert_true(sg_format_shortest(ten, buf));
        expect_like_printf(ten);
        expect_like_printf(nextafter(ten, 0));
    }
    assert_true(sg_format_shortest(0.1, buf) && sg_format_shortest(-1e-280, buf) && sg_format_shortest(DBL_MAX, buf));
    assert_true(!sg_format_shortest(0, buf) && !sg_format_shortest(0x1p-1074, buf) && !sg_format_shortest(NAN, buf) &&
                !sg_format_shortest(-INFINITY, buf));
}

/* --- Other locales --- */

/* Sets a locale that writes 2,385: an installed one, or one compiled with localedef. */
static bool set_comma_locale(char *folder)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "it_IT"};
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", folder, folder);
    for (int made = 0; made < 2; made++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (setlocale(LC_ALL, names[i]) && *localeconv()->decimal_point == ',') return true;
        if (made || system(command) != 0 || setenv("LOCPATH", folder, 1) != 0) break;
    }
    return false;
}

static void ignores_the_locale(void **state)
{
    (void)state;
    char folder[] = "/tmp/sugeno-locale-XXXXXX", command[64], buf[32];
    assert_non_null(mkdtemp(folder));
    bool set = set_comma_locale(folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (!set) skip();
    snprintf(buf, sizeof buf, "%g", 2.385);
    assert_string_equal(buf, "2,385"); /* the locale is active */
    reads_exactly(state);
    refuses(state);
    writes_what_reads_back(state);
    assert_string_equal(sg_number_format_rounded(1234.5678, 6, buf), "1234.57");
    setlocale(LC_ALL, "C");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_exactly),          cmocka_unit_test(refuses),
    cmocka_unit_test(stops_at_length),        cmocka_unit_test(handles_many_zeros),
    cmocka_unit_test(agrees_on_random_texts), cmocka_unit_test(agrees_on_doubles),
    cmocka_unit_test(agrees_half_way),        cmocka_unit_test(writes_what_reads_back),
    cmocka_unit_test(writes_like_printf),     cmocka_unit_test(ignores_the_locale),
};
TEST_GROUP(tests, NULL, NULL)
