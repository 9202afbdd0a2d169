/* test_text.c: growing strings, shortest numbers, JSON strings, UTF-8, excerpts for messages. */
#include "base/memory.h"
#include "base/random/random.h"
#include "base/status.h"
#include "base/text.h"
#include "test.h"

#include <jansson.h>
#include <locale.h>
#include <stdlib.h>

static void text_grows(void **state)
{
    sg_text t = {0};
    char expected[4096] = "";
    (void)state;
    sg_text_append(&t, "");
    assert_string_equal(t.bytes, "");
    for (int i = 0; i < 200; i++) {
        sg_text_append_format(&t, "%d:%s;", i, i % 3 ? "x" : "");
        sprintf(expected + strlen(expected), "%d:%s;", i, i % 3 ? "x" : "");
    }
    assert_string_equal(t.bytes, expected);
    assert_int_equal(t.length, strlen(expected));
    sg_text_release(&t);
    assert_null(t.bytes);
    sg_text_append_bytes(&t, "a\0b", 3);
    assert_int_equal(t.length, 3);
    assert_memory_equal(t.bytes, "a\0b", 4);
    sg_text_append_number(&t, -2.385);
    sg_text_append_rounded(&t, 31415.9265, 3);
    assert_string_equal(t.bytes + 3, "-2.3853.14e4");
    sg_text_release(&t);
}

/* A failed allocation is recorded and harmless. */
static void remembers_that_memory_ran_out(void **state)
{
    sg_text t = {0};
    size_t room = 0, product;
    (void)state;
    sg_text_append(&t, "kept");
    sg_text_append_bytes(&t, "x", SIZE_MAX - 2);
    assert_true(t.failed);
    sg_text_append(&t, "more");
    sg_text_append_format(&t, "%d", 3);
    assert_string_equal(t.bytes, "kept");
    sg_text_release(&t);
    assert_null(sg_calloc(SIZE_MAX / 2, 3));
    assert_null(sg_calloc(SIZE_MAX / 8, 8));
    void *nothing = sg_calloc(0, 8), *block = NULL;
    assert_non_null(nothing);
    free(nothing);
    assert_false(sg_array_reserve(&block, &room, SIZE_MAX / 4, 8));
    assert_true(!block && room == 0);
    assert_false(sg_checked_mul(SIZE_MAX, 2, &product));
    assert_true(sg_checked_mul(12345, 678, &product) && product == 8369910);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void writes_numbers(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0.0"}, /* Jansson would read -0 as the whole number 0 */
        {1, "1"},
        {-17, "-17"},
        {0.1, "0.1"},
        {1e-8, "1e-8"},
        {0.0001, "0.0001"},
        {1e22, "1e22"},
        {123456789012345, "123456789012345"},
        {9007199254740992, "9007199254740992"},
        {1e300, "1e300"},
        {-1e-300, "-1e-300"},
        {2.385, "2.385"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {0x1.fffffffffffffp1023, "1.7976931348623157e308"},
        {0x1p-1022, "2.2250738585072014e-308"},
        {0x1p-1074, "5e-324"},
        {0x1p-1073, "1e-323"},
        {0x0.fffffffffffffp-1022, "2.225073858507201e-308"},
    };
    char buf[SG_NUMBER_BUFFER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sg_number_format_shortest(cases[i].value, buf), cases[i].text);
    assert_string_equal(sg_number_format_rounded(-0.000012345, 2, buf), "-1.2e-5");
    assert_string_equal(sg_number_format_rounded(99999, 3, buf), "1e5");
    assert_string_equal(sg_number_format_rounded(1234.5, 4, buf), "1234");
}

static size_t digits_of(const char *text)
{
    size_t n = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '0' && n == 0) continue;
        if (*text >= '0' && *text <= '9') n++;
        if (*text >= '1' && *text <= '9') zeros = 0;
        else if (*text == '0') zeros++;
    }
    return n - zeros;
}

/* Any finite double parses to the same bits by this library, strtod and Jansson, and one digit less would not do. */
static void numbers_read_back(void **state)
{
    (void)state;
    size_t finite = 0, subnormal = 0;
    for (uint64_t i = 0; i < 1000000; i++) {
        sg_random_block w = sg_random(3, SG_RANDOM_SYNTHETIC_DATA, 0, i, 0);
        uint64_t bits = (uint64_t)w.word[0] << 32 | w.word[1];
        if (i % 64 == 0) bits &= ~(UINT64_C(0x7ff) << 52);
        double x = of_bits(bits), back = 2.385;
        char buf[SG_NUMBER_BUFFER_SIZE], fewer[64];
        if (!isfinite(x) || x == 0) continue;
        finite++;
        subnormal += fpclassify(x) == FP_SUBNORMAL;
        sg_number_format_shortest(x, buf);
        if (sg_number_parse(buf, strlen(buf), &back) != SG_NUMBER_OK || bits_of(back) != bits)
            fail_msg("%a became %s", x, buf);
        if (i % 16 > 1) continue;
        if (bits_of(strtod(buf, NULL)) != bits) fail_msg("%a became %s for strtod", x, buf);
        size_t digits = digits_of(buf);
        assert_true(digits >= 1 && digits <= 17);
        snprintf(fewer, sizeof fewer, "%.*e", digits > 1 ? (int)digits - 2 : 0, x);
        if (digits > 1 && bits_of(strtod(fewer, NULL)) == bits) fail_msg("%s is longer than %s", buf, fewer);
    }
    assert_true(finite > 990000 && subnormal > 10000);
}

/* Uses a locale with a decimal comma if one is installed (test_number_text.c compiles one). */
static void ignores_the_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i])) {
            writes_numbers(state);
            setlocale(LC_ALL, "C");
        }
}

/* --- JSON strings --- */

static void json_escapes(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
        {"\b\f\n\r\t", "\"\\u0008\\u000c\\u000a\\u000d\\u0009\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_text t = {0};
        sg_text_append_json(&t, cases[i].text);
        assert_string_equal(t.bytes, cases[i].json);
        sg_text_release(&t);
    }
}

static void json_reads_back(void **state)
{
    sg_text t = {0};
    char all[128];
    (void)state;
    for (int c = 1; c < 128; c++) all[c - 1] = (char)c;
    all[127] = '\0';
    sg_text_append_json(&t, all);
    json_t *v = json_loads(t.bytes, JSON_DECODE_ANY, NULL);
    assert_non_null(v);
    assert_string_equal(json_string_value(v), all);
    json_decref(v);
    sg_text_release(&t);
}

/* --- UTF-8 --- */

static void utf8_is_what_the_standard_says(void **state)
{
    static const struct {
        const char *bytes;
        size_t n, length;
    } cases[] = {
        {"", 0, 0},
        {"\0", 1, 1},
        {"a", 1, 1},
        {"\x7f", 1, 1},
        {"\x80", 1, 0}, /* a continuation byte without a start */
        {"\xbf", 1, 0},
        {"\xc0\x80", 2, 0}, /* overlong                    */
        {"\xc1\xbf", 2, 0},
        {"\xc2\x80", 2, 2}, /* U+0080, the first of two    */
        {"\xdf\xbf", 2, 2},
        {"\xc3", 1, 0}, /* cut off                     */
        {"\xc3\xa9", 1, 0},
        {"\xc3"
         "a",
         2, 0},
        {"\xe0\x9f\xbf", 3, 0}, /* overlong                    */
        {"\xe0\xa0\x80", 3, 3}, /* U+0800, the first of three  */
        {"\xe2\x82\xac", 3, 3},
        {"\xe2\x82\xac", 2, 0},
        {"\xe2\x28\xa1", 3, 0},
        {"\xe2\x82\x28", 3, 0},
        {"\xed\x9f\xbf", 3, 3}, /* U+D7FF                      */
        {"\xed\xa0\x80", 3, 0}, /* surrogates                  */
        {"\xed\xbf\xbf", 3, 0},
        {"\xee\x80\x80", 3, 3}, /* U+E000                      */
        {"\xef\xbf\xbf", 3, 3},
        {"\xf0\x8f\xbf\xbf", 4, 0}, /* overlong                    */
        {"\xf0\x90\x80\x80", 4, 4}, /* U+10000, the first of four  */
        {"\xf0\x9f\x98\x80", 4, 4},
        {"\xf0\x9f\x98\x80", 3, 0},
        {"\xf0\x9f\x98\xc0", 4, 0},
        {"\xf4\x8f\xbf\xbf", 4, 4}, /* U+10FFFF, the last one      */
        {"\xf4\x90\x80\x80", 4, 0},
        {"\xf5\x80\x80\x80", 4, 0},
        {"\xff\xff\xff\xff", 4, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *exact = malloc(cases[i].n + 1); /* sanitizers detect a read beyond the end */
        memcpy(exact, cases[i].bytes, cases[i].n);
        size_t length = sg_utf8_char_length(exact + 0, cases[i].n);
        if (length != cases[i].length) fail_msg("case %zu: %zu bytes", i, length);
        free(exact);
    }
}

/* Accepts every code point, and no other bytes of its length. */
static void utf8_takes_every_character(void **state)
{
    (void)state;
    for (unsigned c = 0x80; c <= 0x10ffff; c++) {
        char b[4];
        size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        static const unsigned head[] = {0, 0, 0xc0, 0xe0, 0xf0};
        b[0] = (char)(head[n] | c >> 6 * (n - 1));
        for (size_t i = 1; i < n; i++) b[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
        size_t expected = c >= 0xd800 && c <= 0xdfff ? 0 : n;
        if (sg_utf8_char_length(b, n) != expected) fail_msg("U+%X", c);
    }
}

/* --- Messages --- */

static void quotes_for_messages(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        const char *shown;
    } cases[] = {
        {"plain", 64, "plain"},
        {"", 64, ""},
        {"tab\tnew\nline\x1b[0m\x7f", 64, "tab?new?line?[0m?"},
        {"caf\xc3\xa9", 64, "caf\xc3\xa9"},
        {"caf\xe9 \xff\xfe", 64, "caf? ??"},
        {"\xe2\x82", 64, "??"},
        {"0123456789", 14, "0123456789"},
        {"0123456789", 13, "012345678..."},
        {"0123456789", 4, "..."},
        {"ab\xf0\x9f\x98\x80 and so on", 10, "ab\xf0\x9f\x98\x80..."}, /* characters are not split */
        {"ab\xf0\x9f\x98\x80 and so on", 9, "ab..."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *out = malloc(cases[i].size);
        assert_ptr_equal(sg_quote_excerpt(cases[i].text, strlen(cases[i].text), out, cases[i].size), out);
        assert_string_equal(out, cases[i].shown);
        free(out);
    }
    char nul[8];
    assert_string_equal(sg_quote_excerpt("a\0b", 3, nul, sizeof nul), "a?b");
}

/* Control characters in names never reach the terminal. */
static void shows_what_a_terminal_would_act_on(void **state)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"plain, caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "plain, caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"tab\tnew\r\nline\x1b[31m\x7f\x01", "tab\\tnew\\r\\nline\\x1b[31m\\x7f\\x01"},
        {"csi \xc2\x9b"
         "2J, nbsp \xc2\xa0",
         "csi \\u009b2J, nbsp \xc2\xa0"},
        {"turned \xe2\x80\xae, \xe2\x81\xa6 \xe2\x80\xa8 \xef\xbb\xbf", "turned \\u202e, \\u2066 \\u2028 \\ufeff"},
        {"broken \xff\xe2\x82", "broken \\xff\\xe2\\x82"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_text t = {0};
        sg_text_append(&t, "");
        sg_text_append_escaped(&t, cases[i].text);
        assert_string_equal(t.bytes, cases[i].shown);
        sg_set_error("%s", cases[i].text);
        assert_string_equal(sg_errmsg(), cases[i].shown);
        sg_text_release(&t);
    }
    char few[9];
    assert_string_equal(sg_escape_message("1234567\xe2\x82\xac", few, sizeof few),
                        "1234567"); /* characters are not split */
    assert_string_equal(sg_escape_message("1234\x1b!", few, sizeof few), "1234\\x1b");
}

static void sentences_are_kept(void **state)
{
    char huge[3000];
    (void)state;
    assert_int_equal(sg_fail(SG_EIO, "%s: %d", "m.json", 17), SG_EIO);
    assert_string_equal(sg_errmsg(), "m.json: 17");
    assert_int_equal(sg_fail(SG_EDATA, "line 3: %s", sg_errmsg()), SG_EDATA);
    assert_string_equal(sg_errmsg(), "line 3: m.json: 17");
    memset(huge, 'h', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    sg_fail(SG_EINVAL, "%s", huge);
    assert_true(strlen(sg_errmsg()) > 1000 && strlen(sg_errmsg()) < sizeof huge - 1);
    assert_string_equal(sg_version(), SG_VERSION);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(text_grows),
    cmocka_unit_test(remembers_that_memory_ran_out),
    cmocka_unit_test(writes_numbers),
    cmocka_unit_test(numbers_read_back),
    cmocka_unit_test(ignores_the_locale),
    cmocka_unit_test(json_escapes),
    cmocka_unit_test(json_reads_back),
    cmocka_unit_test(utf8_is_what_the_standard_says),
    cmocka_unit_test(utf8_takes_every_character),
    cmocka_unit_test(quotes_for_messages),
    cmocka_unit_test(shows_what_a_terminal_would_act_on),
    cmocka_unit_test(sentences_are_kept),
};
TEST_GROUP(tests, NULL, NULL)
