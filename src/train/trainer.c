/* trainer.c: Algorithm 1 of the paper, one iteration a call; and Jang's hybrid, where consequents
 * come from least squares and only antecedents are stepped. */
#include "train/trainer.h"

#include "base/memory.h"
#include "data/memory_budget.h"
#include "predict/check_levels.h"
#include "predict/memory_plan.h"
#include "train/fit/ridge.h"
#include "train/init/structure.h"

#include <math.h>
#include <stdlib.h>
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
    sg_rule_stats_release(&t->rule_stats);
    free(t->lambda);
    free(t->l2_center);
    free(t);
}

/* --- making one --- */

/* The narrowest initial MF times --sigma-floor. */
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

/* Parameters that are stepped: all, or those before the consequents. */
static size_t trained_parameters(const sg_trainer *t)
{
    if (!t->use_lse) return t->model->parameters;
    return (size_t)(t->model->block[0].conseq - t->model->theta);
}

static sg_status make_optimiser(const sg_options *o, sg_trainer *t)
{
    t->optimiser = (sg_optimiser){.kind = sg_optim_find(sg_options_text(o, "optim")),
                                  .ops = t->gradient.worker[0].engine.ops,
                                  .f32_rates = t->gradient.worker[0].engine.is_f32,
                                  .rate = sg_options_real(o, "rate"),
                                  .power = sg_options_real(o, "power"),
                                  .final_rate = sg_options_real(o, "final-rate"),
                                  .rate_up = sg_options_real(o, "rate-up"),
                                  .rate_down = sg_options_real(o, "rate-down"),
                                  .beta1 = sg_options_real(o, "beta1"),
                                  .beta2 = sg_options_real(o, "beta2"),
                                  .epsilon = sg_options_real(o, "epsilon")};
    if (t->optimiser.final_rate == 0) t->optimiser.final_rate = t->optimiser.rate;
    return sg_optimiser_init(&t->optimiser, trained_parameters(t));
}

void sg_trainer_read_options(const sg_options *o, sg_trainer *t)
{
    t->seed = (uint64_t)sg_options_real(o, "seed");
    t->iterations = sg_options_integer(o, "iters");
    t->use_lse = sg_options_equals(o, "consequents", "lse");
    t->mean_loss = sg_options_equals(o, "loss", "mean");
    t->l2 = sg_options_real(o, "l2");
    t->refit.l2 = sg_options_real(o, "refit");
    t->schedule = sg_rate_schedule_from_options(o);
    t->drop = (sg_dropout){sg_dropout_find(sg_options_text(o, "drop")), sg_options_real(o, "keep"), t->seed};
}

/* The lambda of Eqs. (7) and (10): on slopes, not on biases. */
static sg_status make_penalty(sg_trainer *t)
{
    const sg_block *b = &t->model->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    t->lambda = sg_calloc(8 * width, sizeof *t->lambda);
    t->l2_center = sg_calloc(8 * width, sizeof *t->l2_center);
    if (!t->lambda || !t->l2_center) return sg_fail(SG_ENOMEM, "out of memory for a penalty");
    for (size_t i = 0; i < 8 * width; i++) {
        t->lambda[i] = i % width < b->outputs ? 0 : t->l2;
        t->l2_center[i] = t->prepared.ridge ? t->prepared.ridge[i % width] : 0;
    }
    return SG_OK;
}

/* Ridge regression, if that is where consequents start. */
static sg_status fit_ridge_start(const sg_options *o, sg_trainer *t)
{
    const sg_model *m = t->prepared.model;
    sg_thread_pool *pool = NULL;
    double strength;
    if (!sg_options_equals(o, "start", "ridge")) return SG_OK;
    sg_status st = sg_structure_check_lse(&t->train, m, "ridge regression (--start ridge)");
    if (st != SG_OK) return st;
    double *line = sg_calloc(sg_model_terms(m) + 1, m->outputs * sizeof *line);
    st = line ? sg_thread_pool_new(sg_options_integer(o, "threads"), &pool)
              : sg_fail(SG_ENOMEM, "out of memory for ridge regression");
    if (st == SG_OK) st = sg_ridge_fit(&t->train, &t->prepared, pool, line, &strength);
    sg_thread_pool_free(pool);
    t->prepared.ridge = line;
    return st;
}

/* That of every rule. */
static void init_consequents(sg_trainer *t)
{
    sg_block *b = &t->model->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    for (size_t r = 0; t->prepared.ridge && r < b->rules; r++)
        memcpy(b->conseq + r * width, t->prepared.ridge, width * sizeof *b->conseq);
}

/* MFs as they are now go into the model: whoever goes on from a checkpoint comes by here, too, before it is read. */
static sg_status save_initial_mfs(sg_model *m)
{
    sg_block *b = &m->block[0];
    if (b->mfs == 0 || b->mfs > SG_INITIAL_MF_MAX || sg_block_save_initial_mfs(b)) return SG_OK;
    return sg_fail(SG_ENOMEM, "out of memory for %zu membership functions", b->mfs);
}

/* Rows that were set aside lie where the others do. */
static size_t held_bytes(const sg_trainer *t, const sg_source *valid)
{
    return t->train.resident_bytes + (valid && !t->training_set.holdout ? valid->resident_bytes : 0);
}

/* The system as it is before the first step. */
static sg_status build_model(const sg_options *o, sg_trainer *t)
{
    sg_status st = fit_ridge_start(o, t);
    if (st == SG_OK) st = sg_structure_build(o, &t->train, &t->prepared);
    if (st != SG_OK) return st;
    t->model = t->prepared.model;
    init_consequents(t);
    return save_initial_mfs(t->model);
}

sg_status sg_trainer_init_buffers(const sg_options *o, const sg_source *valid, sg_trainer *t)
{
    sg_preprocessed *p = &t->prepared;
    sg_status st = sg_rule_stats_sample(&t->rule_stats, &t->train, p);
    if (st != SG_OK) return st;
    t->sigma_floor = min_mf_width(t->model, sg_options_real(o, "sigma-floor"));
    st = sg_batch_init(&t->batch, t->train.rows, sg_options_integer(o, "batch"));
    if (st == SG_OK && sg_options_equals(o, "sampling", "blocks")) st = sg_batch_use_block_shuffle(&t->batch);
    if (st == SG_OK)
        st = sg_batch_prefetch_init(&t->prefetch, &t->train, &t->batch, t->seed, t->iterations,
                                    sg_memory_for_prefetch(o, held_bytes(t, valid)));
    bool threads = t->batch.slices > 1 || t->refit.l2 > 0 || (valid && valid->rows > SG_EVAL_ROWS);
    if (st == SG_OK && threads) st = sg_memory_plan_pool(t->model, sg_options_integer(o, "threads"), &t->pool);
    if (st == SG_OK)
        st = sg_gradient_init(&t->gradient, t->model, &t->prefetch.source, &p->columns, p->weight_scale, &t->drop,
                              &t->batch, sg_options_text(o, "precision"), t->pool);
    if (st == SG_OK && t->gradient.cache.row) sg_batch_prefetch_disable(&t->prefetch);
    t->gradient.noise = (sg_input_noise){.seed = t->seed, .sigma = sg_options_real(o, "noise"), .moments = &p->moments};
    t->gradient.huber = sg_options_real(o, "huber");
    if (st == SG_OK) st = sg_balance_penalty_init(&t->balance, t->model, sg_options_real(o, "balance"));
    if (st == SG_OK) st = make_optimiser(o, t);
    if (st == SG_OK && t->use_lse) {
        st = sg_lse_init(&t->lse, t->model, p, &t->train, t->l2, t->mean_loss, t->pool);
        if (st == SG_OK) st = sg_lse_solve(&t->lse);
    }
    if (st == SG_OK)
        st = sg_iterate_average_init(&t->average, t->model->parameters, t->model->theta, sg_options_real(o, "average"));
    if (st == SG_OK && t->refit.l2 > 0) st = sg_refit_init(t);
    if (st == SG_OK && valid) st = sg_validation_init(&t->validation, o, t->model, valid, t->batch.n, t->pool);
    if (st != SG_OK) return st;
    st = make_penalty(t);
    if (st != SG_OK) return st;
    sg_learning_curve_init(&t->curve, t->iterations);
    st = sg_record_start(&t->model->record, o, p);
    if (st != SG_OK || !valid) return st;
    return sg_record_add_validation(&t->model->record, t->validation.rows, t->validation.fingerprint);
}

/* What a team should know about the size of its batches. */
static void notify_idle_ranks(const sg_options *o, const sg_trainer *t)
{
    const sg_comm *team = t->train.comm;
    size_t leaves = t->gradient.leaves;
    if (!team || leaves >= team->ranks || t->iterations == 0) return;
    if (t->batch.slices == 1)
        sg_notice(
            o,
            "a batch of %zu rows is too small to be shared out, every rank computes all of it: with --batch 512 or "
            "more each computes a part",
            t->batch.n);
    else if (leaves == 1)
        sg_notice(o,
                  "a model of %zu parameters is too large for several gradients at once: ranks take turns in each "
                  "step",
                  t->model->parameters);
    else
        sg_notice(
            o, "a batch of %zu rows has %zu parts, for %zu ranks: some have nothing to do; a larger --batch has more",
            t->batch.n, leaves, team->ranks);
}

sg_status sg_trainer_new(const sg_options *o, const sg_source *train, const sg_source *valid, sg_trainer **out)
{
    sg_trainer *t = sg_calloc(1, sizeof *t);
    if (!t) return sg_fail(SG_ENOMEM, "out of memory for a trainer");
    bool set_aside = !valid && sg_options_real(o, "valid-fraction") > 0;
    sg_source aside;
    sg_trainer_read_options(o, t);
    t->step_complete = true;
    t->validation.best_rmse = NAN;
    sg_status st = sg_training_set_init(&t->training_set, o, train, set_aside, &t->train, &t->prepared);
    if (st == SG_OK && set_aside) {
        aside = sg_subset_source(t->training_set.holdout);
        valid = &aside;
    }
    if (st == SG_OK && !valid && sg_options_integer(o, "patience") > 0)
        sg_notice(o, "--patience does nothing without validation rows (--valid, --valid-fraction)");
    if (st == SG_OK) st = build_model(o, t);
    if (st == SG_OK) st = sg_trainer_init_buffers(o, valid, t);
    if (st == SG_OK) notify_idle_ranks(o, t);
    if (st == SG_OK && valid && t->validation.expanded) st = sg_check_levels(o, t->validation.expanded, true);
    if (st == SG_OK && valid && !set_aside) /* of rows set aside it was told with the others */
        sg_notify_incomplete_rows(o, &t->validation.columns, t->validation.incomplete, "validation ");
    if (st != SG_OK) {
        sg_trainer_free(t);
        return st;
    }
    *out = t;
    return SG_OK;
}

/* --- one iteration --- */

/* Adds the penalty's part to the gradient; returns its part of the loss. */
static double add_l2_penalty(const sg_trainer *t, double *grad)
{
    double sum = 0;
    if (t->l2 == 0) return 0;
    for (size_t i = 0; i < t->model->blocks; i++) {
        const sg_block *b = &t->model->block[i];
        size_t width = (b->terms + 1) * b->outputs;
        sum += t->optimiser.ops->l2_gradient(b->rules * width, width, t->lambda, t->l2_center, b->conseq,
                                             grad + (b->conseq - t->model->theta));
    }
    return 0.5 * sum;
}

/* Eq. (7), eq:loss, in the target's transformed units; scales the gradient where it is a mean. */
static double batch_loss(sg_trainer *t, double *grad)
{
    const double *squares = sg_gradient_squares(&t->gradient);
    double weight = sg_gradient_weight(&t->gradient), sum = 0;
    for (size_t o = 0; o < t->model->outputs; o++) sum += squares[o];
    if (!t->mean_loss || weight == 0) return 0.5 * sum;
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

/* Back to the nearest valid MFs, no narrower than the floor. */
static void project(const sg_trainer *t, double *theta)
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
        if (b->kind->validate(b->mfs, theta + (b->mf - m->theta))) return false; /* a width lost to rounding, far out */
    }
    return true;
}

/* Back to theta as it was before the step, which is where the gradient was. */
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

/* The gradient of iteration k's loss, Eqs. (8)-(10), is then in sg_gradient_theta. */
static sg_status compute_gradient(sg_trainer *t, size_t k, double *loss)
{
    double *grad = sg_gradient_theta(&t->gradient);
    sg_batch_prefetch_draw(&t->prefetch, k);
    sg_status st = sg_balance_penalty_run(&t->balance, &t->gradient, t->model, (uint32_t)k);
    if (st == SG_OK) st = sg_gradient_run(&t->gradient, (uint32_t)k);
    if (st != SG_OK) return st;
    *loss = batch_loss(t, grad) + (t->use_lse ? sg_lse_penalty(&t->lse) : add_l2_penalty(t, grad));
    *loss += sg_balance_penalty_add(&t->balance, grad);
    return SG_OK;
}

sg_status sg_trainer_gradient(sg_trainer *t, double *grad)
{
    double loss;
    sg_status st = compute_gradient(t, t->k + 1, &loss);
    if (st == SG_OK) memcpy(grad, sg_gradient_theta(&t->gradient), t->model->parameters * sizeof *grad);
    return st;
}

static sg_status update(sg_trainer *t, sg_progress *progress)
{
    double *grad = sg_gradient_theta(&t->gradient), *theta = t->model->theta, loss;
    size_t n = trained_parameters(t);
    sg_status st = compute_gradient(t, t->k, &loss);
    if (st != SG_OK) return st;
    progress->batch_rmse = batch_rmse(t);
    t->optimiser.rate_factor = sg_rate_schedule_factor(&t->schedule, t->k - t->start_iteration);
    progress->rate = t->optimiser.rate * t->optimiser.rate_factor;
    progress->mean_rate = sg_optimiser_step(&t->optimiser, loss, theta, grad);
    memcpy(grad + n, theta + n, (t->model->parameters - n) * sizeof *grad);
    project(t, theta);
    if (!isfinite(loss) || !isfinite(progress->batch_rmse) || !sg_trainer_theta_is_valid(t, theta)) return roll_back(t);
    if (t->use_lse) st = sg_lse_solve(&t->lse);
    if (t->use_lse && (st == SG_EDIVERGED || !sg_trainer_theta_is_valid(t, theta))) return roll_back(t);
    if (st != SG_OK || !t->average.theta) return st;
    sg_iterate_average_add(&t->average, t->k, theta);
    project(t, t->average.theta); /* rounding */
    return SG_OK;
}

/* Of the mean of the iterates, where there is one. */
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
    sg_status st = update(t, progress);
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
