/* test_spill_file.c: rows that do not fit into memory are unchanged, whatever their format.
 * labels: memory */
#include "data/ingest/spill_file.h"

#include "data/dataset_open.h"
#include "data/format/csv/csv.h"
#include "test.h"

#include <unistd.h>

static const char *const names[] = {"a", "it's", "\xc3\xbc"};

static void half(const void *arg, const double *row, double *to)
{
    (void)arg;
    to[0] = -row[0];
    to[1] = row[2];
}

static void holds_rows(void **state)
{
    enum { ROWS = 70000 };
    static double row[3];
    (void)state;
    for (int mapped = 0; mapped < 2; mapped++) {
        static const char *const after[] = {"a", "\xc3\xbc"};
        sg_spill_file *s;
        sg_npy *npy;
        double out[3];
        check(sg_spill_file_new("x.csv", names, 3, &s));
        for (size_t i = 0; i < ROWS; i++) {
            for (size_t k = 0; k < 3; k++) row[k] = (double)(i * 3 + k);
            check(sg_spill_file_append(s, row, 1));
        }
        if (mapped) check(sg_spill_file_rewrite(s, half, NULL, 2));
        check(sg_spill_file_finish(s, mapped ? after : names, &npy));
        sg_source rows = sg_npy_source(npy);
        assert_int_equal(rows.rows, ROWS);
        assert_int_equal(rows.columns, mapped ? 2 : 3);
        assert_string_equal(rows.names[1], mapped ? "\xc3\xbc" : "it's");
        for (size_t i = 0; i < ROWS; i += 997) {
            check(rows.gather(rows.self, &i, 1, out));
            if (mapped) assert_true(out[0] == -(double)(i * 3) && out[1] == (double)(i * 3 + 2));
            else assert_true(out[0] == (double)(i * 3) && out[2] == (double)(i * 3 + 2));
        }
        sg_npy_free(npy);
    }
}

static void no_folder(void **state)
{
    sg_spill_file *s;
    (void)state;
    assert_int_equal(setenv("TMPDIR", "/nowhere", 1), 0);
    check_fails(sg_spill_file_new("x.csv", names, 3, &s), SG_EIO,
                "can't store the rows of x.csv in a temporary file in /nowhere: No such");
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* A text column with a number in it, a dropped column, missing cells and numbers. */
static void put_file(FILE *f, size_t rows)
{
    fputs("id,x,word,y,date\n", f);
    for (size_t i = 0; i < rows; i++) {
        fprintf(f, "%zu,%g,", i, (double)(i % 977) / 8);
        fputs(i % 5 == 0 ? "" : i == 13 ? "7" : i % 3 ? "red" : "blue", f);
        if (i % 11) fprintf(f, ",%zu,2020-01-01\n", i % 101);
        else fputs(",NA,2020-01-02\n", f);
    }
}

static void expect_same(const sg_source *a, const sg_source *b)
{
    double *x = test_malloc(a->rows * a->columns * sizeof *x), *y = test_malloc(a->rows * a->columns * sizeof *y);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    check(a->read(a->self, 0, a->rows, x));
    check(b->read(b->self, 0, b->rows, y));
    assert_memory_equal(x, y, a->rows * a->columns * sizeof *x);
    for (size_t k = 0; k < a->columns; k++) {
        assert_string_equal(a->names[k], b->names[k]);
        for (size_t i = 0; i < 4; i++) {
            const char *p = a->level ? a->level(a->self, k, i) : NULL, *q = b->level ? b->level(b->self, k, i) : NULL;
            assert_true(!p == !q);
            if (p) assert_string_equal(p, q);
        }
    }
    for (size_t i = 0; i < a->rows; i += 101) {
        check(a->gather(a->self, &i, 1, x));
        check(b->gather(b->self, &i, 1, y));
        assert_memory_equal(x, y, a->columns * sizeof *x);
    }
    test_free(x);
    test_free(y);
}

/* File sizes for which rows are spilled early, late and not at all. */
static void same_as_table(void **state)
{
    char path[] = "/tmp/sugeno-spool-XXXXXX.csv";
    const char *paths[] = {path, path};
    (void)state;
    assert_true(close(mkstemps(path, 4)) == 0);
    for (size_t rows = 900; rows < 90000; rows = rows * 7 + 13)
        for (size_t files = 1; files <= 2; files++) {
            sg_dataset *small, *large;
            FILE *f = fopen(path, "w");
            assert_non_null(f);
            put_file(f, rows);
            assert_int_equal(fclose(f), 0);
            sg_options *o = options_of("memory=1MB"), *more = options_of("memory=1GB");
            check(sg_dataset_open(paths, files, o, NULL, 0, &small));
            check(sg_dataset_open(paths, files, more, NULL, 0, &large));
            sg_source a = sg_dataset_source(small), b = sg_dataset_source(large);
            assert_true(!b.slow_gather && a.slow_gather == (rows > 20000));
            assert_string_equal(a.name, path);
            expect_same(&a, &b);
            sg_dataset_free(small);
            sg_dataset_free(large);
            sg_options_free(o);
            sg_options_free(more);
        }
    unlink(path);
}

/* A file that fits alone, given twice: together they do not fit. */
static void one_share_for_all(void **state)
{
    char path[] = "/tmp/sugeno-spool-XXXXXX.arff";
    const char *paths[] = {path, path};
    (void)state;
    assert_true(close(mkstemps(path, 5)) == 0);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n", f);
    for (int i = 0; i < 25000; i++) fprintf(f, "%d,%d\n", i % 977, i % 31);
    assert_int_equal(fclose(f), 0);
    for (size_t files = 1; files <= 2; files++) {
        sg_dataset *d;
        sg_options *o = options_of("memory=1MB");
        check(sg_dataset_open(paths, files, o, NULL, 0, &d));
        assert_int_equal(sg_dataset_source(d).slow_gather, files == 2);
        sg_dataset_free(d);
        sg_options_free(o);
    }
    unlink(path);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(holds_rows), cmocka_unit_test(no_folder),
                                          cmocka_unit_test(same_as_table), cmocka_unit_test(one_share_for_all)};
TEST_GROUP(tests, NULL, NULL)
