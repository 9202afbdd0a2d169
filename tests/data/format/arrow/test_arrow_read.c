/* test_arrow_read.c: types, strings, dictionaries and names of Arrow streams.
 * labels: memory */
#include "arrow_stream.h"

#include "base/text.h"

static sg_text heard;

static void hear(void *arg, const char *sentence)
{
    (void)arg;
    sg_text_append_format(&heard, "<%s>", sentence);
}

static sg_options *listening(const char *settings)
{
    sg_options *o = options_of(settings);
    sg_options_on_notice(o, hear, NULL);
    sg_text_release(&heard);
    sg_text_append(&heard, "");
    return o;
}

static int forget(void **state)
{
    (void)state;
    sg_text_release(&heard);
    return 0;
}

/* --- numbers --- */

static const double F64[] = {9, 2.385, 7, -1e300};
static const float F32[] = {9, 2.5F, 7, -0.375F};
static const uint16_t F16[] = {0, 0x3c01, 7, 0x8001};
static const int8_t I8[] = {9, -128, 7, 127};
static const uint8_t U8[] = {9, 200, 7, 255};
static const int16_t I16[] = {9, -32768, 7, 32767};
static const uint16_t U16[] = {9, 40000, 7, 65535};
static const int32_t I32[] = {9, INT32_MIN, 7, INT32_MAX};
static const uint32_t U32[] = {9, 3000000000U, 7, UINT32_MAX};
static const int64_t I64[] = {9, -9007199254740991, 7, INT64_MIN};
static const uint64_t U64[] = {9, 9007199254740992U, 7, UINT64_MAX};
static const unsigned char BITS[] = {0x0a};  /* 0 1 0 1 */
static const unsigned char VALID[] = {0x0b}; /* 1 1 0 1 */
static const int64_t DECIMAL[] = {9, 0, 123456789012345678, 0, 7, 0, -15, -1};
static const int32_t DECIMAL32[] = {9, 2385, 7, -1};
static const int64_t DECIMAL64[] = {9, 446673754019253275, 7, -15};

static void reads_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        buffer values;
        double first, last;
    } cases[] = {
        {"g", BUFFER(F64), 2.385, -1e300},
        {"f", BUFFER(F32), 2.5, -0.375},
        {"e", BUFFER(F16), 1.0009765625, -0x1p-24},
        {"c", BUFFER(I8), -128, 127},
        {"C", BUFFER(U8), 200, 255},
        {"s", BUFFER(I16), -32768, 32767},
        {"S", BUFFER(U16), 40000, 65535},
        {"i", BUFFER(I32), INT32_MIN, INT32_MAX},
        {"I", BUFFER(U32), 3e9, UINT32_MAX},
        {"l", BUFFER(I64), -9007199254740991.0, -0x1p63},
        {"L", BUFFER(U64), 0x1p53, 0x1p64},
        {"b", BUFFER(BITS), 1, 1},
        {"d:38,5", BUFFER(DECIMAL), 1234567890123.45678, -15e-5},
        {"d:38,-2", BUFFER(DECIMAL), 12345678901234567800.0, -1500},
        {"d:9,3,32", BUFFER(DECIMAL32), 2.385, -0.001},
        {"d:18,0,64", BUFFER(DECIMAL64), 446673754019253275.0, -15},
        {"d:18,7,64", BUFFER(DECIMAL64), 44667375401.92533, -15e-7}, /* dividing two doubles would round differently */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *format = cases[i].format;
        const buffer values = cases[i].values;
        field nulls[] = {{"x", format, 3, -1, 1, 2, {BUFFER(VALID), values}, NULL}};
        field none[] = {{"x", format, 1, 0, 3, 2, {{NULL, 0}, values}, NULL}};
        field ignored[] = {{"x", format, 1, 0, 1, 2, {BUFFER(VALID), values}, NULL}};
        batch batches[] = {
            {.fields = nulls, .length = 3}, {.fields = none, .length = 1}, {.fields = ignored, .length = 1}};
        feed f = FEED(batches, 1);
        sg_dataset *d;
        check(open_feed(&f, NULL, NULL, NULL, 0, &d));
        const double expected[] = {cases[i].first, NAN, cases[i].last, cases[i].last, cases[i].first};
        check_rows(d, expected, 5, 1);
        sg_dataset_free(d);
    }
}

/* A struct with an offset, whose children have offsets of their own. Batches may be empty. */
static void follows_offsets(void **state)
{
    (void)state;
    static const field all[] = {{"x", "g", 3, 0, 1, 2, {{NULL, 0}, BUFFER(F64)}, NULL},
                                {"z", "i", 4, 2, 0, 2, {BUFFER(BITS), BUFFER(I32)}, NULL}};
    static const field empty[] = {{"x", "g", 0, 0, 5, 2, {{NULL, 0}}, NULL}, {"z", "i", 0, 0, 0, 2, {{NULL, 0}}, NULL}};
    static const batch batches[] = {{.fields = empty, .length = 0},
                                    {.fields = all, .length = 2, .offset = 1},
                                    {.fields = empty, .length = 0},
                                    {.fields = all, .length = 1, .offset = 2, .nulls = -1}};
    static const double expected[] = {7, INT32_MIN, -1e300, NAN, -1e300, NAN};
    feed f = FEED(batches, 2);
    sg_dataset *d;
    check(open_feed(&f, NULL, NULL, NULL, 0, &d));
    check_rows(d, expected, 3, 2);
    sg_dataset_free(d);
}

/* NaN is missing, also with the bits of a level code; infinity is an error unless it is null. */
static void takes_odd_numbers(void **state)
{
    (void)state;
    uint64_t bits[] = {UINT64_C(0x7ff8000100000000), UINT64_C(0xfff8000000000000), 0, UINT64_C(0xfff0000000000000)};
    static const unsigned char first_three[] = {0x07};
    field fields[] = {{"x", "g", 4, 1, 0, 2, {BUFFER(first_three), BUFFER(bits)}, NULL}};
    batch batches[] = {{.fields = fields, .length = 4}};
    feed f = FEED(batches, 1);
    sg_dataset *d;
    check(open_feed(&f, NULL, NULL, NULL, 0, &d));
    check_rows(d, (const double[]){NAN, NAN, 0, NAN}, 4, 1);
    assert_null(sg_dataset_source(d).level);
    sg_dataset_free(d);
    fields[0].nulls = 0;
    check_fails(open_feed(&f, NULL, NULL, NULL, 0, &d), SG_EDATA,
                "Arrow stream: row 4, column \"x\": expected a finite number, got infinity");
    static const uint16_t halves[] = {1, 2, 3, 0x7c00};
    fields[0].format = "e";
    fields[0].buffers[1] = (buffer)BUFFER(halves);
    check_fails(open_feed(&f, NULL, NULL, NULL, 0, &d), SG_EDATA,
                "row 4, column \"x\": expected a finite number, got infinity");
}

/* --- strings --- */

/* Surrounding blanks and words for missing values are handled as in a CSV file; numbers are compared by value. */
static void reads_texts(void **state)
{
    (void)state;
    static const char *const formats[] = {"u", "U", "vu"};
    static const char *const list[] = {"left out", " F\t", NULL, "7.0", "a\nlong\xc3\xa9r word",
                                       "",         "F",    "NA", "7",   "exactly 12 b"};
    static const double expected[] = {0, NAN, 3, 1, NAN, 0, NAN, 3, 2};
    for (size_t i = 0; i < 3; i++) {
        texts t;
        field fields[] = {text_field("x", formats[i], list, 10, &t)};
        fields[0].offset = 1;
        fields[0].length = 9;
        batch batches[] = {{.fields = fields, .length = 9}};
        feed f = FEED(batches, 1);
        sg_dataset *d;
        check(open_feed(&f, NULL, NULL, NULL, 0, &d));
        check_rows(d, expected, 9, 1);
        check_level(d, 0, 0, "F");
        check_level(d, 0, 1, "a long\xc3\xa9r word");
        check_level(d, 0, 2, "exactly 12 b");
        check_level(d, 0, 3, "7");
        check_level(d, 0, 4, NULL);
        sg_dataset_free(d);
    }
}

/* String columns are classified like those of a CSV file. */
static void judges_texts(void **state)
{
    (void)state;
    enum { N = 30 };
    static char words[3][N][16];
    const char *list[3][N];
    double numbers[N], nothing[N];
    for (size_t i = 0; i < N; i++) {
        snprintf(words[0][i], sizeof words[0][i], "id%zu", i);
        snprintf(words[1][i], sizeof words[1][i], "2024-05-%02zu", i + 1);
        snprintf(words[2][i], sizeof words[2][i], "%g", (double)i / 4);
        for (size_t k = 0; k < 3; k++) list[k][i] = words[k][i];
        numbers[i] = (double)i + 1;
        nothing[i] = NAN;
    }
    static const int8_t zeros[N];
    static const char *const marks[] = {"NA"};
    texts t[4];
    field missing = text_field("", "u", marks, 1, &t[3]);
    field fields[] = {{"count", "g", N, 0, 0, 2, {{NULL, 0}, BUFFER(numbers)}, NULL},
                      text_field("id", "u", list[0], N, &t[0]),
                      text_field("day", "u", list[1], N, &t[1]),
                      text_field("text", "u", list[2], N, &t[2]),
                      {"y", "g", N, 0, 0, 2, {{NULL, 0}, BUFFER(numbers)}, NULL},
                      {"none", "n", N, N, 0, 0, {{NULL, 0}}, NULL},
                      {"nan", "g", N, 0, 0, 2, {{NULL, 0}, BUFFER(nothing)}, NULL},
                      {"na", "c", N, 0, 0, 2, {{NULL, 0}, BUFFER(zeros)}, &missing},
                      {"u", "g", N, 0, 0, 2, {{NULL, 0}, BUFFER(numbers)}, NULL}};
    batch batches[] = {{.fields = fields, .length = N}};
    feed f = FEED(batches, 9);
    sg_options *o = listening("");
    sg_dataset *d;
    check(open_feed(&f, NULL, o, NULL, 0, &d));
    assert_string_equal(
        heard.bytes, "<left out dates: day><left out identifiers: count, id><left out empty columns: none, nan, na>");
    assert_int_equal(sg_dataset_source(d).columns, 3);
    assert_string_equal(sg_dataset_source(d).names[0], "text");
    assert_string_equal(sg_dataset_dropped_column(d, 0), "count");
    double row[3];
    check(sg_dataset_source(d).read(sg_dataset_source(d).self, 5, 1, row));
    assert_true(row[0] == 1.25 && row[1] == 6);
    sg_dataset_free(d);
    fields[0].name = "time"; /* the first column is dropped: no column is checked for row numbers */
    fields[0].format = "tsu:";
    fields[1] = fields[4];
    fields[1].name = "count";
    check(open_feed(&f, NULL, o, NULL, 0, &d));
    assert_int_equal(sg_dataset_source(d).columns, 4);
    sg_dataset_free(d);
    fields[3] = text_field("text", "u", list[0], N, &t[2]);
    sg_options_free(o);
    o = listening("numeric=text");
    check_fails(open_feed(&f, NULL, o, NULL, 0, &d), SG_EDATA,
                "Arrow stream: row 1: \"id0\" is not a number (column \"text\")");
    sg_options_free(o);
    static const char *const latin[] = {"a", "caf\xe9"};
    field wrong[] = {text_field("x", "u", latin, 2, &t[0])};
    batch one[] = {{.fields = wrong, .length = 2}};
    feed g = FEED(one, 1);
    check_fails(open_feed(&g, NULL, NULL, NULL, 0, &d), SG_EDATA,
                "Arrow stream: row 2: \"caf?\" is not UTF-8 (column \"x\")");
}

/* --- dictionaries --- */

/* Dictionaries differ between batches and may contain a text twice; equal texts are one level. */
static void reads_dictionaries(void **state)
{
    (void)state;
    static const char *const first[] = {"out", "2001-02-03", "b", NULL, "b", "unused"}, *const second[] = {"c", "b",
                                                                                                           "NA", "7.0"};
    static const double numbers[] = {7, 8, 0.5};
    static const int8_t i8[] = {-1, 3, 1, 0, 2, 99}, again[] = {0, 1, 2, 3};
    static const uint32_t u32[] = {0, 1, 2, 3};
    static const int64_t i64[] = {2, 0, 1};
    static const unsigned char valid[] = {0x1f};
    texts t[2];
    field one = text_field("", "vu", first, 6, &t[0]), two = text_field("", "U", second, 4, &t[1]);
    field three = {"", "g", 3, 0, 0, 2, {{NULL, 0}, BUFFER(numbers)}, NULL};
    one.offset = 1;
    one.length = 5;
    field a[] = {{"x", "c", 5, -1, 1, 2, {BUFFER(valid), BUFFER(i8)}, &one}};
    field b[] = {{"x", "c", 4, 0, 0, 2, {{NULL, 0}, BUFFER(again)}, &two}};
    batch batches[] = {{.fields = a, .length = 5}, {.fields = b, .length = 4}, {.fields = a, .length = 5}};
    feed f = {.batches = batches, .count = 1, .fields = 1};
    sg_dataset *d;
    check(open_feed(&f, NULL, NULL, NULL, 0, &d));
    check_rows(d, (const double[]){0, 0, 1, NAN, NAN}, 5, 1);
    check_level(d, 0, 0, "b");
    check_level(d, 0, 1, "2001-02-03");
    check_level(d, 0, 2, NULL);
    sg_dataset_free(d);
    one = text_field("", "U", first, 6, &t[0]);
    one.offset = 1;
    one.length = 5;
    f.count = 3;
    check(open_feed(&f, NULL, NULL, NULL, 0, &d));
    check_rows(d, (const double[]){0, 0, 1, NAN, NAN, 2, 0, NAN, 3, 0, 0, 1, NAN, NAN}, 14, 1);
    check_level(d, 0, 3, "7");
    sg_dataset_free(d);
    field c[] = {{"x", "l", 3, 0, 0, 2, {{NULL, 0}, BUFFER(i64)}, &three},
                 {"z", "I", 3, 0, 0, 2, {{NULL, 0}, BUFFER(u32)}, &two}};
    batch last[] = {{.fields = c, .length = 3}};
    feed g = FEED(last, 2);
    check(open_feed(&g, NULL, NULL, NULL, 0, &d));
    check_rows(d, (const double[]){0, 0, 1, 1, 2, NAN}, 3, 2);
    check_level(d, 0, 0, "0.5");
    sg_dataset_free(d);
    static const double infinite[] = {7, INFINITY, 1};
    three.buffers[1] = (buffer)BUFFER(infinite);
    check_fails(open_feed(&g, NULL, NULL, NULL, 0, &d), SG_EDATA,
                "row 3, column \"x\": expected a finite number, got infinity");
    c[0].format = "g"; /* not an index type */
    check(open_feed(&g, NULL, NULL, NULL, 0, &d));
    assert_string_equal(sg_dataset_dropped_column(d, 0), "x");
    sg_dataset_free(d);
}

/* --- columns --- */

static void leaves_out_others(void **state)
{
    (void)state;
    static const char *const formats[] = {"tdD", "tdm", "tts", "ttn",        "tsu:UTC", "tDs",     "tiM", "+l", "z",
                                          "vz",  "w:3", "+s",  "d:70,2,256", "d:5",     "d:5,2,x", "+r",  "?"};
    enum { TIMES = 7, ALL = sizeof formats / sizeof *formats };
    sg_dataset *d;
    for (size_t i = 0; i < ALL; i++) {
        static const char *const wanted[] = {"when"};
        field fields[] = {{"when", formats[i], 4, 0, 0, 2, {{NULL, 0}, BUFFER(I64)}, NULL},
                          {"x", "g", 4, 0, 0, 2, {{NULL, 0}, BUFFER(F64)}, NULL}};
        batch batches[] = {{.fields = fields, .length = 4}};
        feed f = FEED(batches, 2);
        sg_options *o = listening("");
        check(open_feed(&f, NULL, o, NULL, 0, &d));
        check_rows(d, F64, 4, 1);
        assert_string_equal(sg_dataset_dropped_column(d, 0), "when");
        assert_string_equal(heard.bytes, i < TIMES
                                             ? "<left out dates: when>"
                                             : "<left out columns that hold neither numbers nor categories: when>");
        sg_dataset_free(d);
        check_fails(open_feed(&f, NULL, o, wanted, 1, &d), SG_EDATA, "Arrow stream: column \"when\" holds ");
        sg_options_free(o);
        o = listening("categorical=when");
        check_fails(open_feed(&f, NULL, o, NULL, 0, &d), SG_EDATA, "not numbers or categories");
        sg_options_free(o);
    }
    field fields[] = {{"when", "tsu:", 4, 0, 0, 2, {{NULL, 0}, BUFFER(I64)}, NULL}};
    batch batches[] = {{.fields = fields, .length = 4}};
    feed f = FEED(batches, 1);
    check_fails(open_feed(&f, NULL, NULL, NULL, 0, &d), SG_EDATA,
                "Arrow stream: no numeric or categorical column is left");
    sg_options *o = listening("group=when"); /* equal times are one group, whatever the unit */
    check(open_feed(&f, NULL, o, NULL, 0, &d));
    check_rows(d, (const double[]){9, -9007199254740991.0, 7, -0x1p63}, 4, 1);
    sg_dataset_free(d);
    sg_options_free(o);
}

static void names_columns(void **state)
{
    (void)state;
    static const char *const wanted[] = {"column2", "line end"}, *const twin[] = {"x"};
    field fields[] = {{"x", "g", 4, 0, 0, 2, {{NULL, 0}, BUFFER(F64)}, NULL},
                      {NULL, "f", 4, 0, 0, 2, {{NULL, 0}, BUFFER(F32)}, NULL},
                      {"line\nend", "c", 4, 0, 0, 2, {{NULL, 0}, BUFFER(I8)}, NULL},
                      {"x", "g", 4, 0, 0, 2, {{NULL, 0}, BUFFER(F64)}, NULL}};
    batch batches[] = {{.fields = fields, .length = 4}};
    feed f = FEED(batches, 4);
    sg_dataset *d;
    check(open_feed(&f, NULL, NULL, wanted, 2, &d));
    check_rows(d, (const double[]){9, 9, 2.5, -128, 7, 7, -0.375, 127}, 4, 2);
    assert_string_equal(sg_dataset_dropped_column(d, 1), "x");
    sg_dataset_free(d);
    check_fails(open_feed(&f, NULL, NULL, twin, 1, &d), SG_EDATA,
                "Arrow stream: columns 1 and 4 are both named \"x\"; rename one of them");
    check_fails(open_feed(&f, NULL, NULL, (const char *const[]){"colum2"}, 1, &d), SG_EDATA,
                "did you mean \"column2\"?");
    fields[3].name = "caf\xe9";
    check_fails(open_feed(&f, NULL, NULL, NULL, 0, &d), SG_EDATA,
                "Arrow stream: the column name \"caf?\" is not UTF-8");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_numbers),
    cmocka_unit_test(follows_offsets),
    cmocka_unit_test(takes_odd_numbers),
    cmocka_unit_test(reads_texts),
    cmocka_unit_test_teardown(judges_texts, forget),
    cmocka_unit_test(reads_dictionaries),
    cmocka_unit_test_teardown(leaves_out_others, forget),
    cmocka_unit_test(names_columns),
};
TEST_GROUP(tests, NULL, NULL)
