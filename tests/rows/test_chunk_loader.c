/* test_chunk_loader.c: row-major chunks equal the model's pipelines, row by row and bit by bit.
 * labels: memory */
#include "base/options.h"
#include "rows/chunk_loader.h"
#include "test.h"
#include "train/fit/preprocess.h"

#include <stdlib.h>

enum { ROWS = 4500, COLUMNS = 8, INPUTS = 6 };

static const char *const names[COLUMNS] = {"a", "w", "b", "c", "d", "e", "f", "y"};

static double *numbers(bool gaps)
{
    double *x = calloc(ROWS * COLUMNS, sizeof *x);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = i % COLUMNS == 1 ? (double)(1 + i % 5) : 3.7 * sin((double)i * (double)i) + (double)(i % COLUMNS);
        if (gaps && i % COLUMNS != 1 && i % COLUMNS != 7 && i % 13 == 4) x[i] = NAN;
    }
    return x;
}

typedef struct seen {
    const sg_preprocessed *p;
    const double *x; /* the next row */
    size_t rows, chunks;
} seen;

/* The expected row: inputs in the order of the model, imputed; a is NaN for missing inputs. */
static void check_row(const sg_preprocessed *p, const double *x, const sg_chunk_loader *r, size_t i)
{
    const sg_model *m = p->model;
    double in[INPUTS], filled[INPUTS], scratch[8 * INPUTS];
    size_t n = m->a.out;
    bool gap[INPUTS];
    for (size_t k = 0; k < INPUTS; k++) {
        gap[k] = isnan(x[p->columns.input[k]]) && n == INPUTS;
        in[k] = isnan(x[p->columns.input[k]]) ? m->feature_mean[k] : x[p->columns.input[k]];
    }
    sg_pipeline_apply(&m->a, in, filled, scratch);
    assert_memory_equal(r->rows.imputed + i * n, filled, n * sizeof *filled);
    assert_true(r->rows.z == r->rows.imputed);
    for (size_t k = 0; k < n; k++)
        assert_true(gap[k] ? isnan(r->rows.a[i * n + k]) : r->rows.a[i * n + k] == filled[k]);
    assert_true(r->rows.t[i] == (x[7] - m->mean[0]) / m->scale[0]);
    assert_true(r->rows.w[i] == (p->columns.weight == SG_NO_COLUMN ? 1 : x[1] * p->weight_scale));
}

static void see(void *arg, sg_chunk_loader *r)
{
    seen *s = arg;
    for (size_t i = 0; i < r->rows.n; i++, s->x += COLUMNS) check_row(s->p, s->x, r, i);
    s->rows += r->rows.n;
    s->chunks++;
}

static void check_rows(const char *settings, bool gaps)
{
    double *x = numbers(gaps);
    sg_options *o = options_of(settings);
    sg_table *table;
    sg_preprocessed p;
    sg_chunk_loader rows;
    check(sg_table_new(names, COLUMNS, x, ROWS, &table));
    sg_source s = sg_table_source(table);
    check(sg_preprocess_fit_raw(o, &s, NULL, &p));
    check(sg_chunk_loader_open_rows(&rows, &s, &p.columns, p.model, p.weight_scale));
    seen all = {.p = &p, .x = x + 3 * COLUMNS};
    check(sg_chunk_loader_for_each(&rows, 3, ROWS - 3, see, &all));
    assert_true(all.rows == ROWS - 3 && all.chunks == (ROWS - 3 + SG_LOADER_ROWS - 1) / SG_LOADER_ROWS);
    check(sg_chunk_loader_read_rows(&rows, 77, 1));
    assert_int_equal(rows.rows.n, 1);
    check_row(&p, x + 77 * COLUMNS, &rows, 0);
    sg_chunk_loader_release(&rows);
    sg_preprocessed_release(&p);
    sg_table_free(table);
    sg_options_free(o);
    free(x);
}

static void rows_are_what_views_make_of_them(void **state)
{
    (void)state;
    for (int gaps = 0; gaps < 2; gaps++) {
        check_rows("pca=0 ignore=w", gaps);
        check_rows("pca=0 weights=w", gaps);
        check_rows("pca=3 ignore=w", gaps);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_are_what_views_make_of_them),
};
TEST_GROUP(tests, NULL, NULL)
