/* score.c: see score.h. */
#include "train/score.h"

#include "base/memory.h"
#include "train/budget.h"
#include "train/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status init_worker(sg_score_worker *w, const sg_score *s, const char *precision)
{
    sg_status st = sg_seer_init(&w->seer, s->model, precision);
    if (st != SG_OK) return st;
    w->raw = sg_alloc(sg_sweep_source(&s->sweep)->columns, SG_SCORE_ROWS * sizeof *w->raw);
    w->y = sg_alloc(s->model->outputs, SG_SCORE_ROWS * sizeof *w->y);
    return w->raw && w->y ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for an evaluation");
}

static size_t *counted_of(const sg_score *s, void *sum) { return (size_t *)((sg_sums *)sum + s->model->outputs); }

/* What the spread of the rows' own values needs. */
static void add_spread(double weight, double y, double mean, sg_sums *sums)
{
    double from_mean = y - mean;
    sums->weight += weight;
    sums->first += weight * from_mean;
    sums->second += weight * from_mean * from_mean;
}

static void add_error(double weight, double y, double predicted, sg_sums *sums)
{
    double e = predicted - y;
    sums->squares += weight * e * e;
    sums->absolute += weight * fabs(e);
}

/* --- rows that are kept --- */

static size_t kept_width(const sg_model *m) { return (m->a.out + (m->one_view ? 0 : m->z.out)) * SG_PITCH; }

static sg_chunk kept_chunk(const sg_score *s, size_t number, size_t rows)
{
    const sg_model *m = s->model;
    const double *a = s->kept + number * kept_width(m);
    size_t left = rows - number * SG_CHUNK;
    return (sg_chunk){.n = left < SG_CHUNK ? left : SG_CHUNK,
                      .a = a,
                      .z = m->one_view ? a : a + m->a.out * SG_PITCH,
                      .missing = s->missing ? s->missing + number * m->a.out * SG_PITCH : NULL};
}

/* Zeroed: chunks of which nothing is missing need not say so. */
static sg_status keep_missing(sg_score *s, const sg_chunk *c, size_t number, size_t chunks)
{
    size_t size = s->model->a.out * SG_PITCH;
    if (!s->missing) s->missing = sg_alloc(chunks, size * sizeof *s->missing);
    if (!s->missing) return sg_fail(SG_ENOMEM, "out of memory for rows");
    memcpy(s->missing + number * size, c->missing, size * sizeof *s->missing);
    return SG_OK;
}

static void keep_targets(sg_score *s, const double *raw, size_t row)
{
    const sg_roles *c = s->columns;
    double weight = sg_weight_of(c, raw);
    bool lacks = isnan(weight);
    s->weights[row] = lacks ? 0 : weight;
    s->counted[row / SG_SCORE_ROWS] += !lacks;
    for (size_t o = 0; o < c->targets && !lacks; o++) {
        double y = s->targets[row * c->targets + o] = raw[c->target[o]];
        add_spread(weight, y, s->model->mean[o], &s->spread[row / SG_SCORE_ROWS * c->targets + o]);
    }
}

static sg_status keep_chunks(sg_score *s, size_t begin, size_t end)
{
    sg_score_worker *w = &s->worker[0];
    const sg_source *from = sg_sweep_source(&s->sweep);
    size_t width = kept_width(s->model), chunks = (end - begin) / SG_CHUNK + 1;
    for (size_t first = begin; first < end; first += SG_CHUNK) {
        size_t n = end - first < SG_CHUNK ? end - first : SG_CHUNK, number = (first - begin) / SG_CHUNK;
        sg_status st = from->read(from->self, first, n, w->raw);
        if (st != SG_OK) return st;
        sg_feed_rows(&w->seer.feed, w->raw, from->columns, s->columns->input, n);
        memcpy(s->kept + number * width, w->seer.feed.a, width * sizeof *s->kept); /* z lies behind a */
        const sg_chunk *c = &w->seer.feed.chunk;
        if (c->missing) st = keep_missing(s, c, number, chunks);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            st = sg_check_row(from, s->columns, false, w->raw + i * from->columns, first + i);
            keep_targets(s, w->raw + i * from->columns, first - begin + i);
        }
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

static sg_status keep_rows(sg_score *s)
{
    const sg_model *m = s->model;
    size_t begin, end;
    sg_source_range(sg_sweep_source(&s->sweep), &begin, &end);
    size_t rows = end - begin, chunks = rows / SG_CHUNK + 1, blocks = rows / SG_SCORE_ROWS + 1, a_row = m->outputs + 1;
    size_t most = SG_BYTES_TO_SCORE / sizeof(double);
    if (rows > most / a_row || chunks > (most - rows * a_row) / kept_width(m)) return SG_OK;
    s->kept = sg_alloc(chunks * kept_width(m), sizeof *s->kept);
    s->targets = sg_alloc(rows * m->outputs, sizeof *s->targets);
    s->weights = sg_alloc(rows, sizeof *s->weights);
    s->spread = sg_alloc(blocks * m->outputs, sizeof *s->spread);
    s->counted = sg_alloc(blocks, sizeof *s->counted);
    if (s->kept && s->targets && s->weights && s->spread && s->counted) return keep_chunks(s, begin, end);
    free(s->kept); /* without memory they are read each time */
    s->kept = NULL;
    return SG_OK;
}

/* --- a block --- */

static void load(sg_score_worker *w)
{
    if (!w->loaded) sg_seer_load(&w->seer);
    w->loaded = true;
}

sg_status sg_score_block(const sg_score *s, sg_score_worker *w, size_t first, size_t n, double *y)
{
    const sg_source *from = sg_sweep_source(&s->sweep);
    w->rows = w->raw;
    sg_status st = from->look ? from->look(from->self, first, n, &w->rows) : from->read(from->self, first, n, w->raw);
    if (st != SG_OK) return st;
    load(w);
    sg_seer_rows(&w->seer, w->rows, from->columns, s->columns->input, n, y);
    return SG_OK;
}

/* Of kept rows, the first of which has this number among them. */
static void sum_kept(const sg_score *s, sg_score_worker *w, size_t row, size_t n, void *sum)
{
    size_t outputs = s->model->outputs, block = row / SG_SCORE_ROWS;
    const double *t = s->targets + row * outputs, *weight = s->weights + row;
    sg_sums *sums = sum;
    load(w);
    for (size_t done = 0; done < n; done += SG_CHUNK) {
        sg_chunk c = kept_chunk(s, (row + done) / SG_CHUNK, row + n);
        sg_seer_chunk(&w->seer, &c, w->y + done * outputs);
    }
    for (size_t o = 0; o < outputs; o++) {
        sums[o] = s->spread[block * outputs + o];
        for (size_t r = 0; r < n; r++) add_error(weight[r], t[r * outputs + o], w->y[r * outputs + o], &sums[o]);
    }
    *counted_of(s, sum) = s->counted[block];
}

static sg_status sum_read(const sg_score *s, sg_score_worker *w, size_t first, size_t n, void *sum)
{
    const sg_source *from = sg_sweep_source(&s->sweep);
    const sg_roles *c = s->columns;
    size_t outputs = s->model->outputs;
    sg_sums *sums = sum;
    sg_status st = sg_score_block(s, w, first, n, w->y);
    memset(sum, 0, outputs * sizeof *sums + sizeof(size_t));
    for (size_t r = 0; st == SG_OK && r < n; r++) {
        const double *raw = w->rows + r * from->columns, *y = w->y + r * outputs;
        double weight = sg_weight_of(c, raw);
        st = sg_check_row(from, c, false, raw, first + r);
        *counted_of(s, sum) += !isnan(weight);
        for (size_t o = 0; o < outputs && !isnan(weight); o++) {
            add_error(weight, raw[c->target[o]], y[o], &sums[o]);
            add_spread(weight, raw[c->target[o]], s->model->mean[o], &sums[o]);
        }
    }
    return st;
}

static sg_status add_block(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    const sg_score *s = arg;
    size_t begin, end;
    if (!s->kept) return sum_read(s, &s->worker[worker], first, n, sum);
    sg_source_range(sg_sweep_source(&s->sweep), &begin, &end);
    sum_kept(s, &s->worker[worker], first - begin, n, sum);
    return SG_OK;
}

static void merge(const void *arg, void *sum, const void *more)
{
    const sg_score *s = arg;
    const sg_sums *b = more;
    sg_sums *a = sum;
    for (size_t o = 0; o < s->model->outputs; o++) {
        a[o].weight += b[o].weight;
        a[o].squares += b[o].squares;
        a[o].absolute += b[o].absolute;
        a[o].first += b[o].first;
        a[o].second += b[o].second;
    }
    *counted_of(s, sum) += *counted_of(s, (void *)more);
}

/* --- */

sg_status sg_score_init(sg_score *s, const sg_model *m, const sg_source *source, const sg_roles *columns,
                        const char *precision, bool again, sg_pool *pool)
{
    *s = (sg_score){.model = m, .columns = columns, .workers = sg_pool_threads(pool)};
    size_t size = m->outputs * sizeof(sg_sums) + sizeof(size_t);
    sg_status st = sg_sweep_init(&s->sweep, source, SG_SCORE_ROWS, size, add_block, merge, s, pool);
    if (st != SG_OK) return st;
    s->worker = sg_alloc(s->workers, sizeof *s->worker);
    if (!s->worker) st = sg_fail(SG_ENOMEM, "out of memory for an evaluation");
    for (size_t i = 0; st == SG_OK && i < s->workers; i++) st = init_worker(&s->worker[i], s, precision);
    if (st == SG_OK && again) st = keep_rows(s);
    st = sg_team_agree(source->team, st);
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
    free(s->kept);
    free(s->missing);
    free(s->targets);
    free(s->weights);
    free(s->spread);
    free(s->counted);
    sg_sweep_release(&s->sweep);
    *s = (sg_score){0};
}

static sg_metrics summarise(const sg_sums *t, size_t rows)
{
    double spread = t->second - t->first * t->first / t->weight;
    bool constant = !(spread > 1e-14 * t->second);
    return (sg_metrics){.rows = rows,
                        .rmse = sqrt(t->squares / t->weight),
                        .mae = t->absolute / t->weight,
                        .r2 = constant ? 0 : 1 - t->squares / spread};
}

sg_status sg_score_run(sg_score *s, sg_metrics *out)
{
    void *sum;
    const sg_source *rows = sg_sweep_source(&s->sweep);
    if (rows->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(rows));
    for (size_t i = 0; i < s->workers; i++) s->worker[i].loaded = false;
    sg_status st = sg_sweep_run(&s->sweep, &sum);
    if (st != SG_OK) return st;
    size_t counted = *counted_of(s, sum);
    s->lacking = rows->rows - counted;
    st = sg_judge_rows(rows, s->columns, s->lacking, ((const sg_sums *)sum)->weight);
    for (size_t o = 0; st == SG_OK && o < s->model->outputs; o++) out[o] = summarise((const sg_sums *)sum + o, counted);
    return st;
}

double sg_metrics_rmse(const sg_metrics *m, size_t outputs)
{
    double sum = 0;
    for (size_t o = 0; o < outputs; o++) sum += m[o].rmse * m[o].rmse;
    return sqrt(sum / (double)outputs);
}
