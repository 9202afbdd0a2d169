/* boost.c: see boost.h. */
#include "auto/boost.h"

#include "auto/boost_boxes.h"
#include "auto/seen.h"
#include "auto/trial.h"
#include "base/memory.h"
#include "base/random.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_BINS = 64, FEW_ROWS = 4000 };
static const double ROWS_OF_TREE = 0.8, COLUMNS_OF_TREE = 0.8;

void sg_boost_free(sg_boost *b)
{
    if (!b || atomic_fetch_sub(&b->users, 1) > 1) return;
    for (size_t i = 0; b->stage && i < b->stages; i++) sg_stage_release(&b->stage[i]);
    free(b->stage);
    free(b->low);
    free(b->usual);
    sg_model_free(b->base);
    free(b);
}

sg_status sg_boost_share(sg_boost *b, sg_boost **out)
{
    atomic_fetch_add(&b->users, 1);
    *out = b;
    return SG_OK;
}

const char *sg_boost_name(const sg_boost_plan *p)
{
    static const char *const name[] = {[SG_BOOSTED] = "boosted soft boxes",
                                       [SG_STEPPED] = "boosted steps",
                                       [SG_BAGGED] = "bagged steps",
                                       [SG_SCATTERED] = "scattered steps"};
    return name[p->kind];
}

static bool is_averaged(const sg_boost_plan *p) { return p->kind == SG_BAGGED || p->kind == SG_SCATTERED; }

static size_t stage_cost(const sg_boost_plan *p, size_t rows, size_t inputs)
{
    if (!is_averaged(p)) return rows * (20 * inputs + 12 * p->leaves + 400);
    return rows * (40 * inputs + 4 * p->leaves + 400);
}

size_t sg_boost_cost(const sg_boost_plan *p, size_t rows, size_t inputs)
{
    return p->stages * stage_cost(p, rows, inputs);
}

size_t sg_boost_answer_cost(const sg_boost_plan *p, size_t rows) { return rows * p->stages * p->leaves * 3; }

/* --- lines --- */

/* Each box's own least squares, rows weighted by how strongly it fires. f: (boxes, rows). */
static void fit_lines(sg_grower *g, sg_stage *s, const float *f)
{
    size_t most = SG_MOST_SIDES + 1, outputs = g->outputs;
    double gram[(SG_MOST_SIDES + 1) * (SG_MOST_SIDES + 1)], phi[SG_MOST_SIDES + 1];
    for (size_t k = 0; k < s->boxes; k++) {
        sg_box *b = &s->box[k];
        size_t n = b->sides + 1;
        memset(gram, 0, most * most * sizeof *gram);
        for (size_t i = 0; i < g->rows; i++) {
            double w = (double)f[k * g->rows + i] * g->w[i];
            if (w < 1e-4) continue;
            phi[0] = 1;
            for (size_t j = 1; j < n; j++)
                phi[j] = sg_boost_value(g->boost, g->x + i * g->width, b->side[j - 1].feature);
            sg_gram_add(phi, &w, 1, n, gram);
            sg_cross_add(phi, &w, g->left + i * outputs, 1, n, outputs, b->line);
        }
        for (size_t j = 0; j < n; j++) gram[j * n + j] += j ? 5 * g->plan->l2 : g->plan->l2;
        if (sg_cholesky(gram, n)) sg_cholesky_solve(gram, n, b->line, outputs);
        else memset(b->line, 0, (b->sides + 1) * outputs * sizeof *b->line);
    }
}

/* --- stages --- */

/* Knows nothing of the others. */
static sg_status make_averaged(sg_grower *g, sg_stage *s)
{
    for (size_t i = 0; i < g->rows; i++)
        g->order[i] = g->plan->kind == SG_BAGGED ? (size_t)sg_stream_below(&g->random, g->rows) : i;
    memset(g->use, 1, g->width);
    return sg_grower_run(g, g->rows, s);
}

static sg_status make_boosted(sg_grower *g, sg_boost *b, sg_stage *s, sg_boxed *c, float *f)
{
    size_t n = 0, used = 0;
    for (size_t i = 0; i < g->rows; i++)
        if (sg_stream_unit(&g->random) < ROWS_OF_TREE) g->order[n++] = i;
    for (size_t j = 0; j < g->width; j++) used += g->use[j] = sg_stream_unit(&g->random) < COLUMNS_OF_TREE;
    if (used == 0) memset(g->use, 1, g->width);
    sg_status st = sg_grower_run(g, n, s);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < g->rows; i += SG_BOXED) {
        sg_boxed_take(b, g->x + i * g->width, g->rows - i < SG_BOXED ? g->rows - i : SG_BOXED, c);
        sg_boxed_fire(s, c);
        for (size_t j = 0; j < s->boxes; j++) memcpy(f + j * g->rows + i, c->f + j * SG_BOXED, c->n * sizeof *f);
    }
    if (g->plan->kind == SG_BOOSTED) fit_lines(g, s, f);
    for (size_t i = 0; i < g->rows; i += SG_BOXED) {
        sg_boxed_take(b, g->x + i * g->width, g->rows - i < SG_BOXED ? g->rows - i : SG_BOXED, c);
        for (size_t j = 0; j < s->boxes; j++) memcpy(c->f + j * SG_BOXED, f + j * g->rows + i, c->n * sizeof *f);
        double y[SG_BOXED * SG_BOOST_TARGETS] = {0};
        sg_boxed_answer(b, s, c, y);
        for (size_t j = 0; j < c->n * g->outputs; j++) g->left[i * g->outputs + j] -= y[j];
    }
    return SG_OK;
}

/* Weights of mean 1. */
static void even_out(const sg_grower *g, double *w)
{
    double sum = 0;
    for (size_t i = 0; i < g->rows; i++) sum += w[i];
    for (size_t i = 0; i < g->rows && sum > 0; i++) w[i] *= (double)g->rows / sum;
}

/* What the base leaves over, in deviations. */
static void leave_over(sg_grower *g, const sg_ground *ground, const double *value, size_t columns, const double *base,
                       double *w)
{
    for (size_t i = 0; i < g->rows; i++) {
        const double *row = value + i * columns;
        w[i] = ground->roles.weight == SG_NO_COLUMN ? 1 : row[ground->roles.weight];
        for (size_t o = 0; o < g->outputs; o++)
            g->left[i * g->outputs + o] =
                (row[ground->roles.target[o]] - base[i * g->outputs + o]) / g->boost->base->scale[o];
    }
    even_out(g, w);
}

/* Without a plan's ridge regression it says the mean. */
static sg_status make_base(const sg_options *o, const sg_boost_plan *p, const sg_source *rows, sg_model **out)
{
    sg_options *line = NULL;
    sg_watch nobody = {.planned = 1};
    sg_status st = sg_line_options(o, &line);
    if (st == SG_OK) st = sg_options_set(line, "effects", "");  /* which know their rows */
    if (st == SG_OK) st = sg_options_set(line, "clip", "none"); /* trees say the rest   */
    sg_trial t = {.options = line, .train = rows, .length = 1, .looks = 1};
    if (st == SG_OK) st = sg_trial_run(&t, &nobody);
    if (st == SG_OK && !t.model) st = sg_fail(SG_EDATA, "%s: no ridge regression on these rows", sg_source_name(rows));
    sg_options_free(line);
    if (st != SG_OK) return st;
    if (p->plain) memset(t.model->theta, 0, t.model->parameters * sizeof *t.model->theta);
    *out = t.model;
    return SG_OK;
}

/* Where predictions go. */
typedef struct sheet {
    double *x;
    size_t width;
} sheet;

static sg_status take(void *arg, size_t first, size_t rows, const double *y)
{
    sheet *s = arg;
    memcpy(s->x + first * s->width, y, rows * s->width * sizeof *y);
    return SG_OK;
}

static sg_status run_stages(sg_grower *g, sg_boost *b, const sg_ground *ground, const sg_source *rows, uint64_t seed,
                            sg_watch *w)
{
    size_t n = rows->rows, leaves = g->plan->leaves, outputs = g->outputs;
    double *value = sg_alloc(n, rows->columns * sizeof *value), *x = sg_alloc(n, g->width * sizeof *x);
    double *base = sg_alloc(n, outputs * sizeof *base), *weight = sg_alloc(n, sizeof *weight),
           *column = sg_alloc(n, sizeof *column);
    bool boosted = !is_averaged(g->plan);
    float *f = boosted ? sg_alloc(n, leaves * sizeof *f) : NULL;
    double *sums = sg_alloc(SG_BINS, (outputs + 2) * sizeof *sums);
    g->left = sg_alloc(n, outputs * sizeof *g->left);
    g->bin = sg_alloc(n, g->width);
    g->edge = sg_alloc(g->width, SG_BINS * sizeof *g->edge);
    g->order = sg_alloc(n, sizeof *g->order);
    g->use = sg_alloc(g->width, 1);
    sg_boxed c = {0};
    bool room = value && x && base && weight && column && (f || !boosted) && sums && g->left && g->bin && g->edge &&
                g->order && g->use;
    sheet out = {base, outputs};
    sg_status st = room ? sg_boxed_init(b, &c) : sg_fail(SG_ENOMEM, "out of memory for trees");
    if (st == SG_OK) st = sg_seen_rows(b->base, rows, false, x);
    if (st == SG_OK) st = rows->read(rows->self, 0, n, value);
    if (st == SG_OK) st = sg_model_predict_source(b->base, rows, 1, take, &out);
    if (st == SG_OK) {
        g->x = x;
        g->w = weight;
        g->sum = sums;
        g->weight = sums + SG_BINS * outputs;
        g->count = g->weight + SG_BINS;
        leave_over(g, ground, value, rows->columns, base, weight);
        sg_grower_bins(g, b, column);
    }
    for (size_t k = 0; st == SG_OK && k < b->stages; k++) {
        g->random = sg_stream_at(seed, SG_RANDOM_TREES, (uint32_t)k, 0);
        st = boosted ? make_boosted(g, b, &b->stage[k], &c, f) : make_averaged(g, &b->stage[k]);
        if (!sg_watch_on(w, stage_cost(g->plan, n, g->width))) break; /* the others have no boxes */
    }
    sg_boxed_release(&c);
    void *const all[] = {value, x, base, weight, column, f, sums, g->left, g->bin, g->edge, g->order, g->use};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return st;
}

/* What the base sees of a row that has nothing. */
static sg_status find_usual(sg_boost *b)
{
    double *room = sg_alloc(sg_view_scratch(&b->base->a), sizeof *room);
    b->usual = sg_alloc(b->width, sizeof *b->usual);
    bool ok = room && b->usual;
    if (ok) sg_view_apply(&b->base->a, b->base->input_mean, b->usual, room);
    free(room);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for trees");
}

sg_status sg_boost_train(const sg_options *o, const sg_boost_plan *p, size_t stages, const sg_ground *ground,
                         const sg_source *rows, uint64_t seed, sg_watch *w, sg_boost **out)
{
    sg_boost *b = sg_alloc(1, sizeof *b);
    if (!b) return sg_fail(SG_ENOMEM, "out of memory for trees");
    *b = (sg_boost){.users = 1, .outputs = ground->outputs, .stages = stages, .leaves = p->leaves, .rate = p->rate};
    sg_status st = make_base(o, p, rows, &b->base);
    if (st == SG_OK) {
        b->width = b->base->a.out;
        b->stage = sg_alloc(stages, sizeof *b->stage);
        b->low = sg_alloc(2 * b->width, sizeof *b->low);
        b->high = b->low + b->width;
        if (!b->stage || !b->low) st = sg_fail(SG_ENOMEM, "out of memory for trees");
        if (st == SG_OK) st = find_usual(b);
    }
    sg_grower g = {.boost = b,
                   .plan = p,
                   .rows = rows->rows,
                   .width = b->width,
                   .outputs = b->outputs,
                   .bins = rows->rows < FEW_ROWS ? FEW_BINS : SG_BINS};
    if (st == SG_OK) st = run_stages(&g, b, ground, rows, seed, w);
    if (st == SG_OK) *out = b;
    else sg_boost_free(b);
    return st;
}

/* The trees [from, to) are added to y (rows of the chunk, outputs). */
static void add_trees(const sg_boost *b, sg_boxed *c, size_t from, size_t to, double *y)
{
    double sum[SG_BOXED * SG_BOOST_TARGETS] = {0};
    for (size_t k = from; k < to; k++) {
        sg_boxed_fire(&b->stage[k], c);
        sg_boxed_answer(b, &b->stage[k], c, sum);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t o = 0; o < b->outputs; o++) y[i * b->outputs + o] += sum[i * b->outputs + o] * b->base->scale[o];
}

sg_status sg_boost_predict(const sg_boost *b, const sg_source *rows, size_t stages, size_t looks, double *y)
{
    size_t n = rows->rows, width = b->outputs;
    sg_boxed c = {0};
    double *x = sg_alloc(n, b->width * sizeof *x);
    sheet out = {y, width};
    sg_status st = x ? sg_boxed_init(b, &c) : sg_fail(SG_ENOMEM, "out of memory for trees");
    if (st == SG_OK) st = sg_seen_rows(b->base, rows, false, x);
    if (st == SG_OK) st = sg_model_predict_source(b->base, rows, 1, take, &out);
    for (size_t i = 0; st == SG_OK && i < n; i += SG_BOXED) {
        sg_boxed_take(b, x + i * b->width, n - i < SG_BOXED ? n - i : SG_BOXED, &c);
        for (size_t k = 1; k <= looks; k++) {
            double *now = y + (k * n + i) * width;
            memcpy(now, now - n * width, c.n * width * sizeof *y);
            add_trees(b, &c, stages * (k - 1) / looks, stages * k / looks, now);
        }
    }
    sg_boxed_release(&c);
    free(x);
    return st;
}
