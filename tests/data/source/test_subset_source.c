/* test_subset_source.c: selected rows, and random splits that are true shuffles.
 * labels: memory */
#include "test.h"

#include "data/source/subset_source.h"

#include <stdlib.h>

/* A source of n rows (i, -i) that fails beyond its end; without gather if `bare`. */
static sg_status count_up(void *self, size_t first, size_t n, double *out)
{
    if (first + n > *(size_t *)self) return SG_EIO;
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = (double)(first + i);
        out[2 * i + 1] = -(double)(first + i);
    }
    return SG_OK;
}

static sg_status count_some(void *self, const size_t *rows, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        sg_status st = count_up(self, rows[i], 1, out + 2 * i);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

static const char *const names[] = {"up", "down"};

static sg_source counting(size_t *n, int bare)
{
    return (sg_source){.self = n,
                       .name = "counted",
                       .rows = *n,
                       .columns = 2,
                       .names = names,
                       .read = count_up,
                       .gather = bare ? NULL : count_some};
}

static void maps_rows(void **state)
{
    (void)state;
    enum { N = 1000 }; /* more than a chunk */
    static size_t rows[N], asked[N];
    static double got[2 * N];
    size_t n = 5000;
    for (size_t i = 0; i < N; i++) rows[i] = i % 7 ? 3 * i + 1 : i; /* some runs, some not */
    for (size_t i = 0; i < N; i++) asked[i] = (i * 389 + 5) % N;
    for (int bare = 0; bare < 2; bare++) {
        sg_source of = counting(&n, bare);
        sg_subset *s;
        check(sg_subset_new(&of, rows, N, &s));
        sg_source part = sg_subset_source(s);
        assert_int_equal(part.rows, N);
        assert_int_equal(part.columns, 2);
        assert_ptr_equal(part.names, names);
        assert_string_equal(part.name, "counted");
        check(part.read(part.self, 10, N - 10, got));
        for (size_t i = 0; i < N - 10; i++)
            assert_true(got[2 * i] == (double)rows[i + 10] && got[2 * i + 1] == -got[2 * i]);
        for (size_t i = 0; i < N; i++) assert_int_equal(sg_subset_base_row(s, i), rows[i]);
        check(part.gather(part.self, asked, N, got));
        for (size_t i = 0; i < N; i++) assert_true(got[2 * i] == (double)rows[asked[i]]);
        sg_subset_free(s);
    }
}

/* Every other row of every third row. */
static void nests(void **state)
{
    (void)state;
    size_t n = 600, outer[200], inner[100];
    double got[200];
    for (size_t i = 0; i < 200; i++) outer[i] = 3 * i;
    for (size_t i = 0; i < 100; i++) inner[i] = 2 * i;
    sg_source of = counting(&n, 0), middle;
    sg_subset *a, *b;
    check(sg_subset_new(&of, outer, 200, &a));
    middle = sg_subset_source(a);
    check(sg_subset_new(&middle, inner, 100, &b));
    sg_source part = sg_subset_source(b);
    check(part.read(part.self, 0, 100, got));
    for (size_t i = 0; i < 100; i++) assert_true(got[2 * i] == 6 * (double)i);
    sg_subset_free(b);
    sg_subset_free(a);
}

static void refuses(void **state)
{
    (void)state;
    size_t n = 5, more = 9;
    double got[20];
    sg_source of = counting(&n, 0);
    sg_subset *s = NULL;
    assert_int_equal(sg_subset_new(&of, &(size_t){5}, 1, &s), SG_EINVAL);
    assert_string_equal(sg_errmsg(), "row index 5 is out of range; the source has 5 rows, numbered from 0");
    assert_int_equal(sg_subset_split(&of, 1, 2, 6, 1, &s), SG_EINVAL);
    assert_int_equal(sg_subset_split(&of, 1, 3, 2, 1, &s), SG_EINVAL);
    assert_string_equal(sg_errmsg(), "can't select positions 3 to 2 of 5 rows");
    assert_null(s);
    of = counting(&more, 1);
    check(sg_subset_new(&of, (size_t[]){0, 8, 3}, 3, &s));
    sg_source part = sg_subset_source(s);
    assert_int_equal(part.read(part.self, 2, 2, got), SG_EINVAL);
    assert_string_equal(sg_errmsg(), "the subset: row 4 is out of range; there are 3 rows");
    assert_int_equal(part.gather(part.self, &(size_t){3}, 1, got), SG_EINVAL);
    more = 5; /* the base source fails now, and so must the subset */
    assert_int_equal(part.read(part.self, 0, 3, got), SG_EIO);
    assert_int_equal(part.gather(part.self, &(size_t){1}, 1, got), SG_EIO);
    sg_subset_free(s);
    sg_subset_free(NULL);
}

/* Bitsets, evenly spread and extremely uneven: select and next. */
static void finds_marks(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    static const size_t totals[] = {1, 63, 64, 65, 511, 512, 513, 1024, MOST};
    for (size_t k = 0; k < sizeof totals / sizeof *totals; k++)
        for (int pattern = 0; pattern < 5; pattern++) {
            size_t total = totals[k], row[MOST], n = 0, last = 0;
            sg_select_bitset m;
            assert_true(sg_select_bitset_init(&m, total));
            for (size_t i = 0; i < total; i++) {
                bool marked = pattern == 0   ? true
                              : pattern == 1 ? i % 7 == 3
                              : pattern == 2 ? i + 70 > total
                              : pattern == 3 ? i < 70
                                             : (i * 2654435761U >> 7) % 100 == 0;
                if (!marked) continue;
                sg_select_bitset_set(&m, i);
                row[n++] = i;
            }
            sg_select_bitset_build(&m);
            assert_int_equal(m.set_count, n);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(sg_select_bitset_select(&m, i), row[i]);
                if (i > 0) assert_int_equal(sg_select_bitset_next(&m, last), row[i]);
                last = row[i];
            }
            sg_select_bitset_release(&m);
        }
}

/* Gathering the rows of a split in any order returns the rows that it reads. */
static void gathers_from_a_split(void **state)
{
    (void)state;
    enum { N = 3000 };
    static double read[2 * N], gathered[2 * N];
    static size_t asked[N];
    size_t n = 4000;
    for (int bare = 0; bare < 2; bare++) {
        sg_source of = counting(&n, bare);
        sg_subset *s;
        check(sg_subset_split(&of, 5, 0, N, 1, &s));
        sg_source part = sg_subset_source(s);
        check(part.read(part.self, 0, N, read));
        for (size_t i = 0; i < N; i++) asked[i] = (i * 389 + 5) % N;
        check(part.gather(part.self, asked, N, gathered));
        for (size_t i = 0; i < N; i++) assert_true(gathered[2 * i] == read[2 * asked[i]]);
        check(part.read(part.self, 700, 900, gathered));
        assert_memory_equal(gathered, read + 1400, 1800 * sizeof *read);
        assert_int_equal(part.read(part.self, N - 1, 2, read), SG_EINVAL);
        sg_subset_free(s);
    }
}

/* Marks the rows of n that a split selects with 1 in taken[n]. */
static size_t split(size_t n, uint64_t seed, size_t first, size_t last, int inside, char *taken)
{
    sg_source of = counting(&n, 0);
    sg_subset *s;
    check(sg_subset_split(&of, seed, first, last, inside, &s));
    sg_source part = sg_subset_source(s);
    double *rows = malloc((2 * part.rows + 1) * sizeof *rows);
    assert_non_null(rows);
    check(part.read(part.self, 0, part.rows, rows));
    memset(taken, 0, n);
    for (size_t i = 0; i < part.rows; i++) {
        assert_true(i == 0 || rows[2 * i] > rows[2 * i - 2]); /* in the order of the source */
        taken[(size_t)rows[2 * i]] = 1;
    }
    size_t count = part.rows;
    free(rows);
    sg_subset_free(s);
    return count;
}

/* k folds are disjoint and cover all rows; inside and outside are complements. */
static void splits_into_folds(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 7, 64, 65, 500, 1023};
    char in[1023], out[1023], times[1023];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k], folds = n < 5 ? n : 5;
        memset(times, 0, sizeof times);
        for (size_t f = 0; f < folds; f++) {
            size_t first = n * f / folds, last = n * (f + 1) / folds;
            assert_int_equal(split(n, 42, first, last, 1, in), last - first);
            assert_int_equal(split(n, 42, first, last, 0, out), n - (last - first));
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(in[i] + out[i], 1);
                times[i] += in[i];
            }
        }
        for (size_t i = 0; i < n; i++) assert_int_equal(times[i], 1);
    }
}

/* Over many seeds, each row is selected equally often, and so is each pair of neighbours.
 * Bounds: six standard deviations of the binomial distribution. */
static void splits_evenly(void **state)
{
    (void)state;
    enum { N = 20, SEEDS = 20000, TAKE = 6 };
    static size_t single[N], pair[N];
    char in[N];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        split(N, seed, 0, TAKE, 1, in);
        for (size_t i = 0; i < N; i++) {
            single[i] += (size_t)in[i];
            pair[i] += in[i] && in[(i + 1) % N];
        }
    }
    for (size_t i = 0; i < N; i++) {
        assert_in_range(single[i], 6000 - 390, 6000 + 390); /* p = .3       */
        assert_in_range(pair[i], 1579 - 230, 1579 + 230);   /* p = .3 * 5/19 */
    }
}

static void splits_by_seed(void **state)
{
    (void)state;
    char a[300], b[300], c[300];
    split(300, 1, 0, 150, 1, a);
    split(300, 1, 0, 150, 1, b);
    split(300, 2, 0, 150, 1, c);
    assert_memory_equal(a, b, 300);
    assert_memory_not_equal(a, c, 300);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(maps_rows),     cmocka_unit_test(nests),
    cmocka_unit_test(finds_marks),   cmocka_unit_test(gathers_from_a_split),
    cmocka_unit_test(refuses),       cmocka_unit_test(splits_into_folds),
    cmocka_unit_test(splits_evenly), cmocka_unit_test(splits_by_seed),
};
TEST_GROUP(tests, NULL, NULL)
