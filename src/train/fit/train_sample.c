/* train_sample.c: see train_sample.h. */
#include "train/fit/train_sample.h"

#include "base/memory.h"
#include "comm/comm.h"
#include "predict/even_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000 };

size_t sg_train_sample_size(const sg_source *s, size_t cells, size_t most, size_t least)
{
    size_t n = cells ? most / cells : MAX_ROWS;
    if (n > MAX_ROWS) n = MAX_ROWS;
    if (n < least) n = least;
    return n < s->rows ? n : s->rows;
}

typedef struct sampler {
    sg_transformed_rows rows;
    sg_train_sample_fn *fn;
    void *arg;
} sampler;

static sg_status sample_row(void *arg, size_t row, double *x)
{
    sampler *s = arg;
    sg_status st = sg_transformed_rows_load(&s->rows, row, 1);
    if (st == SG_OK) s->fn(s->arg, &s->rows, x);
    return st;
}

sg_status sg_train_sample_gather(const sg_source *s, const sg_preprocessed *p, sg_train_sample_fn *fn, void *arg,
                                 size_t n, size_t width, double *x)
{
    sampler some = {.fn = fn, .arg = arg};
    sg_status st = sg_transformed_rows_init(&some.rows, s, &p->columns, p->model, p->weight_scale);
    bool open = st == SG_OK;
    st = sg_comm_agree_status(s->comm, st);
    if (st == SG_OK) st = sg_even_sample_gather(s, n, sample_row, &some, width, x);
    if (open) sg_transformed_rows_release(&some.rows);
    return st;
}

/* --- of each input --- */

/* The inputs [first, first + count). */
typedef struct column_block {
    size_t rows, first, count;
    double *x;      /* (rows, count) */
    double *column; /* (rows)        */
} column_block;

static void copy_columns(void *arg, const sg_transformed_rows *rows, double *x)
{
    const column_block *p = arg;
    memcpy(x, rows->a + p->first, p->count * sizeof *x);
}

static void visit_columns(const column_block *p, sg_train_sample_column_fn *visit, void *arg)
{
    for (size_t i = 0; i < p->count; i++) {
        size_t n = 0;
        for (size_t r = 0; r < p->rows; r++)
            if (!isnan(p->x[r * p->count + i])) p->column[n++] = p->x[r * p->count + i];
        visit(arg, p->first + i, p->column, n);
    }
}

/* As many inputs at a time as there is room for, each time from the same rows; of wide ones these are fewer, so that
 * they need not be read often. */
sg_status sg_train_sample_columns(const sg_source *s, const sg_preprocessed *p, sg_train_sample_column_fn *visit,
                                  void *arg)
{
    enum { FEWEST = 2000, PASSES = 5 };
    size_t inputs = p->columns.inputs;
    column_block r = {.rows = sg_train_sample_size(s, inputs, PASSES * (size_t)SG_TRAIN_SAMPLE_CELLS, FEWEST)};
    size_t most = r.rows ? SG_TRAIN_SAMPLE_CELLS / r.rows : 1;
    if (most > inputs) most = inputs;
    r.x = sg_calloc(r.rows, most * sizeof *r.x);
    r.column = sg_calloc(r.rows, sizeof *r.column);
    sg_status st = sg_comm_agree_status(
        s->comm, r.x && r.column ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a sample of rows"));
    for (; st == SG_OK && r.first < inputs; r.first += r.count) {
        r.count = inputs - r.first < most ? inputs - r.first : most;
        st = sg_train_sample_gather(s, p, copy_columns, &r, r.rows, r.count, r.x);
        if (st == SG_OK) visit_columns(&r, visit, arg);
    }
    free(r.x);
    free(r.column);
    return st;
}
