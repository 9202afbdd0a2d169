/* test_frame.c: columns of various types in the caller's memory.
 * labels: memory */
#include "data/source/source_util.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

enum { ROWS = 5 };
static const double matrix[ROWS][3] = {
    {2.385, -1.25, 7}, {0.5, NAN, 8}, {3.125, 4.75, 9}, {-6, 0.125, 1}, {1.5, 2.5, -3.5}};
static const float single[ROWS] = {0.5F, -1.25F, 3, 4, 5};
static const int16_t whole[2 * ROWS] = {-3, 0, 2, 0, 300, 0, -32768, 0, 5, 0};
static const int8_t code[ROWS] = {0, 2, -1, 1, 3};
static const char *const level[] = {"red", "blue", "re\td", "red", NULL}; /* the last level repeats the first */

static sg_source all(sg_frame **f)
{
    const sg_column column[] = {
        {"a", "f8", &matrix[0][0], sizeof matrix[0], NULL},
        {"b", "f8", &matrix[0][1], sizeof matrix[0], NULL},
        {"s", "f4", single, sizeof *single, NULL},
        {"w", "i2", whole, 2 * sizeof *whole, NULL},
        {"c", "i1", code, 1, level},
    };
    check(sg_frame_new(column, 5, ROWS, f));
    return sg_frame_source(*f);
}

static void same(double x, double y) { assert_true(x == y || (isnan(x) && isnan(y))); }

static void reads(void **state)
{
    (void)state;
    sg_frame *f;
    sg_source s = all(&f);
    double row[ROWS][5], one[5];
    static const double codes[ROWS] = {0, 2, NAN, 1, 0};
    check(s.read(s.self, 0, ROWS, row[0]));
    for (size_t i = 0; i < ROWS; i++) {
        const double expected[] = {matrix[i][0], matrix[i][1], (double)single[i], whole[2 * i], codes[i]};
        for (size_t k = 0; k < 5; k++) same(row[i][k], expected[k]);
        check(s.read(s.self, i, 1, one));
        for (size_t k = 0; k < 5; k++) same(one[k], expected[k]);
    }
    static const size_t order[] = {4, 0, 4, 2};
    double some[4][5];
    check(s.gather(s.self, order, 4, some[0]));
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 5; k++) same(some[i][k], row[order[i]][k]);
    assert_null(s.view);
    assert_string_equal(s.level(s.self, 4, 1), "blue");
    assert_string_equal(s.level(s.self, 4, 2), "re d");
    assert_null(s.level(s.self, 4, 3));
    assert_null(s.level(s.self, 0, 0));
    assert_int_equal(s.read(s.self, 4, 2, one), SG_EINVAL);
    assert_int_equal(s.gather(s.self, (const size_t[]){5}, 1, one), SG_EINVAL);
    sg_frame_free(f);
    sg_frame_free(NULL);
}

/* A contiguous matrix is not copied. */
static void looks(void **state)
{
    (void)state;
    sg_frame *f;
    double x[ROWS][3];
    const double *there;
    memcpy(x, matrix, sizeof x);
    const sg_column column[] = {{"a", "f8", &x[0][0], sizeof x[0], NULL},
                                {"b", "f8", &x[0][1], sizeof x[0], NULL},
                                {"c", "f8", &x[0][2], sizeof x[0], NULL}};
    check(sg_frame_new(column, 3, ROWS, &f));
    sg_source s = sg_frame_source(f);
    assert_non_null(s.view);
    check(s.view(s.self, 1, 3, &there));
    assert_ptr_equal(there, x[1]);
    assert_int_equal(s.view(s.self, 1, ROWS, &there), SG_EINVAL);
    x[3][1] = -(double)INFINITY; /* after a missing value */
    check(s.view(s.self, 0, 3, &there));
    assert_int_equal(s.view(s.self, 1, 3, &there), SG_EDATA);
    assert_string_equal(sg_errmsg(), "row 4, column \"b\": expected a finite number, got infinity");
    double out[3];
    assert_int_equal(s.read(s.self, 3, 1, out), SG_EDATA);
    assert_int_equal(s.gather(s.self, (const size_t[]){3}, 1, out), SG_EDATA);
    assert_string_equal(sg_errmsg(), "row 4, column \"b\": expected a finite number, got infinity");
    sg_frame_free(f);
}

/* Alone or next to others, read or gathered: the same numbers. */
static void reads_types(void **state)
{
    (void)state;
    static const char *const type[] = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"};
    static const size_t row[] = {0, 1, 2};
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        union {
            double f8;
            float f4;
            int64_t i8;
            int32_t i4;
            int16_t i2;
            int8_t i1;
        } cell[3] = {{0}};
        size_t size = (size_t)(type[i][1] - '0');
        for (size_t r = 0; r < 3; r++) {
            int v = r == 1;
            if (type[i][0] == 'f' && size == 8) cell[r].f8 = v;
            else if (type[i][0] == 'f') cell[r].f4 = (float)v;
            else if (size == 8) cell[r].i8 = v;
            else if (size == 4) cell[r].i4 = v;
            else if (size == 2) cell[r].i2 = (int16_t)v;
            else cell[r].i1 = (int8_t)v;
        }
        const sg_column column[] = {{"a", type[i], cell, sizeof *cell, NULL}, {"b", type[i], cell, sizeof *cell, NULL}};
        for (size_t n = 1; n <= 2; n++) {
            sg_frame *f;
            double read[6], gathered[6];
            check(sg_frame_new(column, n, 3, &f));
            sg_source s = sg_frame_source(f);
            check(s.read(s.self, 0, 3, read));
            check(s.gather(s.self, row, 3, gathered));
            for (size_t k = 0; k < 3 * n; k++) assert_true(read[k] == (k / n == 1) && gathered[k] == read[k]);
            sg_frame_free(f);
        }
    }
    sg_frame *f; /* a code that is not an integer is missing */
    const double codes[] = {0, 0.5, 1, 7};
    double found[4];
    check(sg_frame_new(&(sg_column){"c", "f8", codes, sizeof *codes, level}, 1, 4, &f));
    sg_source s = sg_frame_source(f);
    check(s.read(s.self, 0, 4, found));
    assert_true(found[0] == 0 && isnan(found[1]) && found[2] == 1 && isnan(found[3]));
    sg_frame_free(f);
}

static void refuses(void **state)
{
    (void)state;
    double x[2] = {1, 2};
    static const struct {
        const char *name, *type;
        bool values;
        const char *expected;
    } cases[] = {
        {"", "f8", true, "the name of column 2 is empty or not UTF-8: \"\""},
        {NULL, "f8", true, "column 2 has no name"},
        {"\xE4", "f8", true, "the name of column 2 is empty or not UTF-8: \"?\""},
        {"a", "f8", true, "columns 1 and 2 are both named \"a\""},
        {"b", "f2", true, "column \"b\": unknown type; expected one of f8, f4, i8, i4, i2, i1, u8, u4, u2, u1, b1"},
        {"b", NULL, true, "column \"b\": unknown type; expected one of f8, f4, i8, i4, i2, i1, u8, u4, u2, u1, b1"},
        {"b", "f8", false, "column \"b\" has no values"},
    };
    sg_frame *f = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sg_column column[] = {{"a", "f8", x, sizeof *x, NULL},
                                    {cases[i].name, cases[i].type, cases[i].values ? x : NULL, 8, NULL}};
        assert_int_equal(sg_frame_new(column, 2, 2, &f), SG_EINVAL);
        assert_string_equal(sg_errmsg(), cases[i].expected);
        assert_null(f);
    }
    assert_int_equal(sg_frame_new(NULL, 0, 2, &f), SG_EINVAL);
    assert_int_equal(sg_frame_new((sg_column[]){{"a", "f8", x, 8, NULL}, {"b", "f8", x, 8, NULL}}, 2, SIZE_MAX, &f),
                     SG_ENOMEM);
}

/* Predictions are the same into an array and block by block, viewed or copied. */
static sg_status collect(void *arg, size_t first, size_t rows, const double *y)
{
    memcpy((double *)arg + first, y, rows * sizeof *y);
    return SG_OK;
}

static void predicts(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    sg_table *t;
    sg_frame *f, *g;
    sg_options *o;
    sg_model *m;
    check(sg_options_new(&o));
    check(sg_options_set(o, "preset", "mbgd-rda"));
    check(sg_options_set(o, "iters", "20"));
    check(sg_table_generate("friedman", MANY, 3, &t));
    sg_source rows = sg_table_source(t);
    check(sg_train(o, &rows, NULL, NULL, NULL, &m));
    size_t columns = rows.columns;
    double *x = malloc(MANY * columns * sizeof *x), *turned = malloc(MANY * columns * sizeof *x),
           *y = malloc(3 * MANY * sizeof *y);
    sg_column *row_wise = calloc(columns, sizeof *row_wise), *column_wise = calloc(columns, sizeof *column_wise);
    check(rows.read(rows.self, 0, MANY, x));
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < MANY; i++) turned[k * MANY + i] = x[i * columns + k];
        row_wise[k] = (sg_column){rows.names[k], "f8", x + k, columns * sizeof *x, NULL};
        column_wise[k] = (sg_column){rows.names[k], "f8", turned + k * MANY, sizeof *x, NULL};
    }
    check(sg_frame_new(row_wise, columns, MANY, &f));
    check(sg_frame_new(column_wise, columns, MANY, &g));
    sg_source whole_rows = sg_frame_source(f), parts = sg_frame_source(g);
    check(sg_model_predict_source(m, &rows, 1, collect, y));
    check(sg_model_predict_rows(m, &whole_rows, 2, y + MANY));
    check(sg_model_predict_rows(m, &parts, 1, y + 2 * MANY));
    assert_memory_equal(y, y + MANY, MANY * sizeof *y);
    assert_memory_equal(y, y + 2 * MANY, MANY * sizeof *y);
    sg_metrics one, two;
    check(sg_model_evaluate(m, &rows, NULL, 1, &one));
    check(sg_model_evaluate(m, &whole_rows, NULL, 1, &two));
    assert_true(one.rmse == two.rmse && one.r2 == two.r2 && one.rows == MANY);
    sg_frame_free(f);
    sg_frame_free(g);
    free(x);
    free(turned);
    free(y);
    free(row_wise);
    free(column_wise);
    sg_model_free(m);
    sg_table_free(t);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads),   cmocka_unit_test(reads_types), cmocka_unit_test(looks),
    cmocka_unit_test(refuses), cmocka_unit_test(predicts),
};
TEST_GROUP(tests, NULL, NULL)
