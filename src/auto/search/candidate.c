/* candidate.c: see candidate.h. */
#include "auto/search/candidate.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for a search"); }

sg_status sg_candidate_init(sg_candidate *c, const sg_search_space *choices, const sg_hyperparams *s)
{
    *c = (sg_candidate){.hyperparams = *s, .error = INFINITY};
    return sg_hyperparams_to_options(choices, s, &c->options);
}

sg_status sg_candidate_init_trees(sg_candidate *c, const sg_options *user, const sg_tree_config *trees)
{
    *c = (sg_candidate){.tree_config = trees, .error = INFINITY};
    return sg_options_clone(user, &c->options);
}

sg_status sg_candidate_clone(const sg_candidate *of, sg_candidate *c)
{
    *c = (sg_candidate){.hyperparams = of->hyperparams, .error = INFINITY};
    return sg_options_clone(of->options, &c->options);
}

void sg_candidate_reset(sg_candidate *c)
{
    for (size_t i = 0; c->eval_theta && i < c->folds * (c->eval_points + 1); i++) free(c->eval_theta[i]);
    for (size_t i = 0; c->fold_model && i < c->folds; i++) sg_model_free(c->fold_model[i]);
    for (size_t i = 0; c->fold_trees && i < c->folds; i++) sg_tree_ensemble_free(c->fold_trees[i]);
    free(c->eval_theta);
    free(c->fold_model);
    free(c->fold_trees);
    free(c->oof_predictions);
    free(c->valid_curve);
    c->eval_theta = NULL;
    c->fold_model = NULL;
    c->fold_trees = NULL;
    c->oof_predictions = c->valid_curve = NULL;
    c->best_eval = 0;
    c->error = INFINITY;
}

void sg_candidate_release(sg_candidate *c)
{
    sg_candidate_reset(c);
    sg_options_free(c->options);
    c->options = NULL;
}

/* --- a round of trials --- */

static sg_status alloc_results(const sg_trial_batch *r, sg_candidate *c)
{
    size_t cells = (r->eval_points + 1) * r->data->outputs;
    sg_candidate_reset(c);
    c->max_steps = r->max_steps;
    c->eval_points = r->eval_points;
    c->folds = r->folds;
    c->oof_predictions = sg_calloc(r->data->rows, cells * sizeof *c->oof_predictions);
    c->valid_curve = sg_calloc(r->eval_points + 1, sizeof *c->valid_curve);
    c->eval_theta = r->keep_models ? sg_calloc(r->folds * (r->eval_points + 1), sizeof *c->eval_theta) : NULL;
    c->fold_model = sg_calloc(r->folds, sizeof *c->fold_model);
    c->fold_trees = sg_calloc(r->folds, sizeof *c->fold_trees);
    for (size_t i = 0; c->oof_predictions && i < r->data->rows * cells; i++) c->oof_predictions[i] = NAN;
    return c->oof_predictions && c->valid_curve && c->fold_model && c->fold_trees && (c->eval_theta || !r->keep_models)
               ? SG_OK
               : out_of_memory();
}

/* From the order of the part's rows to that of the ground's. */
static void scatter_fold_predictions(const sg_search_data *g, const sg_cv_fold *p, sg_candidate *c, double *y)
{
    size_t n = p->valid.rows, width = g->outputs;
    sg_search_data_clip(g, y, (c->eval_points + 1) * n);
    for (size_t k = 0; k <= c->eval_points; k++)
        for (size_t i = 0; i < n; i++)
            memcpy(c->oof_predictions + (k * g->rows + p->valid_row[i]) * width, y + (k * n + i) * width,
                   width * sizeof *y);
}

/* Looks are numbers of trees. */
static sg_status train_fold_trees(const sg_trial_batch *r, const sg_candidate *c, const sg_cv_fold *p, double *y,
                                  sg_tree_ensemble **out)
{
    const sg_search_data *g = r->data;
    sg_status st =
        sg_tree_ensemble_train(c->options, c->tree_config, c->tree_config->trees, g, &p->train, 0, r->progress, out);
    return st == SG_OK ? sg_tree_ensemble_predict(*out, &p->valid, c->tree_config->trees, r->eval_points, y) : st;
}

static sg_status run_trial(void *arg, size_t i, size_t worker)
{
    const sg_trial_batch *r = arg;
    const sg_search_data *g = r->data;
    size_t part = i % r->folds;
    sg_candidate *c = &r->candidate[i / r->folds];
    const sg_cv_fold *p = &g->fold[part];
    sg_trial t = {.options = c->options,
                  .train = &p->train,
                  .valid = &p->valid,
                  .max_steps = r->max_steps,
                  .steps = r->max_steps,
                  .eval_points = r->eval_points,
                  .outputs = g->outputs,
                  .features = g->features,
                  .eval_theta = c->eval_theta ? c->eval_theta + part * (r->eval_points + 1) : NULL};
    (void)worker;
    sg_status st = r->fold_rows ? r->fold_rows(r->arg, part, &t.train) : SG_OK;
    if (st != SG_OK || sg_search_progress_stopped(r->progress)) return st;
    t.predictions = sg_calloc(p->valid.rows, (r->eval_points + 1) * g->outputs * sizeof *t.predictions);
    if (!t.predictions) return out_of_memory();
    st =
        c->tree_config ? train_fold_trees(r, c, p, t.predictions, &c->fold_trees[part]) : sg_trial_run(&t, r->progress);
    if (st == SG_OK) scatter_fold_predictions(g, p, c, t.predictions);
    if (st == SG_EDATA && c->tree_config) st = SG_OK; /* it can't be used */
    free(t.predictions);
    c->fold_model[part] = t.model;
    return st;
}

double sg_candidate_fold_error(const sg_candidate *c, const sg_search_data *g, size_t first, size_t last, size_t look)
{
    double sum = 0, weight = 0;
    for (size_t j = first; j < last; j++)
        for (size_t i = 0; i < g->fold[j].valid.rows; i++) {
            size_t row = g->fold[j].valid_row[i];
            sum += sg_search_data_row_error(g, row, c->oof_predictions + (look * g->rows + row) * g->outputs);
            weight += g->row_weight[row];
        }
    return sum / (weight * (double)g->outputs);
}

double sg_candidate_error(const sg_candidate *c, const sg_search_data *g, size_t parts)
{
    return sg_candidate_fold_error(c, g, 0, parts, c->best_eval);
}

static void find_best_eval(const sg_trial_batch *r, sg_candidate *c)
{
    for (size_t k = 0; k <= r->eval_points; k++) {
        c->valid_curve[k] = sg_candidate_fold_error(c, r->data, 0, r->folds, k);
        if (c->valid_curve[k] < c->error) {
            c->error = c->valid_curve[k];
            c->best_eval = k;
        }
    }
}

sg_status sg_trial_batch_run(sg_trial_batch *r, sg_thread_pool *pool)
{
    sg_status st = SG_OK;
    if (r->eval_points > r->max_steps) r->eval_points = r->max_steps;
    for (size_t i = 0; st == SG_OK && i < r->count; i++) st = alloc_results(r, &r->candidate[i]);
    if (st == SG_OK) st = sg_thread_pool_run_long(pool, r->count * r->folds, run_trial, r);
    for (size_t i = 0; st == SG_OK && i < r->count; i++) find_best_eval(r, &r->candidate[i]);
    return st;
}

/* --- models of a candidate --- */

size_t sg_candidate_best_steps(const sg_candidate *c)
{
    return (c->tree_config ? c->tree_config->trees : c->max_steps) * c->best_eval / c->eval_points;
}

sg_status sg_candidate_fold_model(const sg_candidate *c, size_t part, sg_model **out)
{
    const double *theta = c->eval_theta[part * (c->eval_points + 1) + c->best_eval];
    sg_status st = sg_model_copy(c->fold_model[part], out);
    if (st == SG_OK) memcpy((*out)->theta, theta, (*out)->parameters * sizeof *theta);
    return st;
}

static sg_status clone_options_with_seed(const sg_options *o, uint64_t seed, sg_options **out)
{
    char text[32];
    double most = 9007199254740991.0, sum = sg_options_real(o, "seed") + (double)seed;
    snprintf(text, sizeof text, "%.0f", sum > most ? sum - most : sum);
    sg_status st = sg_options_clone(o, out);
    return st == SG_OK ? sg_options_set(*out, "seed", text) : st;
}

static const char DIVERGED_NOTE[] =
    "the training on all rows left the finite numbers and ended there, with the parameters that it had before: "
    "try a smaller --rate";

sg_status sg_candidate_refit(const sg_candidate *c, const sg_search_data *g, const sg_source *rows, uint64_t seed,
                             sg_search_progress *w, sg_model **out)
{
    sg_options *o = NULL;
    sg_status st = clone_options_with_seed(c->options, seed, &o);
    sg_trial t = {.options = o,
                  .train = rows,
                  .max_steps = c->max_steps,
                  .steps = sg_candidate_best_steps(c),
                  .eval_points = c->eval_points,
                  .outputs = g->outputs,
                  .features = g->features};
    if (st == SG_OK) st = sg_trial_run(&t, w);
    if (st == SG_OK && !t.model)
        st = sg_fail(SG_EDATA, "%s: the training that was chosen failed", sg_source_name(rows));
    sg_options_free(o);
    if (st == SG_OK && t.diverged && !sg_record_set(&t.model->record, "note_diverged", DIVERGED_NOTE))
        st = out_of_memory();
    if (st == SG_OK) *out = t.model;
    else sg_model_free(t.model);
    return st;
}
