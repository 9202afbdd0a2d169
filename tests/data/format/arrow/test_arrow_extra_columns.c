/* test_arrow_extra_columns.c: extra columns of another source, read along with an Arrow stream.
 * labels: memory */
#include "arrow_stream.h"

static const double X[] = {9, 2.385, 7, -1e300};

typedef struct rows_beside {
    const double *values;
    size_t rows, columns;
    sg_status fails;
} rows_beside;

static sg_status read_beside(void *self, size_t first, size_t n, double *out)
{
    const rows_beside *r = self;
    if (r->fails != SG_OK) {
        sg_set_errmsg("no rows beside");
        return r->fails;
    }
    assert_true(first + n <= r->rows);
    memcpy(out, r->values + first * r->columns, n * r->columns * sizeof *out);
    return SG_OK;
}

static const char *level_beside(void *self, size_t column, size_t i)
{
    static const char *const levels[] = {"lo", "hi", "7"};
    (void)self;
    return column == 1 && i < 3 ? levels[i] : NULL;
}

static void reads_beside(void **state)
{
    (void)state;
    static const char *const names[] = {"w", "c", "y"}, *const wanted[] = {"x", "y"};
    double values[] = {1, 2, 2.385, 0.5, 0, -3, 2, 1, NAN, 0.25, NAN, 7};
    rows_beside r = {.values = values, .rows = 4, .columns = 3};
    sg_source beside = {.self = &r,
                        .rows = 4,
                        .columns = 3,
                        .names = names,
                        .read = read_beside,
                        .level = level_beside,
                        .weight_column = "w"};
    static const field fields[] = {{"x", "g", 2, 0, 0, 2, {{NULL, 0}, {X, 16}}, NULL}};
    static const batch batches[] = {{.fields = fields, .length = 2}, {.fields = fields, .length = 2}};
    feed f = FEED(batches, 1);
    sg_dataset *d;
    check(open_feed(&f, &beside, NULL, NULL, 0, &d));
    check_rows(d, (const double[]){9, 1, 2, 2.385, 2.385, 0.5, 0, -3, 9, 2, 1, NAN, 2.385, 0.25, NAN, 7}, 4, 4);
    check_level(d, 2, 0, "lo");
    check_level(d, 2, 2, "7");
    assert_string_equal(sg_dataset_source(d).weight_column, "w");
    sg_dataset_free(d);
    check(open_feed(&f, &beside, NULL, wanted, 2, &d));
    check_rows(d, (const double[]){9, 2.385, 2.385, -3, 9, NAN, 2.385, 7}, 4, 2);
    assert_null(sg_dataset_source(d).weight_column);
    sg_dataset_free(d);
    r.fails = SG_EIO;
    check(
        open_feed(&f, &beside, NULL, wanted, 1, &d)); /* no extra column is read, so the source need not be readable */
    sg_dataset_free(d);
    r.fails = SG_OK;
    for (size_t rows = 0; rows < 7; rows++) { /* more, fewer, none */
        char both[96];
        beside.rows = r.rows = rows;
        snprintf(both, sizeof both, "Arrow stream: the stream has 4 rows, but the extra columns have %zu", rows);
        if (rows < 4) check_fails(open_feed(&f, &beside, NULL, NULL, 0, &d), SG_EDATA, both);
        if (rows > 4) check_fails(open_feed(&f, &beside, NULL, wanted, 1, &d), SG_EDATA, both);
    }
    beside.rows = r.rows = 4;
    for (size_t i = 0; i < 3; i++) {
        values[4] = (const double[]){3, -1, 0.5}[i];
        check_fails(open_feed(&f, &beside, NULL, NULL, 0, &d), SG_EDATA,
                    "row 2, column \"c\": the value is not a level index");
    }
    values[4] = 0;
    values[11] = -INFINITY;
    check_fails(open_feed(&f, &beside, NULL, NULL, 0, &d), SG_EDATA,
                "row 4, column \"y\": expected a finite number, got infinity");
    r.fails = SG_EIO;
    check_fails(open_feed(&f, &beside, NULL, NULL, 0, &d), SG_EIO, "no rows beside");
    beside.names = (const char *const[]){"w", "c", "x"};
    check_fails(open_feed(&f, &beside, NULL, NULL, 0, &d), SG_EDATA, "columns 1 and 4 are both named \"x\"");
}

/* A stream without columns still has rows. */
static void reads_no_columns(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3};
    rows_beside r = {.values = values, .rows = 3, .columns = 1};
    sg_source beside = {.self = &r, .rows = 3, .columns = 1, .names = (const char *const[]){"y"}, .read = read_beside};
    static const batch batches[] = {{.length = 3}};
    feed f = FEED(batches, 0);
    sg_dataset *d;
    check(open_feed(&f, &beside, NULL, NULL, 0, &d));
    check_rows(d, values, 3, 1);
    sg_dataset_free(d);
    check_fails(open_feed(&f, NULL, NULL, NULL, 0, &d), SG_EDATA, "no numeric or categorical column is left");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_beside),
    cmocka_unit_test(reads_no_columns),
};
TEST_GROUP(tests, NULL, NULL)
