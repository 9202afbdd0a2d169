/* trainer_finish.c: the result of a training run: the best iterate, the average of the iterates or the last iterate,
 * optionally with consequents refitted by least squares. */
#include "train/trainer.h"

#include <string.h>

/* Returns the theta of the result, before any refit. */
static const double *select_theta(const sg_trainer *t)
{
    if (t->validation.best_iteration) return t->validation.theta;
    return t->average.theta ? t->average.theta : t->model->theta;
}

/* --- refit --- */

sg_status sg_refit_init(sg_trainer *t)
{
    sg_refit *r = &t->refit;
    sg_status st = sg_model_copy(t->model, &r->model);
    return st == SG_OK ? sg_lse_init(&r->lse, r->model, &t->prepared, &t->train, t->config.refit_l2,
                                     t->config.mean_loss, t->pool)
                       : st;
}

void sg_refit_release(sg_refit *r)
{
    sg_lse_release(&r->lse);
    sg_model_free(r->model);
}

/* Evaluates the refitted model on the validation rows; its RMSE becomes the reported one. */
static sg_status validate_refit(sg_trainer *t)
{
    sg_iterate_average refitted = {.n = t->model->parameters, .theta = t->refit.model->theta};
    if (!t->validation.active) return SG_OK;
    sg_iterate_average_swap(&refitted, t->model->theta);
    sg_status st = sg_validation_score(&t->validation, t->model, &t->validation.best_rmse);
    sg_iterate_average_swap(&refitted, t->model->theta);
    return st;
}

/* If the equations have no solution, the consequents stay as they are. */
sg_status sg_refit_run(sg_trainer *t)
{
    sg_refit *r = &t->refit;
    if (t->config.refit_l2 == 0 || sg_trainer_progress(t).more) return SG_OK;
    memcpy(r->model->theta, select_theta(t), t->model->parameters * sizeof *r->model->theta);
    sg_status st = sg_lse_solve(&r->lse);
    if (st == SG_EDIVERGED) return SG_OK;
    r->done = st == SG_OK && sg_trainer_theta_is_valid(t, r->model->theta);
    return r->done ? validate_refit(t) : st;
}

/* --- the model --- */

sg_source sg_trainer_rows(const sg_trainer *t) { return t->training_set.rows; }

const sg_model *sg_trainer_current(const sg_trainer *t) { return t->model; }

/* Rounds the initial MFs, which are only for display. Drops them if training did not move them or if rounding makes one
 * invalid. */
static void round_initial_mfs(sg_block *b)
{
    size_t n = b->kind->arity * b->mfs;
    bool moved = b->initial_mf && memcmp(b->initial_mf, b->mf, n * sizeof *b->mf) != 0;
    for (size_t i = 0; moved && i < n; i++) b->initial_mf[i] = sg_round_digits(b->initial_mf[i]);
    if (!moved || b->kind->validate(b->mfs, b->initial_mf)) sg_block_free_initial_mfs(b);
}

sg_status sg_trainer_copy_model(const sg_trainer *t, sg_model **out)
{
    sg_model *m;
    sg_status st = sg_model_copy(t->model, &m);
    if (st != SG_OK) return st;
    size_t iteration = sg_validation_best_iteration(&t->validation, t->k);
    memcpy(m->theta, t->refit.done ? t->refit.model->theta : select_theta(t), m->parameters * sizeof *m->theta);
    round_initial_mfs(&m->block[0]);
    st = sg_record_finish(&m->record, t->k, iteration, t->validation.best_rmse, &t->curve);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

sg_status sg_trainer_model(const sg_trainer *t, sg_model **out)
{
    sg_model *m = NULL;
    sg_status st = sg_trainer_copy_model(t, &m);
    if (st == SG_OK) st = sg_rule_stats_store(&t->rule_stats, m);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
