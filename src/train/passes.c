/* passes.c: see passes.h. */
#include "train/passes.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "train/rows.h"
#include "train/sweep.h"

#include <stdlib.h>
#include <string.h>

struct pass;

/* What a thread needs. */
typedef struct worker {
    const struct pass *pass;
    sg_rows rows;
    double *sum;     /* of the block at hand */
    double *scratch; /* as long as a sum     */
} worker;

typedef struct pass {
    const sg_prepared *prepared;
    size_t numbers, spare; /* of a sum, and of what a worker needs to add to it */
    sg_chunk_fn *add;      /* its rows to the worker's sum */
    sg_sweep sweep;
    size_t workers;
    worker *worker;
} pass;

static void release_pass(pass *p)
{
    for (size_t i = 0; p->worker && i < p->workers; i++) {
        sg_rows_release(&p->worker[i].rows);
        free(p->worker[i].scratch);
    }
    free(p->worker);
    sg_sweep_release(&p->sweep);
}

static sg_status init_worker(const pass *p, worker *w)
{
    *w = (worker){.pass = p, .scratch = sg_alloc(p->spare, sizeof(double))};
    if (!w->scratch) return sg_fail(SG_ENOMEM, "out of memory for rows");
    return sg_rows_init(&w->rows, sg_sweep_source(&p->sweep), &p->prepared->columns, p->prepared->model,
                        p->prepared->weight_scale);
}

static sg_status add_block(void *arg, size_t number, size_t first, size_t n, void *sum)
{
    pass *p = arg;
    worker *w = &p->worker[number];
    w->sum = sum;
    memset(sum, 0, p->numbers * sizeof(double));
    return sg_rows_each(&w->rows, first, n, p->add, w);
}

/* The sum of all rows to `to`. */
static sg_status run_pass(pass *p, const sg_source *s, sg_merge_fn *merge, sg_pool *pool, double *to)
{
    void *sum;
    size_t size = p->numbers * sizeof *to;
    p->workers = sg_pool_threads(pool);
    sg_status st = sg_sweep_init(&p->sweep, s, sg_sweep_rows(s, size), size, add_block, merge, p, pool);
    if (st != SG_OK) return st;
    p->worker = sg_alloc(p->workers, sizeof *p->worker);
    if (!p->worker) st = sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t i = 0; st == SG_OK && i < p->workers; i++) st = init_worker(p, &p->worker[i]);
    if (st == SG_OK) st = sg_sweep_run(&p->sweep, &sum);
    if (st == SG_OK) memcpy(to, sum, size);
    release_pass(p);
    return st;
}

static void add_gram(void *arg, sg_rows *rows)
{
    const worker *w = arg;
    sg_gram_add(rows->filled, rows->w, rows->n, rows->model->a.out, w->sum);
}

sg_status sg_pass_gram(const sg_source *s, const sg_prepared *p, sg_pool *pool, double *gram)
{
    size_t n = p->model->a.out;
    pass gathers = {.prepared = p, .numbers = n * n, .add = add_gram};
    return run_pass(&gathers, s, NULL, pool, gram);
}

/* A sum that begins with zeros is one of no rows, too: nothing of it is looked at. */
static void add_moments(void *arg, sg_rows *rows)
{
    const worker *w = arg;
    size_t n = rows->model->a.out;
    sg_moments all = sg_moments_at(w->sum, n), some = sg_moments_at(w->scratch, n);
    bool none = *all.rows == 0, weighted = rows->columns->weight != SG_NO_COLUMN;
    sg_moments_block(none ? &all : &some, rows->a, weighted ? rows->w : NULL, 1, rows->n);
    if (!none) sg_moments_merge(&all, &some);
}

static void merge_moments(const void *arg, void *sum, const void *more)
{
    const pass *p = arg;
    size_t n = p->prepared->model->a.out;
    sg_moments a = sg_moments_at(sum, n), b = sg_moments_at((double *)more, n);
    sg_moments_merge(&a, &b);
}

sg_status sg_pass_moments(const sg_source *s, const sg_prepared *p, sg_pool *pool, sg_moments *to)
{
    size_t numbers = sg_moments_size(p->model->a.out);
    pass looks = {.prepared = p, .numbers = numbers, .spare = numbers, .add = add_moments};
    return run_pass(&looks, s, merge_moments, pool, to->rows);
}
