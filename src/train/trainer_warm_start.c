/* trainer_warm_start.c: trains an existing model further, on other rows. Transforms, levels and the number of rules
 * stay as they are; the ranges of inputs and targets cover both sets of rows. */
#include "base/memory.h"
#include "rows/check_rows.h"
#include "rows/feature_source.h"
#include "train/trainer.h"

#include <math.h>
#include <string.h>

/* --- rows --- */

/* Leaves out rows that cannot be trained on. */
static sg_status select_rows(const sg_options *o, const sg_source *all, const sg_column_roles *roles,
                             const sg_column_stats *stats, sg_training_set *c)
{
    c->rows = *all;
    if (!stats->zero_weight && !stats->incomplete) return SG_OK;
    sg_notify_incomplete_rows(o, roles, stats->incomplete, "");
    sg_status st = sg_complete_rows(all, roles, false, &c->usable);
    if (st == SG_OK) c->rows = sg_subset_source(c->usable);
    return st;
}

static sg_status open_features(const sg_model *m, sg_column_roles *roles, sg_training_set *c, sg_source *features)
{
    *features = c->rows;
    if (m->encoder && !(c->encoder = sg_encoder_copy(m->encoder)))
        return sg_fail_out_of_memory("the levels of categories");
    return sg_features_encode_source(c->encoder, features, roles, &c->encoded);
}

/* --- statistics --- */

/* Extends the model's ranges of inputs and targets to cover the new rows. raw: moments of all columns. */
static void extend_ranges(const sg_preprocess_config *config, const sg_column_roles *roles, const sg_moments *raw,
                          sg_model *m)
{
    for (size_t i = 0; i < m->features; i++) {
        size_t column = roles->input[i];
        if (raw->column_count[column] == 0) continue;
        m->low[i] = fmin(m->low[i], raw->low[column]);
        m->high[i] = fmax(m->high[i], raw->high[column]);
    }
    for (size_t i = 0; config->clips && i < m->outputs; i++) {
        double low = raw->low[roles->target[i]], high = raw->high[roles->target[i]];
        double more = config->clip_margin * (high - low);
        m->clip_low[i] = fmin(m->clip_low[i], low - more);
        m->clip_high[i] = fmax(m->clip_high[i], high + more);
    }
}

static sg_status compute_stats(const sg_source *s, sg_thread_pool *pool, sg_trainer *t)
{
    sg_preprocessed *p = &t->prepared;
    sg_column_stats stats = {0};
    sg_status st = sg_column_stats_compute(s, &p->columns, pool, &stats);
    if (st == SG_OK) {
        p->rows = (size_t)*stats.moments.rows;
        p->fingerprint = stats.fingerprint;
        p->weight_scale = *stats.moments.rows / *stats.moments.weight_sum;
        extend_ranges(&t->config.preprocess, &p->columns, &stats.moments, p->model);
        st = sg_preprocessed_set_target_stats(p, &stats.moments);
    }
    if (st == SG_OK && !sg_moments_init(&p->moments, p->model->a.out)) st = sg_fail_out_of_memory("statistics");
    if (st == SG_OK) st = sg_transformed_moments(s, p, pool, &p->moments);
    sg_column_stats_release(&stats);
    return st;
}

sg_status sg_trainer_load_rows(const sg_model *m, const sg_source *all, sg_thread_pool *pool, sg_trainer *t)
{
    sg_column_stats stats = {0};
    sg_column_roles roles;
    sg_status st = sg_features_find_columns(m, all, true, t->config.weights, &roles);
    if (st != SG_OK) return st;
    st = sg_column_stats_compute(all, &roles, pool, &stats);
    if (st == SG_OK) st = select_rows(t->config.options, all, &roles, &stats, &t->training_set);
    if (st == SG_OK) st = open_features(m, &roles, &t->training_set, &t->train);
    if (st == SG_OK) st = sg_model_copy(m, &t->prepared.model);
    sg_column_stats_release(&stats);
    t->prepared.columns = roles;
    if (st != SG_OK) return st;
    t->model = t->prepared.model;
    sg_calibration_release(&t->model->calibration);
    sg_record_release(&t->model->record);
    return compute_stats(&t->train, pool, t);
}

/* --- state of the previous training --- */

/* Copies theta and the values that the L2 penalty pulls towards. Runs before the optimiser exists. */
static sg_status copy_parameters(const sg_trainer *before, sg_trainer *t)
{
    const sg_block *b = &t->model->block[0], *from = &before->model->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    bool same_shape = before->model->parameters == t->model->parameters && from->kind == b->kind &&
                      from->mfs == b->mfs && from->rules == b->rules && from->terms == b->terms &&
                      from->outputs == b->outputs;
    if (!same_shape)
        return sg_fail(SG_EINVAL, "the model of the previous trainer has different rules, inputs or targets");
    memcpy(t->model->theta, before->model->theta, t->model->parameters * sizeof(double));
    t->k = t->start_iteration = before->k;
    t->iterations += before->k;
    if (!before->prepared.ridge) return SG_OK;
    t->prepared.ridge = sg_calloc(width, sizeof *t->prepared.ridge);
    if (!t->prepared.ridge) return sg_fail_out_of_memory("the L2 penalty");
    memcpy(t->prepared.ridge, before->prepared.ridge, width * sizeof *t->prepared.ridge);
    return SG_OK;
}

/* Copies the state of the optimiser and the average of the iterates. */
static void copy_optimiser(const sg_trainer *before, sg_trainer *t)
{
    const sg_optimiser *from = &before->optimiser;
    sg_optimiser *to = &t->optimiser;
    size_t bytes = to->n * sizeof(double);
    t->sigma_floor = before->sigma_floor;
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

static sg_status check_continuable(const sg_model *m, const sg_train_config *c, const sg_source *rows)
{
    if (m->additive) return sg_fail(SG_EINVAL, "a model with curves can't be trained in steps; use sg_model_update");
    if (m->blocks != 1)
        return sg_fail(SG_EINVAL, "a model of %zu blocks can't be trained further; expected one block", m->blocks);
    if (rows->comm) return sg_fail(SG_EINVAL, "a model can't be trained further on a distributed source");
    if (c->use_lse)
        return sg_fail(SG_EINVAL,
                       "the preset %s can't be trained further, because it fits consequents by least squares to the "
                       "rows of one training run; use a preset with gradient steps, such as mbgd-rda",
                       c->preset);
    if (c->refit_l2 > 0)
        return sg_fail(SG_EINVAL, "--refit can't be used to train a model further, because it fits consequents to the "
                                  "rows of one training run");
    if (c->valid_fraction > 0 || c->patience > 0)
        sg_notice(c->options, "--valid-fraction and --patience have no effect when a model is trained further");
    return SG_OK;
}

sg_status sg_trainer_continue(const sg_model *m, const sg_trainer *before, const sg_options *o, const sg_source *train,
                              sg_trainer **out)
{
    sg_thread_pool *pool = NULL;
    sg_train_config config = sg_train_config_parse(o);
    sg_status st = check_continuable(m, &config, train);
    sg_trainer *t = st == SG_OK ? sg_calloc(1, sizeof *t) : NULL;
    if (!t) return st == SG_OK ? sg_fail_out_of_memory("a trainer") : st;
    t->config = config;
    t->iterations = config.iterations;
    t->step_complete = t->is_continued = true;
    t->validation.best_rmse = (double)NAN;
    st = sg_thread_pool_new(config.threads, &pool);
    if (st == SG_OK) st = sg_trainer_load_rows(m, train, pool, t);
    sg_thread_pool_free(pool);
    if (st == SG_OK && before) st = copy_parameters(before, t);
    if (st == SG_OK) st = sg_trainer_init_buffers(t, NULL);
    if (st == SG_OK && before) copy_optimiser(before, t);
    if (st == SG_OK) *out = t;
    else sg_trainer_free(t);
    return st;
}
