/* test_csv_files.c: sg_table_read on files, gzip, standard input and unreadable inputs; options.
 * labels: memory */
#include "base/options.h"
#include "base/text.h"
#include "data/dataset_open.h"
#include "data/format/csv/csv.h"
#include "test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/sugeno-csv-XXXXXX";
static char file[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/data.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

static void write_file(const char *bytes, size_t n)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void write_gzip(const char *mode, const char *bytes, size_t n)
{
    gzFile f = gzopen(file, mode);
    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), (int)n);
    assert_int_equal(gzclose(f), Z_OK);
}

/* Returns the message after the file name, which differs from run to run. */
static const char *message(void)
{
    const char *at = strstr(sg_errmsg(), file);
    return at ? at + strlen(file) : sg_errmsg();
}

static void expect_sum(const char *path, const sg_options *o, size_t rows, double sum)
{
    sg_table *t;
    check(sg_table_read(path, o, NULL, 0, &t));
    assert_int_equal(sg_table_rows(t), rows);
    for (size_t i = 0; i < rows * sg_table_columns(t); i++) sum -= sg_table_values(t)[i];
    assert_true(sum == 0);
    sg_table_free(t);
}

/* Writes rows (i, 2 i) for i < n; *sum is the sum of all numbers. */
static sg_text counting(size_t n, double *sum)
{
    sg_text text = {0};
    sg_text_append(&text, "a,b\n");
    *sum = 0;
    for (size_t i = 0; i < n; i++) {
        sg_text_append_format(&text, "%zu,%zu\n", i, 2 * i);
        *sum += 3 * (double)i;
    }
    return text;
}

static void reads_gzip(void **state)
{
    (void)state;
    double sum;
    sg_text text = counting(20000, &sum);
    write_gzip("wb", text.bytes, text.length);
    expect_sum(file, NULL, 20000, sum);
    sg_text_release(&text);
    write_gzip("wb", "a,b\n1,2", 7); /* two gzip members, split inside a number */
    write_gzip("ab", "5\n", 2);
    expect_sum(file, NULL, 1, 26);
    write_gzip("wb",
               "\xEF\xBB\xBF"
               "a;b\r\n1;2",
               11);
    expect_sum(file, NULL, 1, 3);
}

/* Writes the bytes of the file, with byte `at` changed by `flip`, truncated to `n`. */
static void damage(size_t n, size_t at, int flip)
{
    static char bytes[1 << 18];
    FILE *f = fopen(file, "rb");
    assert_non_null(f);
    size_t got = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    bytes[at < got ? at : 0] ^= (char)flip;
    write_file(bytes, n < got ? n : got);
}

static void refuses_damaged_gzip(void **state)
{
    (void)state;
    static const struct {
        size_t length, at;
        int flip;
        const char *expected;
    } cases[] = {
        {20000, 0, 0, ": the gzip data is truncated"}, /* in the middle          */
        {15, 0, 0, ": the gzip data is truncated"},    /* after the gzip header */
        {5, 0, 0, ": the gzip data is truncated"},     /* inside the gzip header */
        {1 << 18, 20000, 0x55, ": the gzip data is damaged ("},
        {1 << 18, 2, 0x55, ": the gzip data is damaged ("}, /* another compression method */
    };
    double sum;
    sg_text text = counting(20000, &sum);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_table *t;
        write_gzip("wb", text.bytes, text.length);
        damage(cases[i].length, cases[i].at, cases[i].flip);
        assert_int_equal(sg_table_read(file, NULL, NULL, 0, &t), SG_EDATA);
        if (strncmp(message(), cases[i].expected, strlen(cases[i].expected)) != 0)
            fail_msg("%s, expected %s", message(), cases[i].expected);
    }
    sg_text_release(&text);
}

static void refuses_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path, *expected;
    } cases[] = {
        {"/nowhere/data.csv", "can't read /nowhere/data.csv: No such file or directory"},
        {"/", "can't read /: it is a folder; expected a file"},
        {"", "can't read : No such file or directory"},
        {"/dev/null", "/dev/null: the input is empty; expected rows of numbers"},
    };
    sg_table *t = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_not_equal(sg_table_read(cases[i].path, NULL, NULL, 0, &t), SG_OK);
        assert_string_equal(sg_errmsg(), cases[i].expected);
    }
    assert_null(t);
}

/* A child writes to a pipe that is our standard input, in small pieces, so that reads are short. */
static pid_t feed(const char *bytes, size_t n, size_t piece, int *saved)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    *saved = dup(STDIN_FILENO);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (size_t i = 0; i < n; i += piece)
            if (write(ends[1], bytes + i, n - i < piece ? n - i : piece) < 0) break;
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    return child;
}

/* Restores standard input, which may have been closed. */
static void restore_input(int saved)
{
    close(STDIN_FILENO);
    if (saved < 0) return;
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void reads_standard_input(void **state)
{
    (void)state;
    int saved;
    double sum;
    sg_text text = counting(5000, &sum);
    pid_t child = feed(text.bytes, text.length, 1000, &saved);
    expect_sum("-", NULL, 5000, sum);
    assert_int_equal(read(STDIN_FILENO, &(char){0}, 1), 0); /* still open, at its end */
    restore_input(saved);
    waitpid(child, NULL, 0);
    sg_text_release(&text);

    child = feed("a,b\n1,2\n3\n", 10, 3, &saved);
    sg_table *t;
    assert_int_equal(sg_table_read("-", NULL, NULL, 0, &t), SG_EDATA);
    assert_string_equal(sg_errmsg(), "standard input:3:2: the row has 1 field; expected 2 as in line 1");
    restore_input(saved);
    waitpid(child, NULL, 0);
}

static void refuses_closed_input(void **state)
{
    (void)state;
    int saved = dup(STDIN_FILENO);
    sg_table *t;
    close(STDIN_FILENO);
    assert_int_equal(sg_table_read("-", NULL, NULL, 0, &t), SG_EIO);
    assert_string_equal(sg_errmsg(), "can't read standard input: Bad file descriptor");
    restore_input(saved);
}

/* --- options, in a table like the real one --- */

static const sg_option rows[] = {
    {.name = "preset", .type = SG_OPTION_TEXT, .default_value = "none"},
    {.name = "header", .type = SG_OPTION_CHOICE, .default_value = "auto", .choices = "auto|yes|no"},
    {.name = "delimiter", .type = SG_OPTION_CHOICE, .default_value = "auto", .choices = "auto|comma|semicolon|tab"},
    {.name = "ignore", .type = SG_OPTION_TEXT, .default_value = ""},
    {.name = "categorical", .type = SG_OPTION_TEXT, .default_value = ""},
    {.name = "numeric", .type = SG_OPTION_TEXT, .default_value = ""},
    {.name = "group", .type = SG_OPTION_TEXT, .default_value = ""},
    {.name = "missing", .type = SG_OPTION_TEXT, .default_value = SG_DEFAULT_MISSING},
};
static const sg_preset presets[] = {{"none", "", ""}};

static void hear(void *arg, const char *sentence)
{
    sg_text *all = arg;
    sg_text_append_format(all, "<%s>", sentence);
}

static sg_options *options(sg_text *heard)
{
    sg_options *o;
    check(sg_options_new_from_table(rows, sizeof rows / sizeof *rows, presets, 1, &o));
    sg_options_on_notice(o, hear, heard);
    return o;
}

static void follows_options(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *value;
        size_t rows;
        double sum;
        const char *notice;
    } cases[] = {
        {"1,2\n3,4\n", "header", "auto", 2, 10, ""},
        {"1,2\n3,4\n", "header", "yes", 1, 7, ""},
        {"a,2\n3,4\n5,6\n", "header", "no", 3, 0, NULL},
        {"1,2\n3,4\n", "delimiter", "comma", 2, 10, ""},
        {"a,b;c\n1;2\n", "delimiter", "semicolon", 1, 3, ""},
        {"a,b;c\td\n1\t2\n", "delimiter", "tab", 1, 3, ""},
        {"s,u,x\nM,a,1\nF,b,2\n", "header", "auto", 2, 5, ""},
        {"s,u,x\nM,a,1\nF,b,2\n", "ignore", "s", 2, 4, ""},
        {"s,u,x\nM,a,1\nF,b,2\n", "ignore", "u,s", 2, 3, ""},
        {"s,u,x\n1.2.2020,a,1\n31.12.99,b,2\n", "header", "auto", 2, 4, "<left out dates: s>"},
        {"s,u,x\n1.2.2020,a,1\n31.12.99,b,2\n", "categorical", "s", 2, 5, ""},
        {"s,x\nM,1\nF,2\n", "numeric", "x", 2, 4, ""},
        {"a,b,c\n1,2,-\n3,4,-\n", "missing", "-", 2, 10, "<left out empty columns: c>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_text heard = {0};
        sg_table *t;
        sg_options *o = options(&heard);
        sg_text_append(&heard, "");
        write_file(cases[i].text, strlen(cases[i].text));
        check(sg_options_set(o, cases[i].name, cases[i].value));
        if (cases[i].notice) {
            expect_sum(file, o, cases[i].rows, cases[i].sum);
            assert_string_equal(heard.bytes, cases[i].notice);
        } else {
            assert_int_equal(sg_table_read(file, o, NULL, 0, &t), SG_EDATA);
            assert_string_equal(message(), ":1:1: \"a\" is not a number (column \"c1\")");
        }
        sg_options_free(o);
        sg_text_release(&heard);
    }
}

/* Types that the caller requests take precedence over inferred ones. */
static void opens_known_kinds(void **state)
{
    (void)state;
    static const char text[] = "a,b,c\n1,2,x\n3,4,y\n1,6,z\n";
    static const char *const wanted[] = {"c", "a"};
    static const bool both[] = {true, true}, none[] = {false, false};
    const char *path = file;
    double out[6];
    sg_dataset *d;
    write_file(text, strlen(text));
    check(sg_dataset_open_typed(&path, 1, NULL, wanted, both, 2, false, &d));
    sg_source s = sg_dataset_source(d);
    check(s.read(s.self, 0, 3, out));
    assert_true(s.columns == 2 && out[0] == 0 && out[2] == 1 && out[4] == 0);
    assert_string_equal(s.level(s.self, 0, 1), "3");
    assert_string_equal(s.level(s.self, 1, 2), "z");
    sg_dataset_free(d);
    assert_int_equal(sg_dataset_open_typed(&path, 1, NULL, wanted, none, 2, false, &d), SG_EDATA);
    assert_string_equal(message(), ":2:3: \"x\" is not a number (column \"c\")");
    check(sg_dataset_open(&path, 1, NULL, wanted, 2, &d));
    s = sg_dataset_source(d);
    assert_null(s.level(s.self, 0, 0));
    assert_string_equal(s.level(s.self, 1, 0), "x");
    sg_dataset_free(d);
}

/* --- cancellation --- */

static int after_2000(void *arg, size_t done, size_t planned)
{
    *(size_t *)arg = done;
    return planned == 0 && done >= 2000;
}

static void stops_on_request(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_options *o;
    sg_table *t = NULL;
    size_t seen = 0;
    for (size_t i = 0; i < 5000; i++) sg_text_append_format(&text, "%zu,1\n", i);
    write_file(text.bytes, text.length);
    sg_text_release(&text);
    check(sg_options_new(&o));
    sg_options_on_cancel(o, after_2000, &seen);
    assert_int_equal(sg_table_read(file, o, NULL, 0, &t), SG_EIO);
    assert_string_equal(message(), ": cancelled after 2048 rows");
    assert_int_equal(seen, 2048);
    sg_options_on_cancel(o, NULL, NULL);
    check(sg_table_read(file, o, NULL, 0, &t));
    assert_int_equal(sg_table_rows(t), 5000);
    sg_table_free(t);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_gzip),           cmocka_unit_test(refuses_damaged_gzip), cmocka_unit_test(refuses_paths),
    cmocka_unit_test(reads_standard_input), cmocka_unit_test(refuses_closed_input), cmocka_unit_test(follows_options),
    cmocka_unit_test(opens_known_kinds),    cmocka_unit_test(stops_on_request),
};
TEST_GROUP(tests, make_folder, remove_folder)
