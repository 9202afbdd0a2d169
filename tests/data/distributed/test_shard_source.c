/* test_shard_source.c: the rows of one rank as a source of all rows. */
#include "data/distributed/shard_source.h"
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

/* Rows 200 to 899 of 1,000 are local, as rows 0 to 699 or with their own numbers. */
static void look(const sg_table *table, size_t at)
{
    const sg_comm team = {.rank = 1, .ranks = 3};
    const sg_row_range share = {.comm = &team, .total = 1000, .first_row = 200, .count = ROWS};
    sg_source of = sg_table_source(table);
    sg_shard *m;
    double out[ROWS * COLUMNS];
    size_t rows[ROWS];
    check(sg_shard_new(&share, &of, at, &m));
    sg_source s = sg_shard_source(m);
    assert_int_equal(s.rows, 1000);
    assert_int_equal(s.local_first, 200);
    assert_int_equal(s.local_rows, ROWS);
    assert_ptr_equal(s.comm, &team);
    assert_null(s.level);
    check(s.read(s.self, 200, ROWS, out));
    for (size_t i = 0; i < ROWS * COLUMNS; i++) assert_close(out[i], (double)(200 * COLUMNS + i), 0);
    for (size_t i = 0; i < ROWS; i++) rows[i] = 200 + (i * 501) % ROWS;
    check(s.gather(s.self, rows, ROWS, out));
    for (size_t i = 0; i < ROWS; i++) assert_close(out[i * COLUMNS + 1], (double)(rows[i] * COLUMNS + 1), 0);
    check(s.read(s.self, 900, 0, out));
    check_fails(s.read(s.self, 199, 2, out), SG_EINVAL, "rank 1 does not hold row 199: it holds rows 200 to 899");
    check_fails(s.read(s.self, 899, 2, out), SG_EINVAL, "rank 1 does not hold row 900");
    check_fails(s.read(s.self, 900, 1, out), SG_EINVAL, "row 900");
    check_fails(s.gather(s.self, (size_t[]){300, 900}, 2, out), SG_EINVAL, "row 900");
    check_fails(s.gather(s.self, (size_t[]){300, 5}, 2, out), SG_EINVAL, "row 5");
    sg_shard_free(m);
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
    const sg_comm team = {.rank = 2, .ranks = 3};
    const sg_row_range share = {.comm = &team, .total = 10, .first_row = 10, .count = 0};
    sg_table *none = numbered(0, 0);
    sg_source of = sg_table_source(none);
    sg_shard *m;
    double out[COLUMNS];
    (void)state;
    check(sg_shard_new(&share, &of, 0, &m));
    sg_source s = sg_shard_source(m);
    check(s.read(s.self, 10, 0, out));
    check_fails(s.read(s.self, 9, 1, out), SG_EINVAL, "rank 2 does not hold row 9: it holds no rows");
    sg_shard_free(m);
    check_fails(sg_shard_new(&(sg_row_range){.comm = &team, .total = 10, .first_row = 9, .count = 1}, &of, 0, &m),
                SG_EINVAL, "a range of 1 rows from row 0 exceeds the 0 rows of the source");
    sg_table_free(none);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(rows_by_their_numbers), cmocka_unit_test(no_rows)};
TEST_GROUP(tests, NULL, NULL)
