/* test_npy_header.c: valid and invalid headers of .npy files.
 * labels: memory */
#include "base/status.h"
#include "data/format/npy/npy_header.h"
#include "test.h"

#include <stdlib.h>

static sg_status parse(const char *text, bool utf8, sg_npy_header *h)
{
    size_t n = strlen(text);
    char *exact = malloc(n ? n : 1); /* lets a sanitizer detect reads past its end */
    assert_non_null(exact);
    for (size_t i = 0; i < n; i++) exact[i] = text[i];
    sg_status st = sg_npy_header_parse(exact, n, utf8, "f.npy", h);
    free(exact);
    return st;
}

/* --- valid headers --- */

typedef struct good {
    const char *text;
    bool fortran, big;
    size_t rows, columns, row_bytes;
    const char *type;
} good;

static const good plain[] = {
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), }          \n", false, false, 150, 5, 40, "f8"},
    {"{'descr': '>f4', 'fortran_order': True, 'shape': (3, 7)}", true, true, 3, 7, 28, "f4"},
    {"{\"shape\":(2,3,),\"descr\":\"<i8\",\"fortran_order\":False}", false, false, 2, 3, 24, "i8"},
    {" { 'shape' : ( 2L , 1L ) , 'fortran_order' : False , 'descr' : '|u1' } ", false, false, 2, 1, 1, "u1"},
    {"{'descr': '|b1', 'fortran_order': False, 'shape': (1, 4)}", false, false, 1, 4, 4, "b1"},
    {"{'descr': '\\x3cf\\u0038', 'fortran_order': False, 'shape': (1, 4)}", false, false, 1, 4, 32, "f8"},
};

static void test_plain(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const good *g = &plain[i];
        sg_npy_header h;
        check(parse(g->text, true, &h));
        assert_false(h.structured);
        assert_int_equal(h.fortran_order, g->fortran);
        assert_int_equal(h.rows, g->rows);
        assert_int_equal(h.columns, g->columns);
        assert_int_equal(h.row_bytes, g->row_bytes);
        assert_string_equal(h.fields->type->name, g->type);
        assert_int_equal(h.fields->big_endian, g->big);
        sg_npy_header_release(&h);
    }
}

static void expect_field(const sg_npy_header *h, size_t i, const char *name, const char *type, size_t start,
                         size_t size)
{
    const sg_npy_field *f = &h->fields[i];
    assert_int_equal(f->name_length, strlen(name));
    assert_memory_equal(h->names.bytes + f->name, name, strlen(name));
    assert_string_equal(f->type ? f->type->name : "none", type);
    assert_int_equal(f->offset, start);
    assert_int_equal(f->size, size);
}

/* Padding has no name; strings, times and complex numbers are present but not numeric. */
static void test_named(void **state)
{
    (void)state;
    sg_npy_header h;
    check(parse("{'descr': [('a', '<f8'), ('', '|V3'), (\"it's\", '|i1'), ('s', '|S5'), ('u', '<U2'), "
                "('t', '<M8[ns]'), ('z', '<c16'), ('b\\\\\\'', '>u2')], 'fortran_order': False, 'shape': (9,), }",
                false, &h));
    assert_true(h.structured);
    assert_int_equal(h.rows, 9);
    assert_int_equal(h.columns, 7);
    assert_int_equal(h.row_bytes, 8 + 3 + 1 + 5 + 8 + 8 + 16 + 2);
    expect_field(&h, 0, "a", "f8", 0, 8);
    expect_field(&h, 1, "it's", "i1", 11, 1);
    expect_field(&h, 2, "s", "none", 12, 5);
    expect_field(&h, 3, "u", "none", 17, 8);
    expect_field(&h, 4, "t", "none", 25, 8);
    expect_field(&h, 5, "z", "none", 33, 16);
    expect_field(&h, 6, "b\\'", "u2", 49, 2);
    sg_npy_header_release(&h);
}

/* The same letter in Latin-1, in UTF-8 and escaped. */
static void test_encodings(void **state)
{
    (void)state;
    static const struct {
        const char *letter;
        bool utf8;
    } cases[] = {{"\xfc", false}, {"\xc3\xbc", true}, {"\\xfc", false}, {"\\u00FC", true}, {"\\U000000fc", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        sg_npy_header h;
        snprintf(text, sizeof text, "{'descr': [('%s', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                 cases[i].letter);
        check(parse(text, cases[i].utf8, &h));
        expect_field(&h, 0, "\xc3\xbc", "f4", 0, 4);
        sg_npy_header_release(&h);
    }
}

/* --- invalid headers --- */

#define REST          ", 'fortran_order': False, 'shape': (2, 3)}"
#define SHAPED(shape) "{'descr': '<f8', 'fortran_order': False, 'shape': " shape "}"
#define NAMED(fields) "{'descr': [" fields "], 'fortran_order': False, 'shape': (2,)}"

static const struct {
    const char *text, *sentence;
} bad[] = {
    {"", "f.npy: damaged header: expected '{' at character 1, got \"\""},
    {"[]", "expected '{' at character 1, got \"[]\""},
    {"{}", "the key 'descr' is missing"},
    {"{'descr': '<f8', 'shape': (2, 3)}", "the key 'fortran_order' is missing"},
    {"{'descr': '<f8', 'fortran_order': False}", "the key 'shape' is missing"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)", "expected '}'"},
    {"{'descr': '<f8' 'fortran_order': False, 'shape': (2, 3)}", "expected '}' at character 17"},
    {"{'descr': '<f8', 'descr': '<f8'" REST, "the key 'descr' is unknown or repeated"},
    {"{'descr': '<f8', 'more': 1" REST, "the key 'more' is unknown or repeated"},
    {"{'descr': '<f8'" REST " x", "expected the end of the header at character 59"},
    {"{'descr': '<f8'" REST "}", "expected the end of the header"},
    {"{'descr", "expected the end of the string"},
    {"{'descr': '<f8" REST, "expected"},
    {"{descr: '<f8'" REST, "expected a quoted string at character 2, got \"descr: '<f8'\""},
    {"{'descr': None" REST, "expected a quoted string"},
    {"{'descr': ''" REST, "unknown type ''"},
    {"{'descr': '<'" REST, "unknown type '<'"},
    {"{'descr': 'f8'" REST, "unknown type 'f8'; expected < or > followed by one of f8, f4, i8"},
    {"{'descr': '=f8'" REST, "unknown type '=f8'"},
    {"{'descr': '|f8'" REST, "unknown type '|f8'"},
    {"{'descr': '<f16'" REST, "unknown type '<f16'"},
    {"{'descr': '<f2'" REST, "unknown type '<f2'"},
    {"{'descr': '<x8'" REST, "unknown type '<x8'"},
    {"{'descr': '|S'" REST, "unknown type '|S'"},
    {"{'descr': '|S0'" REST, "unknown type '|S0'"},
    {"{'descr': '|S1234567890'" REST, "unknown type '|S1234567890'"},
    {"{'descr': '|O'" REST, "dtype '|O' holds Python objects; expected numbers"},
    {"{'descr': '<U5'" REST, "the array does not hold numbers"},
    {"{'descr': '<\\xf8'" REST, "unknown type"},
    {"{'descr': '\\q'" REST, "expected a valid escape sequence at character 12"},
    {"{'descr': '\\xg0'" REST, "expected a valid escape sequence"},
    {"{'descr': '\\ud800'" REST, "expected a valid escape sequence"},
    {"{'descr': '\\U00110000'" REST, "expected a valid escape sequence"},
    {"{'descr': '\\U7fffffff'" REST, "expected a valid escape sequence"},
    {"{'descr': '\\x", "expected a valid escape sequence"},
    {"{'descr': '\\", "expected a valid escape sequence"},
    {"{'descr': '<f8', 'fortran_order': Falsch, 'shape': (2, 3)}", "expected True or False"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3)}", "expected True or False"},
    {SHAPED("2, 3"), "expected '('"},
    {SHAPED("(2, 3"), "expected ')'"},
    {SHAPED("(2, -3)"), "expected an integer"},
    {SHAPED("(2.0, 3)"), "expected ')'"},
    {SHAPED("(, 3)"), "expected an integer"},
    {SHAPED("(2, 99999999999999999999)"), "expected a smaller number"},
    {SHAPED("(4611686018427387904, 4611686018427387904)"), "are too many"},
    {SHAPED("(2, 2305843009213693952)"), "2 rows of 2305843009213693952 columns are too many"},
    {SHAPED("()"), "the array has 0 dimensions; expected rows and columns"},
    {SHAPED("(6,)"), "the array has one dimension; expected rows and columns (for one column, save a.reshape(-1, 1))"},
    {SHAPED("(6, 1, 1)"), "the array has 3 dimensions; expected rows and columns"},
    {SHAPED("(0, 3)"), "the array has no rows"},
    {SHAPED("(3, 0)"), "the array has no columns"},
    {NAMED(""), "the array has no columns"},
    {NAMED("('', '|V4')"), "the array has no columns"},
    {NAMED("('a')"), "expected ','"},
    {NAMED("('a', '<f8'"), "expected ')'"},
    {NAMED("('a', '<f8', (2,))"), "expected ')'"},
    {NAMED("('a', [('b', '<f8')])"), "expected a quoted string"},
    {NAMED("(('title', 'a'), '<f8')"), "expected a quoted string"},
    {NAMED("('a', '<f8') ('b', '<f8')"), "expected ']'"},
    {"{'descr': [('a', '<f8')]" REST, "the structured array has 2 dimensions; expected one"},
    {"{'descr': [('a', '|S999999999')], 'fortran_order': False, 'shape': (99999999999,)}", "too many"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sg_npy_header h;
        check_fails(parse(bad[i].text, true, &h), SG_EDATA, bad[i].sentence);
        sg_npy_header_release(&h);
    }
    sg_npy_header h;
    check_fails(parse("{'\xff", true, &h), SG_EDATA, "invalid UTF-8 at byte 3");
    sg_npy_header_release(&h);
}

/* --- the preamble --- */

static void test_preamble(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *sentence;
        size_t n, begin, length;
        bool utf8;
    } cases[] = {
        {"\x93NUMPY\1\0\x76\0{'", NULL, 12, 10, 0x76, false},
        {"\x93NUMPY\2\0\x76\1\2\3", NULL, 12, 12, 0x03020176, false},
        {"\x93NUMPY\3\0\xff\0\0\0", NULL, 12, 12, 255, true},
        {"\x93NUMPY\4\0\xff\0\0\0", "unsupported .npy format version 4.0; expected 1.0, 2.0 or 3.0", 12, 0, 0, false},
        {"\x93NUMPY\0\0\xff\0\0\0", "version 0.0", 12, 0, 0, false},
        {"\x93NUMPY\1\1\xff\0\0\0", "version 1.1", 12, 0, 0, false},
        {"\x93NUMPY\1\0\xff\0\0", "the file is truncated or is not a .npy file", 11, 0, 0, false},
        {"a,b,c\n1,2,3\n", "the file is truncated or is not a .npy file", 12, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t begin = 0, length = 0;
        bool utf8 = false;
        sg_status st = sg_npy_preamble_parse(cases[i].bytes, cases[i].n, "f.npy", &begin, &length, &utf8);
        if (cases[i].sentence) check_fails(st, SG_EDATA, cases[i].sentence);
        else assert_int_equal(st, SG_OK);
        assert_int_equal(begin, cases[i].begin);
        assert_int_equal(length, cases[i].length);
        assert_int_equal(utf8, cases[i].utf8);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_plain),    cmocka_unit_test(test_named), cmocka_unit_test(test_encodings),
    cmocka_unit_test(test_preamble), cmocka_unit_test(test_bad),
};
TEST_GROUP(tests, NULL, NULL)
