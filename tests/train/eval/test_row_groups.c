/* test_row_groups.c: groups of rows: keys, counts and folds.
 * labels: memory */
#include "thread_comm.h"

#include "base/splitmix64.h"
#include "train/eval/row_groups.h"

static uint64_t key_of(double a, double b) { return sg_group_key((double[]){a, 7.25, b}, (size_t[]){0, 2}, 2); }

static void alike_cells_have_one_key(void **state)
{
    (void)state;
    assert_true(key_of(1.5, 2.5) == key_of(1.5, 2.5));
    assert_true(key_of(0.0, 2.5) == key_of(-0.0, 2.5));
    assert_true(key_of((double)NAN, 2.5) == key_of(-(double)NAN, 2.5));
    assert_true(key_of(1.5, 2.5) != key_of(2.5, 1.5));
    assert_true(key_of(1.5, 2.5) != key_of(1.5, nextafter(2.5, 3)));
    assert_true(key_of((double)NAN, 2.5) != key_of(0, 2.5));
    assert_true(key_of((double)NAN, 2.5) != key_of(2.5, (double)NAN));
    double row[] = {1, 2, 3}, other[] = {1, 5, 3};
    assert_true(sg_group_key(row, (size_t[]){0, 2}, 2) == sg_group_key(other, (size_t[]){0, 2}, 2));
}

static void counts_many(void **state)
{
    enum { MANY = 10007 };
    sg_group_table g = {0};
    (void)state;
    assert_null(sg_group_table_find(&g, 3));
    for (size_t i = 0; i < (size_t)3 * MANY; i++)
        assert_true(sg_group_table_add(&g, i % MANY * SG_GOLDEN_RATIO_64, 1 + i % 2));
    assert_int_equal(g.count, MANY);
    for (size_t i = 0; i < MANY; i++) /* added at i, i + MANY and i + 2 MANY, of which one or two are odd */
        assert_int_equal(sg_group_table_find(&g, i * SG_GOLDEN_RATIO_64)->rows, 3 + (i % 2 ? 2 : 1));
    assert_null(sg_group_table_find(&g, 1));
    sg_group_table_release(&g);
}

/* --- folds --- */

enum { GROUPS = 60, MOST = 12 };

static size_t size_of(size_t i) { return 1 + i * i * 37 % 91; }

static sg_group_table some_groups(size_t step)
{
    sg_group_table g = {0};
    for (size_t i = 0, at = 0; i < GROUPS; i++, at = (at + step) % GROUPS)
        assert_true(sg_group_table_add(&g, (uint64_t)at * 1000003, size_of(at)));
    return g;
}

/* No fold exceeds the smallest one by more than its last group. */
static void piles_are_level(void **state)
{
    (void)state;
    for (size_t k = 1; k <= MOST; k++) {
        sg_group_table g = some_groups(1);
        size_t rows[MOST] = {0}, last[MOST], least = SIZE_MAX;
        for (size_t i = 0; i < MOST; i++) last[i] = SIZE_MAX;
        check(sg_group_table_assign_folds(&g, k, 5));
        for (size_t i = 0; i < GROUPS; i++) {
            const sg_group *p = sg_group_table_find(&g, (uint64_t)i * 1000003);
            assert_true(p->fold < k);
            rows[p->fold] += p->rows;
            if (p->rows < last[p->fold]) last[p->fold] = p->rows;
        }
        for (size_t i = 0; i < k; i++) least = rows[i] < least ? rows[i] : least;
        for (size_t i = 0; i < k; i++) assert_true(rows[i] - least <= last[i]);
        sg_group_table_release(&g);
    }
}

static void seeds_differ_and_order_does_not_matter(void **state)
{
    size_t moved = 0;
    (void)state;
    sg_group_table a = some_groups(1), b = some_groups(7), c = some_groups(1);
    check(sg_group_table_assign_folds(&a, 5, 1));
    check(sg_group_table_assign_folds(&b, 5, 1));
    check(sg_group_table_assign_folds(&c, 5, 2));
    for (size_t i = 0; i < GROUPS; i++) {
        uint64_t key = (uint64_t)i * 1000003;
        assert_int_equal(sg_group_table_find(&a, key)->fold, sg_group_table_find(&b, key)->fold);
        moved += sg_group_table_find(&a, key)->fold != sg_group_table_find(&c, key)->fold;
    }
    assert_true(moved > GROUPS / 10);
    sg_group_table_release(&a);
    sg_group_table_release(&b);
    sg_group_table_release(&c);
}

/* If every group has one row, the sizes of folds differ by at most 1. */
static void single_rows_are_even(void **state)
{
    enum { ROWS = 1003, K = 7 };
    sg_group_table g = {0};
    size_t rows[K] = {0};
    (void)state;
    for (size_t i = 0; i < ROWS; i++) assert_true(sg_group_table_add(&g, i * SG_GOLDEN_RATIO_64 + 1, 1));
    check(sg_group_table_assign_folds(&g, K, 3));
    for (size_t i = 0; i < ROWS; i++) rows[sg_group_table_find(&g, i * SG_GOLDEN_RATIO_64 + 1)->fold]++;
    for (size_t i = 0; i < K; i++) assert_true(rows[i] == ROWS / K || rows[i] == ROWS / K + 1);
    sg_group_table_release(&g);
}

/* --- several ranks --- */

static sg_status unite(const sg_comm *team, void *arg)
{
    sg_group_table g = {0};
    bool *wrong = arg;
    for (size_t i = 0; i < 1000; i++)
        if (team->rank != 1 && i % team->ranks >= team->rank)
            sg_group_table_add(&g, i, team->rank + 1); /* one rank has none */
    sg_status st = sg_group_table_allgather(&g, team);
    size_t count = 0;
    for (size_t i = 0; st == SG_OK && i < 1000; i++) {
        size_t rows = 1 + (i % 3 >= 2 ? 3 : 0);
        const sg_group *p = sg_group_table_find(&g, i);
        wrong[team->rank] |= !p || p->rows != rows;
        count++;
    }
    wrong[team->rank] |= g.count != count;
    sg_group_table_release(&g);
    return st;
}

static void a_team_has_all(void **state)
{
    bool wrong[3] = {0};
    (void)state;
    team_check(3, unite, wrong);
    assert_false(wrong[0] || wrong[1] || wrong[2]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(alike_cells_have_one_key), cmocka_unit_test(counts_many),
    cmocka_unit_test(piles_are_level),          cmocka_unit_test(seeds_differ_and_order_does_not_matter),
    cmocka_unit_test(single_rows_are_even),     cmocka_unit_test(a_team_has_all),
};
TEST_GROUP(tests, NULL, NULL)
