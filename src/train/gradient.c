/* gradient.c: see gradient.h. */
#include "train/gradient.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)SG_CHUNK <= (int)SG_DROP_ROWS, "masks are drawn for a chunk at once");

/* Numbers of all roots together, about: 16 MB. */
enum { MOST_IN_ROOTS = 1 << 21 };

static size_t log2_of(size_t n)
{
    size_t k = 0;
    while (n > 1) {
        n /= 2;
        k++;
    }
    return k;
}

static sg_status init_worker(const sg_gradient *g, sg_gradient_worker *w, const char *precision)
{
    const sg_model *m = g->model;
    size_t words = sg_drop_words(g->drop, m);
    sg_status st = sg_engine_init(&w->engine, m, precision, true, g->drop->kind->things);
    if (st == SG_OK) st = sg_feed_init(&w->feed, m, w->engine.tools);
    if (st != SG_OK) return st;
    w->raw = sg_alloc(g->source->columns, SG_CHUNK * sizeof *w->raw);
    w->row = sg_alloc(SG_CHUNK, sizeof *w->row);
    w->bits = sg_alloc(m->blocks * w->engine.rows, words * sizeof *w->bits);
    w->keep = sg_alloc(m->blocks, sizeof *w->keep);
    w->slope = sg_alloc(m->outputs, SG_PITCH * sizeof *w->slope);
    w->level = sg_alloc(g->levels, g->length * sizeof *w->level);
    if (w->raw && w->row && w->bits && w->keep && w->slope && w->level) return SG_OK;
    return sg_fail(SG_ENOMEM, "out of memory for gradients");
}

sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source,
                           const sg_roles *columns, double weight_scale, const sg_drop *drop,
                           const sg_batch *batch, const char *precision, sg_pool *pool)
{
    *g = (sg_gradient){.model = m, .source = source, .columns = columns,
                       .weight_scale = weight_scale, .drop = drop, .pool = pool, .batch = batch,
                       .length = m->parameters + m->outputs + 1, .roots = 1};
    size_t threads = sg_pool_threads(pool);
    if (threads > 1) /* a few subtrees a thread, so that none waits long for the last one */
        while (g->roots < 4 * threads && g->roots < batch->slices && g->roots * g->length < MOST_IN_ROOTS)
            g->roots *= 2;
    g->levels = log2_of(batch->slices / g->roots);
    g->workers = g->roots > 1 ? threads : 1;
    g->worker = sg_alloc(g->workers, sizeof *g->worker);
    g->root = sg_alloc(g->roots, g->length * sizeof *g->root);
    sg_status st = g->worker && g->root ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for gradients");
    for (size_t i = 0; st == SG_OK && i < g->workers; i++)
        st = init_worker(g, &g->worker[i], precision);
    if (st != SG_OK) sg_gradient_release(g);
    return st;
}

void sg_gradient_release(sg_gradient *g)
{
    for (size_t i = 0; g->worker && i < g->workers; i++) {
        sg_gradient_worker *w = &g->worker[i];
        sg_engine_release(&w->engine);
        sg_feed_release(&w->feed);
        free(w->raw);
        free(w->row);
        free(w->bits);
        free(w->keep);
        free(w->slope);
        free(w->level);
    }
    free(g->worker);
    free(g->root);
    *g = (sg_gradient){0};
}

static void draw_masks(const sg_gradient *g, sg_gradient_worker *w, size_t n)
{
    size_t words = sg_drop_words(g->drop, g->model);
    for (size_t b = 0; b < g->model->blocks; b++) {
        uint32_t *bits = w->bits + b * w->engine.rows * words;
        bool drops = sg_drop_bits(g->drop, g->model, b, g->iteration, w->row, n, bits);
        w->keep[b] = (sg_keep){drops ? bits : NULL, words};
    }
}

/* The slopes dL/dy of Eq. (7); adds to the squared errors of output o. */
static void add_errors(const sg_gradient *g, sg_gradient_worker *w, size_t n, size_t o, double *squares)
{
    const sg_model *m = g->model;
    const double *y = w->engine.y + o * SG_PITCH, *raw = w->raw;
    size_t target = g->columns->target[o], weight = g->columns->weight;
    double *slope = w->slope + o * SG_PITCH, mean = m->mean[o], inverse = 1 / m->scale[o];
    double sum = *squares;
    for (size_t i = 0; i < n; i++, raw += g->source->columns) {
        double e = y[i] - (raw[target] - mean) * inverse;
        slope[i] = weight == SG_NO_COLUMN ? e : raw[weight] * g->weight_scale * e;
        sum += slope[i] * e;
    }
    *squares = sum;
    for (size_t i = n; i < n + 8; i++) slope[i] = 0; /* of the padding */
}

static double sum_of_weights(const sg_gradient *g, const double *raw, size_t n)
{
    double sum = 0;
    if (g->columns->weight == SG_NO_COLUMN) return (double)n;
    for (size_t i = 0; i < n; i++) sum += raw[i * g->source->columns + g->columns->weight] * g->weight_scale;
    return sum;
}

/* Forward and backward of the rows [first, first + n) of the batch. */
static sg_status add_chunk(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n, double *sum)
{
    const sg_source *s = g->source;
    const size_t *row = g->batch->row;
    double *squares = sum + g->model->parameters;
    sg_status st = row ? sg_source_gather(s, row + first, n, w->raw) : s->read(s->self, first, n, w->raw);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < n; i++) w->row[i] = row ? row[first + i] : first + i;
    sg_feed_rows(&w->feed, w->raw, s->columns, g->columns->input, n);
    draw_masks(g, w, n);
    sg_engine_forward(&w->engine, &w->feed.chunk, w->keep);
    for (size_t o = 0; o < g->model->outputs; o++) add_errors(g, w, n, o, &squares[o]);
    squares[g->model->outputs] += sum_of_weights(g, w->raw, n);
    sg_engine_backward(&w->engine, &w->feed.chunk, w->slope);
    return SG_OK;
}

static sg_status add_slice(const sg_gradient *g, sg_gradient_worker *w, size_t slice, double *sum)
{
    size_t first, last;
    memset(sum, 0, g->length * sizeof *sum);
    sg_batch_slice(g->batch, slice, &first, &last);
    sg_status st = SG_OK;
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < w->engine.rows ? last - first : w->engine.rows;
        st = add_chunk(g, w, first, n, sum);
    }
    sg_engine_unload(&w->engine, sum); /* after a failure, too: nothing may be left for the next slice */
    return st;
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
    sg_gradient_worker *w = &g->worker[worker];
    size_t slices = g->batch->slices / g->roots;
    if (!w->loaded) sg_engine_load(&w->engine);
    w->loaded = true;
    return add_tree(g, w, i * slices, slices, 0, g->root + i * g->length);
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
