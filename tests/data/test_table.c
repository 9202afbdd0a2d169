/* test_table.c: tables made from arrays, as sources, and saved.
 * labels: memory */
#include "base/random/random.h"
#include "base/text.h"
#include "data/source/source_util.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const abc[] = {"a", "b", "c"};
static const double six[] = {2.385, -1.25, 3e-300, 4.5, 5.75, -6.5};

static sg_table *small(void)
{
    sg_table *t;
    check(sg_table_new(abc, 3, six, 2, &t));
    return t;
}

static void copies(void **state)
{
    (void)state;
    char name[] = "first";
    double value = 2.385;
    const char *names[] = {name};
    sg_table *t;
    check(sg_table_new(names, 1, &value, 1, &t));
    name[0] = 'X';
    value = 0;
    assert_string_equal(sg_table_name(t, 0), "first");
    assert_null(sg_table_name(t, 1));
    assert_true(sg_table_values(t)[0] == 2.385);
    sg_table_free(t);
    sg_table_free(NULL);
    check(sg_table_new(names, 1, NULL, 0, &t));
    assert_int_equal(sg_table_rows(t), 0);
    sg_table_free(t);
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *names[3];
        size_t columns, rows;
        double values[6];
        sg_status status;
        const char *expected;
    } cases[] = {
        {{"a"}, 0, 1, {1}, SG_EINVAL, "a table needs at least one column"},
        {{"a", ""}, 2, 1, {1}, SG_EINVAL, "the name of column 2 is empty or not UTF-8: \"\""},
        {{"\xE4"}, 1, 1, {1}, SG_EINVAL, "the name of column 1 is empty or not UTF-8: \"?\""},
        {{"a", "b", "a"}, 3, 1, {1}, SG_EINVAL, "columns 1 and 3 are both named \"a\""},
        {{"b", "a", "a"}, 3, 1, {1}, SG_EINVAL, "columns 2 and 3 are both named \"a\""},
        {{"a", "b"},
         2,
         2,
         {1, 2, 3, (double)INFINITY},
         SG_EDATA,
         "row 2, column \"b\": expected a finite number, got infinity"},
        {{"a", "b"},
         2,
         2,
         {1, 2, (double)-INFINITY, 4},
         SG_EDATA,
         "row 2, column \"a\": expected a finite number, got infinity"},
        {{"a", "b"}, 2, SIZE_MAX, {1}, SG_ENOMEM, "a table of 18446744073709551615 rows and 2 columns is too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_table *t = NULL;
        assert_int_equal(sg_table_new(cases[i].names, cases[i].columns, cases[i].values, cases[i].rows, &t),
                         cases[i].status);
        assert_string_equal(sg_errmsg(), cases[i].expected);
        assert_null(t);
    }
}

static void reads_and_gathers(void **state)
{
    (void)state;
    sg_table *t = small();
    sg_source s = sg_table_source(t);
    double got[9];
    assert_int_equal(s.rows, 2);
    assert_null(s.name);
    assert_int_equal(s.columns, 3);
    assert_string_equal(s.names[2], "c");
    check(s.read(s.self, 1, 1, got));
    assert_memory_equal(got, six + 3, 3 * sizeof *got);
    check(s.read(s.self, 2, 0, got));
    const size_t rows[] = {1, 0, 1};
    check(s.gather(s.self, rows, 3, got));
    assert_memory_equal(got, six + 3, 3 * sizeof *got);
    assert_memory_equal(got + 3, six, 3 * sizeof *got);
    assert_memory_equal(got + 6, six + 3, 3 * sizeof *got);
    assert_int_equal(s.read(s.self, 1, 2, got), SG_EINVAL);
    assert_int_equal(s.read(s.self, 3, 0, got), SG_EINVAL);
    assert_int_equal(s.read(s.self, 1, SIZE_MAX, got), SG_EINVAL);
    assert_int_equal(s.gather(s.self, &(size_t){2}, 1, got), SG_EINVAL);
    sg_table_free(t);
}

/* --- saving --- */

static void expect_round_trip(const char *const *names, size_t columns, const double *values, size_t rows)
{
    char path[] = "/tmp/sugeno-table-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    sg_table *t, *back;
    check(sg_table_new(names, columns, values, rows, &t));
    check(sg_table_save(t, path));
    check(sg_table_read(path, NULL, NULL, 0, &back));
    assert_int_equal(sg_table_rows(back), rows);
    assert_int_equal(sg_table_columns(back), columns);
    for (size_t j = 0; j < columns; j++) assert_string_equal(sg_table_name(back, j), names[j]);
    assert_memory_equal(sg_table_values(back), values, rows * columns * sizeof *values);
    sg_table_free(t);
    sg_table_free(back);
    unlink(path);
}

static void saves_names(void **state)
{
    (void)state;
    static const char *const names[] = {"a,b", "say \"hi\"", "two lines", "\xC3\xA4", "x;y", "t u"};
    expect_round_trip(names, 6, six, 1);
    static const char *const one[] = {"a,b"};
    expect_round_trip(one, 1, six, 6);
}

/* Doubles of all magnitudes: random bits that are finite. */
static void saves_every_bit(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static double values[COUNT];
    sg_random_stream s = sg_random_stream_at(3, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t i = 0; i < COUNT;) {
        uint64_t bits = (uint64_t)sg_random_stream_next(&s) << 32;
        bits |= sg_random_stream_next(&s);
        if (i % 10 == 0) bits &= ~(UINT64_C(0x7ff) << 52); /* subnormal */
        memcpy(&values[i], &bits, sizeof bits);
        i += isfinite(values[i]) != 0;
    }
    values[0] = -0.0;
    values[5] = values[6] = NAN; /* missing */
    expect_round_trip(abc, 3, values, COUNT / 3);
    expect_round_trip(abc, 1, values, COUNT);
}

static void saves_exactly_this(void **state)
{
    (void)state;
    char path[] = "/tmp/sugeno-table-XXXXXX", text[256] = "";
    close(mkstemp(path));
    sg_table *t = small();
    check(sg_table_save(t, path));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    unlink(path);
    assert_string_equal(text, "a,b,c\n2.385,-1.25,3e-300\n4.5,5.75,-6.5\n");
    assert_int_equal(sg_table_save(t, "/nowhere/t.csv"), SG_EIO);
    sg_table_free(t);
}

static const char *two_levels(void *self, size_t column, size_t i)
{
    (void)self;
    return column == 0 && i < 2 ? i ? "M" : "F" : NULL;
}

static void words_of_cells(void **state)
{
    static const double none[] = {NAN, INFINITY, -INFINITY, -1, 2, 4294967296.0, 1e300, -1e300};
    sg_source s = {.columns = 2, .level = two_levels};
    (void)state;
    assert_string_equal(sg_source_cell_level(&s, 0, 0), "F");
    assert_string_equal(sg_source_cell_level(&s, 0, 1), "M");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_null(sg_source_cell_level(&s, 0, none[i]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies),         cmocka_unit_test(refuses),         cmocka_unit_test(reads_and_gathers),
    cmocka_unit_test(saves_names),    cmocka_unit_test(saves_every_bit), cmocka_unit_test(saves_exactly_this),
    cmocka_unit_test(words_of_cells),
};
TEST_GROUP(tests, NULL, NULL)
