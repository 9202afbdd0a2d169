/* metrics_evaluator.c: evaluates a model on blocks of rows with all threads and ranks, and caches the rows on
 * request. */
#include "predict/metrics_evaluator.h"

#include "base/memory.h"
#include "rows/check_rows.h"
#include "rows/column_stats.h"
#include "rows/training_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status init_worker(sg_predict_worker *w, const sg_evaluator *s, const char *precision)
{
    sg_status st = sg_predict_worker_init(w, s->model, precision);
    if (st != SG_OK) return st;
    return sg_predict_worker_alloc_rows(w, SG_EVAL_ROWS, sg_parallel_reduce_source(&s->reduce)->columns);
}

static size_t *row_count_of(const sg_evaluator *s, void *sum)
{
    return (size_t *)((sg_error_sums *)sum + s->model->outputs);
}

static void add_target(double weight, double y, double mean, sg_error_sums *sums)
{
    double from_mean = y - mean;
    sums->weight += weight;
    sums->first += weight * from_mean;
    sums->second += weight * from_mean * from_mean;
}

static void add_residual(double weight, double y, double predicted, sg_error_sums *sums)
{
    double e = predicted - y;
    sums->squared_error += weight * e * e;
    sums->absolute_error += weight * fabs(e);
}

/* --- cached rows --- */

static size_t cached_width(const sg_model *m) { return (m->a.out + (m->shared_pipeline ? 0 : m->z.out)) * SG_PITCH; }

static sg_chunk cached_chunk(const sg_evaluator *s, size_t number, size_t rows)
{
    const sg_model *m = s->model;
    const double *a = s->cached + number * cached_width(m);
    size_t left = rows - number * SG_CHUNK;
    return (sg_chunk){.n = left < SG_CHUNK ? left : SG_CHUNK,
                      .a = a,
                      .z = m->shared_pipeline ? a : a + m->a.out * SG_PITCH,
                      .missing = s->missing ? s->missing + number * m->a.out * SG_PITCH : NULL};
}

/* The array is zeroed, so only chunks with missing values are copied. */
static sg_status cache_missing(sg_evaluator *s, const sg_chunk *c, size_t number, size_t chunks)
{
    size_t size = s->model->a.out * SG_PITCH;
    if (!s->missing) s->missing = sg_calloc(chunks, size * sizeof *s->missing);
    if (!s->missing) return sg_fail(SG_ENOMEM, "out of memory while reading rows");
    memcpy(s->missing + number * size, c->missing, size * sizeof *s->missing);
    return SG_OK;
}

static void cache_targets(sg_evaluator *s, const double *raw, size_t row)
{
    const sg_column_roles *c = s->columns;
    double weight = sg_row_weight(c, raw);
    bool lacks = isnan(weight);
    s->weights[row] = lacks ? 0 : weight;
    s->counted[row / SG_EVAL_ROWS] += !lacks;
    for (size_t o = 0; o < c->targets && !lacks; o++) {
        double y = s->targets[row * c->targets + o] = raw[c->target[o]];
        add_target(weight, y, s->model->mean[o], &s->target_sums[row / SG_EVAL_ROWS * c->targets + o]);
    }
}

static sg_status cache_chunks(sg_evaluator *s, size_t begin, size_t end)
{
    sg_predict_worker *w = &s->worker[0];
    const sg_source *from = sg_parallel_reduce_source(&s->reduce);
    size_t width = cached_width(s->model), chunks = (end - begin) / SG_CHUNK + 1;
    for (size_t first = begin; first < end; first += SG_CHUNK) {
        size_t n = end - first < SG_CHUNK ? end - first : SG_CHUNK, number = (first - begin) / SG_CHUNK;
        sg_status st = from->read(from->self, first, n, w->raw);
        if (st != SG_OK) return st;
        sg_chunk_loader_load(&w->loader, w->raw, from->columns, s->columns->input, n);
        memcpy(s->cached + number * width, w->loader.a, width * sizeof *s->cached); /* a, then z */
        const sg_chunk *c = &w->loader.chunk;
        if (c->missing) st = cache_missing(s, c, number, chunks);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            st = sg_check_row(from, s->columns, false, w->raw + i * from->columns, first + i);
            cache_targets(s, w->raw + i * from->columns, first - begin + i);
        }
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

static sg_status cache_rows(sg_evaluator *s)
{
    const sg_model *m = s->model;
    size_t begin, end;
    sg_source_local_range(sg_parallel_reduce_source(&s->reduce), &begin, &end);
    size_t rows = end - begin, chunks = rows / SG_CHUNK + 1, blocks = rows / SG_EVAL_ROWS + 1, a_row = m->outputs + 1;
    size_t most = SG_EVAL_CACHE_BYTES / sizeof(double);
    if (m->additive) return SG_OK; /* the cache lacks the features */
    if (rows > most / a_row || chunks > (most - rows * a_row) / cached_width(m)) return SG_OK;
    s->cached = sg_calloc(chunks * cached_width(m), sizeof *s->cached);
    s->targets = sg_calloc(rows * m->outputs, sizeof *s->targets);
    s->weights = sg_calloc(rows, sizeof *s->weights);
    s->target_sums = sg_calloc(blocks * m->outputs, sizeof *s->target_sums);
    s->counted = sg_calloc(blocks, sizeof *s->counted);
    if (s->cached && s->targets && s->weights && s->target_sums && s->counted) return cache_chunks(s, begin, end);
    free(s->cached); /* without memory for the cache, rows are read in every run */
    s->cached = NULL;
    return SG_OK;
}

/* --- the sums of a block --- */

sg_status sg_evaluator_predict_block(const sg_evaluator *s, sg_predict_worker *w, size_t first, size_t n, double *y)
{
    const sg_source *from = sg_parallel_reduce_source(&s->reduce);
    w->rows = w->raw;
    sg_status st = from->view ? from->view(from->self, first, n, &w->rows) : from->read(from->self, first, n, w->raw);
    if (st != SG_OK) return st;
    if (!w->has_theta) sg_predict_worker_load_theta(w);
    sg_predict_worker_run(w, w->rows, from->columns, s->columns->input, n, y);
    return SG_OK;
}

/* Computes the sums of n cached rows, starting at local row `row`. */
static void sum_cached(const sg_evaluator *s, sg_predict_worker *w, size_t row, size_t n, void *sum)
{
    size_t outputs = s->model->outputs, block = row / SG_EVAL_ROWS;
    const double *t = s->targets + row * outputs, *weight = s->weights + row;
    sg_error_sums *sums = sum;
    if (!w->has_theta) sg_predict_worker_load_theta(w);
    for (size_t done = 0; done < n; done += SG_CHUNK) {
        sg_chunk c = cached_chunk(s, (row + done) / SG_CHUNK, row + n);
        sg_predict_worker_run_chunk(w, &c, w->y + done * outputs);
    }
    for (size_t o = 0; o < outputs; o++) {
        sums[o] = s->target_sums[block * outputs + o];
        for (size_t r = 0; r < n; r++) add_residual(weight[r], t[r * outputs + o], w->y[r * outputs + o], &sums[o]);
    }
    *row_count_of(s, sum) = s->counted[block];
}

static sg_status sum_uncached_block(const sg_evaluator *s, sg_predict_worker *w, size_t first, size_t n, void *sum)
{
    const sg_source *from = sg_parallel_reduce_source(&s->reduce);
    const sg_column_roles *c = s->columns;
    size_t outputs = s->model->outputs;
    sg_error_sums *sums = sum;
    sg_status st = sg_evaluator_predict_block(s, w, first, n, w->y);
    memset(sum, 0, outputs * sizeof *sums + sizeof(size_t));
    for (size_t r = 0; st == SG_OK && r < n; r++) {
        const double *raw = w->rows + r * from->columns, *y = w->y + r * outputs;
        double weight = sg_row_weight(c, raw);
        st = sg_check_row(from, c, false, raw, first + r);
        *row_count_of(s, sum) += !isnan(weight);
        for (size_t o = 0; o < outputs && !isnan(weight); o++) {
            add_residual(weight, raw[c->target[o]], y[o], &sums[o]);
            add_target(weight, raw[c->target[o]], s->model->mean[o], &sums[o]);
        }
    }
    return st;
}

static sg_status add_block(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    const sg_evaluator *s = arg;
    size_t begin, end;
    if (!s->cached) return sum_uncached_block(s, &s->worker[worker], first, n, sum);
    sg_source_local_range(sg_parallel_reduce_source(&s->reduce), &begin, &end);
    sum_cached(s, &s->worker[worker], first - begin, n, sum);
    return SG_OK;
}

static void merge_sums(const void *arg, void *sum, const void *more)
{
    const sg_evaluator *s = arg;
    const sg_error_sums *b = more;
    sg_error_sums *a = sum;
    for (size_t o = 0; o < s->model->outputs; o++) {
        a[o].weight += b[o].weight;
        a[o].squared_error += b[o].squared_error;
        a[o].absolute_error += b[o].absolute_error;
        a[o].first += b[o].first;
        a[o].second += b[o].second;
    }
    *row_count_of(s, sum) += *row_count_of(s, (void *)more);
}

/* --- the evaluator --- */

sg_status sg_evaluator_init(sg_evaluator *s, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            const char *precision, bool reuse, sg_thread_pool *pool)
{
    *s = (sg_evaluator){.model = m, .columns = columns, .workers = sg_thread_pool_threads(pool)};
    size_t size = m->outputs * sizeof(sg_error_sums) + sizeof(size_t);
    sg_status st = sg_parallel_reduce_init(&s->reduce, source, SG_EVAL_ROWS, size, add_block, merge_sums, s, pool);
    if (st != SG_OK) return st;
    s->worker = sg_calloc(s->workers, sizeof *s->worker);
    if (!s->worker) st = sg_fail_out_of_memory("an evaluation");
    for (size_t i = 0; st == SG_OK && i < s->workers; i++) st = init_worker(&s->worker[i], s, precision);
    if (st == SG_OK && reuse) st = cache_rows(s);
    st = sg_comm_agree_status(source->comm, st);
    if (st != SG_OK) sg_evaluator_release(s);
    return st;
}

void sg_evaluator_release(sg_evaluator *s)
{
    for (size_t i = 0; s->worker && i < s->workers; i++) sg_predict_worker_release(&s->worker[i]);
    sg_free_all(s->worker, s->cached, s->missing, s->targets, s->weights, s->target_sums, s->counted);
    sg_parallel_reduce_release(&s->reduce);
    *s = (sg_evaluator){0};
}

static sg_metrics metrics_from_sums(const sg_error_sums *t, size_t rows)
{
    double spread = t->second - t->first * t->first / t->weight;
    bool constant = !(spread > 1e-14 * t->second);
    return (sg_metrics){.rows = rows,
                        .rmse = sqrt(t->squared_error / t->weight),
                        .mae = t->absolute_error / t->weight,
                        .r2 = constant ? 0 : 1 - t->squared_error / spread};
}

sg_status sg_evaluator_run(sg_evaluator *s, sg_metrics *out)
{
    void *sum;
    const sg_source *rows = sg_parallel_reduce_source(&s->reduce);
    if (rows->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(rows));
    for (size_t i = 0; i < s->workers; i++) s->worker[i].has_theta = false;
    sg_status st = sg_parallel_reduce_run(&s->reduce, &sum);
    if (st != SG_OK) return st;
    size_t counted = *row_count_of(s, sum);
    s->incomplete = rows->rows - counted;
    st = sg_check_row_weights(rows, s->columns, s->incomplete, ((const sg_error_sums *)sum)->weight);
    for (size_t o = 0; st == SG_OK && o < s->model->outputs; o++)
        out[o] = metrics_from_sums((const sg_error_sums *)sum + o, counted);
    return st;
}

double sg_metrics_rmse(const sg_metrics *m, size_t outputs)
{
    double sum = 0;
    for (size_t o = 0; o < outputs; o++) sum += m[o].rmse * m[o].rmse;
    return sqrt(sum / (double)outputs);
}
