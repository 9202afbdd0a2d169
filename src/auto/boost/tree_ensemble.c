/* tree_ensemble.c: see tree_ensemble.h. */
#include "auto/boost/tree_ensemble.h"

#include "auto/boost/soft_leaf.h"
#include "auto/search/apply_pipeline.h"
#include "auto/search/trial.h"
#include "base/memory.h"
#include "base/random/random.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_DATA_BINS = 64, SMALL_DATA_ROWS = 4000 };
static const double ROW_FRACTION = 0.8, COLUMN_FRACTION = 0.8;

void sg_tree_ensemble_free(sg_tree_ensemble *b)
{
    if (!b || atomic_fetch_sub(&b->refcount, 1) > 1) return;
    for (size_t i = 0; b->tree && i < b->trees; i++) sg_tree_release(&b->tree[i]);
    free(b->tree);
    free(b->feature_min);
    free(b->imputed);
    sg_model_free(b->base_model);
    free(b);
}

sg_status sg_tree_ensemble_ref(sg_tree_ensemble *b, sg_tree_ensemble **out)
{
    atomic_fetch_add(&b->refcount, 1);
    *out = b;
    return SG_OK;
}

const char *sg_tree_config_name(const sg_tree_config *p)
{
    static const char *const name[] = {[SG_TREES_GBDT_LINEAR] = "boosted soft boxes",
                                       [SG_TREES_GBDT] = "boosted steps",
                                       [SG_TREES_BAGGED] = "bagged steps",
                                       [SG_TREES_EXTRA] = "scattered steps"};
    return name[p->kind];
}

static bool is_averaged(const sg_tree_config *p) { return p->kind == SG_TREES_BAGGED || p->kind == SG_TREES_EXTRA; }

static size_t tree_cost(const sg_tree_config *p, size_t rows, size_t inputs)
{
    if (!is_averaged(p)) return rows * (20 * inputs + 12 * p->max_leaves + 400);
    return rows * (40 * inputs + 4 * p->max_leaves + 400);
}

size_t sg_tree_config_train_cost(const sg_tree_config *p, size_t rows, size_t inputs)
{
    return p->trees * tree_cost(p, rows, inputs);
}

size_t sg_tree_config_predict_cost(const sg_tree_config *p, size_t rows) { return rows * p->trees * p->max_leaves * 3; }

/* --- lines --- */

/* Each box's own least squares, rows weighted by how strongly it fires. f: (boxes, rows). */
static void fit_linear_leaves(sg_tree_grower *g, sg_tree *s, const float *f)
{
    size_t most = SG_LEAF_MAX_BOUNDS + 1, outputs = g->outputs;
    double gram[(SG_LEAF_MAX_BOUNDS + 1) * (SG_LEAF_MAX_BOUNDS + 1)], phi[SG_LEAF_MAX_BOUNDS + 1];
    for (size_t k = 0; k < s->leaves; k++) {
        sg_soft_leaf *b = &s->leaf[k];
        size_t n = b->bounds + 1;
        memset(gram, 0, most * most * sizeof *gram);
        for (size_t i = 0; i < g->rows; i++) {
            double w = (double)f[k * g->rows + i] * g->row_weight[i];
            if (w < 1e-4) continue;
            phi[0] = 1;
            for (size_t j = 1; j < n; j++)
                phi[j] = sg_tree_feature_value(g->ensemble, g->x + i * g->width, b->bound[j - 1].feature);
            sg_gram_add(phi, &w, 1, n, gram);
            sg_cross_add(phi, &w, g->residual + i * outputs, 1, n, outputs, b->coef);
        }
        for (size_t j = 0; j < n; j++) gram[j * n + j] += j ? 5 * g->config->l2 : g->config->l2;
        if (sg_cholesky(gram, n)) sg_cholesky_solve(gram, n, b->coef, outputs);
        else memset(b->coef, 0, (b->bounds + 1) * outputs * sizeof *b->coef);
    }
}

/* --- stages --- */

/* Knows nothing of the others. */
static sg_status grow_averaged_tree(sg_tree_grower *g, sg_tree *s)
{
    for (size_t i = 0; i < g->rows; i++)
        g->row_order[i] = g->config->kind == SG_TREES_BAGGED ? (size_t)sg_random_stream_below(&g->rng, g->rows) : i;
    memset(g->feature_mask, 1, g->width);
    return sg_tree_grower_grow(g, g->rows, s);
}

static sg_status grow_boosted_tree(sg_tree_grower *g, sg_tree_ensemble *b, sg_tree *s, sg_leaf_chunk *c, float *f)
{
    size_t n = 0, used = 0;
    for (size_t i = 0; i < g->rows; i++)
        if (sg_random_stream_uniform(&g->rng) < ROW_FRACTION) g->row_order[n++] = i;
    for (size_t j = 0; j < g->width; j++)
        used += g->feature_mask[j] = sg_random_stream_uniform(&g->rng) < COLUMN_FRACTION;
    if (used == 0) memset(g->feature_mask, 1, g->width);
    sg_status st = sg_tree_grower_grow(g, n, s);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < g->rows; i += SG_LEAF_CHUNK) {
        sg_leaf_chunk_load(b, g->x + i * g->width, g->rows - i < SG_LEAF_CHUNK ? g->rows - i : SG_LEAF_CHUNK, c);
        sg_leaf_chunk_fire(s, c);
        for (size_t j = 0; j < s->leaves; j++)
            memcpy(f + j * g->rows + i, c->firing + j * SG_LEAF_CHUNK, c->n * sizeof *f);
    }
    if (g->config->kind == SG_TREES_GBDT_LINEAR) fit_linear_leaves(g, s, f);
    for (size_t i = 0; i < g->rows; i += SG_LEAF_CHUNK) {
        sg_leaf_chunk_load(b, g->x + i * g->width, g->rows - i < SG_LEAF_CHUNK ? g->rows - i : SG_LEAF_CHUNK, c);
        for (size_t j = 0; j < s->leaves; j++)
            memcpy(c->firing + j * SG_LEAF_CHUNK, f + j * g->rows + i, c->n * sizeof *f);
        double y[SG_LEAF_CHUNK * SG_TREES_MAX_OUTPUTS] = {0};
        sg_leaf_chunk_predict(b, s, c, y);
        for (size_t j = 0; j < c->n * g->outputs; j++) g->residual[i * g->outputs + j] -= y[j];
    }
    return SG_OK;
}

/* Weights of mean 1. */
static void normalize_weights(const sg_tree_grower *g, double *w)
{
    double sum = 0;
    for (size_t i = 0; i < g->rows; i++) sum += w[i];
    for (size_t i = 0; i < g->rows && sum > 0; i++) w[i] *= (double)g->rows / sum;
}

/* What the base leaves over, in deviations. */
static void init_residuals(sg_tree_grower *g, const sg_search_data *ground, const double *value, size_t columns,
                           const double *base, double *w)
{
    for (size_t i = 0; i < g->rows; i++) {
        const double *row = value + i * columns;
        w[i] = ground->roles.weight == SG_NO_COLUMN ? 1 : row[ground->roles.weight];
        for (size_t o = 0; o < g->outputs; o++)
            g->residual[i * g->outputs + o] =
                (row[ground->roles.target[o]] - base[i * g->outputs + o]) / g->ensemble->base_model->scale[o];
    }
    normalize_weights(g, w);
}

/* Without a plan's ridge regression it says the mean. */
static sg_status train_base_model(const sg_options *o, const sg_tree_config *p, const sg_source *rows, sg_model **out)
{
    sg_options *line = NULL;
    sg_search_progress nobody = {.planned = 1};
    sg_status st = sg_ridge_options(o, &line);
    if (st == SG_OK) st = sg_options_set(line, "effects", "");  /* which know their rows */
    if (st == SG_OK) st = sg_options_set(line, "clip", "none"); /* trees say the rest   */
    sg_trial t = {.options = line, .train = rows, .max_steps = 1, .eval_points = 1};
    if (st == SG_OK) st = sg_trial_run(&t, &nobody);
    if (st == SG_OK && !t.model) st = sg_fail(SG_EDATA, "%s: no ridge regression on these rows", sg_source_name(rows));
    sg_options_free(line);
    if (st != SG_OK) return st;
    if (p->fit_raw_targets) memset(t.model->theta, 0, t.model->parameters * sizeof *t.model->theta);
    *out = t.model;
    return SG_OK;
}

/* Where predictions go. */
typedef struct prediction_buffer {
    double *x;
    size_t width;
} prediction_buffer;

static sg_status store_predictions(void *arg, size_t first, size_t rows, const double *y)
{
    prediction_buffer *s = arg;
    memcpy(s->x + first * s->width, y, rows * s->width * sizeof *y);
    return SG_OK;
}

static sg_status grow_trees(sg_tree_grower *g, sg_tree_ensemble *b, const sg_search_data *ground, const sg_source *rows,
                            uint64_t seed, sg_search_progress *w)
{
    size_t n = rows->rows, leaves = g->config->max_leaves, outputs = g->outputs;
    double *value = sg_calloc(n, rows->columns * sizeof *value), *x = sg_calloc(n, g->width * sizeof *x);
    double *base = sg_calloc(n, outputs * sizeof *base), *weight = sg_calloc(n, sizeof *weight),
           *column = sg_calloc(n, sizeof *column);
    bool boosted = !is_averaged(g->config);
    float *f = boosted ? sg_calloc(n, leaves * sizeof *f) : NULL;
    double *sums = sg_calloc(SG_MAX_BINS, (outputs + 2) * sizeof *sums);
    g->residual = sg_calloc(n, outputs * sizeof *g->residual);
    g->bin = sg_calloc(n, g->width);
    g->bin_edge = sg_calloc(g->width, SG_MAX_BINS * sizeof *g->bin_edge);
    g->row_order = sg_calloc(n, sizeof *g->row_order);
    g->feature_mask = sg_calloc(g->width, 1);
    sg_leaf_chunk c = {0};
    bool room = value && x && base && weight && column && (f || !boosted) && sums && g->residual && g->bin &&
                g->bin_edge && g->row_order && g->feature_mask;
    prediction_buffer out = {base, outputs};
    sg_status st = room ? sg_leaf_chunk_init(b, &c) : sg_fail(SG_ENOMEM, "out of memory for trees");
    if (st == SG_OK) st = sg_apply_pipeline(b->base_model, rows, false, x);
    if (st == SG_OK) st = rows->read(rows->self, 0, n, value);
    if (st == SG_OK) st = sg_model_predict_source(b->base_model, rows, 1, store_predictions, &out);
    if (st == SG_OK) {
        g->x = x;
        g->row_weight = weight;
        g->bin_sum = sums;
        g->bin_weight = sums + SG_MAX_BINS * outputs;
        g->bin_count = g->bin_weight + SG_MAX_BINS;
        init_residuals(g, ground, value, rows->columns, base, weight);
        sg_tree_grower_bin_features(g, b, column);
    }
    for (size_t k = 0; st == SG_OK && k < b->trees; k++) {
        g->rng = sg_random_stream_at(seed, SG_RANDOM_TREES, (uint32_t)k, 0);
        st = boosted ? grow_boosted_tree(g, b, &b->tree[k], &c, f) : grow_averaged_tree(g, &b->tree[k]);
        if (!sg_search_progress_add(w, tree_cost(g->config, n, g->width))) break; /* the others have no boxes */
    }
    sg_leaf_chunk_release(&c);
    void *const all[] = {value, x,           base,   weight,      column,       f,
                         sums,  g->residual, g->bin, g->bin_edge, g->row_order, g->feature_mask};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return st;
}

/* What the base sees of a row that has nothing. */
static sg_status find_imputed_values(sg_tree_ensemble *b)
{
    double *room = sg_calloc(sg_pipeline_scratch_size(&b->base_model->a), sizeof *room);
    b->imputed = sg_calloc(b->width, sizeof *b->imputed);
    bool ok = room && b->imputed;
    if (ok) sg_pipeline_apply(&b->base_model->a, b->base_model->feature_mean, b->imputed, room);
    free(room);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for trees");
}

sg_status sg_tree_ensemble_train(const sg_options *o, const sg_tree_config *p, size_t stages,
                                 const sg_search_data *ground, const sg_source *rows, uint64_t seed,
                                 sg_search_progress *w, sg_tree_ensemble **out)
{
    sg_tree_ensemble *b = sg_calloc(1, sizeof *b);
    if (!b) return sg_fail(SG_ENOMEM, "out of memory for trees");
    *b = (sg_tree_ensemble){.refcount = 1,
                            .outputs = ground->outputs,
                            .trees = stages,
                            .max_leaves = p->max_leaves,
                            .learning_rate = p->learning_rate};
    sg_status st = train_base_model(o, p, rows, &b->base_model);
    if (st == SG_OK) {
        b->width = b->base_model->a.out;
        b->tree = sg_calloc(stages, sizeof *b->tree);
        b->feature_min = sg_calloc(2 * b->width, sizeof *b->feature_min);
        b->feature_max = b->feature_min + b->width;
        if (!b->tree || !b->feature_min) st = sg_fail(SG_ENOMEM, "out of memory for trees");
        if (st == SG_OK) st = find_imputed_values(b);
    }
    sg_tree_grower g = {.ensemble = b,
                        .config = p,
                        .rows = rows->rows,
                        .width = b->width,
                        .outputs = b->outputs,
                        .bins = rows->rows < SMALL_DATA_ROWS ? SMALL_DATA_BINS : SG_MAX_BINS};
    if (st == SG_OK) st = grow_trees(&g, b, ground, rows, seed, w);
    if (st == SG_OK) *out = b;
    else sg_tree_ensemble_free(b);
    return st;
}

/* The trees [from, to) are added to y (rows of the chunk, outputs). */
static void add_trees(const sg_tree_ensemble *b, sg_leaf_chunk *c, size_t from, size_t to, double *y)
{
    double sum[SG_LEAF_CHUNK * SG_TREES_MAX_OUTPUTS] = {0};
    for (size_t k = from; k < to; k++) {
        sg_leaf_chunk_fire(&b->tree[k], c);
        sg_leaf_chunk_predict(b, &b->tree[k], c, sum);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t o = 0; o < b->outputs; o++)
            y[i * b->outputs + o] += sum[i * b->outputs + o] * b->base_model->scale[o];
}

sg_status sg_tree_ensemble_predict(const sg_tree_ensemble *b, const sg_source *rows, size_t stages, size_t looks,
                                   double *y)
{
    size_t n = rows->rows, width = b->outputs;
    sg_leaf_chunk c = {0};
    double *x = sg_calloc(n, b->width * sizeof *x);
    prediction_buffer out = {y, width};
    sg_status st = x ? sg_leaf_chunk_init(b, &c) : sg_fail(SG_ENOMEM, "out of memory for trees");
    if (st == SG_OK) st = sg_apply_pipeline(b->base_model, rows, false, x);
    if (st == SG_OK) st = sg_model_predict_source(b->base_model, rows, 1, store_predictions, &out);
    for (size_t i = 0; st == SG_OK && i < n; i += SG_LEAF_CHUNK) {
        sg_leaf_chunk_load(b, x + i * b->width, n - i < SG_LEAF_CHUNK ? n - i : SG_LEAF_CHUNK, &c);
        for (size_t k = 1; k <= looks; k++) {
            double *now = y + (k * n + i) * width;
            memcpy(now, now - n * width, c.n * width * sizeof *y);
            add_trees(b, &c, stages * (k - 1) / looks, stages * k / looks, now);
        }
    }
    sg_leaf_chunk_release(&c);
    free(x);
    return st;
}
