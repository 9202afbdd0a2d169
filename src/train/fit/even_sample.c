/* even_sample.c: gathers evenly spaced samples of rows from all ranks, row by row or by columns. */
#include "train/fit/even_sample.h"

#include "base/memory.h"
#include "comm/collectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000 };

/* --- any rows --- */

void sg_row_sample_release(sg_row_sample *s)
{
    free(s->x);
    *s = (sg_row_sample){0};
}

/* Samples the local rows, and sets range: they are elements [range[0], range[1]) of the sample. */
static sg_status sample_local(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width, double *x,
                              size_t range[2])
{
    size_t begin, end, i = 0;
    sg_status st = SG_OK;
    sg_source_local_range(s, &begin, &end);
    while (i < n && sg_even_sample_row(s, n, i) < begin) i++;
    for (range[0] = i; st == SG_OK && i < n && sg_even_sample_row(s, n, i) < end; i++)
        st = fn(arg, sg_even_sample_row(s, n, i), x + i * width);
    range[1] = i;
    return st;
}

sg_status sg_even_sample_gather(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width, double *x)
{
    size_t range[2] = {0, 0}, theirs[2];
    sg_status st = sg_comm_agree_status(s->comm, sample_local(s, n, fn, arg, width, x, range));
    for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(s->comm); i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_comm_bcast(s->comm, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_comm_bcast(s->comm, i, x + theirs[0] * width, (theirs[1] - theirs[0]) * width * sizeof *x);
    }
    return st;
}

/* --- transformed training rows --- */

size_t sg_train_sample_size(const sg_source *s, size_t width, size_t max_cells, size_t min_rows)
{
    size_t n = width ? max_cells / width : MAX_ROWS;
    if (n > MAX_ROWS) n = MAX_ROWS;
    if (n < min_rows) n = min_rows;
    return n < s->rows ? n : s->rows;
}

typedef struct sampler {
    sg_chunk_loader loader;
    sg_train_sample_fn *fn;
    void *arg;
} sampler;

static sg_status sample_row(void *arg, size_t row, double *x)
{
    sampler *s = arg;
    sg_status st = sg_chunk_loader_read_rows(&s->loader, row, 1);
    if (st == SG_OK) s->fn(s->arg, &s->loader, x);
    return st;
}

sg_status sg_train_sample_gather(const sg_source *s, const sg_preprocessed *p, sg_train_sample_fn *fn, void *arg,
                                 size_t n, size_t width, double *x)
{
    sampler sample = {.fn = fn, .arg = arg};
    sg_status st = sg_chunk_loader_open_rows(&sample.loader, s, &p->columns, p->model, p->weight_scale);
    bool open = st == SG_OK;
    st = sg_comm_agree_status(s->comm, st);
    if (st == SG_OK) st = sg_even_sample_gather(s, n, sample_row, &sample, width, x);
    if (open) sg_chunk_loader_release(&sample.loader);
    return st;
}

/* --- by columns --- */

/* Inputs [first, first + count) of the sample. */
typedef struct column_block {
    size_t rows, first, count;
    double *x;      /* (rows, count) */
    double *column; /* (rows)        */
} column_block;

static void copy_columns(void *arg, const sg_chunk_loader *l, double *x)
{
    const column_block *p = arg;
    memcpy(x, l->rows.a + p->first, p->count * sizeof *x);
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

/* Gathers as many inputs at a time as fit in memory, always from the same rows. The sample has fewer rows if they are
 * wide, which limits the number of passes. */
sg_status sg_train_sample_columns(const sg_source *s, const sg_preprocessed *p, sg_train_sample_column_fn *visit,
                                  void *arg)
{
    enum { MIN_ROWS = 2000, PASSES = 5 };
    size_t inputs = p->columns.inputs;
    column_block r = {.rows = sg_train_sample_size(s, inputs, PASSES * (size_t)SG_TRAIN_SAMPLE_CELLS, MIN_ROWS)};
    size_t max_inputs = r.rows ? SG_TRAIN_SAMPLE_CELLS / r.rows : 1;
    if (max_inputs > inputs) max_inputs = inputs;
    r.x = sg_calloc(r.rows, max_inputs * sizeof *r.x);
    r.column = sg_calloc(r.rows, sizeof *r.column);
    sg_status st = sg_comm_agree_status(s->comm, r.x && r.column ? SG_OK : sg_fail_out_of_memory("a sample of rows"));
    for (; st == SG_OK && r.first < inputs; r.first += r.count) {
        r.count = inputs - r.first < max_inputs ? inputs - r.first : max_inputs;
        st = sg_train_sample_gather(s, p, copy_columns, &r, r.rows, r.count, r.x);
        if (st == SG_OK) visit_columns(&r, visit, arg);
    }
    free(r.x);
    free(r.column);
    return st;
}
