/* score.c: see score.h. */
#include "train/score.h"

#include "base/memory.h"
#include "train/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status init_worker(sg_score_worker *w, const sg_score *s, const char *precision)
{
    sg_status st = sg_seer_init(&w->seer, s->model, precision);
    if (st != SG_OK) return st;
    w->raw = sg_alloc(s->source->columns, SG_SCORE_ROWS * sizeof *w->raw);
    w->y = sg_alloc(s->model->outputs, SG_SCORE_ROWS * sizeof *w->y);
    return w->raw && w->y ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for an evaluation");
}

/* What the spread of the rows' own values needs. */
static void add_spread(double weight, double y, double mean, sg_sums *sums)
{
    double from_mean = y - mean;
    sums->weight += weight;
    sums->first += weight * from_mean;
    sums->second += weight * from_mean * from_mean;
}

/* --- rows that are kept --- */

static size_t kept_width(const sg_model *m) { return (m->a.out + (m->one_view ? 0 : m->z.out)) * SG_PITCH; }

static sg_chunk kept_chunk(const sg_score *s, size_t number)
{
    const sg_model *m = s->model;
    const double *a = s->kept + number * kept_width(m);
    size_t left = s->source->rows - number * SG_CHUNK;
    return (sg_chunk){.n = left < SG_CHUNK ? left : SG_CHUNK, .a = a,
                      .z = m->one_view ? a : a + m->a.out * SG_PITCH,
                      .missing = s->missing ? s->missing + number * m->a.out * SG_PITCH : NULL};
}

/* Zeroed: chunks of which nothing is missing need not say so. */
static sg_status keep_missing(sg_score *s, const sg_chunk *c, size_t number)
{
    size_t size = s->model->a.out * SG_PITCH, chunks = s->source->rows / SG_CHUNK + 1;
    if (!s->missing) s->missing = sg_alloc(chunks, size * sizeof *s->missing);
    if (!s->missing) return sg_fail(SG_ENOMEM, "out of memory for rows");
    memcpy(s->missing + number * size, c->missing, size * sizeof *s->missing);
    return SG_OK;
}

static void keep_targets(sg_score *s, const double *raw, size_t row)
{
    const sg_roles *c = s->columns;
    double weight = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight];
    if (s->weights) s->weights[row] = weight;
    for (size_t o = 0; o < c->targets; o++) {
        double y = s->targets[row * c->targets + o] = raw[c->target[o]];
        add_spread(weight, y, s->model->mean[o], &s->sums[row / SG_SCORE_ROWS * c->targets + o]);
    }
}

static sg_status keep_chunks(sg_score *s)
{
    sg_score_worker *w = &s->worker[0];
    const sg_source *from = s->source;
    size_t width = kept_width(s->model);
    for (size_t first = 0; first < from->rows; first += SG_CHUNK) {
        size_t n = from->rows - first < SG_CHUNK ? from->rows - first : SG_CHUNK;
        double *to = s->kept + first / SG_CHUNK * width;
        sg_status st = from->read(from->self, first, n, w->raw);
        if (st != SG_OK) return st;
        sg_feed_rows(&w->seer.feed, w->raw, from->columns, s->columns->input, n);
        memcpy(to, w->seer.feed.a, width * sizeof *to); /* z lies behind a */
        const sg_chunk *c = &w->seer.feed.chunk;
        if (c->missing) st = keep_missing(s, c, first / SG_CHUNK);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++) keep_targets(s, w->raw + i * from->columns, first + i);
    }
    return SG_OK;
}

static sg_status keep_rows(sg_score *s)
{
    const sg_model *m = s->model;
    size_t rows = s->source->rows, chunks = rows / SG_CHUNK + 1, a_row = m->outputs + 1;
    size_t most = SG_BYTES_TO_SCORE / sizeof(double);
    if (rows > most / a_row || chunks > (most - rows * a_row) / kept_width(m)) return SG_OK;
    s->kept = sg_alloc(chunks * kept_width(m), sizeof *s->kept);
    s->targets = sg_alloc(rows * m->outputs, sizeof *s->targets);
    bool weighted = s->columns->weight != SG_NO_COLUMN;
    if (weighted) s->weights = sg_alloc(rows, sizeof *s->weights);
    if (s->kept && s->targets && (s->weights || !weighted)) return keep_chunks(s);
    free(s->kept); /* without memory they are read each time */
    s->kept = NULL;
    return SG_OK;
}

/* --- */

sg_status sg_score_init(sg_score *s, const sg_model *m, const sg_source *source,
                        const sg_roles *columns, const char *precision, bool again, sg_pool *pool)
{
    *s = (sg_score){.model = m, .source = source, .columns = columns, .pool = pool,
                    .blocks = source->rows / SG_SCORE_ROWS + (source->rows % SG_SCORE_ROWS != 0),
                    .workers = sg_pool_threads(pool)};
    s->sums = sg_alloc(s->blocks, m->outputs * sizeof *s->sums);
    s->worker = sg_alloc(s->workers, sizeof *s->worker);
    sg_status st = s->sums && s->worker ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for an evaluation");
    for (size_t i = 0; st == SG_OK && i < s->workers; i++) st = init_worker(&s->worker[i], s, precision);
    if (st == SG_OK && again) st = keep_rows(s);
    if (st != SG_OK) sg_score_release(s);
    return st;
}

void sg_score_release(sg_score *s)
{
    for (size_t i = 0; s->worker && i < s->workers; i++) {
        sg_seer_release(&s->worker[i].seer);
        free(s->worker[i].raw);
        free(s->worker[i].y);
    }
    free(s->worker);
    free(s->sums);
    free(s->kept);
    free(s->missing);
    free(s->targets);
    free(s->weights);
    *s = (sg_score){0};
}

static size_t rows_of_block(const sg_score *s, size_t i)
{
    size_t left = s->source->rows - i * SG_SCORE_ROWS;
    return left < SG_SCORE_ROWS ? left : SG_SCORE_ROWS;
}

static void load(sg_score_worker *w)
{
    if (!w->loaded) sg_seer_load(&w->seer);
    w->loaded = true;
}

sg_status sg_score_block(const sg_score *s, sg_score_worker *w, size_t i, size_t *rows)
{
    const sg_source *from = s->source;
    *rows = rows_of_block(s, i);
    sg_status st = from->read(from->self, i * SG_SCORE_ROWS, *rows, w->raw);
    if (st != SG_OK) return st;
    load(w);
    sg_seer_rows(&w->seer, w->raw, from->columns, s->columns->input, *rows, w->y);
    return SG_OK;
}

/* The same where rows are kept. */
static void kept_block(const sg_score *s, sg_score_worker *w, size_t i)
{
    size_t first = i * SG_SCORE_ROWS, rows = rows_of_block(s, i);
    load(w);
    for (size_t done = 0; done < rows; done += SG_CHUNK) {
        sg_chunk c = kept_chunk(s, (first + done) / SG_CHUNK);
        sg_seer_chunk(&w->seer, &c, w->y + done * s->model->outputs);
    }
}

static void add_error(double weight, double y, double predicted, sg_sums *sums)
{
    double e = predicted - y;
    sums->squares += weight * e * e;
    sums->absolute += weight * fabs(e);
}

/* Of kept rows the spread is summed up already. */
static void sum_kept(const sg_score *s, const sg_score_worker *w, size_t i, size_t o, sg_sums *sums)
{
    size_t n = rows_of_block(s, i), outputs = s->model->outputs, row = i * SG_SCORE_ROWS;
    const double *y = w->y + o, *t = s->targets + row * outputs + o;
    sums->squares = sums->absolute = 0;
    if (s->weights)
        for (size_t r = 0; r < n; r++) add_error(s->weights[row + r], t[r * outputs], y[r * outputs], sums);
    else
        for (size_t r = 0; r < n; r++) add_error(1, t[r * outputs], y[r * outputs], sums);
}

static void sum_read(const sg_score *s, const sg_score_worker *w, size_t i, size_t o, sg_sums *sums)
{
    const sg_roles *c = s->columns;
    const double *y = w->y + o, *raw = w->raw;
    *sums = (sg_sums){0};
    for (size_t r = rows_of_block(s, i); r > 0; r--, y += s->model->outputs, raw += s->source->columns) {
        double weight = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight];
        add_error(weight, raw[c->target[o]], *y, sums);
        add_spread(weight, raw[c->target[o]], s->model->mean[o], sums);
    }
}

static sg_status one_block(void *arg, size_t i, size_t worker)
{
    sg_score *s = arg;
    sg_score_worker *w = &s->worker[worker];
    size_t n, outputs = s->model->outputs;
    sg_status st = SG_OK;
    if (s->kept) kept_block(s, w, i);
    else st = sg_score_block(s, w, i, &n);
    for (size_t o = 0; st == SG_OK && o < outputs; o++)
        (s->kept ? sum_kept : sum_read)(s, w, i, o, &s->sums[i * outputs + o]);
    return st;
}

static sg_metrics summarise(const sg_score *s, size_t o)
{
    sg_sums t = {0};
    for (size_t i = 0; i < s->blocks; i++) {
        const sg_sums *b = &s->sums[i * s->model->outputs + o];
        t.weight += b->weight;
        t.squares += b->squares;
        t.absolute += b->absolute;
        t.first += b->first;
        t.second += b->second;
    }
    double spread = t.second - t.first * t.first / t.weight;
    bool constant = !(spread > 1e-14 * t.second);
    return (sg_metrics){.rows = s->source->rows,
                        .rmse = sqrt(t.squares / t.weight),
                        .mae = t.absolute / t.weight,
                        .r2 = constant ? 0 : 1 - t.squares / spread};
}

sg_status sg_score_run(sg_score *s, sg_metrics *out)
{
    for (size_t i = 0; i < s->workers; i++) s->worker[i].loaded = false;
    sg_status st = sg_pool_run(s->pool, s->blocks, one_block, s);
    for (size_t o = 0; st == SG_OK && o < s->model->outputs; o++) out[o] = summarise(s, o);
    return st;
}

double sg_metrics_rmse(const sg_metrics *m, size_t outputs)
{
    double sum = 0;
    for (size_t o = 0; o < outputs; o++) sum += m[o].rmse * m[o].rmse;
    return sqrt(sum / (double)outputs);
}
