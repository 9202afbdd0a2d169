/* chosen.c: see chosen.h. */
#include "train/chosen.h"

#include "train/effects.h"
#include "train/features.h"

static sg_status set_rows_aside(const sg_options *o, const sg_source *all, sg_chosen *c)
{
    uint64_t seed = (uint64_t)sg_options_number(o, "seed");
    size_t n = (size_t)(sg_options_number(o, "valid-fraction") * (double)all->rows + 0.5);
    if (n == 0)
        return sg_fail(SG_EINVAL, "%s: --valid-fraction leaves no validation rows of %zu",
                       all->name ? all->name : "the data", all->rows);
    sg_status st = sg_subset_split(all, seed, 0, n, 1, &c->aside);
    return st == SG_OK ? sg_subset_split(all, seed, 0, n, 0, &c->not_aside) : st;
}

/* Checks all rows by the numbers that the user knows, then sets aside, and leaves out of everything what can't
 * be trained on: c->rows. survey is one of these where nothing was left out; else there is none. */
static sg_status choose_rows(const sg_options *o, const sg_source *train, bool set_aside, sg_pool *pool, sg_chosen *c,
                             sg_survey *survey)
{
    sg_roles roles;
    sg_survey all = {0};
    sg_status st = sg_roles_choose(o, train, &roles);
    if (st != SG_OK) return st;
    c->rows = *train;
    st = sg_survey_rows(train, &roles, pool, &all);
    if (st == SG_OK && set_aside) {
        st = set_rows_aside(o, train, c);
        if (st == SG_OK) c->rows = sg_subset_source(c->not_aside);
    }
    bool some = all.zeros || all.lacking;
    if (st == SG_OK && some) {
        sg_tell_lacking(o, &roles, all.lacking, "");
        st = sg_usable_rows(&c->rows, &roles, false, &c->usable);
        if (st == SG_OK) c->rows = sg_subset_source(c->usable);
    }
    sg_roles_release(&roles);
    if (set_aside || some) sg_survey_release(&all);
    *survey = all;
    return st;
}

/* Categories are coded by the rows that are trained on, and all that follows sees numbers. */
static sg_status fit(const sg_options *o, sg_pool *pool, sg_survey *survey, sg_chosen *c, sg_source *features,
                     sg_prepared *out)
{
    sg_roles roles;
    sg_status st = sg_roles_choose(o, &c->rows, &roles);
    if (st != SG_OK) return st;
    *features = c->rows;
    st = sg_features_fit(o, &c->rows, &roles, &c->coding);
    if (st == SG_OK) st = sg_effects_fit(o, &c->rows, &roles, pool, &c->coding, &c->folds);
    if (st == SG_OK) st = sg_features_open(c->coding, features, &roles, &c->expanded);
    if (st == SG_OK && c->folds) sg_expanded_by_folds(c->expanded, c->folds);
    if (c->coding) sg_survey_release(survey); /* it was of words, or without effects */
    if (st == SG_OK && !survey->rows) st = sg_survey_rows(features, &roles, pool, survey);
    if (st == SG_OK) st = sg_prepare(o, features, &roles, c->coding, survey, pool, out);
    sg_roles_release(&roles);
    return st;
}

/* By all threads: the model's own are not more than there is room for. */
sg_status sg_chosen_init(sg_chosen *c, const sg_options *o, const sg_source *train, bool set_aside, sg_source *features,
                         sg_prepared *out)
{
    sg_pool *pool = NULL;
    sg_survey survey = {0};
    *c = (sg_chosen){0};
    sg_status st = sg_pool_new(sg_options_size(o, "threads"), &pool);
    if (st == SG_OK) st = choose_rows(o, train, set_aside, pool, c, &survey);
    if (st == SG_OK) st = fit(o, pool, &survey, c, features, out);
    sg_survey_release(&survey);
    sg_pool_free(pool);
    if (st != SG_OK) sg_chosen_release(c);
    return st;
}

void sg_chosen_release(sg_chosen *c)
{
    sg_expanded_free(c->expanded);
    sg_coding_free(c->coding);
    sg_effect_folds_free(c->folds);
    sg_subset_free(c->not_aside);
    sg_subset_free(c->aside);
    sg_subset_free(c->usable);
    *c = (sg_chosen){0};
}
