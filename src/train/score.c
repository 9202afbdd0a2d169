/* score.c: see score.h. */
#include "train/score.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static sg_status init_worker(sg_score_worker *w, const sg_score *s, const char *precision)
{
    sg_status st = sg_seer_init(&w->seer, s->model, precision);
    if (st != SG_OK) return st;
    w->raw = sg_alloc(s->source->columns, SG_SCORE_ROWS * sizeof *w->raw);
    w->y = sg_alloc(s->model->outputs, SG_SCORE_ROWS * sizeof *w->y);
    return w->raw && w->y ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for an evaluation");
}

sg_status sg_score_init(sg_score *s, const sg_model *m, const sg_source *source,
                        const sg_roles *columns, const char *precision, sg_pool *pool)
{
    *s = (sg_score){.model = m, .source = source, .columns = columns, .pool = pool,
                    .blocks = source->rows / SG_SCORE_ROWS + (source->rows % SG_SCORE_ROWS != 0),
                    .workers = sg_pool_threads(pool)};
    s->sums = sg_alloc(s->blocks, m->outputs * sizeof *s->sums);
    s->worker = sg_alloc(s->workers, sizeof *s->worker);
    sg_status st = s->sums && s->worker ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for an evaluation");
    for (size_t i = 0; st == SG_OK && i < s->workers; i++) st = init_worker(&s->worker[i], s, precision);
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
    *s = (sg_score){0};
}

sg_status sg_score_block(const sg_score *s, sg_score_worker *w, size_t i, size_t *rows)
{
    const sg_source *from = s->source;
    size_t first = i * SG_SCORE_ROWS, left = from->rows - first;
    *rows = left < SG_SCORE_ROWS ? left : SG_SCORE_ROWS;
    sg_status st = from->read(from->self, first, *rows, w->raw);
    if (st != SG_OK) return st;
    if (!w->loaded) sg_seer_load(&w->seer);
    w->loaded = true;
    sg_seer_rows(&w->seer, w->raw, from->columns, s->columns->input, *rows, w->y);
    return SG_OK;
}

static void add_row(const sg_score *s, const double *raw, const double *predicted, sg_sums *sums)
{
    const sg_roles *c = s->columns;
    double weight = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight];
    for (size_t o = 0; o < c->targets; o++) {
        double y = raw[c->target[o]], e = predicted[o] - y, from_mean = y - s->model->mean[o];
        sums[o].weight += weight;
        sums[o].squares += weight * e * e;
        sums[o].absolute += weight * fabs(e);
        sums[o].first += weight * from_mean;
        sums[o].second += weight * from_mean * from_mean;
    }
}

static sg_status one_block(void *arg, size_t i, size_t worker)
{
    sg_score *s = arg;
    sg_score_worker *w = &s->worker[worker];
    size_t n, outputs = s->model->outputs;
    sg_sums *sums = s->sums + i * outputs;
    sg_status st = sg_score_block(s, w, i, &n);
    if (st != SG_OK) return st;
    for (size_t o = 0; o < outputs; o++) sums[o] = (sg_sums){0};
    for (size_t r = 0; r < n; r++) add_row(s, w->raw + r * s->source->columns, w->y + r * outputs, sums);
    return SG_OK;
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
