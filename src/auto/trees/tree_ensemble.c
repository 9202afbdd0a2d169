/* tree_ensemble.c: trains ensembles of soft trees on top of ridge regression, and evaluates them. */
#include "auto/trees/tree_ensemble.h"

#include "auto/search/candidate.h"
#include "auto/search/search_data.h"
#include "auto/search/search_options.h"
#include "auto/trees/tree_grower.h"
#include "base/memory.h"
#include "linalg/linalg.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_DATA_BINS = 64, SMALL_DATA_ROWS = 4000 };
static const double ROW_FRACTION = 0.8, COLUMN_FRACTION = 0.8; /* for stochastic gradient boosting */
static const double MIN_FIRING = 1e-4;

void sg_tree_ensemble_free(sg_tree_ensemble *e)
{
    if (!e || atomic_fetch_sub(&e->refcount, 1) > 1) return;
    for (size_t i = 0; e->tree && i < e->trees; i++) sg_tree_release(&e->tree[i]);
    free(e->tree);
    free(e->feature_min);
    free(e->imputed);
    sg_model_free(e->base_model);
    free(e);
}

sg_status sg_tree_ensemble_ref(sg_tree_ensemble *e, sg_tree_ensemble **out)
{
    atomic_fetch_add(&e->refcount, 1);
    *out = e;
    return SG_OK;
}

const char *sg_tree_config_name(const sg_tree_config *config)
{
    static const char *const name[] = {[SG_TREES_GBDT_LINEAR] = "boosted trees with linear leaves",
                                       [SG_TREES_GBDT] = "boosted trees",
                                       [SG_TREES_BAGGED] = "bagged trees",
                                       [SG_TREES_EXTRA] = "extremely randomized trees"};
    return name[config->kind];
}

static bool is_boosted(const sg_tree_config *c) { return c->kind == SG_TREES_GBDT_LINEAR || c->kind == SG_TREES_GBDT; }

static size_t tree_cost(const sg_tree_config *config, size_t rows, size_t inputs)
{
    if (is_boosted(config)) return rows * (20 * inputs + 12 * config->max_leaves + 400);
    return rows * (40 * inputs + 4 * config->max_leaves + 400);
}

size_t sg_tree_config_train_cost(const sg_tree_config *config, size_t rows, size_t inputs)
{
    return config->trees * tree_cost(config, rows, inputs);
}

size_t sg_tree_config_predict_cost(const sg_tree_config *config, size_t rows)
{
    return rows * config->trees * config->max_leaves * 3;
}

/* --- growing --- */

/* Fits the linear model of each leaf by least squares, weighted by the leaf's firing levels. firing: (leaves, rows). */
static void fit_linear_leaves(sg_tree_grower *g, sg_tree *tree, const float *firing)
{
    size_t most = SG_LEAF_MAX_BOUNDS + 1, outputs = g->outputs;
    double gram[(SG_LEAF_MAX_BOUNDS + 1) * (SG_LEAF_MAX_BOUNDS + 1)], phi[SG_LEAF_MAX_BOUNDS + 1];
    for (size_t k = 0; k < tree->leaves; k++) {
        sg_soft_leaf *leaf = &tree->leaf[k];
        size_t n = leaf->bounds + 1;
        memset(gram, 0, most * most * sizeof *gram);
        for (size_t i = 0; i < g->rows; i++) {
            double w = (double)firing[k * g->rows + i] * g->row_weight[i];
            if (w < MIN_FIRING) continue;
            phi[0] = 1;
            for (size_t j = 1; j < n; j++)
                phi[j] = sg_tree_feature_value(g->ensemble, g->x + i * g->width, leaf->bound[j - 1].feature);
            sg_gram_add(phi, &w, 1, n, gram);
            sg_cross_add(phi, &w, g->residual + i * outputs, 1, n, outputs, leaf->coef);
        }
        for (size_t j = 0; j < n; j++) gram[j * n + j] += j ? 5 * g->config->l2 : g->config->l2;
        if (sg_cholesky(gram, n)) sg_cholesky_solve(gram, n, leaf->coef, outputs);
        else memset(leaf->coef, 0, n * outputs * sizeof *leaf->coef);
    }
}

static sg_status grow_averaged_tree(sg_tree_grower *g, sg_tree *tree)
{
    for (size_t i = 0; i < g->rows; i++)
        g->row_order[i] = g->config->kind == SG_TREES_BAGGED ? (size_t)sg_random_stream_below(&g->rng, g->rows) : i;
    memset(g->feature_mask, 1, g->width);
    return sg_tree_grower_grow(g, g->rows, tree);
}

static void load_chunk(const sg_tree_ensemble *e, const double *x, size_t first, size_t rows, sg_leaf_chunk *c)
{
    sg_leaf_chunk_load(e, x + first * e->width, rows - first < SG_LEAF_CHUNK ? rows - first : SG_LEAF_CHUNK, c);
}

/* Computes the firing levels of all rows. firing: (leaves, rows). */
static void fire_all_rows(const sg_tree_grower *g, const sg_tree *tree, sg_leaf_chunk *c, float *firing)
{
    for (size_t i = 0; i < g->rows; i += SG_LEAF_CHUNK) {
        load_chunk(g->ensemble, g->x, i, g->rows, c);
        sg_leaf_chunk_fire(tree, c);
        for (size_t j = 0; j < tree->leaves; j++)
            memcpy(firing + j * g->rows + i, c->firing + j * SG_LEAF_CHUNK, c->n * sizeof *firing);
    }
}

static void update_residuals(sg_tree_grower *g, const sg_tree *tree, sg_leaf_chunk *c, const float *firing)
{
    for (size_t i = 0; i < g->rows; i += SG_LEAF_CHUNK) {
        double y[SG_LEAF_CHUNK * SG_TREES_MAX_OUTPUTS] = {0};
        load_chunk(g->ensemble, g->x, i, g->rows, c);
        for (size_t j = 0; j < tree->leaves; j++)
            memcpy(c->firing + j * SG_LEAF_CHUNK, firing + j * g->rows + i, c->n * sizeof *firing);
        sg_leaf_chunk_predict(g->ensemble, tree, c, y);
        for (size_t j = 0; j < c->n * g->outputs; j++) g->residual[i * g->outputs + j] -= y[j];
    }
}

static sg_status grow_boosted_tree(sg_tree_grower *g, sg_tree *tree, sg_leaf_chunk *c, float *firing)
{
    size_t n = 0, used = 0;
    for (size_t i = 0; i < g->rows; i++)
        if (sg_random_stream_uniform(&g->rng) < ROW_FRACTION) g->row_order[n++] = i;
    for (size_t j = 0; j < g->width; j++)
        used += g->feature_mask[j] = sg_random_stream_uniform(&g->rng) < COLUMN_FRACTION;
    if (used == 0) memset(g->feature_mask, 1, g->width);
    sg_status st = sg_tree_grower_grow(g, n, tree);
    if (st != SG_OK) return st;
    fire_all_rows(g, tree, c, firing);
    if (g->config->kind == SG_TREES_GBDT_LINEAR) fit_linear_leaves(g, tree, firing);
    update_residuals(g, tree, c, firing);
    return SG_OK;
}

/* --- training --- */

/* Scales the weights so that their mean is 1. */
static void normalise_weights(double *w, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += w[i];
    for (size_t i = 0; i < n && sum > 0; i++) w[i] *= (double)n / sum;
}

/* Sets residuals and row weights. values: (rows, columns). base: (rows, outputs), the predictions of the base model. */
static void init_residuals(sg_tree_grower *g, const sg_search_data *data, const double *values, size_t columns,
                           const double *base)
{
    for (size_t i = 0; i < g->rows; i++) {
        const double *row = values + i * columns;
        g->row_weight[i] = data->roles.weight == SG_NO_COLUMN ? 1 : row[data->roles.weight];
        for (size_t o = 0; o < g->outputs; o++)
            g->residual[i * g->outputs + o] =
                (row[data->roles.target[o]] - base[i * g->outputs + o]) / g->ensemble->base_model->scale[o];
    }
    normalise_weights(g->row_weight, g->rows);
}

/* Trains ridge regression. With fit_raw_targets, makes it predict the mean of the targets. */
static sg_status train_base_model(const sg_options *o, const sg_tree_config *config, const sg_source *rows,
                                  sg_model **out)
{
    sg_options *ridge = NULL;
    sg_status st = sg_tree_base_options(o, &ridge);
    if (st == SG_OK) st = sg_train_initial(ridge, rows, out);
    sg_options_free(ridge);
    if (st == SG_OK && config->fit_raw_targets) memset((*out)->theta, 0, (*out)->parameters * sizeof *(*out)->theta);
    return st;
}

static sg_status alloc_grower(sg_tree_grower *g)
{
    size_t n = g->rows;
    g->x = sg_calloc(n, g->width * sizeof *g->x);
    g->residual = sg_calloc(n, g->outputs * sizeof *g->residual);
    g->row_weight = sg_calloc(n, sizeof *g->row_weight);
    g->bin = sg_calloc(n, g->width);
    g->bin_edge = sg_calloc(g->width, SG_MAX_BINS * sizeof *g->bin_edge);
    g->row_order = sg_calloc(n, sizeof *g->row_order);
    g->feature_mask = sg_calloc(g->width, 1);
    g->bin_sum = sg_calloc(SG_MAX_BINS, (g->outputs + 2) * sizeof *g->bin_sum);
    if (!g->x || !g->residual || !g->row_weight || !g->bin || !g->bin_edge || !g->row_order || !g->feature_mask ||
        !g->bin_sum)
        return sg_fail_out_of_memory("trees");
    g->bin_weight = g->bin_sum + SG_MAX_BINS * g->outputs;
    g->bin_count = g->bin_weight + SG_MAX_BINS;
    return SG_OK;
}

static void release_grower(sg_tree_grower *g)
{
    void *const all[] = {g->x,        g->residual,  g->row_weight,   g->bin,
                         g->bin_edge, g->row_order, g->feature_mask, g->bin_sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static sg_status load_grower(sg_tree_grower *g, sg_tree_ensemble *e, const sg_search_data *data, const sg_source *rows)
{
    double *values = sg_calloc(g->rows, rows->columns * sizeof *values);
    double *base = sg_calloc(g->rows, g->outputs * sizeof *base);
    sg_status st = values && base ? alloc_grower(g) : sg_fail_out_of_memory("trees");
    if (st == SG_OK) st = sg_apply_pipeline(e->base_model, rows, false, g->x);
    if (st == SG_OK) st = rows->read(rows->self, 0, g->rows, values);
    if (st == SG_OK) st = sg_apply_model(e->base_model, rows, base);
    if (st == SG_OK) {
        init_residuals(g, data, values, rows->columns, base);
        sg_tree_grower_bin_features(g, e, base); /* base is now scratch space */
    }
    free(values);
    free(base);
    return st;
}

/* Grows all trees. If the search is cancelled, the remaining trees have no leaves. */
static sg_status grow_trees(sg_tree_grower *g, sg_tree_ensemble *e, uint64_t seed, sg_search_progress *progress)
{
    bool boosted = is_boosted(g->config);
    float *firing = boosted ? sg_calloc(g->rows, g->config->max_leaves * sizeof *firing) : NULL;
    sg_leaf_chunk c = {0};
    sg_status st = firing || !boosted ? sg_leaf_chunk_init(e, &c) : sg_fail_out_of_memory("trees");
    for (size_t k = 0; st == SG_OK && k < e->trees; k++) {
        g->rng = sg_random_stream_at(seed, SG_RANDOM_TREES, (uint32_t)k, 0);
        st = boosted ? grow_boosted_tree(g, &e->tree[k], &c, firing) : grow_averaged_tree(g, &e->tree[k]);
        if (!sg_search_progress_add(progress, tree_cost(g->config, g->rows, g->width))) break;
    }
    sg_leaf_chunk_release(&c);
    free(firing);
    return st;
}

/* Computes the values that replace missing features: the transformed means of the features. */
static sg_status find_imputed_values(sg_tree_ensemble *e)
{
    double *scratch = sg_calloc(sg_pipeline_scratch_size(&e->base_model->a), sizeof *scratch);
    e->imputed = sg_calloc(e->width, sizeof *e->imputed);
    bool ok = scratch && e->imputed;
    if (ok) sg_pipeline_apply(&e->base_model->a, e->base_model->feature_mean, e->imputed, scratch);
    free(scratch);
    return ok ? SG_OK : sg_fail_out_of_memory("trees");
}

static sg_status alloc_ensemble(sg_tree_ensemble *e)
{
    e->width = e->base_model->a.out;
    e->tree = sg_calloc(e->trees, sizeof *e->tree);
    e->feature_min = sg_calloc(2 * e->width, sizeof *e->feature_min);
    if (!e->tree || !e->feature_min) return sg_fail_out_of_memory("trees");
    e->feature_max = e->feature_min + e->width;
    return find_imputed_values(e);
}

sg_status sg_tree_ensemble_train(const sg_options *o, const sg_tree_config *config, size_t trees,
                                 const sg_search_data *data, const sg_source *rows, uint64_t seed,
                                 sg_search_progress *progress, sg_tree_ensemble **out)
{
    sg_tree_ensemble *e = sg_calloc(1, sizeof *e);
    if (!e) return sg_fail_out_of_memory("trees");
    *e = (sg_tree_ensemble){.refcount = 1,
                            .outputs = data->outputs,
                            .trees = trees,
                            .max_leaves = config->max_leaves,
                            .learning_rate = config->learning_rate};
    sg_status st = train_base_model(o, config, rows, &e->base_model);
    if (st == SG_OK) st = alloc_ensemble(e);
    sg_tree_grower g = {.ensemble = e,
                        .config = config,
                        .rows = rows->rows,
                        .width = e->width,
                        .outputs = e->outputs,
                        .bins = rows->rows < SMALL_DATA_ROWS ? SMALL_DATA_BINS : SG_MAX_BINS};
    if (st == SG_OK) st = load_grower(&g, e, data, rows);
    if (st == SG_OK) st = grow_trees(&g, e, seed, progress);
    release_grower(&g);
    if (st == SG_OK) *out = e;
    else sg_tree_ensemble_free(e);
    return st;
}

/* --- prediction --- */

/* Adds the predictions of trees [from, to), in units of the targets, to y (rows of the chunk, outputs). */
static void add_trees(const sg_tree_ensemble *e, sg_leaf_chunk *c, size_t from, size_t to, double *y)
{
    double sum[SG_LEAF_CHUNK * SG_TREES_MAX_OUTPUTS] = {0};
    for (size_t k = from; k < to; k++) {
        sg_leaf_chunk_fire(&e->tree[k], c);
        sg_leaf_chunk_predict(e, &e->tree[k], c, sum);
    }
    for (size_t i = 0; i < c->n; i++)
        for (size_t o = 0; o < e->outputs; o++)
            y[i * e->outputs + o] += sum[i * e->outputs + o] * e->base_model->scale[o];
}

sg_status sg_tree_ensemble_predict(const sg_tree_ensemble *e, const sg_source *rows, size_t trees, size_t eval_points,
                                   double *y)
{
    size_t n = rows->rows, width = e->outputs;
    sg_leaf_chunk c = {0};
    double *x = sg_calloc(n, e->width * sizeof *x);
    sg_status st = x ? sg_leaf_chunk_init(e, &c) : sg_fail_out_of_memory("trees");
    if (st == SG_OK) st = sg_apply_pipeline(e->base_model, rows, false, x);
    if (st == SG_OK) st = sg_apply_model(e->base_model, rows, y);
    for (size_t i = 0; st == SG_OK && i < n; i += SG_LEAF_CHUNK) {
        load_chunk(e, x, i, n, &c);
        for (size_t k = 1; k <= eval_points; k++) {
            double *now = y + (k * n + i) * width;
            memcpy(now, now - n * width, c.n * width * sizeof *y);
            add_trees(e, &c, trees * (k - 1) / eval_points, trees * k / eval_points, now);
        }
    }
    sg_leaf_chunk_release(&c);
    free(x);
    return st;
}
