/* test_memory_shares.c: rows, validation rows and prefetching together stay within --memory.
 * labels: memory */
#include "data/memory_shares.h"
#include "test.h"

#include <unistd.h>

static void shares_add_up(void **state)
{
    static const size_t M = (size_t)256 << 20;
    static const struct {
        size_t held; /* in eighths of the total */
        int slow;
        size_t beside, ahead; /* likewise, at most */
    } cases[] = {{0, 0, 4, 3}, {4, 0, 3, 3}, {2, 0, 4, 3}, {0, 1, 4, 3},
                 {4, 1, 0, 3}, {2, 1, 2, 3}, {7, 1, 0, 0}, {40, 0, 0, 0}};
    sg_options *o = options_of("memory=256MB");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_source s = {.resident_bytes = cases[i].held * (M / 8), .slow_gather = cases[i].slow};
        size_t beside = sg_memory_for_valid(o, &s),
               ahead = sg_memory_for_prefetch(o, s.resident_bytes + (s.slow_gather ? beside : 0));
        assert_int_equal(beside, cases[i].beside * (M / 8));
        if (s.slow_gather || cases[i].held == 40) assert_int_equal(ahead, cases[i].ahead * (M / 8));
        if (s.resident_bytes <= M / 8 * 7)
            assert_true(s.resident_bytes + beside + (s.slow_gather ? ahead : 0) <= M / 8 * 7);
    }
    assert_int_equal(sg_memory_for_rows(NULL), M / 2);
    sg_options_free(o);
}

/* --- files --- */

static char folder[] = "/tmp/sugeno-share-XXXXXX";

static const char *path_of(const char *file)
{
    static char path[4][64];
    static size_t at;
    snprintf(path[at %= 4], sizeof path[0], "%s/%s", folder, file);
    return path[at++];
}

/* Two columns: rows of 16 bytes. */
static void write_rows(const char *file, size_t rows)
{
    const char *names[] = {"a", "y"};
    double *values = malloc(rows * 2 * sizeof *values);
    sg_table *t;
    assert_non_null(values);
    for (size_t i = 0; i < 2 * rows; i++) values[i] = (double)(i * 7919 % 6007);
    check(sg_table_new(names, 2, values, rows, &t));
    sg_source s = sg_table_source(t);
    check(sg_source_save(&s, path_of(file)));
    sg_table_free(t);
    free(values);
}

static sg_source open_all(sg_options *o, const char *const *paths, size_t n, const sg_source *beside, sg_dataset **d)
{
    check(beside ? sg_dataset_open_valid(paths, n, o, beside, d) : sg_dataset_open(paths, n, o, NULL, 0, d));
    return sg_dataset_source(*d);
}

/* Of 1 MB: 31,000 rows are 496,000 bytes, 4,000 rows are 64,000. */
static void files_share_memory(void **state)
{
    const char *train[] = {path_of("half.npy"), path_of("large.npy")}, *valid[] = {path_of("half.csv")};
    sg_options *o = options_of("memory=1MB");
    sg_dataset *a, *b;
    (void)state;
    write_rows("half.npy", 31000);
    write_rows("half.csv", 31000);
    write_rows("large.npy", 200000);
    sg_source rows = open_all(o, train, 1, NULL, &a); /* in memory: three eighths are left */
    assert_true(!rows.slow_gather && rows.resident_bytes >= 496000);
    sg_source more = open_all(o, valid, 1, &rows, &b);
    assert_true(more.slow_gather && more.resident_bytes == 0);
    sg_dataset_free(b);
    sg_dataset_free(a);
    rows = open_all(o, train + 1, 1, NULL, &a); /* on disk: prefetching leaves half */
    assert_true(rows.slow_gather && rows.resident_bytes == 0);
    more = open_all(o, valid, 1, &rows, &b);
    assert_true(!more.slow_gather && more.resident_bytes == 496000);
    assert_int_equal(more.rows, 31000);
    sg_dataset_free(b);
    sg_dataset_free(a);
    rows = open_all(o, train, 2, NULL, &a); /* both */
    assert_true(rows.slow_gather && rows.resident_bytes >= 496000);
    more = open_all(o, valid, 1, &rows, &b);
    assert_true(more.slow_gather && more.resident_bytes == 0);
    sg_dataset_free(b);
    sg_dataset_free(a);
    sg_options_free(o);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(shares_add_up), cmocka_unit_test(files_share_memory)};
TEST_GROUP(tests, make_folder, remove_folder)
