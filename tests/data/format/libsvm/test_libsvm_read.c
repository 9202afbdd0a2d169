/* test_libsvm_read.c: valid and invalid LIBSVM files, read and written.
 * labels: memory */
#include "data/format/libsvm/libsvm_read.h"

#include "data/format/csv/csv_record_reader.h"
#include "data/ingest/spill_file.h"
#include "print_table.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char paths[2][64];

static void write_file(size_t i, const char *text)
{
    FILE *f = fopen(paths[i], "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static int name_files(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof *paths, "/tmp/sugeno-%ld-%d.svm", (long)getpid(), i);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) unlink(paths[i]);
    return 0;
}

typedef struct sample {
    const char *text, *second, *expected; /* second may be NULL */
} sample;

static void expect(const sample *s, sg_read_options how)
{
    static const size_t blocks[] = {1, 5, SG_READ_BLOCK_BYTES};
    const char *list[] = {paths[0], paths[1]};
    write_file(0, s->text);
    write_file(1, s->second ? s->second : "");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        sg_table *t = NULL;
        how.block_bytes = blocks[i];
        sg_status st = sg_libsvm_read_files(list, s->second ? 2 : 1, &how, &t);
        char *all = table_text(st, t), *got = all;
        for (int k = 0; k < 2; k++)
            if (strncmp(got, paths[k], strlen(paths[k])) == 0) got += strlen(paths[k]);
        if (strcmp(got, s->expected) != 0)
            fail_msg("block %zu of <%s>:\n  got      %s\n  expected %s", how.block_bytes, s->text, got, s->expected);
        sg_table_free(t);
        free(all);
    }
}

#define EXPECT(samples, ...)                                                                                           \
    for (size_t i_ = 0; i_ < sizeof samples / sizeof *samples; i_++)                                                   \
    expect(&samples[i_], (sg_read_options){__VA_ARGS__})

static void reads_rows(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"2.385 1:7 3:-0.5\n-1 2:1e3\n", NULL, "f1,f2,f3,y|7,0,-0.5,2.385|0,1000,0,-1"},
        {"# c\n\n+1 1:1 # 2:2\r\n\t-1  2:4 \r\n3", NULL, "f1,f2,y|1,0,1|0,4,-1|0,0,3"},
        {"1 qid:7 1:2\n2 qid:8 2:3\n", NULL, "f1,f2,y|2,0,1|0,3,2"},
        {"1\n2\n", NULL, "y|1|2"},
        {"\xEF\xBB\xBF"
         "1 1:2\n",
         NULL, "f1,y|2,1"},
        {"1 1:nan\n? 1:2\n", NULL, "f1,y|?,1|2,?"},
        {"1 1:2\n", "3 4:5\n", "f1,f2,f3,f4,y|2,0,0,0,1|0,0,0,5,3"},
        {"1 4:2\n", "3 1:5\n", "f1,f2,f3,f4,y|0,0,0,2,1|5,0,0,0,3"},
    };
    EXPECT(samples, .ignore = NULL);
    static const sample ignoring[] = {{"1 1:2 2:3\n", NULL, "f2,y|3,1"}};
    EXPECT(ignoring, .ignore = "f1");
}

static void reads_wanted_columns(void **state)
{
    (void)state;
    static const char *const wanted[] = {"f2", "f4"}, *const none[] = {"f04"}, *const label[] = {"y"};
    static const sample samples[] = {{"1 1:2 2:x\n", NULL, ":1:3: \"x\" is not a number (column \"f2\")"},
                                     {"1 2:3 5:6\n", NULL, "f2,f4|3,0"},
                                     {"1 1:x 2:3\n", NULL, "f2,f4|3,0"}};
    EXPECT(samples, .wanted = wanted, .wanted_count = 2);
    static const sample unknown[] = {
        {"1 1:2\n", NULL, ": there is no column \"f04\" (did you mean \"f1\"?); the columns are f1, y"}};
    EXPECT(unknown, .wanted = none, .wanted_count = 1);
    static const sample labels[] = {{"1 100:2\n", NULL, "y|1"}};
    EXPECT(labels, .wanted = label, .wanted_count = 1);
}

static void refuses_files(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"", NULL, ": there are no rows; expected rows of the form label index:value ..."},
        {"# nothing\n", NULL, ": there are no rows; expected rows of the form label index:value ..."},
        {"a 1:2\n", NULL, ":1:1: \"a\" is not a number; expected a numeric label"},
        {"1:2 2:3\n", NULL, ":1:1: \"1:2\" is not a number; expected a numeric label"},
        {"1 2\n", NULL, ":1:2: \"2\" is not of the form index:value"},
        {"1 a:2\n", NULL, ":1:2: \"a:2\" is not of the form index:value"},
        {"1 :2\n", NULL, ":1:2: \"\" is not a valid index; expected 1 to 999999"},
        {"1 0:2\n", NULL, ":1:2: \"0\" is not a valid index; expected 1 to 999999"},
        {"1 1:1\n1 1:1 1000000:2\n", NULL, ":2:3: \"1000000\" is not a valid index; expected 1 to 999999"},
        {"1 99999999999999999999999:2\n", NULL,
         ":1:2: \"99999999999999999999999\" is not a valid index; expected 1 to 999999"},
        {"1 2:1 2:1\n", NULL, ":1:3: \"2:1\" is out of order; expected increasing indices"},
        {"1 2:1 1:1\n", NULL, ":1:3: \"1:1\" is out of order; expected increasing indices"},
        {"1 1:1 qid:2\n", NULL, ":1:3: \"qid:2\" is not of the form index:value"},
        {"1 1:one\n", NULL, ":1:2: \"one\" is not a number (column \"f1\")"},
        {"1 1:1\n1 3:1e999\n", NULL, ":2:2: \"1e999\" is out of range (column \"f3\")"},
    };
    EXPECT(samples, .ignore = NULL);
    const char *pipe = "/dev/null", *input = "-", *nowhere = "/nowhere/x.svm";
    sg_table *t;
    check_fails(sg_libsvm_read_files(&pipe, 1, &(sg_read_options){0}, &t), SG_EIO,
                "expected a regular file, because a LIBSVM file is read twice");
    check_fails(sg_libsvm_read_files(&input, 1, &(sg_read_options){0}, &t), SG_EIO,
                "expected a regular file, because a LIBSVM file is read twice");
    check_fails(sg_libsvm_read_files(&nowhere, 1, &(sg_read_options){0}, &t), SG_EIO, "can't read /nowhere/x.svm");
}

/* Replaces the library's open: when the file is opened the second time, it has been modified. */
static const char *instead;
static int opened;

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (instead && ++opened == 2) write_file(0, instead);
    return openat(AT_FDCWD, path, flags, mode);
}

static void notices_a_change(void **state)
{
    (void)state;
    static const char *const after[] = {"1 1:2\n2 3:4\n3 1:1\n", "1 1:2\n", "1 1:2\n2 2:4\n", "1 1:2\n2 4:4\n"};
    const char *path = paths[0];
    sg_table *t;
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        write_file(0, "1 1:2\n2 3:4\n");
        opened = 0;
        instead = after[i];
        check_fails(sg_libsvm_read_files(&path, 1, &(sg_read_options){0}, &t), SG_EIO,
                    "the file was changed while it was read");
    }
    instead = NULL;
}

/* More rows than the disk can hold are detected before the first row is written. */
static void knows_its_room(void **state)
{
    (void)state;
    size_t rows = sg_spill_disk_free() / 800000 * 2; /* other processes use the disk, too */
    const char *path = paths[0];
    char expected[160];
    struct rlimit before, little;
    sg_table *t;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("1 5:1\n2 99999:1\n", f);
    for (size_t i = 2; i < rows; i++) fputs("0\n", f);
    assert_int_equal(fclose(f), 0);
    snprintf(expected, sizeof expected,
             "%s:2: there is no space for %zu rows of 100000 columns; check the largest index, 99999", path, rows);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 1 << 26; /* in case it is written anyway */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    check_fails(sg_libsvm_read_files(&path, 1, &(sg_read_options){.memory_limit = 1 << 20}, &t), SG_EIO, expected);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "z"};
    static const double values[] = {2.385, 0, 1, 0, -7.5, 0}, missing[] = {1, 2, 3, NAN};
    const char *path = paths[0];
    sg_table *t, *again;
    check(sg_table_new(names, 3, values, 2, &t));
    sg_source s = sg_table_source(t);
    check(sg_source_save(&s, path));
    sg_table_free(t);
    check(sg_libsvm_read_files(&path, 1, &(sg_read_options){0}, &again));
    char *got = table_text(SG_OK, again);
    assert_string_equal(got, "f1,f2,y|2.385,0,1|0,-7.5,0");
    free(got);
    sg_table_free(again);
    check(sg_table_new(names, 2, missing, 2, &t));
    s = sg_table_source(t);
    check_fails(sg_source_save(&s, path), SG_EDATA, "column \"b\" has missing values, which LIBSVM files can't hold");
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_rows),       cmocka_unit_test(reads_wanted_columns), cmocka_unit_test(refuses_files),
    cmocka_unit_test(notices_a_change), cmocka_unit_test(knows_its_room),       cmocka_unit_test(writes_what_it_reads),
};
TEST_GROUP(tests, name_files, remove_files)
