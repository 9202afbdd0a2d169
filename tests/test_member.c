/* test_member.c: rows of a team as the source of one member. */
#include "data/member.h"
#include "test.h"

enum { ROWS = 700, COLUMNS = 3 };

static sg_table *numbered(size_t rows, size_t from)
{
    static const char *const names[] = {"a", "b", "c"};
    sg_table *t;
    double *values = calloc(rows * COLUMNS + 1, sizeof *values);
    for (size_t i = 0; i < rows * COLUMNS; i++) values[i] = (double)(from * COLUMNS + i);
    check(sg_table_new(names, COLUMNS, values, rows, &t));
    free(values);
    return t;
}

/* Rows 200 to 899 of 1,000 lie here, as rows 0 to 699 or under their own numbers. */
static void look(const sg_table *table, size_t at)
{
    const sg_team team = {.rank = 1, .ranks = 3};
    const sg_share share = {.team = &team, .rows = 1000, .first = 200, .here = ROWS};
    sg_source of = sg_table_source(table);
    sg_member *m;
    double out[ROWS * COLUMNS];
    size_t rows[ROWS];
    check(sg_member_new(&share, &of, at, &m));
    sg_source s = sg_member_source(m);
    assert_int_equal(s.rows, 1000);
    assert_int_equal(s.first, 200);
    assert_int_equal(s.here, ROWS);
    assert_ptr_equal(s.team, &team);
    assert_null(s.level);
    check(s.read(s.self, 200, ROWS, out));
    for (size_t i = 0; i < ROWS * COLUMNS; i++) assert_close(out[i], (double)(200 * COLUMNS + i), 0);
    for (size_t i = 0; i < ROWS; i++) rows[i] = 200 + (i * 501) % ROWS;
    check(s.gather(s.self, rows, ROWS, out));
    for (size_t i = 0; i < ROWS; i++) assert_close(out[i * COLUMNS + 1], (double)(rows[i] * COLUMNS + 1), 0);
    check(s.read(s.self, 900, 0, out));
    check_fails(s.read(s.self, 199, 2, out), SG_EINVAL, "row 199 is not with rank 1, which has rows 200 to 899");
    check_fails(s.read(s.self, 899, 2, out), SG_EINVAL, "row 900 is not with rank 1");
    check_fails(s.read(s.self, 900, 1, out), SG_EINVAL, "row 900");
    check_fails(s.gather(s.self, (size_t[]){300, 900}, 2, out), SG_EINVAL, "row 900");
    check_fails(s.gather(s.self, (size_t[]){300, 5}, 2, out), SG_EINVAL, "row 5");
    sg_member_free(m);
}

static void rows_by_their_numbers(void **state)
{
    (void)state;
    sg_table *own = numbered(ROWS, 200), *all = numbered(1000, 0);
    look(own, 0);
    look(all, 200);
    sg_table_free(own);
    sg_table_free(all);
}

static void no_rows(void **state)
{
    const sg_team team = {.rank = 2, .ranks = 3};
    const sg_share share = {.team = &team, .rows = 10, .first = 10, .here = 0};
    sg_table *none = numbered(0, 0);
    sg_source of = sg_table_source(none);
    sg_member *m;
    double out[COLUMNS];
    (void)state;
    check(sg_member_new(&share, &of, 0, &m));
    sg_source s = sg_member_source(m);
    check(s.read(s.self, 10, 0, out));
    check_fails(s.read(s.self, 9, 1, out), SG_EINVAL, "row 9 is not with rank 2, which has none");
    sg_member_free(m);
    check_fails(sg_member_new(&(sg_share){.team = &team, .rows = 10, .first = 9, .here = 1}, &of, 0, &m), SG_EINVAL,
                "of 0");
    sg_table_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_by_their_numbers), cmocka_unit_test(no_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
