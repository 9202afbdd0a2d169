/* auto_train.c: chooses how to train by rows that were not trained on, and trains so.
 *
 * Many settings are tried for a short time on some parts of the rows; the best ones, and what seems best of each
 * factor, for longer on all parts. How long is best is where the mean of the parts' curves is lowest; where that is
 * before the first step, rules do not help, and the answer is ridge regression. The best ones, and trees of soft boxes,
 * make a committee, and a student of it is tried, too. Then the best training is done again on all rows, or a student
 * taught by the committee of all rows: whichever did better where neither had looked. An ensemble is that committee
 * itself. */
#include "auto/cv/cv.h"
#include "auto/ensemble/distill.h"
#include "auto/ensemble/duplicate_rules.h"
#include "auto/ensemble/ensemble_train.h"
#include "auto/search/prepare_rows.h"
#include "auto/search/search_calibrate.h"
#include "auto/search/search_report.h"
#include "base/memory.h"
#include "comm/comm.h"
#include "train/fit/rule_stats.h"
#include "train/training_record.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_SEARCH_ROWS = 40 }; /* rows that are worth a search */

/* What is searched for. */
typedef struct task {
    sg_options *options; /* the user's, without a listener */
    sg_source rows;      /* that can be trained on         */
    sg_subset *usable;   /* which these are, or NULL: all  */
    sg_preprocessed all; /* what is known of them          */
} task;

/* --- what is trained in the end --- */

static sg_status train_ridge(const sg_options *o, const sg_source *rows, sg_model **out)
{
    sg_options *line = NULL;
    sg_trainer *t = NULL;
    sg_status st = sg_ridge_options(o, &line);
    if (st == SG_OK) st = sg_trainer_new(line, rows, NULL, &t);
    if (st == SG_OK) st = sg_trainer_model(t, out);
    sg_trainer_free(t);
    sg_options_free(line);
    return st;
}

/* The best rules on all rows. Where that was stopped before, there is what the first part trained: at the best look,
 * or, if looks were not kept, in the end. */
static sg_status train_best(sg_search *s, const sg_source *rows, sg_model **out)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    bool stopped = sg_search_progress_stopped(&s->progress);
    sg_search_progress nobody = {.planned = s->progress.planned};
    if (stopped && best->eval_theta) return sg_candidate_fold_model(best, 0, out);
    if (stopped && best->fold_model[0]) return sg_model_copy(best->fold_model[0], out);
    return sg_candidate_refit(best, &s->data, rows, 0, stopped ? &nobody : &s->progress, out);
}

/* A committee's record came from one of its members: options as the user has them, and no steps, of which each had its
 * own. */
static bool record_user_options(const sg_options *user, sg_record *r)
{
    bool ok = sg_record_set(r, "iterations", "0") && sg_record_set(r, "best_iteration", "0");
    for (size_t i = 0; ok && i < r->entries; i++) {
        const char *value = sg_options_get(user, r->entry[i].name);
        if (value) ok = sg_record_set(r, r->entry[i].name, value);
    }
    r->points = 0;
    return ok;
}

static sg_status train_ensemble(sg_search *s, const sg_source *rows, sg_model **out)
{
    sg_ensemble c = {0};
    sg_model *m = NULL;
    sg_status st = sg_ensemble_train(s, s->data.has_all_rows ? &s->data.table.rows : rows, s->plan.ensemble_seeds, &c);
    if (st == SG_OK && !sg_search_progress_stopped(&s->progress)) st = sg_ensemble_to_model(&c, &m);
    sg_ensemble_release(&c);
    if (st == SG_OK && m) st = sg_duplicate_rules_add(s, &m);
    if (st == SG_OK && m && !record_user_options(s->user, &m->record))
        st = sg_fail(SG_ENOMEM, "out of memory for the training record");
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

/* A student's rows, and a part's, were not all the user's. */
static sg_status restore_full_data_record(const sg_preprocessed *all, sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++) {
        m->clip_low[o] = all->model->clip_low[o];
        m->clip_high[o] = all->model->clip_high[o];
    }
    return sg_record_set_data(&m->record, all);
}

/* What was chosen; *how may change when it is stopped. */
static sg_status train_chosen(sg_search *s, const sg_source *rows, const sg_candidate *student, sg_decision *how,
                              sg_model **out)
{
    sg_status st = SG_OK;
    sg_model *m = NULL;
    const sg_candidate *best = &s->finalist[s->best_rules];
    if (*how == SG_DECISION_RIDGE) return train_ridge(best->options, rows, out);
    if (*how == SG_DECISION_DISTILLED) st = sg_comm_agree_status(rows->comm, sg_distill_train(s, student, &m));
    else if (*how == SG_DECISION_ENSEMBLE) st = sg_comm_agree_status(rows->comm, train_ensemble(s, rows, &m));
    else if (*how == SG_DECISION_BEST_RULES) st = train_best(s, rows, &m);
    if (st == SG_OK && sg_search_progress_stopped(&s->progress)) {
        sg_model_free(m);
        *how = SG_DECISION_STOPPED;
        return isfinite(best->error) ? train_best(s, rows, out) : train_ridge(s->user, rows, out);
    }
    if (st == SG_OK) *out = m;
    return st;
}

/* Those of the ground, which are here. */
static sg_status store_rule_stats(const sg_search *s, sg_model *m)
{
    sg_rule_stats rows;
    sg_status st = sg_rule_stats_sample_raw(&rows, &s->data.table.rows, m);
    if (st != SG_OK) return st;
    st = sg_rule_stats_store(&rows, m);
    sg_rule_stats_release(&rows);
    return st;
}

static sg_status finish(sg_search *s, const task *k, const sg_candidate *student, const sg_clamp_choice *outside,
                        sg_model **out)
{
    sg_search_report tale = {.search = s,
                             .distilled = student,
                             .clamp = outside,
                             .decision = sg_decision_make(s, student),
                             .usable = k->usable};
    sg_model *m = NULL;
    sg_status st = train_chosen(s, &k->rows, student, &tale.decision, &m);
    if (st == SG_OK && tale.decision != SG_DECISION_RIDGE && tale.decision != SG_DECISION_BEST_RULES)
        st = restore_full_data_record(&k->all, m);
    if (st == SG_OK) st = sg_search_report_write(&tale, m);
    if (st == SG_OK) st = sg_search_calibrate(&tale, m);
    if (st == SG_OK) st = store_rule_stats(s, m);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

/* --- all of it --- */

/* All finalists failed, and nobody stopped them: the sentence is that of one of them. */
static sg_status report_search_failure(sg_search *s)
{
    sg_model *m = NULL;
    if (isfinite(s->finalist[s->best_rules].error) || sg_search_progress_stopped(&s->progress)) return SG_OK;
    sg_status st = sg_candidate_refit(&s->finalist[0], &s->data, &s->data.table.rows, 0, &s->progress, &m);
    sg_model_free(m);
    return st == SG_OK ? sg_fail(SG_EDIVERGED, "no training came to an end; try a smaller --rate") : st;
}

/* As many folds as are planned, or as there are groups, if somebody named them. */
static sg_status split_folds(sg_search *s, const sg_options *o)
{
    sg_search_plan *p = &s->plan;
    sg_status st = sg_search_data_split(&s->data, o, p->folds, s->seed);
    while (st == SG_EDATA && p->folds > 2 && sg_options_is_set(o, "group"))
        st = sg_search_data_split(&s->data, o, --p->folds, s->seed);
    if (p->screen_folds > p->folds) p->screen_folds = p->folds;
    return st;
}

static sg_status search(const task *k, sg_cancel_fn *stop, void *arg, bool *few, sg_model **out)
{
    const sg_comm *team = k->rows.comm;
    sg_search *s = sg_calloc(1, sizeof *s);
    sg_candidate student = {.error = INFINITY};
    sg_clamp_choice outside = {0};
    if (!s) return sg_fail(SG_ENOMEM, "out of memory for a search");
    sg_status st = sg_search_init(s, k->options, &k->rows, team ? NULL : stop, arg);
    bool begun = st == SG_OK;
    if (begun) st = split_folds(s, k->options);
    *few = begun && st == SG_EDATA;
    if (st == SG_OK) st = sg_search_run(s);
    if (st == SG_OK) st = report_search_failure(s);
    if (st == SG_OK) st = sg_clamp_choose(s, k->options, &outside);
    if (st == SG_OK && sg_decision_try_distill(s)) st = sg_distill_try(s, &student);
    st = sg_comm_agree_status(team, st);
    if (st == SG_OK) st = finish(s, k, &student, &outside, out);
    sg_candidate_release(&student);
    if (begun) sg_search_release(s);
    free(s);
    return st;
}

static sg_status reject_option(const sg_options *o, const char *given)
{
    return sg_fail(SG_EINVAL,
                   "%s is not for the preset %s, which chooses how to train by itself: leave it out, or give a preset "
                   "that trains once, such as --preset mbgd-rda",
                   given, sg_options_text(o, "preset"));
}

/* What a search decides itself. */
static sg_status reject_invalid_options(const sg_options *o, const sg_source *valid)
{
    static const char *const option[] = {"valid-fraction", "patience", "refit"};
    char given[32];
    if (valid) return reject_option(o, "--valid");
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (sg_options_real(o, option[i]) > 0) {
            snprintf(given, sizeof given, "--%s", option[i]);
            return reject_option(o, given);
        }
    if (sg_options_is_set(o, "mfs") &&
        (sg_options_equals(o, "structure", "cluster") || sg_options_equals(o, "structure", "linear")))
        return sg_fail(
            SG_EINVAL,
            "--mfs is for a grid of rules, and the preset %s has none: give --structure grid, too, or another "
            "preset, such as --preset mbgd-rda",
            sg_options_text(o, "preset"));
    if (sg_options_equals(o, "start", "zero")) return reject_option(o, "--start zero");
    return sg_options_equals(o, "consequents", "lse") ? reject_option(o, "--consequents lse") : SG_OK;
}

static sg_status choose_and_train(const sg_options *o, const sg_source *all, sg_cancel_fn *stop, void *arg,
                                  sg_model **out)
{
    task k = {.rows = *all};
    sg_column_roles roles = {0};
    bool few = false;
    sg_status st = sg_prepare_usable_rows(o, false, NULL, &k.rows, &roles, &k.usable, &k.all);
    sg_column_roles_release(&roles);
    if (st == SG_OK) st = sg_options_clone(o, &k.options);
    if (st == SG_OK && k.rows.rows < MIN_SEARCH_ROWS) few = true;
    else if (st == SG_OK) st = search(&k, stop, arg, &few, out);
    if (few) {
        sg_notice(
            o, "%zu rows are too few, or too much alike, to choose by: ridge regression, one rule without conditions",
            k.rows.rows);
        st = train_ridge(k.options, &k.rows, out);
        if (st == SG_OK) st = sg_ridge_calibrate(k.options, &k.rows, *out);
    }
    sg_options_free(k.options);
    sg_preprocessed_release(&k.all);
    sg_subset_free(k.usable);
    return st;
}

static sg_status train_once(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                            void *arg, sg_model **out)
{
    sg_trainer *t;
    sg_progress p = {.more = 1};
    sg_status st = sg_trainer_new(o, rows, valid, &t);
    if (st != SG_OK) return st;
    while (st == SG_OK && p.more) {
        st = sg_trainer_step(t, &p);
        if (st == SG_OK && stop && stop(arg, p.iteration, p.iterations)) break;
    }
    if (st == SG_OK) st = sg_trainer_model(t, out);
    sg_trainer_free(t);
    return st;
}

int sg_options_is_search(const sg_options *o)
{
    return sg_options_equals(o, "preset", "auto") || sg_options_equals(o, "preset", "auto-ensemble");
}

sg_status sg_train_uncalibrated(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                                void *arg, sg_model **out)
{
    if (!sg_options_is_search(o)) return train_once(o, rows, valid, stop, arg, out);
    sg_status st = reject_invalid_options(o, valid);
    return st == SG_OK ? choose_and_train(o, rows, stop, arg, out) : st;
}

/* Whoever stops a training does not want its folds either: they would be of another length. */
typedef struct stop_listener {
    sg_cancel_fn *stop;
    void *arg;
    atomic_int stopped;
} stop_listener;

static int forward_stop(void *arg, size_t done, size_t planned)
{
    stop_listener *l = arg;
    if (l->stop && l->stop(l->arg, done, planned)) atomic_store(&l->stopped, 1);
    return atomic_load(&l->stopped);
}

sg_status sg_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop, void *arg,
                   sg_model **out)
{
    sg_model *m;
    stop_listener l = {.stop = stop, .arg = arg};
    sg_status st = sg_train_uncalibrated(o, rows, valid, stop ? forward_stop : NULL, &l, &m);
    if (st != SG_OK) return st;
    st = sg_model_fit_support(m, rows);
    if (st == SG_OK && !atomic_load(&l.stopped)) st = sg_model_calibrate_folds(m, o, rows, valid, stop, arg);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
