/* test_csv_fast_row.c: the fast row parser against sg_csv_scan_record: if it accepts a row, both must agree; if not, it
 * must not have consumed anything.
 * labels: memory */
#include "base/random/random.h"
#include "base/text.h"
#include "data/format/csv/csv_scanner.h"
#include "data/ingest/byte_reader.h"
#include "test.h"

#include <stdlib.h>

enum { WIDTH = 3 };

/* Starts a scan of a copy that is followed by newlines and has space for the fields. The caller frees the copy. */
static char *start(sg_csv_scanner *s, const char *bytes, size_t n, char delimiter, bool last)
{
    char *copy = malloc(n + SG_WINDOW_PADDING);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    memset(copy + n, '\n', SG_WINDOW_PADDING);
    sg_csv_scanner_init(s, delimiter);
    s->fields = calloc(WIDTH, sizeof *s->fields);
    assert_non_null(s->fields);
    s->capacity = WIDTH;
    s->at = copy;
    s->end = copy + n;
    s->at_eof = last;
    return copy;
}

/* Compares the cells of an accepted row with those of the record. */
static size_t check_cells(const double *row, const bool *used, const sg_field *odd, const sg_csv_scanner *s)
{
    size_t others = 0;
    for (size_t j = 0; j < s->count; j++) {
        double number = NAN;
        const sg_field *f = &s->fields[j];
        if (!used[j]) continue;
        bool ok = sg_number_parse(f->text, f->length, &number) == SG_NUMBER_OK;
        if (!isnan(*row)) {
            assert_true(ok && memcmp(row, &number, sizeof number) == 0);
        } else {
            others++;
            assert_true(odd[j].length == f->length && odd[j].line == f->line);
            assert_memory_equal(odd[j].text, f->text, f->length);
        }
        row++;
    }
    return others;
}

/* Parses a row both ways; returns whether the fast parser accepted it. */
static bool compare(const char *bytes, size_t n, char delimiter, size_t width, const bool *used)
{
    sg_csv_scanner a, b;
    char *copy = start(&a, bytes, n, delimiter, false), *other = start(&b, bytes, n, delimiter, false);
    double row[WIDTH];
    size_t odd;
    bool taken = sg_csv_scan_fast_row(&a, used, width, row, &odd);
    if (taken) {
        assert_int_equal(sg_csv_scan_record(&b), SG_SCAN_RECORD);
        assert_int_equal(b.count, width);
        assert_int_equal(a.at - copy, b.at - other);
        assert_int_equal(a.next_line, b.next_line);
        for (size_t j = 0; j < width; j++) /* the texts are in the other copy */
            if (a.fields[j].text) assert_true(a.fields[j].text >= copy && a.fields[j].text <= a.at);
        assert_int_equal(check_cells(row, used, a.fields, &b), odd);
    } else {
        assert_true(a.at == copy && a.next_line == 1);
    }
    sg_csv_scanner_release(&a);
    sg_csv_scanner_release(&b);
    free(copy);
    free(other);
    return taken;
}

static const bool all[] = {true, true, true}, some[] = {true, false, true};

/* Rows, each followed by the first byte of another one: which are accepted? */
static void takes_rows(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool taken;
    } cases[] = {
        {"1,2,3\n4", true},
        {"1,2,3\r\n4", true},
        {"1,2,3\r4", true},
        {"-1.5,.25,3e2\n4", true},
        {" 1 ,\t2, 3 \n4", true},
        {"\"1\",\"-2.5\",3\n4", true},
        {"\"1\" , \"2\",\"3\"\n4", true},
        {"M,2,3\n4", true},
        {"\"M, F\",2,\"x\ny\"\n4", true},
        {",,\n4", true},
        {"1e999,+2,12345678901234567890\n4", true},
        {"1.2.3,1 2,\" 7 \"\n4", true},
        {"\"1\"2,3,4\n5", false},
        {"\"1\"\"\",2,3\n4", false},
        {"1,2\n3,4,5\n6", false},
        {"1,2,3,4\n5", false},
        {"\n1,2,3\n4", false},
        {"1,2,3", false},
        {"1,2,3\n", false},
        {"1,2,3\r", false},
        {"1,2,\"3\n4", false},
        {"", false},
        {"1,2,3.", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].text);
        if (compare(cases[i].text, n, ',', WIDTH, all) != cases[i].taken)
            fail_msg("<%s>: expected %d", cases[i].text, cases[i].taken);
        compare(cases[i].text, n, ',', WIDTH, some);
        compare(cases[i].text, n, ';', WIDTH, all);
        for (size_t cut = 0; cut < n; cut++) compare(cases[i].text, cut, ',', WIDTH, all);
    }
    assert_false(compare("1,\0,3\n4", 7, ',', WIDTH, all));
    assert_false(compare("1,2,3\0\n4", 8, ',', WIDTH, all));
    assert_true(compare("1\t2\t 3\n4", 8, '\t', WIDTH, all));
    assert_true(compare("1\t\t3\n4", 6, '\t', WIDTH, all));
}

/* A line of one column may be blank, so only numbers are accepted. */
static void minds_blank_lines(void **state)
{
    (void)state;
    static const bool none[] = {false};
    assert_true(compare("1\n2", 3, ',', 1, all));
    assert_false(compare("\n2", 2, ',', 1, all));
    assert_false(compare("  \n2", 4, ',', 1, all));
    assert_false(compare("x\n2", 3, ',', 1, all));
    assert_false(compare("1\n2", 3, ',', 1, none));
}

static void agrees_on_random_rows(void **state)
{
    (void)state;
    static const char bytes[] = "0123456789.,,,,-+e\"\" \t\nx\r";
    uint64_t taken = 0, n = getenv("TESTS_QUICK") ? 20000 : 500000;
    for (uint64_t i = 0; i < n; i++) {
        sg_random_stream s = sg_random_stream_at(10, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        char text[24];
        size_t length = sg_random_stream_below(&s, sizeof text);
        for (size_t k = 0; k < length; k++) text[k] = bytes[sg_random_stream_below(&s, sizeof bytes - 1)];
        taken += compare(text, length, ',', 1 + sg_random_stream_below(&s, WIDTH), i % 2 ? all : some);
    }
    assert_true(taken > n / 100 && taken < n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(takes_rows),
    cmocka_unit_test(minds_blank_lines),
    cmocka_unit_test(agrees_on_random_rows),
};
TEST_GROUP(tests, NULL, NULL)
