/* test_folds.c: held-out and training rows of folds.
 * labels: memory */
#include "thread_comm.h"

#include "train/eval/folds.h"

enum { ROWS = 503, COLUMNS = 3, K = 5 };

static double values[ROWS][COLUMNS];
static const char *const names[] = {"a", "b", "c"};

static sg_table *table_of(void)
{
    sg_table *t;
    check(sg_table_new(names, COLUMNS, values[0], ROWS, &t));
    return t;
}

/* Columns a and b repeat after 91 rows, which is prime to their sizes; c does not. */
static sg_table *repeating(void)
{
    for (size_t r = 0; r < ROWS; r++) {
        values[r][0] = (double)(r % 7) - 3.5;
        values[r][1] = (double)(r % 13) / 3;
        values[r][2] = (double)r;
    }
    return table_of();
}

static size_t row_of(const sg_subset *s, size_t i) { return sg_subset_base_row(s, i); }

/* Every row is held out by its fold and trained on by all others. */
static void are_complements(const sg_folds *f, size_t k)
{
    size_t seen = 0;
    for (size_t i = 0; i < k; i++) {
        sg_subset *in, *out;
        check(sg_folds_rows(f, i, false, &in));
        check(sg_folds_rows(f, i, true, &out));
        size_t inside = sg_subset_source(in).rows, outside = sg_subset_source(out).rows;
        assert_int_equal(inside + outside, ROWS);
        for (size_t r = 0; r < outside; r++) assert_int_equal(sg_folds_find(f, row_of(out, r)), i);
        for (size_t r = 0; r < inside; r++) assert_int_not_equal(sg_folds_find(f, row_of(in, r)), i);
        seen += outside;
        sg_subset_free(in);
        sg_subset_free(out);
    }
    assert_int_equal(seen, ROWS);
}

static void random_folds_are_splits(void **state)
{
    sg_table *t = repeating();
    sg_source rows = sg_table_source(t);
    sg_folds *f;
    (void)state;
    for (size_t k = 2; k <= 11; k += 3) {
        check(sg_folds_random(&rows, k, 9, &f));
        are_complements(f, k);
        for (size_t i = 0; i < k; i++) { /* the same rows as those of sg_subset_split */
            size_t first = ROWS / k * i + ROWS % k * i / k, last = ROWS / k * (i + 1) + ROWS % k * (i + 1) / k;
            sg_subset *split, *out;
            check(sg_subset_split(&rows, 9, first, last, 1, &split));
            check(sg_folds_rows(f, i, true, &out));
            assert_int_equal(sg_subset_source(out).rows, last - first);
            for (size_t r = 0; r < last - first; r++) assert_int_equal(row_of(out, r), row_of(split, r));
            sg_subset_free(split);
            sg_subset_free(out);
        }
        sg_folds_free(f);
    }
    sg_table_free(t);
}

/* Folds are trained on all earlier rows; every row but those of the first part is held out once. */
static void ordered_folds_look_back(void **state)
{
    sg_table *t = repeating();
    sg_source rows = sg_table_source(t);
    sg_folds *f;
    size_t before = ROWS / (K + 1);
    (void)state;
    check(sg_folds_ordered(&rows, K, &f));
    for (size_t i = 0; i < before; i++) assert_true(sg_folds_find(f, i) == SG_NO_FOLD);
    for (size_t i = 0; i < K; i++) {
        sg_subset *in, *out;
        check(sg_folds_rows(f, i, false, &in));
        check(sg_folds_rows(f, i, true, &out));
        size_t inside = sg_subset_source(in).rows, outside = sg_subset_source(out).rows;
        assert_int_equal(inside, before);
        assert_true(outside == ROWS / (K + 1) || outside == ROWS / (K + 1) + 1);
        for (size_t r = 0; r < inside; r++) assert_int_equal(row_of(in, r), r);
        for (size_t r = 0; r < outside; r++) assert_int_equal(row_of(out, r), before + r);
        before += outside;
        sg_subset_free(in);
        sg_subset_free(out);
    }
    assert_int_equal(before, ROWS);
    sg_folds_free(f);
    sg_table_free(t);
}

/* --- grouped rows --- */

static void alike_rows_lie_together(void **state)
{
    sg_table *t = repeating();
    sg_source rows = sg_table_source(t);
    sg_folds *f, *other;
    size_t size[K] = {0}, moved = 0;
    (void)state;
    check(sg_folds_grouped(&rows, (size_t[]){0, 1}, 2, K, 4, &f));
    are_complements(f, K);
    for (size_t r = 0; r < ROWS; r++) {
        size[sg_folds_find(f, r)]++;
        if (r >= 91) assert_int_equal(sg_folds_find(f, r), sg_folds_find(f, r - 91));
    }
    for (size_t i = 0; i < K; i++) assert_true(size[i] >= ROWS / K - 6 && size[i] <= ROWS / K + 6);
    check(sg_folds_grouped(&rows, (size_t[]){0, 1}, 2, K, 5, &other));
    for (size_t r = 0; r < ROWS; r++) moved += sg_folds_find(f, r) != sg_folds_find(other, r);
    assert_true(moved > ROWS / 4);
    assert_int_equal(sg_folds_rows_without_group(f), 0);
    sg_folds_free(f);
    sg_folds_free(other);
    sg_table_free(t);
}

/* -0 and 0 are the same group, and all missing values form one group. */
static void zeros_and_gaps(void **state)
{
    (void)state;
    sg_table_free(repeating());
    for (size_t r = 0; r < ROWS; r++) values[r][0] = r % 3 == 0 ? (double)NAN : r % 3 == 1 ? 0.0 : (double)(r % 2);
    for (size_t r = 2; r < ROWS; r += 6) values[r][0] = -0.0;
    sg_table *t = table_of();
    sg_source rows = sg_table_source(t);
    sg_folds *f;
    check(sg_folds_grouped(&rows, (size_t[]){0}, 1, 3, 1, &f));
    assert_int_equal(sg_folds_rows_without_group(f), (ROWS + 2) / 3);
    for (size_t r = 0; r < ROWS; r++) {
        size_t same = isnan(values[r][0]) ? 0 : values[r][0] == 0 ? 1 : 5;
        assert_int_equal(sg_folds_find(f, r), sg_folds_find(f, same));
    }
    assert_true(sg_folds_find(f, 0) != sg_folds_find(f, 1) && sg_folds_find(f, 1) != sg_folds_find(f, 5));
    sg_folds_free(f);
    sg_table_free(t);
}

static void refuses(void **state)
{
    sg_table *t = repeating();
    sg_source rows = sg_table_source(t);
    sg_folds *f = NULL;
    (void)state;
    rows.name = "d.csv";
    check_fails(sg_folds_grouped(&rows, (size_t[]){0}, 1, 8, 1, &f), SG_EDATA,
                "d.csv: 8 folds need at least 8 different groups in column \"a\", found 7");
    check_fails(sg_folds_grouped(&rows, (size_t[]){0, 1}, 2, 92, 1, &f), SG_EDATA,
                "92 different groups in 2 columns, found 91");
    check_fails(sg_folds_grouped(&rows, (size_t[]){2}, 1, 70000, 1, &f), SG_EINVAL,
                "got 70000 folds; expected 1 to 65535");
    assert_null(f);
    sg_folds_free(NULL);
    sg_table_free(t);
}

static sg_status fails(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n; i++) out[i] = (double)i;
    if (first == 0) return SG_OK;
    sg_set_errmsg("the disk is gone");
    return SG_EIO;
}

static void failures_arrive(void **state)
{
    sg_source rows = {.rows = 100000, .columns = 1, .names = names, .read = fails};
    sg_folds *f;
    (void)state;
    check_fails(sg_folds_grouped(&rows, (size_t[]){0}, 1, 2, 1, &f), SG_EIO, "the disk is gone");
}

/* --- several ranks --- */

typedef struct shared {
    const sg_source *all;
    size_t fold[ROWS];
    sg_status failing; /* the status of a call with too many folds */
} shared;

static sg_status on_a_team(const sg_comm *team, void *arg)
{
    shared *s = arg;
    sg_source rows = *s->all;
    sg_folds *f;
    rows.comm = team;
    rows.local_first = ROWS * team->rank / team->ranks;
    rows.local_rows = ROWS * (team->rank + 1) / team->ranks - rows.local_first;
    sg_status st = sg_folds_grouped(&rows, (size_t[]){0, 1}, 2, s->failing ? 92 : K, 4, &f);
    if (st != SG_OK) return st;
    for (size_t r = rows.local_first; r < rows.local_first + rows.local_rows; r++) s->fold[r] = sg_folds_find(f, r);
    sg_folds_free(f);
    return SG_OK;
}

static void a_team_has_the_same_folds(void **state)
{
    sg_table *t = repeating();
    sg_source rows = sg_table_source(t);
    sg_folds *f;
    shared s = {.all = &rows};
    team_result result[3];
    (void)state;
    check(sg_folds_grouped(&rows, (size_t[]){0, 1}, 2, K, 4, &f));
    for (size_t ranks = 1; ranks <= 4; ranks++) {
        memset(s.fold, 0xFF, sizeof s.fold);
        team_check(ranks, on_a_team, &s);
        for (size_t r = 0; r < ROWS; r++) assert_int_equal(s.fold[r], sg_folds_find(f, r));
    }
    s.failing = SG_EDATA;
    team_run(3, on_a_team, &s, result);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(result[i].status, SG_EDATA);
        assert_non_null(strstr(result[i].said, "found 91"));
    }
    sg_folds_free(f);
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_folds_are_splits),
    cmocka_unit_test(ordered_folds_look_back),
    cmocka_unit_test(alike_rows_lie_together),
    cmocka_unit_test(zeros_and_gaps),
    cmocka_unit_test(refuses),
    cmocka_unit_test(failures_arrive),
    cmocka_unit_test(a_team_has_the_same_folds),
};
TEST_GROUP(tests, NULL, NULL)
