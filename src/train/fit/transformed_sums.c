/* transformed_sums.c: see transformed_sums.h. */
#include "train/fit/transformed_sums.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "predict/parallel_reduce.h"
#include "predict/transformed_rows.h"

#include <stdlib.h>
#include <string.h>

struct pass;

/* What a thread needs. */
typedef struct pass_worker {
    const struct pass *pass;
    sg_transformed_rows rows;
    double *sum;     /* of the block at hand */
    double *scratch; /* as long as a sum     */
} pass_worker;

typedef struct pass {
    const sg_preprocessed *prepared;
    size_t numbers, spare;       /* of a sum, and of what a worker needs to add to it */
    sg_transformed_rows_fn *add; /* its rows to the worker's sum */
    sg_parallel_reduce sweep;
    size_t workers;
    pass_worker *pass_worker;
} pass;

static void release_pass(pass *p)
{
    for (size_t i = 0; p->pass_worker && i < p->workers; i++) {
        sg_transformed_rows_release(&p->pass_worker[i].rows);
        free(p->pass_worker[i].scratch);
    }
    free(p->pass_worker);
    sg_parallel_reduce_release(&p->sweep);
}

static sg_status init_worker(const pass *p, pass_worker *w)
{
    *w = (pass_worker){.pass = p, .scratch = sg_calloc(p->spare, sizeof(double))};
    if (!w->scratch) return sg_fail(SG_ENOMEM, "out of memory for rows");
    return sg_transformed_rows_init(&w->rows, sg_parallel_reduce_source(&p->sweep), &p->prepared->columns,
                                    p->prepared->model, p->prepared->weight_scale);
}

static sg_status add_block(void *arg, size_t number, size_t first, size_t n, void *sum)
{
    pass *p = arg;
    pass_worker *w = &p->pass_worker[number];
    w->sum = sum;
    memset(sum, 0, p->numbers * sizeof(double));
    return sg_transformed_rows_for_each(&w->rows, first, n, p->add, w);
}

/* The sum of all rows to `to`. */
static sg_status run_pass(pass *p, const sg_source *s, sg_merge_fn *merge, sg_thread_pool *pool, double *to)
{
    void *sum;
    size_t size = p->numbers * sizeof *to;
    p->workers = sg_thread_pool_threads(pool);
    sg_status st =
        sg_parallel_reduce_init(&p->sweep, s, sg_parallel_reduce_block_rows(s, size), size, add_block, merge, p, pool);
    if (st != SG_OK) return st;
    p->pass_worker = sg_calloc(p->workers, sizeof *p->pass_worker);
    if (!p->pass_worker) st = sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t i = 0; st == SG_OK && i < p->workers; i++) st = init_worker(p, &p->pass_worker[i]);
    if (st == SG_OK) st = sg_parallel_reduce_run(&p->sweep, &sum);
    if (st == SG_OK) memcpy(to, sum, size);
    release_pass(p);
    return st;
}

static void add_gram(void *arg, sg_transformed_rows *rows)
{
    const pass_worker *w = arg;
    sg_gram_add(rows->imputed, rows->w, rows->n, rows->model->a.out, w->sum);
}

sg_status sg_transformed_gram(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *gram)
{
    size_t n = p->model->a.out;
    pass gathers = {.prepared = p, .numbers = n * n, .add = add_gram};
    return run_pass(&gathers, s, NULL, pool, gram);
}

/* A sum that begins with zeros is one of no rows, too: nothing of it is looked at. */
static void add_moments(void *arg, sg_transformed_rows *rows)
{
    const pass_worker *w = arg;
    size_t n = rows->model->a.out;
    sg_moments all = sg_moments_wrap(w->sum, n), some = sg_moments_wrap(w->scratch, n);
    bool none = *all.rows == 0, weighted = rows->columns->weight != SG_NO_COLUMN;
    sg_moments_compute(none ? &all : &some, rows->a, weighted ? rows->w : NULL, 1, rows->n);
    if (!none) sg_moments_merge(&all, &some);
}

static void merge_moments(const void *arg, void *sum, const void *more)
{
    const pass *p = arg;
    size_t n = p->prepared->model->a.out;
    sg_moments a = sg_moments_wrap(sum, n), b = sg_moments_wrap((double *)more, n);
    sg_moments_merge(&a, &b);
}

sg_status sg_transformed_moments(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, sg_moments *to)
{
    size_t numbers = sg_moments_size(p->model->a.out);
    pass looks = {.prepared = p, .numbers = numbers, .spare = numbers, .add = add_moments};
    return run_pass(&looks, s, merge_moments, pool, to->rows);
}
