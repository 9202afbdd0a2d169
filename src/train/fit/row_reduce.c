/* row_reduce.c: computes sums over the transformed training rows on all threads and ranks. */
#include "train/fit/row_reduce.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <stdlib.h>
#include <string.h>

static void add_rows(void *arg, sg_chunk_loader *l)
{
    struct sg_row_reduce_worker *w = arg;
    w->owner->add(w->owner->arg, w->number, l, w->sum);
}

static sg_status sum_block(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    sg_row_reduce *r = arg;
    struct sg_row_reduce_worker *w = &r->worker[worker];
    w->sum = sum;
    memset(sum, 0, r->length * sizeof(double));
    return sg_chunk_loader_for_each(&w->loader, first, n, add_rows, w);
}

sg_status sg_row_reduce_init(sg_row_reduce *r, const sg_source *s, const sg_model *m, const sg_preprocessed *p,
                             size_t length, sg_row_sum_fn *add, sg_merge_fn *merge, void *arg, sg_thread_pool *pool)
{
    size_t rows = sg_parallel_reduce_block_rows(s, length * sizeof(double));
    return sg_row_reduce_init_blocks(r, s, m, p, length, rows, add, merge, arg, pool);
}

sg_status sg_row_reduce_init_blocks(sg_row_reduce *r, const sg_source *s, const sg_model *m, const sg_preprocessed *p,
                                    size_t length, size_t block_rows, sg_row_sum_fn *add, sg_merge_fn *merge, void *arg,
                                    sg_thread_pool *pool)
{
    size_t size = length * sizeof(double);
    *r = (sg_row_reduce){.model = m, .length = length, .add = add, .arg = arg, .workers = sg_thread_pool_threads(pool)};
    sg_status st = sg_parallel_reduce_init(&r->reduce, s, block_rows, size, sum_block, merge, r, pool);
    if (st != SG_OK) return st;
    r->worker = sg_calloc(r->workers, sizeof *r->worker);
    if (!r->worker) st = sg_fail(SG_ENOMEM, "out of memory while reading rows");
    for (size_t i = 0; st == SG_OK && i < r->workers; i++) {
        r->worker[i].owner = r;
        r->worker[i].number = i;
        st = sg_chunk_loader_open_rows(&r->worker[i].loader, sg_parallel_reduce_source(&r->reduce), &p->columns, m,
                                       p->weight_scale);
    }
    if (st != SG_OK) sg_row_reduce_release(r);
    return st;
}

void sg_row_reduce_release(sg_row_reduce *r)
{
    for (size_t i = 0; r->worker && i < r->workers; i++) sg_chunk_loader_release(&r->worker[i].loader);
    free(r->worker);
    sg_parallel_reduce_release(&r->reduce);
    *r = (sg_row_reduce){0};
}

sg_status sg_row_reduce_run(sg_row_reduce *r, const double **sum)
{
    void *found = NULL;
    sg_status st = sg_parallel_reduce_run(&r->reduce, &found);
    *sum = found;
    return st;
}

static sg_status run_once(const sg_source *s, const sg_preprocessed *p, size_t length, sg_row_sum_fn *add,
                          sg_merge_fn *merge, void *arg, sg_thread_pool *pool, double *out)
{
    sg_row_reduce r;
    const double *sum;
    sg_status st = sg_row_reduce_init(&r, s, p->model, p, length, add, merge, arg, pool);
    if (st != SG_OK) return st;
    st = sg_row_reduce_run(&r, &sum);
    if (st == SG_OK) memcpy(out, sum, length * sizeof *out);
    sg_row_reduce_release(&r);
    return st;
}

static void add_gram(void *arg, size_t worker, sg_chunk_loader *l, double *sum)
{
    (void)arg;
    (void)worker;
    sg_gram_add(l->rows.imputed, l->rows.w, l->rows.n, l->model->a.out, sum);
}

sg_status sg_transformed_gram(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *gram)
{
    return run_once(s, p, p->model->a.out * p->model->a.out, add_gram, NULL, NULL, pool, gram);
}

/* scratch: (workers, size of the moments). The first rows of a block overwrite its zeroed sum. */
static void add_moments(void *scratch, size_t worker, sg_chunk_loader *l, double *sum)
{
    size_t n = l->model->a.out;
    sg_moments all = sg_moments_wrap(sum, n);
    sg_moments some = sg_moments_wrap((double *)scratch + worker * sg_moments_size(n), n);
    bool first = *all.rows == 0, weighted = l->columns->weight != SG_NO_COLUMN;
    sg_moments_compute(first ? &all : &some, l->rows.a, weighted ? l->rows.w : NULL, 1, l->rows.n);
    if (!first) sg_moments_merge(&all, &some);
}

static void merge_moments(const void *arg, void *sum, const void *more)
{
    size_t n = ((const sg_row_reduce *)arg)->model->a.out;
    sg_moments a = sg_moments_wrap(sum, n), b = sg_moments_wrap((double *)more, n);
    sg_moments_merge(&a, &b);
}

sg_status sg_transformed_moments(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, sg_moments *out)
{
    size_t length = sg_moments_size(p->model->a.out);
    double *scratch = sg_calloc(sg_thread_pool_threads(pool), length * sizeof *scratch);
    if (!scratch) return sg_fail(SG_ENOMEM, "out of memory while reading rows");
    sg_status st = run_once(s, p, length, add_moments, merge_moments, scratch, pool, out->rows);
    free(scratch);
    return st;
}
