/* candidate.c: trains candidates step by step, cross-validates them in parallel, and refits them on other rows. */
#include "auto/search/candidate.h"

#include "base/memory.h"
#include "train/additive/additive_train.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sg_status sg_candidate_init(sg_candidate *c, const sg_search_space *space, const sg_hyperparams *h)
{
    *c = (sg_candidate){.hyperparams = *h, .error = INFINITY};
    return sg_hyperparams_to_options(space, h, &c->options);
}

void sg_candidate_release(sg_candidate *c)
{
    for (size_t i = 0; c->eval_theta && i < c->folds * (c->eval_points + 1); i++) free(c->eval_theta[i]);
    for (size_t i = 0; c->fold_model && i < c->folds; i++) sg_model_free(c->fold_model[i]);
    for (size_t i = 0; c->fold_trees && i < c->folds; i++) sg_tree_ensemble_free(c->fold_trees[i]);
    free(c->eval_theta);
    free(c->fold_model);
    free(c->fold_trees);
    free(c->oof_predictions);
    free(c->valid_curve);
    sg_model_free(c->all_rows_model);
    sg_options_free(c->options);
    *c = (sg_candidate){.error = INFINITY};
}

/* --- one training run, evaluated on validation rows at regular intervals --- */

typedef struct trial {
    const sg_options *options;
    const sg_source *train, *valid; /* if valid is NULL, nothing is evaluated                       */
    size_t max_steps;               /* length of the learning-rate schedule                         */
    size_t steps;                   /* number of steps to run                                       */
    size_t eval_points;             /* number of evaluations, besides the one before the first step */
    size_t outputs, features;
    double *predictions; /* (eval_points + 1, valid rows, outputs), with NaN after divergence */
    double **eval_theta; /* (eval_points + 1): copies of θ, which the caller frees; or NULL   */
    sg_model *model;     /* result: the model after the last step with finite parameters      */
    bool diverged;       /* result: whether training diverged                                 */
} trial;

enum { ASSUMED_RULES = 32 }; /* number of rules assumed for a grid */

static sg_status evaluate_now(trial *t, const sg_trainer *trainer, size_t i)
{
    sg_model *m;
    sg_status st = sg_trainer_copy_model(trainer, &m);
    if (st != SG_OK) return st;
    st = sg_apply_model(m, t->valid, t->predictions + i * t->valid->rows * t->outputs);
    if (st == SG_OK && t->eval_theta) {
        t->eval_theta[i] = sg_calloc(m->parameters, sizeof **t->eval_theta);
        if (t->eval_theta[i]) memcpy(t->eval_theta[i], m->theta, m->parameters * sizeof *m->theta);
        else st = sg_fail_out_of_memory("a search");
    }
    sg_model_free(m);
    return st;
}

size_t sg_train_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs)
{
    double cost = (double)batch * (double)rules * (0.5 * (double)inputs + 0.25 * (double)(inputs * outputs) + 1.5);
    return 2000 + (size_t)cost;
}

static size_t trial_step_cost(const trial *t)
{
    sg_search_config c = sg_search_config_parse(t->options);
    size_t batch = c.batch == 0 || c.batch > t->train->rows ? t->train->rows : c.batch;
    return sg_train_step_cost(batch, c.rules ? c.rules : ASSUMED_RULES, t->features, t->outputs);
}

static sg_status run_steps(trial *t, sg_trainer *trainer, sg_search_progress *progress)
{
    sg_progress p;
    size_t cost = trial_step_cost(t), evaluated = 0;
    sg_status st = t->valid ? evaluate_now(t, trainer, 0) : SG_OK;
    for (size_t k = 1; st == SG_OK && k <= t->steps; k++) {
        st = sg_trainer_step(trainer, &p);
        bool is_running = sg_search_progress_add(progress, cost);
        while (st == SG_OK && t->valid && evaluated < t->eval_points &&
               k >= t->max_steps * (evaluated + 1) / t->eval_points)
            st = evaluate_now(t, trainer, ++evaluated);
        if (!is_running) break;
    }
    return st;
}

static sg_status train_and_evaluate(trial *t, const sg_options *o, sg_search_progress *progress)
{
    sg_trainer *trainer;
    sg_status st = sg_trainer_new(o, t->train, NULL, &trainer);
    if (st != SG_OK) return st;
    st = run_steps(t, trainer, progress);
    t->diverged = st == SG_EDIVERGED;
    if (st == SG_OK || st == SG_EDIVERGED) st = sg_trainer_copy_model(trainer, &t->model);
    sg_trainer_free(trainer);
    return st;
}

/* Runs a trial. Divergence does not count as a failure. If there are validation rows, neither does a cancellation, nor
 * do unusable rows or options. Predictions that could not be made are NaN. */
static sg_status train_trial(trial *t, sg_search_progress *progress)
{
    sg_options *o = NULL;
    for (size_t i = 0; t->valid && i < (t->eval_points + 1) * t->valid->rows * t->outputs; i++) t->predictions[i] = NAN;
    if (t->valid && sg_search_progress_stopped(progress)) return SG_OK;
    sg_status st = sg_trial_options(t->options, t->max_steps, &o);
    if (st == SG_OK) st = train_and_evaluate(t, o, progress);
    sg_options_free(o);
    return st == SG_EDIVERGED || (t->valid && (st == SG_EDATA || st == SG_EINVAL)) ? SG_OK : st;
}

sg_status sg_train_initial(const sg_options *o, const sg_source *rows, sg_model **out)
{
    sg_trainer *trainer;
    sg_status st = sg_trainer_new(o, rows, NULL, &trainer);
    if (st != SG_OK) return st;
    st = sg_trainer_copy_model(trainer, out);
    sg_trainer_free(trainer);
    return st;
}

/* --- trials --- */

static sg_status alloc_results(const sg_trial_batch *batch, sg_candidate *c)
{
    size_t evals = batch->eval_points + 1, cells = evals * batch->data->outputs;
    c->max_steps = batch->max_steps;
    c->eval_points = batch->eval_points;
    c->folds = batch->folds;
    c->oof_predictions = sg_calloc(batch->data->rows, cells * sizeof *c->oof_predictions);
    c->valid_curve = sg_calloc(evals, sizeof *c->valid_curve);
    c->eval_theta = batch->keep_theta ? sg_calloc(batch->folds * evals, sizeof *c->eval_theta) : NULL;
    c->fold_model = sg_calloc(batch->folds, sizeof *c->fold_model);
    c->fold_trees = sg_calloc(batch->folds, sizeof *c->fold_trees);
    for (size_t i = 0; c->oof_predictions && i < batch->data->rows * cells; i++) c->oof_predictions[i] = NAN;
    bool ok = c->oof_predictions && c->valid_curve && c->fold_model && c->fold_trees;
    return ok && (c->eval_theta || !batch->keep_theta) ? SG_OK : sg_fail_out_of_memory("a search");
}

/* Clips the predictions of a fold, and copies them into the row order of the search data. */
static void scatter_fold_predictions(const sg_search_data *data, const sg_cv_fold *fold, sg_candidate *c, double *y)
{
    size_t n = fold->valid.rows, width = data->outputs;
    sg_search_data_clip(data, y, (c->eval_points + 1) * n);
    for (size_t k = 0; k <= c->eval_points; k++)
        for (size_t i = 0; i < n; i++)
            memcpy(c->oof_predictions + (k * data->rows + fold->valid_row[i]) * width, y + (k * n + i) * width,
                   width * sizeof *y);
}

/* Trains and evaluates the trees of a candidate. Their evaluation points are counts of trees. */
static sg_status train_fold_trees(const sg_trial_batch *batch, const sg_candidate *c, const sg_cv_fold *fold, double *y,
                                  sg_tree_ensemble **out)
{
    size_t trees = c->tree_config->trees;
    sg_status st =
        sg_tree_ensemble_train(c->options, c->tree_config, trees, batch->data, &fold->train, 0, batch->progress, out);
    if (st == SG_OK) st = sg_tree_ensemble_predict(*out, &fold->valid, trees, batch->eval_points, y);
    return st;
}

static const sg_source *training_rows(const sg_trial_batch *batch, size_t fold)
{
    return batch->fold_rows ? &batch->fold_rows[fold].rows : &batch->data->fold[fold].train;
}

/* Trains and evaluates curves and pairs. Unusable rows or options do not count as a failure: the predictions are then
 * NaN. */
static sg_status train_fold_curves(const sg_trial_batch *batch, const sg_candidate *c, size_t k, double *y)
{
    const sg_source *rows = training_rows(batch, k), *valid = &batch->data->fold[k].valid;
    for (size_t i = 0; i < valid->rows * batch->data->outputs; i++) y[i] = NAN;
    sg_status st;
    if (!c->structure) st = sg_additive_train(c->options, rows, NULL, NULL, NULL, &c->fold_model[k]);
    else if (!c->structure->fold_model[k]) return SG_OK;
    else st = sg_additive_refit(c->options, c->structure->fold_model[k], rows, &c->fold_model[k]);
    if (st == SG_EDATA || st == SG_EINVAL || st == SG_EDIVERGED) return SG_OK;
    sg_search_progress_add(batch->progress, sg_additive_train_cost(rows->rows, batch->data->inputs));
    return st == SG_OK ? sg_apply_model(c->fold_model[k], valid, y) : st;
}

/* Adds the predictions of the base's model for this fold to those at all evaluation points. */
static sg_status add_base(const sg_trial_batch *batch, const sg_candidate *c, size_t k, double *y)
{
    const sg_source *valid = &batch->data->fold[k].valid;
    size_t cells = valid->rows * batch->data->outputs;
    const sg_model *base = c->base->fold_model[k];
    double *add = sg_calloc(cells, sizeof *add);
    sg_status st = add ? SG_OK : sg_fail_out_of_memory("a search");
    if (st == SG_OK && base) st = sg_apply_model(base, valid, add);
    for (size_t i = 0; st == SG_OK && i < (c->eval_points + 1) * cells; i++)
        y[i] += base ? add[i % cells] : (double)NAN;
    free(add);
    return st;
}

static sg_status train_fold_rules(const sg_trial_batch *batch, sg_candidate *c, size_t k, double *y)
{
    const sg_search_data *data = batch->data;
    trial t = {.options = c->options,
               .train = training_rows(batch, k),
               .valid = &data->fold[k].valid,
               .max_steps = batch->max_steps,
               .steps = batch->max_steps,
               .eval_points = batch->eval_points,
               .outputs = data->outputs,
               .features = data->features,
               .predictions = y,
               .eval_theta = c->eval_theta ? c->eval_theta + k * (batch->eval_points + 1) : NULL};
    sg_status st = train_trial(&t, batch->progress);
    c->fold_model[k] = t.model;
    return st == SG_OK && c->base ? add_base(batch, c, k, y) : st;
}

static sg_status run_trial(void *arg, size_t i, size_t worker)
{
    const sg_trial_batch *batch = arg;
    const sg_search_data *data = batch->data;
    size_t k = i % batch->folds;
    sg_candidate *c = &batch->candidate[i / batch->folds];
    const sg_cv_fold *fold = &data->fold[k];
    sg_status st;
    (void)worker;
    if (sg_search_progress_stopped(batch->progress)) return SG_OK;
    double *y = sg_calloc(fold->valid.rows, (batch->eval_points + 1) * data->outputs * sizeof *y);
    if (!y) return sg_fail_out_of_memory("a search");
    if (c->kind == SG_CANDIDATE_TREES) st = train_fold_trees(batch, c, fold, y, &c->fold_trees[k]);
    else if (c->kind == SG_CANDIDATE_ADDITIVE) st = train_fold_curves(batch, c, k, y);
    else st = train_fold_rules(batch, c, k, y);
    if (st == SG_OK) scatter_fold_predictions(data, fold, c, y);
    if (st == SG_EDATA && c->tree_config) st = SG_OK; /* the candidate is unusable: its predictions are NaN */
    free(y);
    return st;
}

double sg_candidate_squared_error(const sg_candidate *c, const sg_search_data *data, size_t first, size_t last,
                                  size_t eval, double *weight)
{
    double sum = 0;
    for (size_t j = first; j < last; j++)
        for (size_t i = 0; i < data->fold[j].valid.rows; i++) {
            size_t row = data->fold[j].valid_row[i];
            sum += sg_search_data_row_error(data, row, sg_candidate_prediction(c, data, eval, row));
            *weight += data->row_weight[row];
        }
    return sum;
}

double sg_candidate_fold_error(const sg_candidate *c, const sg_search_data *data, size_t first, size_t last,
                               size_t eval)
{
    double weight = 0, sum = sg_candidate_squared_error(c, data, first, last, eval, &weight);
    return sum / (weight * (double)data->outputs);
}

double sg_candidate_error(const sg_candidate *c, const sg_search_data *data, size_t folds)
{
    return sg_candidate_fold_error(c, data, 0, folds, c->best_eval);
}

void sg_candidate_error_table(const sg_candidate *c, const sg_search_data *data, double *error, double *weight)
{
    for (size_t j = 0; j < c->folds; j++)
        for (size_t k = 0; k <= c->eval_points; k++) {
            weight[j] = 0;
            error[j * (c->eval_points + 1) + k] = sg_candidate_squared_error(c, data, j, j + 1, k, &weight[j]);
        }
}

size_t sg_candidate_best_eval_excluding(const sg_candidate *c, size_t fold, const double *error)
{
    size_t evals = c->eval_points + 1, best = c->best_eval;
    double least = INFINITY;
    for (size_t k = 0; c->folds > 1 && k < evals; k++) {
        double sum = 0;
        for (size_t j = 0; j < c->folds; j++) sum += j == fold ? 0 : error[j * evals + k];
        if (!(sum < least)) continue;
        least = sum;
        best = k;
    }
    return best;
}

static void find_best_eval(const sg_trial_batch *batch, sg_candidate *c)
{
    for (size_t k = 0; k <= batch->eval_points; k++) {
        c->valid_curve[k] = sg_candidate_fold_error(c, batch->data, 0, batch->folds, k);
        if (c->valid_curve[k] < c->error) {
            c->error = c->valid_curve[k];
            c->best_eval = k;
        }
    }
}

sg_status sg_trial_batch_run(sg_trial_batch *batch, sg_thread_pool *pool)
{
    sg_status st = SG_OK;
    if (batch->eval_points > batch->max_steps) batch->eval_points = batch->max_steps;
    for (size_t i = 0; st == SG_OK && i < batch->count; i++) st = alloc_results(batch, &batch->candidate[i]);
    if (st == SG_OK) st = sg_thread_pool_run_long(pool, batch->count * batch->folds, run_trial, batch);
    for (size_t i = 0; st == SG_OK && i < batch->count; i++) find_best_eval(batch, &batch->candidate[i]);
    return st;
}

/* --- models of a candidate --- */

size_t sg_candidate_best_steps(const sg_candidate *c)
{
    if (c->eval_points == 0) return 0;
    return (c->tree_config ? c->tree_config->trees : c->max_steps) * c->best_eval / c->eval_points;
}

const char *sg_candidate_effects(const sg_candidate *c) { return sg_search_config_parse(c->options).effects; }

sg_status sg_candidate_fold_model(const sg_candidate *c, size_t fold, sg_model **out)
{
    if (c->kind == SG_CANDIDATE_ADDITIVE) return sg_model_copy(c->fold_model[fold], out);
    const double *theta = c->eval_theta[fold * (c->eval_points + 1) + c->best_eval];
    sg_status st = sg_model_copy(c->fold_model[fold], out);
    if (st == SG_OK) memcpy((*out)->theta, theta, (*out)->parameters * sizeof *theta);
    return st;
}

static const char DIVERGED_NOTE[] =
    "training on all rows diverged, so the model has the last finite parameters; try a smaller --rate";

sg_status sg_candidate_refit(const sg_candidate *c, const sg_search_data *data, const sg_source *rows, uint64_t seed,
                             sg_search_progress *progress, sg_model **out)
{
    sg_options *o = NULL;
    if (c->kind == SG_CANDIDATE_ADDITIVE) return sg_additive_train(c->options, rows, NULL, NULL, NULL, out);
    sg_status st = sg_options_add_seed(c->options, seed, &o);
    trial t = {.options = o,
               .train = rows,
               .max_steps = c->max_steps,
               .steps = sg_candidate_best_steps(c),
               .eval_points = c->eval_points,
               .outputs = data->outputs,
               .features = data->features};
    if (st == SG_OK) st = train_trial(&t, progress);
    if (st == SG_OK && !t.model)
        st = sg_fail(SG_EDATA, "%s: training with the chosen hyperparameters failed", sg_source_name(rows));
    sg_options_free(o);
    if (st == SG_OK && t.diverged && !sg_record_set(&t.model->record, "note_diverged", DIVERGED_NOTE))
        st = sg_fail_out_of_memory("a search");
    if (st == SG_OK) *out = t.model;
    else sg_model_free(t.model);
    return st;
}
