/* trainer_result.c: what came of a training: the best iterate, or their mean, perhaps with consequents by least
 * squares. */
#include "train/trainer.h"

#include <string.h>

/* Of the iterate that is handed out. */
static const double *best_theta(const sg_trainer *t)
{
    const double *best = sg_validation_theta(&t->validation);
    if (best) return best;
    return t->average.theta ? t->average.theta : t->model->theta;
}

/* --- the last step of all --- */

sg_status sg_refit_init(sg_trainer *t)
{
    sg_refit *r = &t->refit;
    sg_status st = sg_model_copy(t->model, &r->model);
    return st == SG_OK ? sg_lse_init(&r->lse, r->model, &t->prepared, &t->train, r->l2, t->mean_loss, t->pool) : st;
}

void sg_refit_release(sg_refit *r)
{
    sg_lse_release(&r->lse);
    sg_model_free(r->model);
}

/* The score of what is handed out is the one that counts. */
static sg_status validate(sg_trainer *t)
{
    sg_average refitted = {.n = t->model->parameters, .theta = t->refit.model->theta};
    if (!t->validation.active) return SG_OK;
    sg_average_swap(&refitted, t->model->theta);
    sg_status st = sg_validation_look(&t->validation, t->model, &t->validation.best_rmse);
    sg_average_swap(&refitted, t->model->theta);
    return st;
}

/* Where there is no solution the consequents stay as they are. */
sg_status sg_refit_run(sg_trainer *t)
{
    sg_refit *r = &t->refit;
    if (r->l2 == 0 || sg_trainer_progress(t).more) return SG_OK;
    memcpy(r->model->theta, best_theta(t), t->model->parameters * sizeof *r->model->theta);
    sg_status st = sg_lse_solve(&r->lse);
    if (st == SG_EDIVERGED) return SG_OK;
    r->done = st == SG_OK && sg_trainer_sound(t, r->model->theta);
    return r->done ? validate(t) : st;
}

/* --- the model --- */

sg_source sg_trainer_rows(const sg_trainer *t) { return t->chosen.rows; }

const sg_model *sg_trainer_current(const sg_trainer *t) { return t->model; }

/* The MFs before training, in few digits: where it did not move them there is nothing to show, and where digits are all
 * that makes one valid, nothing that could be. */
static void round_start(sg_block *b)
{
    size_t n = b->kind->arity * b->mfs;
    bool moved = b->before && memcmp(b->before, b->mf, n * sizeof *b->mf) != 0;
    for (size_t i = 0; moved && i < n; i++) b->before[i] = sg_few_digits(b->before[i]);
    if (!moved || b->kind->wrong(b->mfs, b->before)) sg_block_forget_before(b);
}

sg_status sg_trainer_copy(const sg_trainer *t, sg_model **out)
{
    sg_model *m;
    sg_status st = sg_model_copy(t->model, &m);
    if (st != SG_OK) return st;
    size_t iteration = sg_validation_best(&t->validation, t->k);
    memcpy(m->theta, t->refit.done ? t->refit.model->theta : best_theta(t), m->parameters * sizeof *m->theta);
    round_start(&m->block[0]);
    st = sg_record_finish(&m->record, t->k, iteration, t->validation.best_rmse, &t->curve);
    if (st != SG_OK) {
        sg_model_free(m);
        return st;
    }
    *out = m;
    return SG_OK;
}

sg_status sg_trainer_model(const sg_trainer *t, sg_model **out)
{
    sg_model *m = NULL;
    sg_status st = sg_trainer_copy(t, &m);
    if (st == SG_OK) st = sg_profile_tell(&t->profile, m);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
