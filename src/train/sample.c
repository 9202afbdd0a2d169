/* sample.c: see sample.h. */
#include "train/sample.h"

#include "base/memory.h"
#include "base/team.h"
#include "train/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000 };

size_t sg_sample_rows(const sg_source *s, size_t cells, size_t most, size_t least)
{
    size_t n = cells ? most / cells : MOST;
    if (n > MOST) n = MOST;
    if (n < least) n = least;
    return n < s->rows ? n : s->rows;
}

typedef struct sampled {
    sg_rows rows;
    sg_sample_fn *fn;
    void *arg;
} sampled;

static sg_status take_row(void *arg, size_t row, double *x)
{
    sampled *s = arg;
    sg_status st = sg_rows_load(&s->rows, row, 1);
    if (st == SG_OK) s->fn(s->arg, &s->rows, x);
    return st;
}

sg_status sg_sample_take(const sg_source *s, const sg_prepared *p, sg_sample_fn *fn, void *arg, size_t n, size_t width,
                         double *x)
{
    sampled some = {.fn = fn, .arg = arg};
    sg_status st = sg_rows_init(&some.rows, s, &p->columns, p->model, p->weight_scale);
    bool open = st == SG_OK;
    st = sg_team_agree(s->team, st);
    if (st == SG_OK) st = sg_spread_take(s, n, take_row, &some, width, x);
    if (open) sg_rows_release(&some.rows);
    return st;
}

/* --- of each input --- */

/* The inputs [first, first + count). */
typedef struct part {
    size_t rows, first, count;
    double *x;      /* (rows, count) */
    double *column; /* (rows)        */
} part;

static void keep_part(void *arg, const sg_rows *rows, double *x)
{
    const part *p = arg;
    memcpy(x, rows->a + p->first, p->count * sizeof *x);
}

static void see_part(const part *p, sg_values_fn *see, void *arg)
{
    for (size_t i = 0; i < p->count; i++) {
        size_t n = 0;
        for (size_t r = 0; r < p->rows; r++)
            if (!isnan(p->x[r * p->count + i])) p->column[n++] = p->x[r * p->count + i];
        see(arg, p->first + i, p->column, n);
    }
}

/* As many inputs at a time as there is room for, each time from the same rows; of wide ones these are fewer, so that
 * they need not be read often. */
sg_status sg_sample_values(const sg_source *s, const sg_prepared *p, sg_values_fn *see, void *arg)
{
    enum { FEWEST = 2000, PASSES = 5 };
    size_t inputs = p->columns.inputs;
    part r = {.rows = sg_sample_rows(s, inputs, PASSES * (size_t)SG_SAMPLE_CELLS, FEWEST)};
    size_t most = r.rows ? SG_SAMPLE_CELLS / r.rows : 1;
    if (most > inputs) most = inputs;
    r.x = sg_alloc(r.rows, most * sizeof *r.x);
    r.column = sg_alloc(r.rows, sizeof *r.column);
    sg_status st =
        sg_team_agree(s->team, r.x && r.column ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a sample of rows"));
    for (; st == SG_OK && r.first < inputs; r.first += r.count) {
        r.count = inputs - r.first < most ? inputs - r.first : most;
        st = sg_sample_take(s, p, keep_part, &r, r.rows, r.count, r.x);
        if (st == SG_OK) see_part(&r, see, arg);
    }
    free(r.x);
    free(r.column);
    return st;
}
