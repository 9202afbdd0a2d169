/* trainer.c: the training loop, one iteration per call: Algorithm 1 of the paper, and Jang's hybrid learning, in which
 * only antecedents take gradient steps and consequents are fitted by least squares. */
#include "train/trainer.h"

#include "base/memory.h"
#include "data/memory_shares.h"
#include "rows/check_rows.h"
#include "rows/feature_source.h"
#include "rows/training_memory.h"
#include "train/fit/lse.h"
#include "train/fit/ridge_regression.h"
#include "train/init/structure_table.h"

#include <math.h>
#include <string.h>

void sg_trainer_free(sg_trainer *t)
{
    if (!t) return;
    sg_gradient_release(&t->gradient);
    sg_balance_penalty_release(&t->balance);
    sg_optimiser_release(&t->optimiser);
    sg_lse_release(&t->lse);
    sg_refit_release(&t->refit);
    sg_validation_release(&t->validation);
    sg_batch_prefetch_release(&t->prefetch);
    sg_batch_release(&t->batch);
    sg_preprocessed_release(&t->prepared);
    sg_training_set_release(&t->training_set);
    sg_thread_pool_free(t->pool);
    sg_iterate_average_release(&t->average);
    sg_row_sample_release(&t->rule_stats);
    sg_free_all(t->lambda, t->l2_center, t);
}

/* --- construction --- */

/* Returns the width of the narrowest initial MF times the factor (--sigma-floor). */
static double min_mf_width(const sg_model *m, double factor)
{
    double least = INFINITY, p[SG_MF_MAX_PARAMETERS];
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t i = 0; i < m->block[b].mfs; i++) {
            sg_mf_get(&m->block[b], i, p);
            least = fmin(least, m->block[b].kind->width(p));
        }
    return factor * least;
}

/* Returns the number of parameters that take gradient steps: all, or only those before the consequents. */
static size_t trained_parameters(const sg_trainer *t)
{
    if (!t->config.use_lse) return t->model->parameters;
    return (size_t)(t->model->block[0].conseq - t->model->theta);
}

static sg_status make_optimiser(sg_trainer *t)
{
    t->optimiser = t->config.optimiser;
    t->optimiser.ops = t->gradient.worker[0].engine.ops;
    t->optimiser.f32_rates = t->gradient.worker[0].engine.is_f32;
    return sg_optimiser_init(&t->optimiser, trained_parameters(t));
}

/* The lambda of Eqs. (7) and (10) penalises slopes, not biases. */
static sg_status make_penalty(sg_trainer *t)
{
    const sg_block *b = &t->model->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    t->lambda = sg_calloc(8 * width, sizeof *t->lambda);
    t->l2_center = sg_calloc(8 * width, sizeof *t->l2_center);
    if (!t->lambda || !t->l2_center) return sg_fail_out_of_memory("the L2 penalty");
    for (size_t i = 0; i < 8 * width; i++) {
        t->lambda[i] = i % width < b->outputs ? 0 : t->config.l2;
        t->l2_center[i] = t->prepared.ridge ? t->prepared.ridge[i % width] : 0;
    }
    return SG_OK;
}

/* Fits ridge regression if the consequents start at its coefficients. */
static sg_status fit_ridge_start(sg_trainer *t)
{
    const sg_model *m = t->prepared.model;
    sg_thread_pool *pool = NULL;
    double penalty;
    if (!t->config.ridge_start) return SG_OK;
    sg_status st = sg_structure_check_lse(&t->train, m, "ridge regression (--start ridge)");
    if (st != SG_OK) return st;
    double *ridge = sg_calloc(sg_model_terms(m) + 1, m->outputs * sizeof *ridge);
    st = ridge ? sg_thread_pool_new(t->config.threads, &pool) : sg_fail_out_of_memory("ridge regression");
    if (st == SG_OK) st = sg_ridge_fit(&t->train, &t->prepared, pool, ridge, &penalty);
    sg_thread_pool_free(pool);
    t->prepared.ridge = ridge;
    return st;
}

static void init_consequents(sg_trainer *t)
{
    sg_block *b = &t->model->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    for (size_t r = 0; t->prepared.ridge && r < b->rules; r++)
        memcpy(b->conseq + r * width, t->prepared.ridge, width * sizeof *b->conseq);
}

/* Stores the initial MFs in the model. Also runs on resume, before the checkpoint is read. */
static sg_status save_initial_mfs(sg_model *m)
{
    sg_block *b = &m->block[0];
    if (b->mfs == 0 || b->mfs > SG_INITIAL_MF_MAX || sg_block_save_initial_mfs(b)) return SG_OK;
    return sg_fail(SG_ENOMEM, "out of memory while storing %zu membership functions", b->mfs);
}

/* Builds the initial rule base. */
static sg_status build_model(sg_trainer *t)
{
    sg_status st = fit_ridge_start(t);
    if (st == SG_OK) st = sg_structure_build(&t->config.structure, &t->train, &t->prepared);
    if (st != SG_OK) return st;
    t->model = t->prepared.model;
    init_consequents(t);
    return save_initial_mfs(t->model);
}

static sg_status init_batch(sg_trainer *t, const sg_source *valid)
{
    const sg_train_config *c = &t->config;
    size_t resident = t->train.resident_bytes; /* a holdout shares the memory of the other rows */
    if (valid && !t->training_set.holdout) resident += valid->resident_bytes;
    sg_status st = sg_batch_init(&t->batch, t->train.rows, c->batch);
    if (st == SG_OK && c->block_sampling) st = sg_batch_use_block_shuffle(&t->batch);
    if (st != SG_OK) return st;
    return sg_batch_prefetch_init(&t->prefetch, &t->train, &t->batch, c->seed, t->iterations,
                                  sg_memory_for_prefetch(c->options, resident));
}

static sg_status init_gradient(sg_trainer *t)
{
    const sg_train_config *c = &t->config;
    const sg_preprocessed *p = &t->prepared;
    sg_status st = sg_gradient_init(&t->gradient, t->model, &t->prefetch.source, &p->columns, p->weight_scale,
                                    &c->dropout, &t->batch, c->precision, t->pool);
    if (st != SG_OK) return st;
    if (t->gradient.cache.row) sg_batch_prefetch_disable(&t->prefetch);
    t->gradient.noise = (sg_input_noise){.seed = c->seed, .sigma = c->noise, .moments = &p->moments};
    t->gradient.huber = c->huber;
    return sg_balance_penalty_init(&t->balance, t->model, c->balance);
}

static sg_status init_lse(sg_trainer *t)
{
    const sg_train_config *c = &t->config;
    if (!c->use_lse) return SG_OK;
    sg_status st = sg_lse_init(&t->lse, t->model, &t->prepared, &t->train, c->l2, c->mean_loss, t->pool);
    return st == SG_OK ? sg_lse_solve(&t->lse) : st;
}

static sg_status start_record(sg_trainer *t, bool validates)
{
    sg_learning_curve_init(&t->curve, t->iterations);
    sg_status st = sg_record_start(&t->model->record, &t->config, &t->prepared);
    if (st != SG_OK || !validates) return st;
    return sg_record_add_validation(&t->model->record, t->validation.rows, t->validation.fingerprint);
}

sg_status sg_trainer_init_buffers(sg_trainer *t, const sg_source *valid)
{
    const sg_train_config *c = &t->config;
    sg_status st = sg_rule_stats_sample(&t->rule_stats, &t->train, &t->prepared);
    if (st != SG_OK) return st;
    t->sigma_floor = min_mf_width(t->model, c->sigma_floor);
    st = init_batch(t, valid);
    bool threads = t->batch.slices > 1 || c->refit_l2 > 0 || (valid && valid->rows > SG_EVAL_ROWS);
    if (st == SG_OK && threads) st = sg_memory_plan_pool(t->model, c->threads, &t->pool);
    if (st == SG_OK) st = init_gradient(t);
    if (st == SG_OK) st = make_optimiser(t);
    if (st == SG_OK) st = init_lse(t);
    if (st == SG_OK) st = sg_iterate_average_init(&t->average, t->model->parameters, t->model->theta, c->average);
    if (st == SG_OK && c->refit_l2 > 0) st = sg_refit_init(t);
    if (st == SG_OK && valid) st = sg_validation_init(&t->validation, c, t->model, valid, t->batch.n, t->pool);
    if (st == SG_OK) st = make_penalty(t);
    return st == SG_OK ? start_record(t, valid) : st;
}

/* Sends a notice if some ranks of a distributed training run are idle. */
static void notify_idle_ranks(const sg_trainer *t)
{
    const sg_options *o = t->config.options;
    const sg_comm *comm = t->train.comm;
    size_t leaves = t->gradient.leaves;
    if (!comm || leaves >= comm->ranks || t->iterations == 0) return;
    if (t->batch.slices == 1)
        sg_notice(
            o, "a batch of %zu rows is too small to distribute: every rank computes all of it; use --batch 512 or more",
            t->batch.n);
    else if (leaves == 1)
        sg_notice(o, "a model of %zu parameters is too large for parallel gradients: ranks take turns in each step",
                  t->model->parameters);
    else
        sg_notice(o, "a batch of %zu rows has %zu parts, so some of the %zu ranks are idle; use a larger --batch",
                  t->batch.n, leaves, comm->ranks);
}

static sg_status init_trainer(sg_trainer *t, const sg_source *train, const sg_source *valid)
{
    const sg_train_config *c = &t->config;
    bool use_holdout = !valid && c->valid_fraction > 0;
    sg_source holdout;
    sg_status st = sg_training_set_init(&t->training_set, c, train, use_holdout, &t->train, &t->prepared);
    if (st != SG_OK) return st;
    if (use_holdout) {
        holdout = sg_subset_source(t->training_set.holdout);
        valid = &holdout;
    }
    if (!valid && c->patience > 0)
        sg_notice(c->options, "--patience has no effect without validation rows (--valid, --valid-fraction)");
    st = build_model(t);
    if (st == SG_OK) st = sg_trainer_init_buffers(t, valid);
    if (st != SG_OK) return st;
    notify_idle_ranks(t);
    if (valid && t->validation.features.encoded)
        st = sg_notify_unseen_levels(c->options, t->validation.features.encoded, true);
    if (st == SG_OK && valid && !use_holdout) /* the rows of a holdout have already been checked */
        sg_notify_incomplete_rows(c->options, &t->validation.features.columns, t->validation.incomplete, "validation ");
    return st;
}

sg_status sg_trainer_new(const sg_options *o, const sg_source *train, const sg_source *valid, sg_trainer **out)
{
    sg_trainer *t = sg_calloc(1, sizeof *t);
    if (!t) return sg_fail_out_of_memory("a trainer");
    t->config = sg_train_config_parse(o);
    t->iterations = t->config.iterations;
    t->step_complete = true;
    t->validation.best_rmse = NAN;
    sg_status st = sg_train_config_check_additive(&t->config);
    if (st == SG_OK) st = init_trainer(t, train, valid);
    if (st == SG_OK) *out = t;
    else sg_trainer_free(t);
    return st;
}

/* --- one iteration --- */

/* Adds the gradient of the L2 penalty to grad. Returns the penalty's part of the loss. */
static double add_l2_penalty(const sg_trainer *t, double *grad)
{
    double sum = 0;
    if (t->config.l2 == 0) return 0;
    for (size_t i = 0; i < t->model->blocks; i++) {
        const sg_block *b = &t->model->block[i];
        size_t width = (b->terms + 1) * b->outputs;
        sum += t->optimiser.ops->l2_gradient(b->rules * width, width, t->lambda, t->l2_center, b->conseq,
                                             grad + (b->conseq - t->model->theta));
    }
    return 0.5 * sum;
}

/* Returns the data term of Eq. (7), eq:loss, in transformed units. Scales the gradient if the loss is a mean. */
static double batch_loss(sg_trainer *t, double *grad)
{
    const double *squares = sg_gradient_squares(&t->gradient);
    double weight = sg_gradient_weight(&t->gradient), sum = 0;
    for (size_t o = 0; o < t->model->outputs; o++) sum += squares[o];
    if (!t->config.mean_loss || weight == 0) return 0.5 * sum;
    for (size_t i = 0; i < t->model->parameters; i++) grad[i] /= weight;
    return 0.5 * sum / weight;
}

static double batch_rmse(const sg_trainer *t)
{
    const double *squares = sg_gradient_squares(&t->gradient);
    double weight = sg_gradient_weight(&t->gradient), sum = 0;
    for (size_t o = 0; o < t->model->outputs; o++) sum += squares[o] * t->model->scale[o] * t->model->scale[o];
    return weight > 0 ? sqrt(sum / weight / (double)t->model->outputs) : 0;
}

/* Projects the MFs in theta to the nearest valid ones that are at least sigma_floor wide. */
static void project_mfs(const sg_trainer *t, double *theta)
{
    for (size_t i = 0; i < t->model->blocks; i++) {
        const sg_block *b = &t->model->block[i];
        b->kind->project(b->mfs, theta + (b->mf - t->model->theta), t->sigma_floor);
    }
}

bool sg_trainer_theta_is_valid(const sg_trainer *t, const double *theta)
{
    const sg_model *m = t->model;
    if (!t->optimiser.ops->all_within(m->parameters, theta, SG_MODEL_MAX_ABS)) return false;
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        if (b->kind->validate(b->mfs, theta + (b->mf - m->theta))) return false;
    }
    return true;
}

/* Restores the theta from before the step, which the optimiser has stored in place of the gradient. */
static sg_status roll_back(sg_trainer *t)
{
    memcpy(t->model->theta, sg_gradient_theta(&t->gradient), t->model->parameters * sizeof(double));
    t->diverged = true;
    t->k--;
    return sg_fail(SG_EDIVERGED,
                   "training diverged in iteration %zu; the model of iteration %zu is kept; "
                   "try a smaller --rate",
                   t->k + 1, sg_validation_best_iteration(&t->validation, t->k));
}

/* Computes the loss of iteration k, and its gradient, Eqs. (8)-(10), which it stores in sg_gradient_theta. */
static sg_status compute_gradient(sg_trainer *t, size_t k, double *loss)
{
    double *grad = sg_gradient_theta(&t->gradient);
    sg_batch_prefetch_draw(&t->prefetch, k);
    bool balance = t->balance.lambda > 0;
    sg_status st = balance ? sg_balance_penalty_run(&t->balance, &t->gradient, t->model, (uint32_t)k) : SG_OK;
    if (st == SG_OK) st = sg_gradient_run(&t->gradient, (uint32_t)k);
    if (st != SG_OK) return st;
    *loss = batch_loss(t, grad) + (t->config.use_lse ? sg_lse_penalty(&t->lse) : add_l2_penalty(t, grad));
    if (balance) *loss += sg_balance_penalty_add(&t->balance, grad);
    return SG_OK;
}

sg_status sg_trainer_gradient(sg_trainer *t, double *grad)
{
    double loss;
    sg_status st = compute_gradient(t, t->k + 1, &loss);
    if (st == SG_OK) memcpy(grad, sg_gradient_theta(&t->gradient), t->model->parameters * sizeof *grad);
    return st;
}

static sg_status update_theta(sg_trainer *t, sg_progress *progress)
{
    double *grad = sg_gradient_theta(&t->gradient), *theta = t->model->theta, loss;
    size_t n = trained_parameters(t);
    sg_status st = compute_gradient(t, t->k, &loss);
    if (st != SG_OK) return st;
    progress->batch_rmse = batch_rmse(t);
    t->optimiser.rate_factor = sg_rate_schedule_factor(&t->config.schedule, t->k - t->start_iteration);
    progress->rate = t->optimiser.rate * t->optimiser.rate_factor;
    progress->mean_rate = sg_optimiser_step(&t->optimiser, loss, theta, grad);
    memcpy(grad + n, theta + n, (t->model->parameters - n) * sizeof *grad);
    project_mfs(t, theta);
    if (!isfinite(loss) || !isfinite(progress->batch_rmse) || !sg_trainer_theta_is_valid(t, theta)) return roll_back(t);
    if (t->config.use_lse) st = sg_lse_solve(&t->lse);
    if (t->config.use_lse && (st == SG_EDIVERGED || !sg_trainer_theta_is_valid(t, theta))) return roll_back(t);
    if (st != SG_OK || !t->average.theta) return st;
    sg_iterate_average_add(&t->average, t->k, theta);
    project_mfs(t, t->average.theta); /* rounding may make MFs invalid */
    return SG_OK;
}

/* Evaluates the current theta, or the average of the iterates if there is one, on the validation rows. */
static sg_status validate(sg_trainer *t, bool last, double *rmse)
{
    sg_iterate_average_swap(&t->average, t->model->theta);
    sg_status st = sg_validation_run(&t->validation, t->k, last, t->model, rmse);
    sg_iterate_average_swap(&t->average, t->model->theta);
    return st;
}

sg_progress sg_trainer_progress(const sg_trainer *t)
{
    bool more = !t->diverged && t->k < t->iterations && !sg_validation_should_stop(&t->validation, t->k);
    return (sg_progress){.iteration = t->k,
                         .iterations = t->iterations,
                         .valid_rmse = NAN,
                         .best_rmse = t->validation.best_rmse,
                         .more = more};
}

sg_status sg_trainer_step(sg_trainer *t, sg_progress *progress)
{
    *progress = sg_trainer_progress(t);
    progress->more = 0;
    if (t->diverged || t->k == t->iterations) return SG_OK;
    t->step_complete = false;
    progress->iteration = ++t->k;
    sg_status st = update_theta(t, progress);
    if (st != SG_OK) return st;
    bool last = t->k == t->iterations;
    if (t->validation.active) {
        st = validate(t, last, &progress->valid_rmse);
        if (st != SG_OK) return st;
    }
    progress->more = !last && !sg_validation_should_stop(&t->validation, t->k);
    sg_learning_curve_add(&t->curve, t->k, !progress->more, progress->batch_rmse, progress->valid_rmse);
    st = sg_refit_run(t);
    progress->best_rmse = t->validation.best_rmse;
    t->step_complete = st == SG_OK;
    return st;
}
