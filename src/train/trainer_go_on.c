/* trainer_go_on.c: a system that is there already, trained further on other rows. Its transforms, levels and rules stay
 * what they are; what is known of rows is of both. */
#include "base/memory.h"
#include "train/features.h"
#include "train/passes.h"
#include "train/trainer.h"

#include <math.h>
#include <string.h>

/* --- the rows --- */

/* Those that can be trained on, as features. */
static sg_status choose_rows(const sg_options *o, const sg_source *all, const sg_roles *roles, const sg_survey *survey,
                             sg_chosen *c)
{
    c->rows = *all;
    if (!survey->zeros && !survey->lacking) return SG_OK;
    sg_tell_lacking(o, roles, survey->lacking, "");
    sg_status st = sg_usable_rows(all, roles, false, &c->usable);
    if (st == SG_OK) c->rows = sg_subset_source(c->usable);
    return st;
}

static sg_status open_features(const sg_model *m, sg_roles *roles, sg_chosen *c, sg_source *features)
{
    *features = c->rows;
    if (m->coding && !(c->coding = sg_coding_copy(m->coding)))
        return sg_fail(SG_ENOMEM, "out of memory for the levels of categories");
    return sg_features_open(c->coding, features, roles, &c->expanded);
}

/* --- what is known of them --- */

/* Ranges that the model remembers grow with the rows. raw: of the columns that roles names. */
static void widen(const sg_options *o, const sg_roles *roles, const sg_moments *raw, sg_model *m)
{
    bool clips = !sg_options_is(o, "clip", "none");
    double margin = clips ? sg_options_number(o, "clip") : 0;
    for (size_t i = 0; i < m->inputs; i++) {
        size_t column = roles->input[i];
        if (raw->cells[column] == 0) continue;
        m->low[i] = fmin(m->low[i], raw->low[column]);
        m->high[i] = fmax(m->high[i], raw->high[column]);
    }
    for (size_t i = 0; clips && i < m->outputs; i++) {
        double low = raw->low[roles->target[i]], high = raw->high[roles->target[i]], more = margin * (high - low);
        m->least[i] = fmin(m->least[i], low - more);
        m->most[i] = fmax(m->most[i], high + more);
    }
}

static sg_status prepare(const sg_options *o, const sg_source *s, sg_pool *pool, sg_trainer *t)
{
    sg_prepared *p = &t->prepared;
    sg_survey survey = {0};
    sg_status st = sg_survey_rows(s, &p->columns, pool, &survey);
    if (st == SG_OK) {
        p->rows = (size_t)*survey.raw.rows;
        p->fingerprint = survey.fingerprint;
        p->weight_scale = *survey.raw.rows / *survey.raw.weight;
        widen(o, &p->columns, &survey.raw, p->model);
        st = sg_prepared_targets(p, &survey.raw);
    }
    if (st == SG_OK && !sg_moments_init(&p->seen, p->model->a.out))
        st = sg_fail(SG_ENOMEM, "out of memory for statistics");
    if (st == SG_OK) st = sg_pass_moments(s, p, pool, &p->seen);
    sg_survey_release(&survey);
    return st;
}

/* Rows and what is known of them; the model is a copy, which has to learn anew how sure it is. */
static sg_status take_rows(const sg_model *m, const sg_options *o, const sg_source *all, sg_pool *pool, sg_trainer *t)
{
    sg_survey survey = {0};
    sg_roles roles;
    sg_status st = sg_features_find(m, all, true, sg_options_text(o, "weights"), &roles);
    if (st != SG_OK) return st;
    st = sg_survey_rows(all, &roles, pool, &survey);
    if (st == SG_OK) st = choose_rows(o, all, &roles, &survey, &t->chosen);
    if (st == SG_OK) st = open_features(m, &roles, &t->chosen, &t->train);
    if (st == SG_OK) st = sg_model_copy(m, &t->prepared.model);
    sg_survey_release(&survey);
    t->prepared.columns = roles;
    if (st != SG_OK) return st;
    t->model = t->prepared.model;
    sg_sure_release(&t->model->sure);
    sg_record_release(&t->model->record);
    return prepare(o, &t->train, pool, t);
}

/* --- where the training was --- */

/* Before there is an optimiser: parameters, and what they are pulled to. */
static sg_status start_from(const sg_trainer *before, sg_trainer *t)
{
    const sg_block *b = &t->model->block[0], *from = &before->model->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    bool alike = before->model->parameters == t->model->parameters && from->kind == b->kind && from->mfs == b->mfs &&
                 from->rules == b->rules && from->terms == b->terms && from->outputs == b->outputs;
    if (!alike) return sg_fail(SG_EINVAL, "the trainer to go on from has another model");
    memcpy(t->model->theta, before->model->theta, t->model->parameters * sizeof(double));
    t->k = t->begun = before->k;
    t->iterations += before->k;
    if (!before->prepared.ridge) return SG_OK;
    t->prepared.ridge = sg_alloc(width, sizeof *t->prepared.ridge);
    if (!t->prepared.ridge) return sg_fail(SG_ENOMEM, "out of memory for a penalty");
    memcpy(t->prepared.ridge, before->prepared.ridge, width * sizeof *t->prepared.ridge);
    return SG_OK;
}

/* Its moments, and the mean of the iterates. */
static void go_on_from(const sg_trainer *before, sg_trainer *t)
{
    const sg_optimiser *from = &before->optimiser;
    sg_optimiser *to = &t->optimiser;
    size_t bytes = to->n * sizeof(double);
    t->floor = before->floor;
    if (t->average.theta && before->average.theta)
        memcpy(t->average.theta, before->average.theta, t->average.n * sizeof *t->average.theta);
    if (from->n != to->n || from->kind != to->kind) return;
    to->k = from->k;
    to->rate = from->rate;
    to->raised = from->raised;
    to->lowered = from->lowered;
    memcpy(to->loss, from->loss, sizeof to->loss);
    if (to->m) memcpy(to->m, from->m, bytes);
    if (to->v) memcpy(to->v, from->v, bytes);
}

static sg_status refuse(const sg_model *m, const sg_options *o, const sg_source *rows)
{
    if (m->blocks != 1)
        return sg_fail(SG_EINVAL, "a model of %zu blocks can't be trained further: expected one rule base", m->blocks);
    if (rows->team) return sg_fail(SG_EINVAL, "a model can't be trained further on rows of a team");
    if (sg_options_is(o, "consequents", "lse"))
        return sg_fail(
            SG_EINVAL,
            "consequents by least squares know the rows of one training only: the preset %s can't be trained further, "
            "one of gradient steps can, such as mbgd-rda",
            sg_options_text(o, "preset"));
    if (sg_options_number(o, "refit") > 0)
        return sg_fail(
            SG_EINVAL,
            "--refit finds consequents by the rows of one training only: a model can't be trained further with it");
    if (sg_options_number(o, "valid-fraction") > 0 || sg_options_size(o, "patience") > 0)
        sg_notice(o, "--valid-fraction and --patience do nothing where a model is trained further");
    return SG_OK;
}

sg_status sg_trainer_go_on(const sg_model *m, const sg_trainer *before, const sg_options *o, const sg_source *train,
                           sg_trainer **out)
{
    sg_pool *pool = NULL;
    sg_status st = refuse(m, o, train);
    sg_trainer *t = st == SG_OK ? sg_alloc(1, sizeof *t) : NULL;
    if (!t) return st == SG_OK ? sg_fail(SG_ENOMEM, "out of memory for a trainer") : st;
    sg_trainer_read(o, t);
    t->whole = t->further = true;
    t->validation.best_rmse = (double)NAN;
    st = sg_pool_new(sg_options_size(o, "threads"), &pool);
    if (st == SG_OK) st = take_rows(m, o, train, pool, t);
    sg_pool_free(pool);
    if (st == SG_OK && before) st = start_from(before, t);
    if (st == SG_OK) st = sg_trainer_equip(o, NULL, t);
    if (st == SG_OK && before) go_on_from(before, t);
    if (st == SG_OK) *out = t;
    else sg_trainer_free(t);
    return st;
}
