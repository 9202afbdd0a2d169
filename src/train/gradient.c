/* gradient.c: see gradient.h. */
#include "train/gradient.h"

#include "base/memory.h"
#include "base/team.h"
#include "train/budget.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)SG_CHUNK <= (int)SG_DROP_ROWS, "masks are drawn for a chunk at once");

/* Pairs of slices, or fewer. It depends on the batch and the model alone. */
static size_t leaves_of(const sg_gradient *g)
{
    size_t leaves = g->batch->slices / 2;
    while (leaves > 1 && leaves > SG_NUMBERS_IN_LEAVES / g->length) leaves /= 2;
    return leaves ? leaves : 1;
}

/* --- who computes which leaves --- */

static size_t slices_of_leaf(const sg_gradient *g) { return g->batch->slices / g->leaves; }

/* The one leaf's sum goes from member to member. */
static bool is_chain(const sg_gradient *g) { return g->slice && g->leaves == 1; }

/* The first slice that begins a leaf, or follows in the only one, whose range of rows does not begin before `row`. */
static size_t slice_from(const sg_gradient *g, size_t row)
{
    size_t slice = 0, step = g->leaves > 1 ? slices_of_leaf(g) : 1;
    while (slice < g->batch->slices && sg_batch_boundary(g->batch, slice) < row) slice += step;
    return slice;
}

static sg_status share_slices(sg_gradient *g)
{
    const sg_team *team = g->kept.source->team;
    if (!team || g->batch->slices == 1) return SG_OK;
    g->slice = sg_alloc(team->ranks + 1, sizeof *g->slice);
    g->leaf = sg_alloc(team->ranks + 1, sizeof *g->leaf);
    g->part = sg_alloc(team->ranks + 1, sizeof *g->part);
    if (!g->slice || !g->leaf || !g->part) return sg_fail(SG_ENOMEM, "out of memory for gradients");
    for (size_t i = 0; i < team->ranks; i++) g->slice[i] = slice_from(g, g->kept.borrowed.bound[i]);
    g->slice[team->ranks] = g->batch->slices;
    for (size_t i = 0; i <= team->ranks; i++) g->leaf[i] = g->slice[i] * g->leaves / g->batch->slices;
    return SG_OK;
}

/* The rows of the batch that this member needs: those that it holds, and those of its last slices that others do. */
static void narrow(const sg_gradient *g, sg_batch *batch)
{
    size_t rank = sg_team_rank(g->kept.source->team);
    if (!g->slice) return;
    size_t end = sg_batch_boundary(batch, g->slice[rank + 1]), held = g->kept.borrowed.bound[rank + 1];
    sg_batch_narrow(batch, g->kept.borrowed.bound[rank], end > held ? end : held);
}

/* A few subtrees a thread, so that none waits long for the last one. */
static sg_status make_tasks(sg_gradient *g, size_t threads)
{
    const sg_team *team = g->kept.source->team;
    bool own = g->slice && !is_chain(g);
    size_t first = own ? g->leaf[team->rank] : 0, last = own ? g->leaf[team->rank + 1] : g->leaves;
    size_t least = threads > 1 ? (last - first) / (4 * threads) : g->leaves;
    while ((size_t)1 << (g->levels + 1) <= least) g->levels++;
    g->task = sg_alloc(last - first + 1, sizeof *g->task);
    if (!g->task) return sg_fail(SG_ENOMEM, "out of memory for gradients");
    for (g->task[0] = first; g->task[g->tasks] < last; g->tasks++)
        g->task[g->tasks + 1] = g->task[g->tasks] + ((size_t)1 << sg_forest_level(g->task[g->tasks], last, g->levels));
    return SG_OK;
}

/* --- making one --- */

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
    const sg_team *team = g->kept.source->team;
    size_t threads = sg_pool_threads(g->pool);
    sg_status st = share_slices(g);
    if (st == SG_OK) st = make_tasks(g, threads);
    if (st == SG_OK)
        st = sg_forest_init(&g->forest, team, g->leaf && g->leaves > 1 ? g->leaves : 0, g->tasks,
                            g->length * sizeof(double), NULL, NULL);
    if (st != SG_OK) return st;
    g->workers = g->tasks < threads ? g->tasks : threads;
    if (g->workers == 0) g->workers = 1;
    g->worker = sg_alloc(g->workers, sizeof *g->worker);
    if (!g->worker) return sg_fail(SG_ENOMEM, "out of memory for gradients");
    for (size_t i = 0; st == SG_OK && i < g->workers; i++) st = init_worker(g, &g->worker[i], precision);
    return st;
}

sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source, const sg_roles *columns,
                           double weight_scale, const sg_drop *drop, sg_batch *batch, const char *precision,
                           sg_pool *pool)
{
    const sg_kernel *kernel;
    *g =
        (sg_gradient){.model = m, .drop = drop, .pool = pool, .batch = batch, .length = m->parameters + m->outputs + 1};
    g->leaves = leaves_of(g);
    bool sent = source->team && batch->slices == 1; /* all rows come by way of others */
    sg_status st = sg_kernel_choose(precision, &kernel);
    if (st == SG_OK)
        st = sg_kept_init(&g->kept, m, source, columns, weight_scale, kernel->tools, sent ? 0 : SG_BYTES_TO_TRAIN);
    if (st == SG_OK) st = init_workers(g, precision);
    if (st == SG_OK) narrow(g, batch);
    else sg_gradient_release(g);
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
    free(g->task);
    free(g->slice);
    free(g->leaf);
    free(g->part);
    sg_forest_release(&g->forest);
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

/* Huber's loss has the slope of the error up to its limit. */
static void bound_slopes(const sg_gradient *g, const sg_gradient_worker *w, size_t n)
{
    for (size_t o = 0; o < g->model->outputs; o++)
        for (size_t i = 0; i < n; i++) {
            double *slope = &w->slope[o * SG_PITCH + i], most = g->huber * w->taken.w[i];
            *slope = *slope > most ? most : *slope < -most ? -most : *slope;
        }
}

/* The slopes dL/dy of Eq. (7); adds to the squared errors of the outputs and to the weights. */
static void add_errors(const sg_gradient *g, sg_gradient_worker *w, size_t n, double *squares)
{
    const sg_taken *rows = &w->taken;
    for (size_t o = 0; o < g->model->outputs; o++) {
        size_t at = o * SG_PITCH;
        squares[o] += w->engine.tools->errors(n, w->engine.y + at, rows->t + at, rows->w, w->slope + at);
    }
    if (g->huber > 0) bound_slopes(g, w, n);
    squares[g->model->outputs] += rows->ones ? (double)n : sum_of(rows->w, n);
}

/* The slopes of a plain sum of the first output, 0 beyond n; adds to the weights alone. */
static void add_outputs(const sg_gradient *g, sg_gradient_worker *w, size_t n, double *squares)
{
    for (size_t o = 0; o < g->model->outputs; o++)
        for (size_t i = 0; i < SG_PITCH; i++) w->slope[o * SG_PITCH + i] = o == 0 && i < n ? w->taken.w[i] : 0;
    squares[g->model->outputs] += sum_of(w->taken.w, n);
}

/* Forward and backward of the rows [first, first + n) of the batch. */
static sg_status add_chunk(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t n, double *sum)
{
    sg_status st = sg_taken_take(&w->taken, &g->kept, g->batch->row, first, n);
    if (st != SG_OK) return st;
    const size_t *number = numbers_of(g, w, first, n);
    sg_noise_add(&g->noise, g->iteration, number, n, &w->taken.feed);
    draw_masks(g, w, number, n);
    sg_engine_forward(&w->engine, &w->taken.feed.chunk, w->keep);
    (g->plain ? add_outputs : add_errors)(g, w, n, sum + g->model->parameters);
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

static sg_status add_slices(const sg_gradient *g, sg_gradient_worker *w, size_t first, size_t last, double *sum)
{
    sg_status st = SG_OK;
    for (size_t i = first; st == SG_OK && i < last; i++) st = add_slice(g, w, i, sum);
    return st;
}

/* What the members before this one have added up, and what this one adds. */
static sg_status sum_chain(const sg_gradient *g, sg_gradient_worker *w, double *sum)
{
    const sg_team *t = g->kept.source->team;
    size_t bytes = g->length * sizeof *sum;
    sg_status st = t->rank ? t->receive(t->self, t->rank - 1, sum, bytes) : SG_OK;
    if (st == SG_OK) st = add_slices(g, w, g->slice[t->rank], g->slice[t->rank + 1], sum);
    return st == SG_OK && t->rank + 1 < t->ranks ? t->send(t->self, t->rank + 1, sum, bytes) : st;
}

static sg_status sum_leaf(const sg_gradient *g, sg_gradient_worker *w, size_t leaf, double *sum)
{
    size_t slices = slices_of_leaf(g);
    memset(sum, 0, g->length * sizeof *sum);
    if (is_chain(g)) return sum_chain(g, w, sum);
    return add_slices(g, w, leaf * slices, (leaf + 1) * slices, sum);
}

/* The sum of `leaves` leaves from `first` on: the left half plus the right half. */
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

static sg_status one_task(void *arg, size_t i, size_t worker)
{
    sg_gradient *g = arg;
    sg_gradient_worker *w = &g->worker[g->workers == g->tasks ? i : worker];
    if (!w->loaded) sg_engine_load(&w->engine);
    w->loaded = true;
    return sum_tree(g, w, g->task[i], g->task[i + 1] - g->task[i], 0, sg_forest_slot(&g->forest, i));
}

/* The rows of this batch that other members hold. */
static sg_status borrow(sg_gradient *g)
{
    const sg_team *team = g->kept.source->team;
    size_t last;
    if (!team) return SG_OK;
    if (!g->slice) return sg_borrowed_all(&g->kept.borrowed, g->batch->row, g->batch->n);
    for (size_t i = 0; i < team->ranks; i++) {
        g->part[i] = g->batch->count;
        if (g->slice[i] < g->batch->slices) sg_batch_slice(g->batch, g->slice[i], &g->part[i], &last);
    }
    g->part[team->ranks] = g->batch->count;
    return sg_borrowed_parts(&g->kept.borrowed, g->batch->row, g->part);
}

sg_status sg_gradient_run(sg_gradient *g, uint32_t iteration)
{
    g->iteration = iteration;
    for (size_t i = 0; i < g->workers; i++) g->worker[i].loaded = false;
    sg_forest_begin(&g->forest, g->task[0]);
    sg_status st = borrow(g);
    if (st == SG_OK) st = sg_pool_run(g->tasks > 1 ? g->pool : NULL, g->tasks, one_task, g);
    for (size_t i = 0; st == SG_OK && i < g->tasks; i++)
        sg_forest_add(&g->forest, sg_forest_level(g->task[i], g->task[i + 1], g->levels), i);
    if (st != SG_OK || !g->slice) return st;
    const sg_team *team = g->kept.source->team;
    if (is_chain(g)) return sg_team_share(team, team->ranks - 1, g->forest.sum, g->forest.size);
    return sg_forest_reduce(&g->forest, team, g->leaf);
}

double *sg_gradient_theta(sg_gradient *g) { return (double *)g->forest.sum; }

static const double *sums_of(const sg_gradient *g) { return (const double *)g->forest.sum + g->model->parameters; }

const double *sg_gradient_squares(const sg_gradient *g) { return sums_of(g); }

double sg_gradient_weight(const sg_gradient *g) { return sums_of(g)[g->model->outputs]; }
