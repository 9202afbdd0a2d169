/* gradient.c: see gradient.h. */
#include "train/gradient.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t log2_of(size_t n)
{
    size_t k = 0;
    while (n > 1) {
        n /= 2;
        k++;
    }
    return k;
}

static sg_status init_worker(sg_gradient *g, sg_gradient_worker *w, const sg_source *source,
                             const sg_roles *columns, double weight_scale)
{
    sg_status st = sg_rows_init(&w->rows, source, columns, g->model, weight_scale);
    if (st == SG_OK) st = sg_work_init(&w->work, g->model);
    if (st != SG_OK) return st;
    size_t words = sg_drop_words(g->drop, g->model);
    w->bits = sg_alloc(g->model->blocks * SG_CHUNK, words * sizeof *w->bits);
    w->kept = sg_alloc(words, 32);
    w->y = sg_alloc(g->model->outputs, sizeof *w->y);
    w->slope = sg_alloc(g->model->outputs, sizeof *w->slope);
    w->level = sg_alloc(g->levels, g->length * sizeof *w->level);
    if (w->bits && w->kept && w->y && w->slope && w->level) return SG_OK;
    return sg_fail(SG_ENOMEM, "out of memory for gradients");
}

sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source,
                           const sg_roles *columns, double weight_scale, const sg_drop *drop,
                           const sg_batch *batch, sg_pool *pool)
{
    *g = (sg_gradient){.model = m, .drop = drop, .pool = pool, .batch = batch,
                       .length = m->parameters + m->outputs + 1, .roots = 1};
    size_t threads = sg_pool_threads(pool);
    if (threads > 1) /* a few subtrees a thread, so that none waits long for the last one */
        while (g->roots < 4 * threads && g->roots < batch->slices) g->roots *= 2;
    g->levels = log2_of(batch->slices / g->roots);
    g->workers = g->roots > 1 ? threads : 1;
    g->worker = sg_alloc(g->workers, sizeof *g->worker);
    g->root = sg_alloc(g->roots, g->length * sizeof *g->root);
    sg_status st = g->worker && g->root ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for gradients");
    for (size_t i = 0; st == SG_OK && i < g->workers; i++)
        st = init_worker(g, &g->worker[i], source, columns, weight_scale);
    if (st != SG_OK) sg_gradient_release(g);
    return st;
}

void sg_gradient_release(sg_gradient *g)
{
    for (size_t i = 0; g->worker && i < g->workers; i++) {
        sg_gradient_worker *w = &g->worker[i];
        sg_rows_release(&w->rows);
        sg_work_release(&w->work);
        free(w->bits);
        free(w->kept);
        free(w->y);
        free(w->slope);
        free(w->level);
    }
    free(g->worker);
    free(g->root);
    *g = (sg_gradient){0};
}

static uint32_t *bits_of(const sg_gradient *g, const sg_gradient_worker *w, size_t block, size_t i)
{
    return w->bits + (block * SG_CHUNK + i) * sg_drop_words(g->drop, g->model);
}

/* What is kept of the n rows of the batch from position `first` on. */
static void draw_masks(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n)
{
    size_t row[SG_CHUNK];
    for (size_t i = 0; i < n; i++) row[i] = g->batch->row ? g->batch->row[first + i] : first + i;
    for (size_t b = 0; b < g->model->blocks; b++)
        sg_drop_bits(g->drop, g->model, b, g->iteration, row, n, bits_of(g, w, b, 0));
}

/* Forward and backward of one row. With one block its output is used as it is; with several the
 * error is that of their sum, so all are computed before any gradient is. */
static void add_row(const sg_gradient *g, sg_gradient_worker *w, size_t i, double *sum)
{
    const sg_model *m = g->model;
    const double *a = w->rows.a + i * m->a.out, *z = w->rows.z + i * (m->one_view ? m->a.out : m->z.out);
    double weight = w->rows.w[i], *squares = sum + m->parameters;
    sg_mask mask;
    memcpy(w->y, m->y0, m->outputs * sizeof *w->y);
    for (size_t b = 0; b < m->blocks; b++) {
        mask = sg_drop_mask(g->drop, &m->block[b], bits_of(g, w, b, i), w->kept);
        sg_forward(&m->block[b], a, z, &mask, &w->work);
        for (size_t o = 0; o < m->outputs; o++) w->y[o] += m->block[b].weight * w->work.y[o];
    }
    for (size_t o = 0; o < m->outputs; o++) {
        double e = w->y[o] - w->rows.t[i * m->outputs + o];
        w->y[o] = weight * e; /* dL/dy of Eq. (7) */
        squares[o] += weight * e * e;
    }
    squares[m->outputs] += weight;
    for (size_t b = m->blocks, at = m->parameters; b-- > 0;) {
        const sg_block *block = &m->block[b];
        at -= sg_block_parameters(block);
        if (b + 1 < m->blocks) { /* the last block's forward pass is still at hand */
            mask = sg_drop_mask(g->drop, &m->block[b], bits_of(g, w, b, i), w->kept);
            sg_forward(block, a, z, &mask, &w->work);
        }
        for (size_t o = 0; o < m->outputs; o++) w->slope[o] = block->weight * w->y[o];
        sg_backward(block, a, z, &mask, &w->work, w->slope, sum + at);
    }
}

static sg_status add_slice(const sg_gradient *g, sg_gradient_worker *w, size_t slice, double *sum)
{
    const sg_batch *b = g->batch;
    size_t first, last;
    memset(sum, 0, g->length * sizeof *sum);
    sg_batch_slice(b, slice, &first, &last);
    for (size_t n; first < last; first += n) {
        n = last - first < SG_CHUNK ? last - first : SG_CHUNK;
        sg_status st = sg_rows_load(&w->rows, b->row ? b->row + first : NULL, first, n);
        if (st != SG_OK) return st;
        draw_masks(g, w, first, n);
        for (size_t i = 0; i < n; i++) add_row(g, w, i, sum);
    }
    return SG_OK;
}

/* The sum of `slices` slices from `first` on: the left half plus the right half. */
static sg_status add_tree(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t slices,
                          size_t level, double *sum)
{
    if (slices == 1) return add_slice(g, w, first, sum);
    double *right = w->level + level * g->length;
    sg_status st = add_tree(g, w, first, slices / 2, level + 1, sum);
    if (st == SG_OK) st = add_tree(g, w, first + slices / 2, slices / 2, level + 1, right);
    for (size_t i = 0; st == SG_OK && i < g->length; i++) sum[i] += right[i];
    return st;
}

static sg_status one_root(void *arg, size_t i, size_t worker)
{
    sg_gradient *g = arg;
    size_t slices = g->batch->slices / g->roots;
    return add_tree(g, &g->worker[worker], i * slices, slices, 0, g->root + i * g->length);
}

sg_status sg_gradient_run(sg_gradient *g, uint32_t iteration)
{
    g->iteration = iteration;
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
