/* search_and_train.c: searches for hyperparameters and trains the final model (presets auto and auto-ensemble).
 *
 * A search screens many candidates briefly on some folds. The best of them, and the combination of the best level of
 * each hyperparameter, are trained longer on all folds. The number of steps with the lowest mean validation error is
 * chosen. If it is 0, rules do not help, and the result is ridge regression. The finalists and boosted soft trees form
 * an ensemble, and a student distilled from it is tried too. The best rules or the student, whichever has the smaller
 * error on held-out rows, is then trained on all rows. The preset auto-ensemble returns the ensemble itself. */

#include "auto/search/search.h"
#include "base/memory.h"
#include "rows/check_rows.h"
#include "train/fit/rule_stats.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>

enum { MIN_SEARCH_ROWS = 40 };

typedef struct search_task {
    sg_options *options; /* a copy of the user's options, without a notice callback     */
    sg_source rows;      /* the usable rows                                             */
    sg_subset *usable;   /* the usable rows as a subset, or NULL if all rows are usable */
    sg_preprocessed all; /* statistics of the usable rows                               */
} search_task;

/* --- the final model --- */

static sg_status train_ridge(const sg_options *o, const sg_source *rows, sg_model **out)
{
    sg_options *ridge = NULL;
    sg_trainer *t = NULL;
    sg_status st = sg_ridge_options(o, &ridge);
    if (st == SG_OK) st = sg_trainer_new(ridge, rows, NULL, &t);
    if (st == SG_OK) st = sg_trainer_model(t, out);
    sg_trainer_free(t);
    sg_options_free(ridge);
    return st;
}

/* Trains the best rules on all rows. After a cancellation, copies the model of the first fold instead, at the best
 * evaluation point or, if θ was not kept, after its last step. */
static sg_status train_best(sg_search *s, const sg_source *rows, sg_model **out)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    bool stopped = sg_search_progress_stopped(&s->progress);
    sg_search_progress uncancelled = {.planned = s->progress.planned};
    if (stopped && best->eval_theta) return sg_candidate_fold_model(best, 0, out);
    if (stopped && best->fold_model[0]) return sg_model_copy(best->fold_model[0], out);
    return sg_candidate_refit(best, &s->data, rows, 0, stopped ? &uncancelled : &s->progress, out);
}

/* Sets the user's options in the record of an ensemble, which is a copy of one member's record, and removes that
 * member's steps and learning curve. */
static bool fix_ensemble_record(const sg_options *user, sg_record *r)
{
    r->points = 0;
    return sg_record_set(r, "iterations", "0") && sg_record_set(r, "best_iteration", "0") &&
           sg_record_set_options(user, r);
}

static sg_status train_ensemble(sg_search *s, const sg_source *rows, sg_model **out)
{
    sg_ensemble e = {0};
    sg_model *m = NULL;
    sg_status st = sg_ensemble_train(s, s->data.has_all_rows ? &s->data.table.rows : rows, s->plan.ensemble_seeds, &e);
    if (st == SG_OK && !sg_search_progress_stopped(&s->progress)) st = sg_ensemble_to_model(&e, &m);
    sg_ensemble_release(&e);
    if (st == SG_OK && m) st = sg_duplicate_row_rules_add(s, &m);
    if (st == SG_OK && m && !fix_ensemble_record(s->user, &m->record))
        st = sg_fail_out_of_memory("the training record");
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

/* Restores the clipping limits and the record of the data, as some models were trained on synthetic rows or on those of
 * a fold. */
static sg_status restore_full_data_record(const sg_preprocessed *all, sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++) {
        m->clip_low[o] = all->model->clip_low[o];
        m->clip_high[o] = all->model->clip_high[o];
    }
    return sg_record_set_data(&m->record, all);
}

/* Trains the chosen model. Changes *decision to SG_DECISION_STOPPED if the training is cancelled. */
static sg_status train_chosen(sg_search *s, const sg_source *rows, const sg_candidate *chosen, sg_decision *decision,
                              sg_model **out)
{
    sg_status st = SG_OK;
    sg_model *m = NULL;
    const sg_candidate *best = &s->finalist[s->best_rules];
    if (*decision == SG_DECISION_RIDGE) return train_ridge(best->options, rows, out);
    if (*decision == SG_DECISION_CURVES) st = sg_candidate_refit(chosen, &s->data, rows, 0, &s->progress, &m);
    else if (*decision == SG_DECISION_DISTILLED) st = sg_comm_agree_status(rows->comm, sg_distill_train(s, chosen, &m));
    else if (*decision == SG_DECISION_ENSEMBLE) st = sg_comm_agree_status(rows->comm, train_ensemble(s, rows, &m));
    else if (*decision == SG_DECISION_BEST_RULES) st = train_best(s, rows, &m);
    if (st == SG_OK && sg_search_progress_stopped(&s->progress)) {
        sg_model_free(m);
        *decision = SG_DECISION_STOPPED;
        return isfinite(best->error) ? train_best(s, rows, out) : train_ridge(s->user, rows, out);
    }
    if (st == SG_OK) *out = m;
    return st;
}

static sg_status store_rule_stats(const sg_search *s, sg_model *m)
{
    sg_row_sample stats;
    sg_status st = sg_rule_stats_sample_raw(&stats, &s->data.table.rows, m);
    if (st != SG_OK) return st;
    st = sg_rule_stats_store(&stats, m);
    sg_row_sample_release(&stats);
    return st;
}

static sg_status train_final_model(sg_search *s, const search_task *task, sg_model **out)
{
    sg_search_report report = {.search = s, .usable = task->usable};
    sg_model *m = NULL;
    report.decision = sg_search_decide(s, &report.systems);
    sg_status st = train_chosen(s, &task->rows, sg_search_report_candidate(&report), &report.decision, &m);
    bool is_of_all_rows = report.decision <= SG_DECISION_CURVES;
    if (st == SG_OK && m && !is_of_all_rows) st = restore_full_data_record(&task->all, m);
    bool is_additive = report.decision != SG_DECISION_STOPPED && m && m->additive;
    if (st == SG_OK && is_additive && !sg_record_set_options(s->user, &m->record))
        st = sg_fail_out_of_memory("the training record");
    if (st == SG_OK) st = sg_search_report_write(&report, m);
    if (st == SG_OK) st = sg_search_calibrate(&report, m);
    if (st == SG_OK) st = store_rule_stats(s, m);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

/* --- the search --- */

/* If all finalists failed, and the search was not cancelled, trains one of them again to get its error message. */
static sg_status report_search_failure(sg_search *s)
{
    sg_model *m = NULL;
    if (isfinite(s->finalist[s->best_rules].error) || sg_search_progress_stopped(&s->progress)) return SG_OK;
    sg_status st = sg_candidate_refit(&s->finalist[0], &s->data, &s->data.table.rows, 0, &s->progress, &m);
    sg_model_free(m);
    return st == SG_OK ? sg_fail(SG_EDIVERGED, "all training runs diverged; try a smaller --rate") : st;
}

/* Makes the planned number of folds or, if --group defines fewer groups, fewer folds. */
static sg_status split_folds(sg_search *s, const sg_options *o)
{
    sg_search_plan *p = &s->plan;
    uint64_t seed = s->space.config.seed;
    sg_status st = sg_search_data_split(&s->data, o, p->folds, seed);
    while (st == SG_EDATA && p->folds > 2 && s->space.config.sets_group)
        st = sg_search_data_split(&s->data, o, --p->folds, seed);
    if (p->screen_folds > p->folds) p->screen_folds = p->folds;
    return st;
}

/* Runs a search. Sets *too_few if there are too few distinct rows for folds. */
static sg_status search(const search_task *task, sg_cancel_fn *stop, void *arg, bool *too_few, sg_model **out)
{
    const sg_comm *comm = task->rows.comm;
    sg_search *s = sg_calloc(1, sizeof *s);
    sg_status st = sg_comm_agree_status(comm, s ? SG_OK : sg_fail_out_of_memory("a search"));
    if (st != SG_OK || !s) {
        free(s);
        return st;
    }
    st = sg_search_init(s, task->options, &task->rows, comm ? NULL : stop, arg);
    bool initialized = st == SG_OK;
    if (initialized) st = split_folds(s, task->options);
    *too_few = initialized && st == SG_EDATA;
    if (st == SG_OK) st = sg_search_run(s);
    if (st == SG_OK) st = report_search_failure(s);
    if (st == SG_OK) st = sg_search_choose_clamp(s, task->options);
    if (st == SG_OK) st = sg_distill_try(s);
    st = sg_comm_agree_status(comm, st);
    if (st == SG_OK) st = train_final_model(s, task, out);
    if (initialized) sg_search_release(s);
    free(s);
    return st;
}

sg_status sg_prepare_usable_rows(const sg_options *o, bool keep_zero_weights, sg_thread_pool *pool, sg_source *rows,
                                 sg_column_roles *roles, sg_subset **usable, sg_preprocessed *all)
{
    sg_column_stats stats = {0};
    sg_status st = sg_column_roles_from_options(o, rows, roles);
    if (st == SG_OK) st = sg_column_stats_compute(rows, roles, pool, &stats);
    if (st == SG_OK) sg_notify_incomplete_rows(o, roles, stats.incomplete, "");
    if (st == SG_OK && (stats.incomplete || (stats.zero_weight && !keep_zero_weights)))
        st = sg_complete_rows(rows, roles, keep_zero_weights, usable);
    if (*usable) *rows = sg_subset_source(*usable);
    sg_column_stats_release(&stats);
    *all = (sg_preprocessed){0};
    return st == SG_OK ? sg_preprocess_fit_raw(o, rows, pool, all) : st;
}

/* Trains ridge regression, with intervals if there are enough rows for folds. */
static sg_status train_calibrated_ridge(const search_task *task, sg_model **out)
{
    sg_options *o = NULL;
    sg_status st = train_ridge(task->options, &task->rows, out);
    if (st != SG_OK) return st;
    st = sg_ridge_interval_options(task->options, &o);
    if (st == SG_OK) st = sg_model_calibrate_folds(*out, o, &task->rows, NULL, NULL, NULL);
    sg_options_free(o);
    return st == SG_EDATA ? SG_OK : st;
}

sg_status sg_search_and_train(const sg_options *o, const sg_source *all, sg_cancel_fn *stop, void *arg, sg_model **out)
{
    search_task task = {.rows = *all};
    sg_column_roles roles = {0};
    sg_status st = sg_prepare_usable_rows(o, false, NULL, &task.rows, &roles, &task.usable, &task.all);
    sg_column_roles_release(&roles);
    if (st == SG_OK) st = sg_options_clone(o, &task.options);
    bool too_few = st == SG_OK && task.rows.rows < MIN_SEARCH_ROWS;
    if (st == SG_OK && !too_few) st = search(&task, stop, arg, &too_few, out);
    if (too_few) {
        sg_notice(o,
                  "%zu rows are too few for a search, or too few of them have distinct inputs; training ridge "
                  "regression instead (one rule without conditions)",
                  task.rows.rows);
        st = train_calibrated_ridge(&task, out);
    }
    sg_options_free(task.options);
    sg_preprocessed_release(&task.all);
    sg_subset_free(task.usable);
    return st;
}
