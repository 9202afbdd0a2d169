/* gradient.c: see gradient.h. */
#include "train/gradient.h"

#include "base/memory.h"
#include "train/budget.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)SG_CHUNK <= (int)SG_DROP_ROWS, "masks are drawn for a chunk at once");

static size_t log2_of(size_t n)
{
    size_t k = 0;
    while (n > 1) {
        n /= 2;
        k++;
    }
    return k;
}

/* Pairs of slices, or fewer. It depends on the batch and the model alone. */
static size_t leaves_of(const sg_gradient *g)
{
    size_t leaves = g->batch->slices / 2;
    while (leaves > 1 && leaves > SG_NUMBERS_IN_LEAVES / g->length) leaves /= 2;
    return leaves ? leaves : 1;
}

/* A few subtrees a thread, so that none waits long for the last one. */
static size_t roots_of(const sg_gradient *g, size_t threads)
{
    size_t roots = 1;
    while (threads > 1 && roots < 4 * threads && roots < g->leaves) roots *= 2;
    return roots;
}

static sg_status init_worker(const sg_gradient *g, sg_gradient_worker *w, const char *precision)
{
    const sg_model *m = g->model;
    size_t words = sg_drop_words(g->drop, m);
    sg_status st = sg_engine_init(&w->engine, m, precision, true, g->drop->kind->things);
    if (st == SG_OK) st = sg_taken_init(&w->taken, &g->kept, w->engine.tools);
    if (st != SG_OK) return st;
    w->row = sg_alloc(SG_CHUNK, sizeof *w->row);
    w->bits = sg_alloc(m->blocks * w->engine.rows, words * sizeof *w->bits);
    w->keep = sg_alloc(m->blocks, sizeof *w->keep);
    w->slope = sg_alloc(m->outputs, SG_PITCH * sizeof *w->slope);
    w->level = sg_alloc(g->levels, g->length * sizeof *w->level);
    if (w->row && w->bits && w->keep && w->slope && w->level) return SG_OK;
    return sg_fail(SG_ENOMEM, "out of memory for gradients");
}

static sg_status init_workers(sg_gradient *g, const char *precision)
{
    size_t threads = sg_pool_threads(g->pool);
    g->leaves = leaves_of(g);
    g->roots = roots_of(g, threads);
    g->levels = log2_of(g->leaves / g->roots);
    g->workers = g->roots < threads ? g->roots : threads;
    g->worker = sg_alloc(g->workers, sizeof *g->worker);
    g->root = sg_alloc(g->roots, g->length * sizeof *g->root);
    sg_status st = g->worker && g->root ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for gradients");
    for (size_t i = 0; st == SG_OK && i < g->workers; i++)
        st = init_worker(g, &g->worker[i], precision);
    return st;
}

sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source,
                           const sg_roles *columns, double weight_scale, const sg_drop *drop,
                           const sg_batch *batch, const char *precision, sg_pool *pool)
{
    const sg_kernel *kernel;
    *g = (sg_gradient){.model = m, .drop = drop, .pool = pool, .batch = batch,
                       .length = m->parameters + m->outputs + 1};
    sg_status st = sg_kernel_choose(precision, &kernel);
    if (st == SG_OK)
        st = sg_kept_init(&g->kept, m, source, columns, weight_scale, kernel->tools, SG_BYTES_TO_TRAIN);
    if (st == SG_OK) st = init_workers(g, precision);
    if (st != SG_OK) sg_gradient_release(g);
    return st;
}

void sg_gradient_release(sg_gradient *g)
{
    for (size_t i = 0; g->worker && i < g->workers; i++) {
        sg_gradient_worker *w = &g->worker[i];
        sg_engine_release(&w->engine);
        sg_taken_release(&w->taken);
        free(w->row);
        free(w->bits);
        free(w->keep);
        free(w->slope);
        free(w->level);
    }
    sg_kept_release(&g->kept);
    free(g->worker);
    free(g->root);
    *g = (sg_gradient){0};
}

static void draw_masks(const sg_gradient *g, sg_gradient_worker *w, const size_t *row, size_t n)
{
    size_t words = sg_drop_words(g->drop, g->model);
    for (size_t b = 0; b < g->model->blocks; b++) {
        uint32_t *bits = w->bits + b * w->engine.rows * words;
        bool drops = sg_drop_bits(g->drop, g->model, b, g->iteration, row, n, bits);
        w->keep[b] = (sg_keep){drops ? bits : NULL, words};
    }
}

/* The numbers of the rows [first, first + n) of the batch. */
static const size_t *numbers_of(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n)
{
    if (g->batch->row) return g->batch->row + first;
    for (size_t i = 0; i < n; i++) w->row[i] = first + i;
    return w->row;
}

/* In eight places, as the tools do it. */
static double sum_of(const double *x, size_t n)
{
    double s[8] = {0};
    for (size_t i = 0; i < n; i++) s[i % 8] += x[i];
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

/* The slopes dL/dy of Eq. (7); adds to the squared errors of the outputs and to the weights. */
static void add_errors(const sg_gradient *g, sg_gradient_worker *w, size_t n, double *squares)
{
    const sg_taken *rows = &w->taken;
    for (size_t o = 0; o < g->model->outputs; o++) {
        size_t at = o * SG_PITCH;
        squares[o] += w->engine.tools->errors(n, w->engine.y + at, rows->t + at, rows->w, w->slope + at);
    }
    squares[g->model->outputs] += rows->ones ? (double)n : sum_of(rows->w, n);
}

/* Forward and backward of the rows [first, first + n) of the batch. */
static sg_status add_chunk(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n, double *sum)
{
    const size_t *row = g->batch->row;
    sg_status st = sg_taken_take(&w->taken, &g->kept, row ? row + first : NULL, first, n);
    if (st != SG_OK) return st;
    draw_masks(g, w, numbers_of(g, w, first, n), n);
    sg_engine_forward(&w->engine, &w->taken.feed.chunk, w->keep);
    add_errors(g, w, n, sum + g->model->parameters);
    sg_engine_backward(&w->engine, &w->taken.feed.chunk, w->slope);
    return SG_OK;
}

static sg_status add_slice(const sg_gradient *g, sg_gradient_worker *w, size_t slice, double *sum)
{
    size_t first = 0, last = g->batch->n;
    if (g->batch->slices > 1) sg_batch_slice(g->batch, slice, &first, &last);
    sg_status st = SG_OK;
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < w->engine.rows ? last - first : w->engine.rows;
        st = add_chunk(g, w, first, n, sum);
    }
    sg_engine_unload(&w->engine, sum); /* after a failure, too: nothing may be left for the next slice */
    return st;
}

static sg_status sum_leaf(const sg_gradient *g, sg_gradient_worker *w, size_t leaf, double *sum)
{
    size_t slices = g->batch->slices / g->leaves;
    sg_status st = SG_OK;
    memset(sum, 0, g->length * sizeof *sum);
    for (size_t i = 0; st == SG_OK && i < slices; i++) st = add_slice(g, w, leaf * slices + i, sum);
    return st;
}

/* The sum of `leaves` leaves from `first` on: the left half plus the right half. */
static sg_status sum_tree(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t leaves,
                          size_t level, double *sum)
{
    if (leaves == 1) return sum_leaf(g, w, first, sum);
    double *right = w->level + level * g->length;
    sg_status st = sum_tree(g, w, first, leaves / 2, level + 1, sum);
    if (st == SG_OK) st = sum_tree(g, w, first + leaves / 2, leaves / 2, level + 1, right);
    for (size_t i = 0; st == SG_OK && i < g->length; i++) sum[i] += right[i];
    return st;
}

static sg_status one_root(void *arg, size_t i, size_t worker)
{
    sg_gradient *g = arg;
    sg_gradient_worker *w = &g->worker[g->workers == g->roots ? i : worker];
    size_t leaves = g->leaves / g->roots;
    if (!w->loaded) sg_engine_load(&w->engine);
    w->loaded = true;
    return sum_tree(g, w, i * leaves, leaves, 0, g->root + i * g->length);
}

sg_status sg_gradient_run(sg_gradient *g, uint32_t iteration)
{
    g->iteration = iteration;
    for (size_t i = 0; i < g->workers; i++) g->worker[i].loaded = false;
    sg_status st = sg_pool_run(g->roots > 1 ? g->pool : NULL, g->roots, one_root, g);
    for (size_t step = 1; st == SG_OK && step < g->roots; step *= 2)
        for (size_t i = 0; i < g->roots; i += 2 * step) {
            double *left = g->root + i * g->length, *right = left + step * g->length;
            for (size_t k = 0; k < g->length; k++) left[k] += right[k];
        }
    return st;
}

double *sg_gradient_theta(sg_gradient *g) { return g->root; }

const double *sg_gradient_squares(const sg_gradient *g) { return g->root + g->model->parameters; }

double sg_gradient_weight(const sg_gradient *g)
{
    return g->root[g->model->parameters + g->model->outputs];
}
