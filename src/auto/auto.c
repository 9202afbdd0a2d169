/* auto.c: chooses how to train by rows that were not trained on, and trains so.
 *
 * Many settings are tried for a short time on some parts of the rows; the best ones, and what seems best of each
 * factor, for longer on all parts. How long is best is where the mean of the parts' curves is lowest; where that is
 * before the first step, rules do not help, and the answer is ridge regression. The best ones, and trees of soft boxes,
 * make a committee, and a student of it is tried, too. Then the best training is done again on all rows, or a student
 * taught by the committee of all rows: whichever did better where neither had looked. An ensemble is that committee
 * itself. */
#include "auto/calibrated.h"
#include "auto/checked.h"
#include "auto/cv.h"
#include "auto/members.h"
#include "auto/recall.h"
#include "auto/student.h"
#include "auto/tale.h"
#include "base/memory.h"
#include "base/team.h"
#include "train/profile.h"
#include "train/record.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 40 }; /* rows that are worth a search */

/* What is searched for. */
typedef struct task {
    sg_options *options; /* the user's, without a listener */
    sg_source rows;      /* that can be trained on         */
    sg_subset *usable;   /* which these are, or NULL: all  */
    sg_prepared all;     /* what is known of them          */
} task;

/* --- what is trained in the end --- */

static sg_status train_line(const sg_options *o, const sg_source *rows, sg_model **out)
{
    sg_options *line = NULL;
    sg_trainer *t = NULL;
    sg_status st = sg_line_options(o, &line);
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
    const sg_candidate *best = &s->final[s->best];
    bool stopped = sg_watch_stopped(&s->watch);
    sg_watch nobody = {.planned = s->watch.planned};
    if (stopped && best->theta) return sg_candidate_model(best, 0, out);
    if (stopped && best->shape[0]) return sg_model_copy(best->shape[0], out);
    return sg_candidate_refit(best, &s->ground, rows, 0, stopped ? &nobody : &s->watch, out);
}

/* A committee's record came from one of its members: options as the user has them, and no steps, of which each had its
 * own. */
static bool tell_options(const sg_options *user, sg_record *r)
{
    bool ok = sg_record_set(r, "iterations", "0") && sg_record_set(r, "best_iteration", "0");
    for (size_t i = 0; ok && i < r->facts; i++) {
        const char *value = sg_options_get(user, r->fact[i].name);
        if (value) ok = sg_record_set(r, r->fact[i].name, value);
    }
    r->points = 0;
    return ok;
}

static sg_status train_together(sg_search *s, const sg_source *rows, sg_model **out)
{
    sg_committee c = {0};
    sg_model *m = NULL;
    sg_status st = sg_members_train(s, s->ground.whole ? &s->ground.desk.rows : rows, s->plan.ensemble, &c);
    if (st == SG_OK && !sg_watch_stopped(&s->watch)) st = sg_committee_model(&c, &m);
    sg_committee_release(&c);
    if (st == SG_OK && m) st = sg_recall_add(s, &m);
    if (st == SG_OK && m && !tell_options(s->user, &m->record))
        st = sg_fail(SG_ENOMEM, "out of memory for the training record");
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

/* A student's rows, and a part's, were not all the user's. */
static sg_status correct(const sg_prepared *all, sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++) {
        m->least[o] = all->model->least[o];
        m->most[o] = all->model->most[o];
    }
    return sg_record_data(&m->record, all);
}

/* What was chosen; *how may change when it is stopped. */
static sg_status train_chosen(sg_search *s, const sg_source *rows, const sg_candidate *student, sg_verdict *how,
                              sg_model **out)
{
    sg_status st = SG_OK;
    sg_model *m = NULL;
    const sg_candidate *best = &s->final[s->best];
    if (*how == SG_LINE) return train_line(best->options, rows, out);
    if (*how == SG_TAUGHT) st = sg_team_agree(rows->team, sg_student_train(s, student, &m));
    else if (*how == SG_TOGETHER) st = sg_team_agree(rows->team, train_together(s, rows, &m));
    else if (*how == SG_BEST) st = train_best(s, rows, &m);
    if (st == SG_OK && sg_watch_stopped(&s->watch)) {
        sg_model_free(m);
        *how = SG_STOPPED;
        return isfinite(best->error) ? train_best(s, rows, out) : train_line(s->user, rows, out);
    }
    if (st == SG_OK) *out = m;
    return st;
}

/* Those of the ground, which are here. */
static sg_status remember_rows(const sg_search *s, sg_model *m)
{
    sg_profile rows;
    sg_status st = sg_profile_find(&rows, &s->ground.desk.rows, m);
    if (st != SG_OK) return st;
    st = sg_profile_tell(&rows, m);
    sg_profile_release(&rows);
    return st;
}

static sg_status finish(sg_search *s, const task *k, const sg_candidate *student, const sg_outside *outside,
                        sg_model **out)
{
    sg_tale tale = {
        .search = s, .student = student, .outside = outside, .verdict = sg_verdict_of(s, student), .usable = k->usable};
    sg_model *m = NULL;
    sg_status st = train_chosen(s, &k->rows, student, &tale.verdict, &m);
    if (st == SG_OK && tale.verdict != SG_LINE && tale.verdict != SG_BEST) st = correct(&k->all, m);
    if (st == SG_OK) st = sg_tale_write(&tale, m);
    if (st == SG_OK) st = sg_search_calibrate(&tale, m);
    if (st == SG_OK) st = remember_rows(s, m);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

/* --- all of it --- */

/* All finalists failed, and nobody stopped them: the sentence is that of one of them. */
static sg_status ask_why(sg_search *s)
{
    sg_model *m = NULL;
    if (isfinite(s->final[s->best].error) || sg_watch_stopped(&s->watch)) return SG_OK;
    sg_status st = sg_candidate_refit(&s->final[0], &s->ground, &s->ground.desk.rows, 0, &s->watch, &m);
    sg_model_free(m);
    return st == SG_OK ? sg_fail(SG_EDIVERGED, "no training came to an end; try a smaller --rate") : st;
}

/* As many folds as are planned, or as there are groups, if somebody named them. */
static sg_status fold(sg_search *s, const sg_options *o)
{
    sg_plan *p = &s->plan;
    sg_status st = sg_ground_fold(&s->ground, o, p->folds, s->seed);
    while (st == SG_EDATA && p->folds > 2 && sg_options_given(o, "group"))
        st = sg_ground_fold(&s->ground, o, --p->folds, s->seed);
    if (p->screened > p->folds) p->screened = p->folds;
    return st;
}

static sg_status search(const task *k, sg_stop_fn *stop, void *arg, bool *few, sg_model **out)
{
    const sg_team *team = k->rows.team;
    sg_search *s = sg_alloc(1, sizeof *s);
    sg_candidate student = {.error = INFINITY};
    sg_outside outside = {0};
    if (!s) return sg_fail(SG_ENOMEM, "out of memory for a search");
    sg_status st = sg_search_init(s, k->options, &k->rows, team ? NULL : stop, arg);
    bool begun = st == SG_OK;
    if (begun) st = fold(s, k->options);
    *few = begun && st == SG_EDATA;
    if (st == SG_OK) st = sg_search_run(s);
    if (st == SG_OK) st = ask_why(s);
    if (st == SG_OK) st = sg_outside_choose(s, k->options, &outside);
    if (st == SG_OK && sg_worth_teaching(s)) st = sg_student_try(s, &student);
    st = sg_team_agree(team, st);
    if (st == SG_OK) st = finish(s, k, &student, &outside, out);
    sg_candidate_release(&student);
    if (begun) sg_search_release(s);
    free(s);
    return st;
}

static sg_status not_for(const sg_options *o, const char *given)
{
    return sg_fail(SG_EINVAL,
                   "%s is not for the preset %s, which chooses how to train by itself: leave it out, or give a preset "
                   "that trains once, such as --preset mbgd-rda",
                   given, sg_options_text(o, "preset"));
}

/* What a search decides itself. */
static sg_status refuse(const sg_options *o, const sg_source *valid)
{
    static const char *const option[] = {"valid-fraction", "patience", "refit"};
    char given[32];
    if (valid) return not_for(o, "--valid");
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (sg_options_number(o, option[i]) > 0) {
            snprintf(given, sizeof given, "--%s", option[i]);
            return not_for(o, given);
        }
    if (sg_options_given(o, "mfs") &&
        (sg_options_is(o, "structure", "cluster") || sg_options_is(o, "structure", "linear")))
        return sg_fail(
            SG_EINVAL,
            "--mfs is for a grid of rules, and the preset %s has none: give --structure grid, too, or another "
            "preset, such as --preset mbgd-rda",
            sg_options_text(o, "preset"));
    if (sg_options_is(o, "start", "zero")) return not_for(o, "--start zero");
    return sg_options_is(o, "consequents", "lse") ? not_for(o, "--consequents lse") : SG_OK;
}

static sg_status choose_and_train(const sg_options *o, const sg_source *all, sg_stop_fn *stop, void *arg,
                                  sg_model **out)
{
    task k = {.rows = *all};
    sg_roles roles = {0};
    bool few = false;
    sg_status st = sg_checked_rows(o, false, NULL, &k.rows, &roles, &k.usable, &k.all);
    sg_roles_release(&roles);
    if (st == SG_OK) st = sg_options_clone(o, &k.options);
    if (st == SG_OK && k.rows.rows < FEWEST) few = true;
    else if (st == SG_OK) st = search(&k, stop, arg, &few, out);
    if (few) {
        sg_notice(
            o, "%zu rows are too few, or too much alike, to choose by: ridge regression, one rule without conditions",
            k.rows.rows);
        st = train_line(k.options, &k.rows, out);
        if (st == SG_OK) st = sg_few_calibrate(k.options, &k.rows, *out);
    }
    sg_options_free(k.options);
    sg_prepared_release(&k.all);
    sg_subset_free(k.usable);
    return st;
}

static sg_status train_once(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_stop_fn *stop,
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

int sg_options_search(const sg_options *o)
{
    return sg_options_is(o, "preset", "auto") || sg_options_is(o, "preset", "auto-ensemble");
}

sg_status sg_train_bare(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_stop_fn *stop, void *arg,
                        sg_model **out)
{
    if (!sg_options_search(o)) return train_once(o, rows, valid, stop, arg, out);
    sg_status st = refuse(o, valid);
    return st == SG_OK ? choose_and_train(o, rows, stop, arg, out) : st;
}

/* Whoever stops a training does not want its folds either: they would be of another length. */
typedef struct listener {
    sg_stop_fn *stop;
    void *arg;
    atomic_int stopped;
} listener;

static int hear(void *arg, size_t done, size_t planned)
{
    listener *l = arg;
    if (l->stop && l->stop(l->arg, done, planned)) atomic_store(&l->stopped, 1);
    return atomic_load(&l->stopped);
}

sg_status sg_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_stop_fn *stop, void *arg,
                   sg_model **out)
{
    sg_model *m;
    listener l = {.stop = stop, .arg = arg};
    sg_status st = sg_train_bare(o, rows, valid, stop ? hear : NULL, &l, &m);
    if (st != SG_OK) return st;
    st = sg_model_cover(m, rows);
    if (st == SG_OK && !atomic_load(&l.stopped)) st = sg_model_calibrate_folds(m, o, rows, valid, stop, arg);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
