/* test_parse_decimal.c: parsing of numbers at the start of a text, compared with strtod.
 * labels: memory */
#include "base/number/parse_decimal.h"
#include "base/random/random.h"
#include "test.h"

#include <stdlib.h>

static uint64_t cases_of(uint64_t n) { return getenv("TESTS_QUICK") ? n / 100 : n; }

/* Copies the text to a block of exactly the bytes that may be read, so that sanitizers detect any other read. */
static const char *read_copy(const char *text, size_t length, char stop, double *out, size_t *taken)
{
    size_t n = length + 1 + SG_DECIMAL_PADDING;
    char *copy = malloc(n);
    assert_non_null(copy);
    memset(copy, '7', n); /* digits after the end do not belong to the number */
    memcpy(copy, text, length);
    copy[length] = stop;
    const char *rest = sg_decimal_parse(copy, stop, out);
    *taken = rest ? (size_t)(rest - copy) : 0;
    free(copy);
    return rest;
}

static void expect_number(const char *text, char stop)
{
    double judge = strtod(text, NULL), got = 2.385;
    size_t taken;
    if (!read_copy(text, strlen(text), stop, &got, &taken)) fail_msg("%s was refused", text);
    if (taken != strlen(text)) fail_msg("%zu bytes of %s taken before '%c'", taken, text, stop);
    if (memcmp(&got, &judge, sizeof got) != 0) fail_msg("%s: %a, not %a", text, got, judge);
}

/* 1 to 19 digits, with a point at every position, a sign and leading zeros. */
static void reads_all_lengths(void **state)
{
    (void)state;
    static const char digits[] = "9358172640718293645", *const signs[] = {"", "-"};
    char text[64];
    for (int n = 1; n <= SG_DIGITS_MAX; n++)
        for (int point = 0; point <= n + 1; point++) /* n + 1: none */
            for (int variant = 0; variant < 4; variant++) {
                const char *sign = signs[variant % 2], *zeros = variant / 2 ? "000000" : "";
                int before = point > n ? n : point;
                snprintf(text, sizeof text, "%s%s%.*s%s%.*s", sign, zeros, before, digits, point > n ? "" : ".",
                         n - before, digits + before);
                expect_number(text, ',');
                expect_number(text, '\n');
            }
}

/* No byte after the digits may affect them: the additions in a word carry. */
static void stops_at_any_byte(void **state)
{
    (void)state;
    static const char *const texts[] = {"5", "-81", "1234567", "12345678", "0.5", "3.14159", "2.0000001"};
    for (int c = 0; c < 256; c++) {
        if (strchr("0123456789.eE", c) && c) continue;
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_number(texts[i], (char)c);
    }
}

static void reads_exponents(void **state)
{
    (void)state;
    static const char *const texts[] = {"1e5",
                                        "-2.385E-3",
                                        "1.5e+22",
                                        "9007199254740993e0",
                                        "1e-400",
                                        "0e9999",
                                        "5e-324",
                                        "1.7976931348623157e308",
                                        "1.000000000000000000e+00",
                                        "0.00000000000000000000000000001e9"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_number(texts[i], ';');
}

static void refuses(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "-",
                                        ".",
                                        "-.",
                                        "+1",
                                        "e5",
                                        ".e5",
                                        "--1",
                                        "1e",
                                        "1e+",
                                        "1e-x",
                                        "inf",
                                        "nan",
                                        "1e309",
                                        "-1e999",
                                        "x",
                                        "1e00005",
                                        "12345678901234567890",
                                        "0.12345678901234567891"};
    double out;
    size_t taken;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (read_copy(texts[i], strlen(texts[i]), ',', &out, &taken)) fail_msg("<%s> was read as %g", texts[i], out);
}

/* Parses the longest number; the caller decides whether the rest is valid. */
static void stops_after_the_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t taken;
        double value;
    } cases[] = {{"1.2.3", 3, 1.2}, {"0x10", 1, 0}, {"12%", 2, 12}, {"1-2", 1, 1}, {"5. ", 2, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double got = 2.385;
        size_t taken;
        assert_non_null(read_copy(cases[i].text, strlen(cases[i].text), ',', &got, &taken));
        assert_int_equal(taken, cases[i].taken);
        assert_true(got == cases[i].value);
    }
}

static void agrees_on_random_texts(void **state)
{
    (void)state;
    static const char *const formats[] = {"%.*f", "%.*e", "%.*g"};
    for (uint64_t i = 0; i < cases_of(300000); i++) {
        sg_random_stream s = sg_random_stream_at(9, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        char text[64];
        double x = sg_random_stream_normal(&s) * pow(10, (double)sg_random_stream_below(&s, 5));
        const char *format = formats[sg_random_stream_below(&s, 3)];
        snprintf(text, sizeof text, format, (int)sg_random_stream_below(&s, 14), x);
        expect_number(text, ",\n;\""[sg_random_stream_below(&s, 4)]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_all_lengths),      cmocka_unit_test(stops_at_any_byte),
    cmocka_unit_test(reads_exponents),        cmocka_unit_test(refuses),
    cmocka_unit_test(stops_after_the_number), cmocka_unit_test(agrees_on_random_texts),
};
TEST_GROUP(tests, NULL, NULL)
