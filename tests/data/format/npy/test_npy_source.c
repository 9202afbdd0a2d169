/* test_npy_source.c: .npy files of all types and orders, read in place, written, and modified while open.
 * labels: memory */
#include "data/format/npy/npy_source.h"

#include "test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { INSTRUMENTED = 1 };
#else
enum { INSTRUMENTED = 0 };
#endif

static sg_status open_npy(const char *path, const sg_options *o, const char *const *wanted, size_t wanted_count,
                          sg_npy **out)
{
    sg_read_options how = sg_read_options_from(o);
    how.wanted = wanted;
    how.wanted_count = wanted_count;
    return sg_npy_open(path, &how, out);
}

static char folder[] = "/tmp/sugeno-npy-XXXXXX";
static char file[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/data.npy", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

/* Writes a file with that dictionary and these bytes. */
static void write_npy(const char *dictionary, const void *bytes, size_t n)
{
    size_t length = strlen(dictionary);
    unsigned char head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, length & 0xff, length >> 8 & 0xff};
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(head, 1, sizeof head, f), sizeof head);
    assert_int_equal(fwrite(dictionary, 1, length, f), length);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_plain(const char *type, bool fortran, size_t rows, size_t columns, const void *bytes, size_t n)
{
    char text[160];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%zu, %zu), }", type,
             fortran ? "True" : "False", rows, columns);
    write_npy(text, bytes, n);
}

/* Checks that read, in pieces of all sizes, and gather return value(row, column). */
typedef double value_fn(size_t row, size_t column);

static void expect(const sg_source *s, size_t rows, size_t columns, value_fn *value)
{
    assert_int_equal(s->rows, rows);
    assert_int_equal(s->columns, columns);
    double *out = test_malloc(rows * columns * sizeof *out);
    size_t *index = test_malloc(rows * sizeof *index);
    for (size_t piece = 1; piece <= rows; piece = piece * 3 + 1) {
        for (size_t first = 0, n; first < rows; first += n) {
            n = rows - first < piece ? rows - first : piece;
            check(s->read(s->self, first, n, out + first * columns));
        }
        for (size_t i = 0; i < rows * columns; i++) assert_true(out[i] == value(i / columns, i % columns));
    }
    for (size_t i = 0; i < rows; i++) index[i] = (i * 5 + 3) % rows;
    check(s->gather(s->self, index, rows, out));
    for (size_t i = 0; i < rows * columns; i++) assert_true(out[i] == value(index[i / columns], i % columns));
    check(s->read(s->self, rows, 0, out));
    check_fails(s->read(s->self, rows - 1, 2, out), SG_EINVAL, "of ");
    check_fails(s->gather(s->self, &rows, 1, out), SG_EINVAL, "of ");
    test_free(index);
    test_free(out);
}

/* --- types and orders --- */

/* Integers that every type can represent; negative only for signed types. */
static double small(size_t row, size_t column) { return (double)((row * 7 + column * 3) % 101); }
static double signed_small(size_t row, size_t column) { return small(row, column) - 50; }
static double truth(size_t row, size_t column) { return (row + column) % 2; }

/* Encodes the value in that type, little-endian. */
static uint64_t encode(double value, const char *type)
{
    uint64_t bits = (uint64_t)(int64_t)value;
    float single = (float)value;
    uint32_t four;
    memcpy(&four, &single, sizeof four);
    if (strcmp(type, "f4") == 0) return four;
    if (strcmp(type, "f8") == 0) memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put_cell(unsigned char *to, double value, const char *type, bool big)
{
    uint64_t bits = encode(value, type);
    size_t size = (size_t)(type[1] - '0');
    for (size_t i = 0; i < size; i++) to[big ? size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
}

static void try_type(const char *type, bool big, bool fortran, size_t rows, size_t columns, value_fn *value)
{
    size_t size = (size_t)(type[1] - '0'), n = rows * columns * size;
    unsigned char *bytes = malloc(n);
    char name[8];
    sg_npy *npy;
    assert_non_null(bytes);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            put_cell(bytes + (fortran ? k * rows + i : i * columns + k) * size, value(i, k), type, big);
    snprintf(name, sizeof name, "%c%s", size == 1 ? '|' : big ? '>' : '<', type);
    write_plain(name, fortran, rows, columns, bytes, n);
    for (int kept = 0; kept < 2; kept++) {
        check(open_npy(file, NULL, NULL, 0, &npy));
        assert_int_equal(sg_npy_allow_load(npy, n), 0); /* the header does not fit */
        if (kept) assert_true(sg_npy_allow_load(npy, n + 500) > n);
        sg_source s = sg_npy_source(npy);
        assert_int_equal(s.slow_gather, !kept);
        expect(&s, rows, columns, value);
        expect(&s, rows, columns, value); /* now from memory */
        assert_string_equal(s.names[columns - 1], columns == 5 ? "c5" : "c9000");
        sg_npy_free(npy);
    }
    free(bytes);
}

static void test_types(void **state)
{
    (void)state;
    static const char *const names[] = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int way = 0; way < 4; way++)
            try_type(names[i], way & 1, way & 2, 137, 5,
                     *names[i] == 'b'   ? truth
                     : *names[i] == 'u' ? small
                                        : signed_small);
}

/* Rows and columns that are longer than any buffer. */
static void test_long(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        try_type("f8", false, way, 7, 9000, signed_small);
        try_type("f4", true, way, 5000, 5, signed_small);
    }
}

static void test_extremes(void **state)
{
    (void)state;
    static const uint64_t bits[] = {0x8000000000000000, 0xffffffffffffffff, 0x7fffffffffffffff, 1};
    static const double as_i8[] = {-9223372036854775808.0, -1, 9223372036854775807.0, 1};
    static const double as_u8[] = {9223372036854775808.0, 18446744073709551615.0, 9223372036854775807.0, 1};
    double out[4];
    for (int sign = 0; sign < 2; sign++) {
        sg_npy *npy;
        write_plain(sign ? "<i8" : "<u8", false, 2, 2, bits, sizeof bits);
        check(open_npy(file, NULL, NULL, 0, &npy));
        sg_source s = sg_npy_source(npy);
        check(s.read(s.self, 0, 2, out));
        assert_memory_equal(out, sign ? as_i8 : as_u8, sizeof out);
        sg_npy_free(npy);
    }
}

/* A file that may be loaded is read from disk if memory is short. The limit leaves no space for sanitizers. */
static void test_no_room(void **state)
{
    (void)state;
    enum { ROWS = 60000 }; /* more than malloc has in reserve */
    struct rlimit old, none;
    size_t last = ROWS - 1;
    sg_npy *npy;
    if (INSTRUMENTED || getenv("TESTS_QUICK")) return; /* sanitizers need more memory themselves */
    double row[5], *values = malloc(ROWS * sizeof row);
    assert_non_null(values);
    for (size_t i = 0; i < 5 * ROWS; i++) values[i] = signed_small(i / 5, i % 5);
    write_plain("<f8", false, ROWS, 5, values, ROWS * sizeof row);
    check(open_npy(file, NULL, NULL, 0, &npy));
    assert_true(sg_npy_allow_load(npy, SIZE_MAX) > ROWS * sizeof row);
    sg_source s = sg_npy_source(npy);
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    none = (struct rlimit){.rlim_cur = 1, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    sg_status st = s.gather(s.self, &last, 1, row);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    check(st);
    for (size_t k = 0; k < 5; k++) assert_true(row[k] == signed_small(last, k));
    sg_npy_free(npy);
    free(values);
}

/* --- named columns --- */

typedef struct __attribute__((packed)) record {
    double a;
    char gap[3];
    float b;
    char text[5];
    int16_t c;
} record;

static const char records[] = "{'descr': [('a', '<f8'), ('', '|V3'), ('b', '<f4'), ('text', '|S5'), ('c', '<i2')], "
                              "'fortran_order': False, 'shape': (3,), }";
static const record rows[3] = {{1.5, "", 2.5f, "one", -3}, {-7.25, "", 0.5f, "two", 300}, {1e300, "", -8, "3", 0}};

static char noticed[256];
static void notice(void *arg, const char *sentence)
{
    (void)arg;
    snprintf(noticed, sizeof noticed, "%s", sentence);
}

static void test_named(void **state)
{
    (void)state;
    static const double all[] = {1.5, 2.5, 0, -3, -7.25, 0.5, 1, 300, 1e300, -8, 2, 0};
    static const size_t twice[] = {2, 2};
    double out[12];
    sg_npy *npy;
    sg_options *o = options_of("");
    sg_options_on_notice(o, notice, NULL);
    write_npy(records, rows, sizeof rows);
    check(open_npy(file, o, NULL, 0, &npy));
    sg_source s = sg_npy_source(npy);
    assert_int_equal(s.columns, 4);
    assert_string_equal(s.names[1], "b");
    assert_null(sg_npy_dropped_column(npy, 0));
    assert_string_equal(s.level(s.self, 2, 2), "3");
    assert_null(s.level(s.self, 2, 3));
    assert_null(s.level(s.self, 1, 0));
    check(s.read(s.self, 0, 3, out));
    assert_memory_equal(out, all, sizeof all);
    check(s.gather(s.self, twice, 2, out));
    assert_memory_equal(out, all + 8, 4 * sizeof *all);
    assert_memory_equal(out + 4, all + 8, 4 * sizeof *all);
    sg_npy_free(npy);
    sg_options_free(o);
}

/* --- strings --- */

/* Joins the levels of a column's cells; ? for missing ones. */
static void expect_words(const sg_source *s, size_t column, const char *expected)
{
    char got[256];
    size_t length = 0;
    for (size_t i = 0; i < s->rows; i++) {
        double read[8], gathered[8];
        check(s->read(s->self, i, 1, read));
        check(s->gather(s->self, &i, 1, gathered));
        assert_true(read[column] == gathered[column] || isnan(read[column]));
        length += (size_t)snprintf(got + length, sizeof got - length, "%s|",
                                   isnan(read[column]) ? "?" : s->level(s->self, column, (size_t)read[column]));
    }
    assert_string_equal(got, expected);
}

static void test_texts(void **state)
{
    (void)state;
    static const char *const wanted[] = {"b"};
    static const bool no = false;
    /* a: bytes; b: big-endian code points; t: a time; d: dates. */
    static const char dictionary[] =
        "{'descr': [('a', '|S4'), ('b', '>U2'), ('t', '<M8[s]'), ('d', '|S8'), ('x', '|u1')], "
        "'fortran_order': False, 'shape': (4,), }";
    static const char bytes[] = "NA\0\0"
                                "\0\0\x20\xac\0\0\0z"
                                "tttttttt"
                                "1/2/2003"
                                "\1"
                                " 7.0"
                                "\0\0\0z\0\0\0\0"
                                "tttttttt"
                                "1/2/2004"
                                "\2"
                                "\xc3\xa4\0\0"
                                "\0\0\0\0\0\0\0\0"
                                "tttttttt"
                                "\0\0\0\0\0\0\0\0"
                                "\3"
                                "a\nb\0"
                                "\0\0\0z\0\0\0 "
                                "tttttttt"
                                "never\0\0\0"
                                "\4";
    sg_npy *npy;
    sg_options *o = options_of("");
    sg_options_on_notice(o, notice, NULL);
    write_npy(dictionary, bytes, sizeof bytes - 1);
    check(open_npy(file, o, NULL, 0, &npy));
    sg_source s = sg_npy_source(npy);
    assert_int_equal(s.columns, 3);
    expect_words(&s, 0, "?|7|\xc3\xa4|a b|");
    expect_words(&s, 1, "\xe2\x82\xacz|z|?|z|");
    assert_string_equal(sg_npy_dropped_column(npy, 0), "t");
    assert_string_equal(sg_npy_dropped_column(npy, 1), "d");
    assert_string_equal(noticed, "left out dates: d");
    sg_npy_free(npy);
    check(sg_options_set(o, "categorical", "d"));
    check(sg_options_set(o, "missing", "7,z"));
    check(open_npy(file, o, NULL, 0, &npy));
    s = sg_npy_source(npy);
    expect_words(&s, 0, "NA|?|\xc3\xa4|a b|");
    expect_words(&s, 1, "\xe2\x82\xacz|?|?|?|");
    expect_words(&s, 2, "1/2/2003|1/2/2004|?|never|");
    sg_npy_free(npy);
    check(sg_options_set(o, "numeric", "b"));
    check_fails(open_npy(file, o, NULL, 0, &npy), SG_EDATA, "column \"b\" does not hold numbers");
    check_fails(
        sg_npy_open(file, &(sg_read_options){.wanted = wanted, .wanted_count = 1, .wanted_categorical = &no}, &npy),
        SG_EDATA, "column \"b\" does not hold numbers");
    sg_options_free(o);

    write_npy("{'descr': [('a', '|S2')], 'fortran_order': False, 'shape': (2,), }", "ok\xe4x", 4);
    check_fails(open_npy(file, NULL, NULL, 0, &npy), SG_EDATA, "row 2, column \"a\": the string is not valid Unicode");
    write_npy("{'descr': [('a', '<U1')], 'fortran_order': False, 'shape': (1,), }", "\0\xd8\0\0", 4);
    check_fails(open_npy(file, NULL, NULL, 0, &npy), SG_EDATA, "row 1, column \"a\": the string is not valid Unicode");
}

/* Strings longer than the read buffer are not categories. */
static void test_long_texts(void **state)
{
    (void)state;
    enum { LONG = 16384 };
    static char bytes[2 * (LONG + 2)];
    sg_npy *npy;
    sg_source s;
    double out[4];
    memset(bytes, 'x', sizeof bytes);
    bytes[LONG] = 7;
    bytes[2 * LONG + 1] = 8;
    write_npy("{'descr': [('a', '|S16384'), ('b', '|u1')], 'fortran_order': False, 'shape': (2,), }", bytes,
              2 * (LONG + 1));
    check(open_npy(file, NULL, NULL, 0, &npy));
    s = sg_npy_source(npy);
    check(s.read(s.self, 0, 2, out));
    assert_true(s.columns == 2 && out[0] == 0 && out[1] == 7 && out[2] == 0 && out[3] == 8);
    assert_int_equal(strlen(s.level(s.self, 0, 0)), LONG);
    sg_npy_free(npy);
    write_npy("{'descr': [('a', '|S16385'), ('b', '|u1')], 'fortran_order': False, 'shape': (2,), }", bytes,
              2 * (LONG + 2));
    check(open_npy(file, NULL, NULL, 0, &npy));
    assert_int_equal(sg_npy_source(npy).columns, 1);
    sg_npy_free(npy);
}

static void test_choice(void **state)
{
    (void)state;
    static const char *const wanted[] = {"c", "a"}, *const text[] = {"text"}, *const none[] = {"A"};
    double out[6];
    sg_npy *npy = NULL;
    write_npy(records, rows, sizeof rows);
    check(open_npy(file, NULL, wanted, 2, &npy));
    sg_source s = sg_npy_source(npy);
    check(s.read(s.self, 1, 2, out));
    assert_true(s.columns == 2 && out[0] == -7.25 && out[1] == 300 && out[2] == 1e300 && out[3] == 0);
    assert_string_equal(sg_npy_dropped_column(npy, 1), "text");
    sg_npy_free(npy);

    sg_options *o = options_of("ignore=text,a");
    check(open_npy(file, o, NULL, 0, &npy));
    assert_int_equal(sg_npy_source(npy).columns, 2);
    sg_npy_free(npy);
    check(sg_options_set(o, "ignore", "a,b,c,text"));
    check_fails(open_npy(file, o, NULL, 0, &npy), SG_EDATA, "no numeric or categorical column is left");
    check(open_npy(file, NULL, text, 1, &npy));
    assert_non_null(sg_npy_source(npy).level);
    sg_npy_free(npy);
    check_fails(open_npy(file, NULL, none, 1, &npy), SG_EDATA,
                "there is no column \"A\" (did you mean \"a\"?); the columns are a, b, text, c");
    write_plain("<f8", false, 1, 2, out, 2 * sizeof *out);
    check_fails(open_npy(file, NULL, none, 1, &npy), SG_EDATA, "there is no header, so the columns are c1, c2");
    sg_options_free(o);
}

/* --- damaged files --- */

static void test_cut_off(void **state)
{
    (void)state;
    static const double values[6] = {1, 2, 3, 4, 5, 6};
    sg_npy *npy;
    for (size_t n = 0; n < sizeof values; n++) {
        char sentence[64];
        write_plain("<f8", false, 3, 2, values, n);
        snprintf(sentence, sizeof sentence, "truncated to %zu of 3 rows", n / 16);
        check_fails(open_npy(file, NULL, NULL, 0, &npy), SG_EDATA, sentence);
    }
    write_plain("<f8", true, 3, 2, values, 40);
    check_fails(open_npy(file, NULL, NULL, 0, &npy), SG_EDATA, "truncated to 40 of 48 bytes");
    for (long size = 0; size < 80; size += 3) { /* in the header */
        write_plain("<f8", false, 3, 2, values, sizeof values);
        assert_int_equal(truncate(file, size), 0);
        assert_int_equal(open_npy(file, NULL, NULL, 0, &npy), SG_EDATA);
    }
    write_plain("<f8", false, 2, 2, values, sizeof values); /* another array may follow */
    check(open_npy(file, NULL, NULL, 0, &npy));
    sg_npy_free(npy);
    check_fails(open_npy("/nowhere/x.npy", NULL, NULL, 0, &npy), SG_EIO, "can't read /nowhere/x.npy");
    check_fails(open_npy("/dev/zero", NULL, NULL, 0, &npy), SG_EIO, "it is not a regular file");
}

/* Truncation, modification and removal of an open file: only removal does no harm, unless the file is in memory. */
static void test_changed(void **state)
{
    (void)state;
    static const double values[6] = {1, 2, 3, 4, 5, 6};
    static const size_t last = 2;
    double out[2];
    for (int how = 0; how < 6; how++) {
        sg_npy *npy;
        bool kept = how >= 3;
        write_plain("<f8", false, 3, 2, values, sizeof values);
        check(open_npy(file, NULL, NULL, 0, &npy));
        if (kept) sg_npy_allow_load(npy, 1000);
        sg_source s = sg_npy_source(npy);
        check(s.gather(s.self, &last, 1, out));
        if (how % 3 == 0) assert_int_equal(truncate(file, 1), 0);
        if (how % 3 == 1) {
            usleep(20000); /* longer than the clock resolution of the file system */
            write_plain("<f8", false, 3, 2, values, sizeof values);
        }
        if (how % 3 == 2) assert_int_equal(unlink(file), 0);
        if (how < 2) {
            check_fails(s.gather(s.self, &last, 1, out), SG_EIO, "was changed while it was read");
            check_fails(s.read(s.self, 0, 1, out), SG_EIO, "was changed while it was read");
        } else {
            check(s.read(s.self, last, 1, out));
            check(s.gather(s.self, &last, 1, out));
            assert_true(out[0] == 5 && out[1] == 6);
        }
        sg_npy_free(npy);
    }
}

/* A file that was modified after opening is not loaded. */
static void test_changed_before(void **state)
{
    (void)state;
    static const double values[6] = {1, 2, 3, 4, 5, 6};
    static const size_t last = 2;
    double out[2];
    sg_npy *npy;
    write_plain("<f8", false, 3, 2, values, sizeof values);
    check(open_npy(file, NULL, NULL, 0, &npy));
    sg_npy_allow_load(npy, 1000);
    sg_source s = sg_npy_source(npy);
    assert_int_equal(truncate(file, 1), 0);
    for (int i = 0; i < 2; i++) check_fails(s.gather(s.self, &last, 1, out), SG_EIO, "was changed while it was read");
    sg_npy_free(npy);
}

/* --- writing --- */

static double halves(size_t row, size_t column) { return (double)row + (double)column / 2; }

static void write_halves(const char *const *names, size_t count, size_t columns)
{
    sg_table *t;
    double *values = malloc(count * columns * sizeof *values);
    static const char *const plain[] = {"c1", "c2", "c3", "c4", "c5"};
    for (size_t i = 0; i < count * columns; i++) values[i] = halves(i / columns, i % columns);
    check(sg_table_new(names ? names : plain, columns, values, count, &t));
    sg_source source = sg_table_source(t);
    check(sg_npy_save(&source, file));
    sg_table_free(t);
    free(values);
}

static void expect_halves(size_t count, size_t columns, unsigned version)
{
    sg_npy *npy;
    FILE *f = fopen(file, "rb");
    unsigned char head[12] = {0};
    assert_true(f && fread(head, 1, sizeof head, f) == sizeof head);
    fclose(f);
    assert_int_equal(head[6], version);
    size_t begin = version == 1 ? 10 : 12, length = head[8] | (size_t)head[9] << 8;
    if (version > 1) length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    assert_int_equal((begin + length) % 64, 0);
    check(open_npy(file, NULL, NULL, 0, &npy));
    sg_source s = sg_npy_source(npy);
    expect(&s, count, columns, halves);
    sg_npy_free(npy);
}

static void test_writing(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "it's \\ \"odd\"", "new\nline"};
    static const char *const more[] = {"a", "\xc3\xbc", "\xe2\x82\xac"};
    const char *many[9000];
    static char text[9000][8];
    for (size_t i = 0; i < 9000; i++) {
        snprintf(text[i], sizeof text[i], "n%zu", i);
        many[i] = text[i];
    }
    write_halves(NULL, 1200, 5);
    expect_halves(1200, 5, 1);
    write_halves(names, 7, 3);
    expect_halves(7, 3, 1);
    write_halves(more, 70, 3);
    expect_halves(70, 3, 3);
    write_halves(many, 3, 9000);
    expect_halves(3, 9000, 2);
    sg_npy *npy;
    write_halves(names, 7, 3);
    check(open_npy(file, NULL, NULL, 0, &npy));
    assert_string_equal(sg_npy_source(npy).names[1], names[1]);
    assert_string_equal(sg_npy_source(npy).names[2], "new line"); /* as in a CSV file */
    sg_npy_free(npy);
}

static sg_status fail_to_read(void *self, size_t first, size_t n, double *out)
{
    (void)self, (void)first, (void)n, (void)out;
    return SG_EDATA;
}

static void test_not_written(void **state)
{
    (void)state;
    static const char *const names[] = {"c1", "c2"};
    sg_source broken = {.rows = 1, .columns = 2, .names = names, .read = fail_to_read};
    unlink(file);
    check_fails(sg_npy_save(&broken, "/nowhere/x.npy"), SG_EIO, "/nowhere/x.npy");
    assert_int_equal(sg_npy_save(&broken, file), SG_EDATA);
    assert_int_not_equal(access(file, F_OK), 0);
}

/* --- through the public API --- */

static const double six[6] = {1, 2, 3, 4, 5, 6.5};
static const char *const xy[] = {"x", "y"}, *const by_position[] = {"c1", "c2"};

static sg_source six_in(const char *const *names, sg_table **t)
{
    check(sg_table_new(names, 2, six, 3, t));
    return sg_table_source(*t);
}

static void expect_data(const char *path, const char *const *names)
{
    double out[6];
    sg_dataset *d;
    check(sg_dataset_open(&path, 1, NULL, NULL, 0, &d));
    sg_source s = sg_dataset_source(d);
    assert_string_equal(s.name, path);
    assert_string_equal(s.names[0], names[0]);
    assert_null(sg_dataset_dropped_column(d, 0));
    check(s.read(s.self, 0, 3, out));
    assert_memory_equal(out, six, sizeof six);
    sg_dataset_free(d);

    check(sg_dataset_open(&path, 1, NULL, names + 1, 1, &d));
    s = sg_dataset_source(d);
    assert_string_equal(s.names[0], names[1]);
    assert_string_equal(sg_dataset_dropped_column(d, 0), names[0]);
    check(s.read(s.self, 2, 1, out));
    assert_true(s.columns == 1 && out[0] == 6.5);
    sg_dataset_free(d);
}

static void test_data(void **state)
{
    (void)state;
    char csv[64];
    snprintf(csv, sizeof csv, "%s/d.CSV", folder);
    for (int named = 0; named < 2; named++) {
        sg_table *t;
        sg_source s = six_in(named ? xy : by_position, &t);
        check(sg_source_save(&s, file));
        expect_data(file, s.names);
        check(sg_source_save(&s, csv));
        expect_data(csv, s.names);
        sg_table_free(t);
    }
    unlink(csv);
}

static void test_suffixes(void **state)
{
    (void)state;
    sg_table *t;
    sg_source s = six_in(xy, &t);
    check_fails(sg_source_save(&s, "/tmp/x.txt"), SG_EINVAL,
                "/tmp/x.txt: unknown file format; expected a name that ends in one of .npy, .arff, .dat, .svm, .csv");
    check_fails(sg_source_can_save(".npy"), SG_EINVAL, "ends in one of .npy, .arff, .dat, .svm, .csv");
    check(sg_source_can_save("-"));
    check(sg_source_can_save("x.NPY"));
    sg_table_free(t);
    sg_dataset_free(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_types),          cmocka_unit_test(test_long),     cmocka_unit_test(test_extremes),
    cmocka_unit_test(test_named),          cmocka_unit_test(test_texts),    cmocka_unit_test(test_long_texts),
    cmocka_unit_test(test_choice),         cmocka_unit_test(test_cut_off),  cmocka_unit_test(test_changed),
    cmocka_unit_test(test_changed_before), cmocka_unit_test(test_writing),  cmocka_unit_test(test_not_written),
    cmocka_unit_test(test_data),           cmocka_unit_test(test_suffixes), cmocka_unit_test(test_no_room),
};
TEST_GROUP(tests, make_folder, remove_folder)
