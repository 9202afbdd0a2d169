/* training_set.c: see training_set.h. */
#include "train/fit/training_set.h"

#include "predict/feature_encode.h"
#include "train/fit/effects_fit.h"

static sg_status split_holdout(const sg_options *o, const sg_source *all, sg_training_set *c)
{
    uint64_t seed = (uint64_t)sg_options_real(o, "seed");
    size_t n = (size_t)(sg_options_real(o, "valid-fraction") * (double)all->rows + 0.5);
    if (n == 0)
        return sg_fail(SG_EINVAL, "%s: --valid-fraction leaves no validation rows of %zu",
                       all->name ? all->name : "the data", all->rows);
    sg_status st = sg_subset_split(all, seed, 0, n, 1, &c->holdout);
    return st == SG_OK ? sg_subset_split(all, seed, 0, n, 0, &c->rest) : st;
}

/* Checks all rows by the numbers that the user knows, then sets aside, and leaves out of everything what can't
 * be trained on: c->rows. survey is one of these where nothing was left out; else there is none. */
static sg_status select_rows(const sg_options *o, const sg_source *train, bool use_holdout, sg_thread_pool *pool,
                             sg_training_set *c, sg_column_stats *survey)
{
    sg_column_roles roles;
    sg_column_stats all = {0};
    sg_status st = sg_column_roles_from_options(o, train, &roles);
    if (st != SG_OK) return st;
    c->rows = *train;
    st = sg_column_stats_compute(train, &roles, pool, &all);
    if (st == SG_OK && use_holdout) {
        st = split_holdout(o, train, c);
        if (st == SG_OK) c->rows = sg_subset_source(c->rest);
    }
    bool some = all.zero_weight || all.incomplete;
    if (st == SG_OK && some) {
        sg_notify_incomplete_rows(o, &roles, all.incomplete, "");
        st = sg_complete_rows(&c->rows, &roles, false, &c->usable);
        if (st == SG_OK) c->rows = sg_subset_source(c->usable);
    }
    sg_column_roles_release(&roles);
    if (use_holdout || some) sg_column_stats_release(&all);
    *survey = all;
    return st;
}

/* Categories are coded by the rows that are trained on, and all that follows sees numbers. */
static sg_status fit_features(const sg_options *o, sg_thread_pool *pool, sg_column_stats *survey, sg_training_set *c,
                              sg_source *features, sg_preprocessed *out)
{
    sg_column_roles roles;
    sg_status st = sg_column_roles_from_options(o, &c->rows, &roles);
    if (st != SG_OK) return st;
    *features = c->rows;
    st = sg_features_fit_encoder(o, &c->rows, &roles, &c->coding);
    if (st == SG_OK) st = sg_effects_fit(o, &c->rows, &roles, pool, &c->coding, &c->folds);
    if (st == SG_OK) st = sg_features_encode_source(c->coding, features, &roles, &c->expanded);
    if (st == SG_OK && c->folds) sg_encoded_source_set_folds(c->expanded, c->folds);
    if (c->coding) sg_column_stats_release(survey); /* it was of words, or without effects */
    if (st == SG_OK && !survey->rows) st = sg_column_stats_compute(features, &roles, pool, survey);
    if (st == SG_OK) st = sg_preprocess_fit(o, features, &roles, c->coding, survey, pool, out);
    sg_column_roles_release(&roles);
    return st;
}

/* By all threads: the model's own are not more than there is room for. */
sg_status sg_training_set_init(sg_training_set *c, const sg_options *o, const sg_source *train, bool use_holdout,
                               sg_source *features, sg_preprocessed *out)
{
    sg_thread_pool *pool = NULL;
    sg_column_stats survey = {0};
    *c = (sg_training_set){0};
    sg_status st = sg_thread_pool_new(sg_options_integer(o, "threads"), &pool);
    if (st == SG_OK) st = select_rows(o, train, use_holdout, pool, c, &survey);
    if (st == SG_OK) st = fit_features(o, pool, &survey, c, features, out);
    sg_column_stats_release(&survey);
    sg_thread_pool_free(pool);
    if (st != SG_OK) sg_training_set_release(c);
    return st;
}

void sg_training_set_release(sg_training_set *c)
{
    sg_encoded_source_free(c->expanded);
    sg_encoder_free(c->coding);
    sg_effect_folds_free(c->folds);
    sg_subset_free(c->rest);
    sg_subset_free(c->holdout);
    sg_subset_free(c->usable);
    *c = (sg_training_set){0};
}
