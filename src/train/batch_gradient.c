/* batch_gradient.c: forward and backward passes over the slices of a batch, summed in a fixed tree by threads and
 * ranks. */
#include "train/batch_gradient.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "comm/collectives.h"
#include "rows/training_memory.h"

#include <string.h>

_Static_assert((int)SG_CHUNK <= (int)SG_DROPOUT_ROWS, "masks are drawn for whole chunks");

/* --- input noise: a pure function of seed, iteration and row --- */

/* Returns the standardised sum of the four bytes of a word, which is nearly normal and the same on all machines. */
static double approx_normal(uint32_t word)
{
    const double deviation = 147.80110509998635; /* sqrt(4 (256^2 - 1) / 12) */
    uint32_t sum = (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
    return ((double)sum - 510) / deviation;
}

static void add_to_column(double *column, const uint32_t *word, size_t n, double size)
{
    for (size_t i = 0; i < n; i++) column[i] += size * approx_normal(word[i]);
    for (size_t i = n; i < (n + 7) / 8 * 8; i++) column[i] = column[n - 1];
}

void sg_input_noise_add(const sg_input_noise *noise, uint32_t iteration, const size_t *row, size_t n,
                        sg_chunk_loader *l)
{
    const sg_model *m = l->model;
    uint32_t words[4 * SG_CHUNK];
    size_t terms = sg_model_terms(m), widest = m->a.out > terms ? m->a.out : terms;
    for (size_t k = 0; k < widest; k++) {
        if (k % 4 == 0) sg_random_rows(noise->seed, SG_RANDOM_NOISE, iteration, row, n, (uint32_t)(k / 4), 4, words);
        const uint32_t *word = words + k % 4 * n;
        if (k < m->a.out)
            add_to_column(l->a + k * SG_PITCH, word, n, noise->sigma * sg_moments_stddev(noise->moments, k));
        if (!m->shared_pipeline && k < terms) add_to_column(l->z + k * SG_PITCH, word, n, noise->sigma);
    }
}

/* Returns half the number of slices, or fewer if the model is large. Depends only on the batch and the model. */
static size_t leaf_count(const sg_gradient *g)
{
    size_t leaves = g->batch->slices / 2;
    while (leaves > 1 && leaves > SG_GRADIENT_TREE_DOUBLES / g->length) leaves /= 2;
    return leaves ? leaves : 1;
}

/* --- distribution of leaves to ranks and threads --- */

static size_t slices_of_leaf(const sg_gradient *g) { return g->batch->slices / g->leaves; }

/* Returns whether there is only one leaf, whose sum goes from rank to rank. */
static bool is_sequential(const sg_gradient *g) { return g->rank_slice && g->leaves == 1; }

/* Returns the first slice that starts at row number `row` or later. If there are several leaves, this slice starts a
 * leaf. */
static size_t first_slice_at(const sg_gradient *g, size_t row)
{
    size_t slice = 0, step = g->leaves > 1 ? slices_of_leaf(g) : 1;
    while (slice < g->batch->slices && sg_batch_boundary(g->batch, slice) < row) slice += step;
    return slice;
}

static sg_status partition_slices(sg_gradient *g)
{
    const sg_comm *comm = g->cache.source->comm;
    if (!comm || g->batch->slices == 1) return SG_OK;
    g->rank_slice = sg_calloc(comm->ranks + 1, sizeof *g->rank_slice);
    g->rank_leaf = sg_calloc(comm->ranks + 1, sizeof *g->rank_leaf);
    g->rank_pos = sg_calloc(comm->ranks + 1, sizeof *g->rank_pos);
    if (!g->rank_slice || !g->rank_leaf || !g->rank_pos) return sg_fail_out_of_memory("the gradients of a batch");
    for (size_t i = 0; i < comm->ranks; i++) g->rank_slice[i] = first_slice_at(g, g->cache.exchange.bounds[i]);
    g->rank_slice[comm->ranks] = g->batch->slices;
    for (size_t i = 0; i <= comm->ranks; i++) g->rank_leaf[i] = g->rank_slice[i] * g->leaves / g->batch->slices;
    return SG_OK;
}

/* Restricts the batch to the rows that this rank needs: those that it holds, and those of other ranks that belong to
 * its last slices. */
static void restrict_batch(const sg_gradient *g, sg_batch *batch)
{
    size_t rank = sg_comm_rank(g->cache.source->comm);
    if (!g->rank_slice) return;
    size_t end = sg_batch_boundary(batch, g->rank_slice[rank + 1]), held = g->cache.exchange.bounds[rank + 1];
    sg_batch_restrict(batch, g->cache.exchange.bounds[rank], end > held ? end : held);
}

/* Makes several tasks per thread, for load balance. */
static sg_status make_tasks(sg_gradient *g, size_t threads)
{
    const sg_comm *comm = g->cache.source->comm;
    bool own = g->rank_slice && !is_sequential(g);
    size_t first = own ? g->rank_leaf[comm->rank] : 0, last = own ? g->rank_leaf[comm->rank + 1] : g->leaves;
    size_t least = threads > 1 ? (last - first) / (4 * threads) : g->leaves;
    while ((size_t)1 << (g->levels + 1) <= least) g->levels++;
    g->task = sg_calloc(last - first + 1, sizeof *g->task);
    if (!g->task) return sg_fail_out_of_memory("the gradients of a batch");
    for (g->task[0] = first; g->task[g->tasks] < last; g->tasks++)
        g->task[g->tasks + 1] =
            g->task[g->tasks] + ((size_t)1 << sg_tree_reduce_level(g->task[g->tasks], last, g->levels));
    return SG_OK;
}

/* --- construction --- */

static sg_status init_worker(const sg_gradient *g, sg_gradient_worker *w, const char *precision)
{
    const sg_model *m = g->model;
    size_t words = sg_dropout_words(g->drop, m);
    sg_status st = sg_engine_init(&w->engine, m, precision, true, g->drop->kind->target);
    if (st == SG_OK) st = sg_row_cache_open_loader(&g->cache, w->engine.ops, &w->loader);
    if (st != SG_OK) return st;
    w->row = sg_calloc(SG_CHUNK, sizeof *w->row);
    w->bits = sg_calloc(m->blocks * w->engine.rows, words * sizeof *w->bits);
    w->keep = sg_calloc(m->blocks, sizeof *w->keep);
    w->out_grad = sg_calloc(m->outputs, SG_PITCH * sizeof *w->out_grad);
    w->level = sg_calloc(g->levels, g->length * sizeof *w->level);
    if (w->row && w->bits && w->keep && w->out_grad && w->level) return SG_OK;
    return sg_fail_out_of_memory("the gradients of a batch");
}

static sg_status init_workers(sg_gradient *g, const char *precision)
{
    const sg_comm *comm = g->cache.source->comm;
    size_t threads = sg_thread_pool_threads(g->pool);
    sg_status st = partition_slices(g);
    if (st == SG_OK) st = make_tasks(g, threads);
    if (st == SG_OK)
        st = sg_tree_reduce_init(&g->tree, comm, g->rank_leaf && g->leaves > 1 ? g->leaves : 0, g->tasks,
                                 g->length * sizeof(double), NULL, NULL);
    if (st != SG_OK) return st;
    g->workers = g->tasks < threads ? g->tasks : threads;
    if (g->workers == 0) g->workers = 1;
    g->worker = sg_calloc(g->workers, sizeof *g->worker);
    if (!g->worker) return sg_fail_out_of_memory("the gradients of a batch");
    for (size_t i = 0; st == SG_OK && i < g->workers; i++) st = init_worker(g, &g->worker[i], precision);
    return st;
}

sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                           double weight_scale, const sg_dropout *drop, sg_batch *batch, const char *precision,
                           sg_thread_pool *pool)
{
    const sg_kernel *kernel;
    *g =
        (sg_gradient){.model = m, .drop = drop, .pool = pool, .batch = batch, .length = m->parameters + m->outputs + 1};
    g->leaves = leaf_count(g);
    bool exchanged = source->comm && batch->slices == 1; /* every rank gets all rows of the batch */
    sg_status st = sg_kernel_select(precision, &kernel);
    if (st == SG_OK)
        st = sg_row_cache_init(&g->cache, m, source, columns, weight_scale, kernel->ops,
                               exchanged ? 0 : SG_TRAIN_CACHE_BYTES);
    if (st == SG_OK) st = init_workers(g, precision);
    if (st == SG_OK) restrict_batch(g, batch);
    else sg_gradient_release(g);
    return st;
}

void sg_gradient_release(sg_gradient *g)
{
    for (size_t i = 0; g->worker && i < g->workers; i++) {
        sg_gradient_worker *w = &g->worker[i];
        sg_engine_release(&w->engine);
        sg_chunk_loader_release(&w->loader);
        sg_free_all(w->row, w->bits, w->keep, w->out_grad, w->level);
    }
    sg_row_cache_release(&g->cache);
    sg_free_all(g->worker, g->task, g->rank_slice, g->rank_leaf, g->rank_pos);
    sg_tree_reduce_release(&g->tree);
    *g = (sg_gradient){0};
}

/* --- one chunk --- */

static void draw_masks(const sg_gradient *g, sg_gradient_worker *w, const size_t *row, size_t n)
{
    size_t words = sg_dropout_words(g->drop, g->model);
    for (size_t b = 0; b < g->model->blocks; b++) {
        uint32_t *bits = w->bits + b * w->engine.rows * words;
        bool drops = sg_dropout_draw(g->drop, g->model, b, g->iteration, row, n, bits);
        w->keep[b] = (sg_dropout_bits){drops ? bits : NULL, words};
    }
}

/* Returns the row numbers at positions [first, first + n) of the batch. */
static const size_t *row_numbers(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n)
{
    if (g->batch->row) return g->batch->row + first;
    for (size_t i = 0; i < n; i++) w->row[i] = first + i;
    return w->row;
}

/* Returns the sum of n values, added up in the order of the vector operations, that is, in eight partial sums. */
static double sum_of(const double *x, size_t n)
{
    double s[8] = {0};
    for (size_t i = 0; i < n; i++) s[i % 8] += x[i];
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

/* The gradient of Huber's loss is the residual, clipped to the limit. */
static void clip_huber(const sg_gradient *g, const sg_gradient_worker *w, size_t n)
{
    for (size_t o = 0; o < g->model->outputs; o++)
        for (size_t i = 0; i < n; i++) {
            double *out_grad = &w->out_grad[o * SG_PITCH + i], most = g->huber * w->loader.w[i];
            *out_grad = *out_grad > most ? most : *out_grad < -most ? -most : *out_grad;
        }
}

/* Computes dL/dy of Eq. (7). Adds the chunk to the squared errors and to the sum of weights. */
static void add_residuals(const sg_gradient *g, sg_gradient_worker *w, size_t n, double *squares)
{
    const sg_chunk_loader *rows = &w->loader;
    for (size_t o = 0; o < g->model->outputs; o++) {
        size_t at = o * SG_PITCH;
        squares[o] += w->engine.ops->residuals(n, w->engine.y + at, rows->t + at, rows->w, w->out_grad + at);
    }
    if (g->huber > 0) clip_huber(g, w, n);
    squares[g->model->outputs] += rows->ones ? (double)n : sum_of(rows->w, n);
}

/* Sets dL/dy for a loss that is the sum of the first output; it is 0 beyond row n. Adds to the sum of weights. */
static void add_plain_outputs(const sg_gradient *g, sg_gradient_worker *w, size_t n, double *squares)
{
    for (size_t o = 0; o < g->model->outputs; o++)
        for (size_t i = 0; i < SG_PITCH; i++) w->out_grad[o * SG_PITCH + i] = o == 0 && i < n ? w->loader.w[i] : 0;
    squares[g->model->outputs] += sum_of(w->loader.w, n);
}

/* Makes a forward and a backward pass over positions [first, first + n) of the batch. */
static sg_status add_chunk(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n, double *sum)
{
    sg_status st = sg_row_cache_load(&g->cache, g->batch->row, first, n, &w->loader);
    if (st != SG_OK) return st;
    const size_t *number = row_numbers(g, w, first, n);
    if (g->noise.sigma > 0) sg_input_noise_add(&g->noise, g->iteration, number, n, &w->loader);
    draw_masks(g, w, number, n);
    sg_engine_forward(&w->engine, &w->loader.chunk, w->keep);
    (g->sum_outputs ? add_plain_outputs : add_residuals)(g, w, n, sum + g->model->parameters);
    sg_engine_backward(&w->engine, &w->loader.chunk, w->out_grad);
    return SG_OK;
}

/* --- slices and the tree --- */

static sg_status add_slice(const sg_gradient *g, sg_gradient_worker *w, size_t slice, double *sum)
{
    size_t first = 0, last = g->batch->n;
    if (g->batch->slices > 1) sg_batch_slice(g->batch, slice, &first, &last);
    sg_status st = SG_OK;
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < w->engine.rows ? last - first : w->engine.rows;
        st = add_chunk(g, w, first, n, sum);
    }
    sg_engine_add_gradient(&w->engine, sum); /* even after a failure: the engine must be empty for the next slice */
    return st;
}

static sg_status add_slices(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t last, double *sum)
{
    sg_status st = SG_OK;
    for (size_t i = first; st == SG_OK && i < last; i++) st = add_slice(g, w, i, sum);
    return st;
}

/* Receives the sum of the preceding ranks, adds the slices of this rank and sends the result to the next rank. */
static sg_status sum_sequential(const sg_gradient *g, sg_gradient_worker *w, double *sum)
{
    const sg_comm *t = g->cache.source->comm;
    size_t bytes = g->length * sizeof *sum;
    sg_status st = t->rank ? t->recv(t->self, t->rank - 1, sum, bytes) : SG_OK;
    if (st == SG_OK) st = add_slices(g, w, g->rank_slice[t->rank], g->rank_slice[t->rank + 1], sum);
    return st == SG_OK && t->rank + 1 < t->ranks ? t->send(t->self, t->rank + 1, sum, bytes) : st;
}

static sg_status sum_leaf(const sg_gradient *g, sg_gradient_worker *w, size_t leaf, double *sum)
{
    size_t slices = slices_of_leaf(g);
    memset(sum, 0, g->length * sizeof *sum);
    if (is_sequential(g)) return sum_sequential(g, w, sum);
    return add_slices(g, w, leaf * slices, (leaf + 1) * slices, sum);
}

/* Sums the `leaves` leaves that start with `first`: adds the sum of the right half to that of the left half. */
static sg_status sum_tree(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t leaves, size_t level,
                          double *sum)
{
    if (leaves == 1) return sum_leaf(g, w, first, sum);
    double *right = w->level + level * g->length;
    sg_status st = sum_tree(g, w, first, leaves / 2, level + 1, sum);
    if (st == SG_OK) st = sum_tree(g, w, first + leaves / 2, leaves / 2, level + 1, right);
    for (size_t i = 0; st == SG_OK && i < g->length; i++) sum[i] += right[i];
    return st;
}

static sg_status run_task(void *arg, size_t i, size_t worker)
{
    sg_gradient *g = arg;
    sg_gradient_worker *w = &g->worker[g->workers == g->tasks ? i : worker];
    if (!w->has_theta) sg_engine_load_theta(&w->engine);
    w->has_theta = true;
    return sum_tree(g, w, g->task[i], g->task[i + 1] - g->task[i], 0, sg_tree_reduce_slot(&g->tree, i));
}

/* Fetches the rows of the batch that this rank needs but other ranks hold. */
static sg_status exchange_rows(sg_gradient *g)
{
    const sg_comm *comm = g->cache.source->comm;
    size_t last;
    if (!comm) return SG_OK;
    if (!g->rank_slice) return sg_row_exchange_allgather(&g->cache.exchange, g->batch->row, g->batch->n);
    for (size_t i = 0; i < comm->ranks; i++) {
        g->rank_pos[i] = g->batch->count;
        if (g->rank_slice[i] < g->batch->slices) sg_batch_slice(g->batch, g->rank_slice[i], &g->rank_pos[i], &last);
    }
    g->rank_pos[comm->ranks] = g->batch->count;
    return sg_row_exchange_fetch_parts(&g->cache.exchange, g->batch->row, g->rank_pos);
}

sg_status sg_gradient_run(sg_gradient *g, uint32_t iteration)
{
    g->iteration = iteration;
    for (size_t i = 0; i < g->workers; i++) g->worker[i].has_theta = false;
    sg_tree_reduce_reset(&g->tree, g->task[0]);
    sg_status st = exchange_rows(g);
    if (st == SG_OK) st = sg_thread_pool_run(g->tasks > 1 ? g->pool : NULL, g->tasks, run_task, g);
    for (size_t i = 0; st == SG_OK && i < g->tasks; i++)
        sg_tree_reduce_push(&g->tree, sg_tree_reduce_level(g->task[i], g->task[i + 1], g->levels), i);
    if (st != SG_OK || !g->rank_slice) return st;
    const sg_comm *comm = g->cache.source->comm;
    if (is_sequential(g)) return sg_comm_bcast(comm, comm->ranks - 1, g->tree.sum, g->tree.size);
    return sg_tree_reduce_allreduce(&g->tree, comm, g->rank_leaf);
}

double *sg_gradient_theta(sg_gradient *g) { return (double *)g->tree.sum; }

static const double *loss_sums(const sg_gradient *g) { return (const double *)g->tree.sum + g->model->parameters; }

const double *sg_gradient_squares(const sg_gradient *g) { return loss_sums(g); }

double sg_gradient_weight(const sg_gradient *g) { return loss_sums(g)[g->model->outputs]; }
