/* auto.c: chooses how to train by rows that were not trained on, and trains so.
 *
 * Many settings are tried for a short time on some parts of the rows; the best ones, and what seems best of each factor,
 * for longer on all parts. How long is best is where the mean of the parts' curves is lowest; where that is before the
 * first step, rules do not help, and the answer is ridge regression. The best ones, and trees of soft boxes, make a
 * committee, and a student of it is tried, too. Then the best training is done again on all rows, or a student taught by the
 * committee of all rows: whichever did better where neither had looked. */
#include "auto/checked.h"
#include "auto/student.h"
#include "base/memory.h"
#include "base/team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 40 }; /* rows that are worth a search */
/* Squared errors on some parts differ by chance, too, and teachers know more than they show there. */
static const double FAVOUR = 1.02;

/* --- what it says of itself --- */

/* In the target's units where there is one. */
static double in_units(const sg_search *s, double error)
{
    return sqrt(s->ground.outputs == 1 ? error * s->ground.variance[0] : error);
}

static bool note(const sg_search *s, sg_record *r, const char *name, const char *what, const sg_candidate *c, double error)
{
    char text[320], setting[200] = "";
    if (c && c->trees) snprintf(setting, sizeof setting, ", %zu trees of %zu leaves", sg_candidate_stop(c), c->trees->leaves);
    else if (c && c->looks) {
        int n = snprintf(setting, sizeof setting, ", %zu of %zu steps: ", sg_candidate_stop(c), c->length);
        for (size_t i = 0; i < 2 && c->besides[i]; i++)
            n += snprintf(setting + n, sizeof setting - (size_t)n, "--%s, ", c->besides[i]);
        sg_setting_text(&s->choices, &c->setting, setting + n, sizeof setting - (size_t)n);
    }
    snprintf(text, sizeof text, "%s: %s %.5g%s", what, s->ground.outputs == 1 ? "RMSE" : "relative error", in_units(s, error), setting);
    return sg_record_add(r, name, text, false);
}

static int by_error(const void *a, const void *b)
{
    const sg_candidate *x = *(const sg_candidate *const *)a, *y = *(const sg_candidate *const *)b;
    if (x->error != y->error) return x->error < y->error ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The table: what was tried, the best first, and what came of it. */
static sg_status write_down(const sg_search *s, const sg_candidate *student, const char *chosen, sg_model *m)
{
    const sg_candidate *c[SG_CANDIDATES];
    char name[32];
    sg_record *r = &m->record;
    for (size_t i = 0; i < s->finals; i++) c[i] = &s->final[i];
    qsort(c, s->finals, sizeof *c, by_error);
    const sg_candidate *best = &s->final[s->best], *plain = isfinite(s->final[0].error) ? &s->final[0] : best;
    bool ok = !isfinite(best->error) || note(s, r, "tried_ridge", "ridge regression", NULL, plain->curve[0]);
    for (size_t i = 0; ok && i < s->finals; i++) {
        if (!isfinite(c[i]->error)) continue;
        snprintf(name, sizeof name, "tried_%zu", i + 1);
        ok = note(s, r, name, c[i]->trees ? "boosted soft boxes" : "rules", c[i], c[i]->error);
    }
    if (ok && isfinite(s->together)) ok = note(s, r, "tried_together", "all of these together", NULL, s->together);
    if (ok && student && isfinite(student->error)) {
        ok = note(s, r, "tried_student", "a student of that, on some of the parts", NULL, student->error);
        double same = sg_candidate_error(&s->final[s->best], &s->ground, s->plan.screened);
        ok = ok && note(s, r, "tried_same", "the best rules, on the same parts", NULL, same);
    }
    ok = ok && sg_record_add(r, "chosen", chosen, false);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the training record");
}

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

typedef struct again {
    sg_search *search;
    const sg_source *rows;
    sg_watch *watch;
    sg_model **model;
} again;

static sg_status train_again(void *arg, size_t i, size_t worker)
{
    const again *a = arg;
    const sg_search *s = a->search;
    (void)worker;
    return sg_candidate_refit(&s->final[s->best], a->rows, s->ground.outputs, i, a->watch, &a->model[i]);
}

/* The best rules on all rows. Where that was stopped before there is what one part trained, or, if that was not kept, they are
 * trained nevertheless: Ctrl-C shall leave something. */
static sg_status train_best(sg_search *s, const sg_source *rows, size_t count, sg_model **model)
{
    const sg_candidate *best = &s->final[s->best];
    bool stopped = sg_watch_stopped(&s->watch);
    sg_watch nobody = {.planned = s->watch.planned};
    again a = {s, rows, stopped ? &nobody : &s->watch, model};
    if (stopped && best->theta) return sg_candidate_model(best, 0, &model[0]);
    return sg_pool_run_long(rows->team ? NULL : s->pool, count, train_again, &a);
}

/* A student's rows, and a part's, were not all the user's. */
static sg_status correct(const sg_search *s, const sg_source *rows, sg_model *m)
{
    const sg_ground *g = &s->ground;
    sg_model *line = NULL;
    sg_status st = train_line(s->user, rows, &line);
    const char *name, *value;
    for (size_t i = 0; st == SG_OK && sg_model_record(line, i, &name, &value); i++)
        if (strcmp(name, "rows") == 0 || strcmp(name, "data") == 0 || strcmp(name, "target_deviation") == 0)
            if (!sg_record_set(&m->record, name, value)) st = sg_fail(SG_ENOMEM, "out of memory for the training record");
    for (size_t o = 0; st == SG_OK && o < g->outputs; o++) {
        m->least[o] = line->least[o];
        m->most[o] = line->most[o];
    }
    sg_model_free(line);
    return st;
}

/* Effects are told apart by the seed, so that their tables, and what conditions see, differ. */
static size_t members(const sg_search *s, bool taught)
{
    bool one = !taught && *sg_options_text(s->final[s->best].options, "effects");
    return sg_options_is(s->user, "preset", "auto-ensemble") && !one ? s->plan.ensemble : 1;
}

static void free_all(sg_model **model, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sg_model_free(model[i]);
        model[i] = NULL;
    }
}

enum { LINE, BEST, TAUGHT, STOPPED };
static const char *const why[] = {"ridge regression: no rules did better on rows that they were not trained on",
                                  "the best rules, trained again on all rows",
                                  "a student of all of these together, trained again on all rows",
                                  "the best that was known when it was stopped"};

/* What was chosen, as one model or several; *how may change when it is stopped. */
static sg_status train_chosen(sg_search *s, const sg_source *rows, const sg_candidate *student, size_t *count, sg_model **model,
                              size_t *how)
{
    sg_status st = SG_OK;
    if (*how == LINE) return train_line(s->user, rows, &model[0]);
    if (*how == TAUGHT) st = sg_team_agree(rows->team, sg_student_train(s, student, *count, model));
    else if (*how == BEST) st = train_best(s, rows, *count, model);
    if (st != SG_OK || !sg_watch_stopped(&s->watch)) return st;
    free_all(model, *count);
    *how = STOPPED;
    *count = 1;
    return isfinite(s->final[s->best].error) ? train_best(s, rows, 1, model) : train_line(s->user, rows, &model[0]);
}

static sg_status finish(sg_search *s, const sg_source *rows, const sg_candidate *student, sg_model **out)
{
    const sg_candidate *best = &s->final[s->best];
    double direct = sg_candidate_error(best, &s->ground, s->plan.screened);
    size_t how = sg_watch_stopped(&s->watch) ? STOPPED : best->best == 0 ? LINE : student->error < FAVOUR * direct ? TAUGHT : BEST;
    size_t count = how == TAUGHT || how == BEST ? members(s, how == TAUGHT) : 1;
    sg_model **model = sg_alloc(count, sizeof(sg_model *)), *m = NULL;
    sg_status st = model ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a search");
    if (st == SG_OK) st = train_chosen(s, rows, student, &count, model, &how);
    if (st == SG_OK) st = sg_committee_model(model, count, &m);
    if (model) free_all(model, count);
    free(model);
    if (st == SG_OK && (how == TAUGHT || how == STOPPED)) st = correct(s, rows, m);
    if (st == SG_OK) st = write_down(s, student, why[how], m);
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
    sg_status st = sg_candidate_refit(&s->final[0], &s->ground.desk.rows, s->ground.outputs, 0, &s->watch, &m);
    sg_model_free(m);
    return st == SG_OK ? sg_fail(SG_EDIVERGED, "no training came to an end; try a smaller --rate") : st;
}

static sg_status search(const sg_options *o, const sg_source *rows, sg_stop_fn *stop, void *arg, bool *few, sg_model **out)
{
    sg_search *s = sg_alloc(1, sizeof *s);
    sg_candidate student = {.error = INFINITY};
    if (!s) return sg_fail(SG_ENOMEM, "out of memory for a search");
    sg_status st = sg_search_init(s, o, rows, rows->team ? NULL : stop, arg);
    bool begun = st == SG_OK;
    if (begun) st = sg_ground_fold(&s->ground, o, s->plan.folds, s->seed);
    *few = begun && st == SG_EDATA;
    if (st == SG_OK) st = sg_search_run(s);
    if (st == SG_OK) st = ask_why(s);
    bool teach = st == SG_OK && s->plan.student > 0 && s->final[s->best].best > 0 && !sg_watch_stopped(&s->watch);
    if (teach) st = sg_student_try(s, &student);
    st = sg_team_agree(rows->team, st);
    if (st == SG_OK) st = finish(s, rows, &student, out);
    sg_candidate_release(&student);
    if (begun) sg_search_release(s);
    free(s);
    return st;
}

/* What a search decides itself. */
static sg_status refuse(const sg_options *o)
{
    static const char *const option[] = {"valid-fraction", "patience", "refit"};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (sg_options_number(o, option[i]) > 0)
            return sg_fail(SG_EINVAL, "the preset %s validates inside of the training rows: leave --%s out, or give another --preset",
                           sg_options_text(o, "preset"), option[i]);
    if (sg_options_is(o, "consequents", "lse"))
        return sg_fail(SG_EINVAL, "--consequents lse is not for the preset %s: give another --preset", sg_options_text(o, "preset"));
    return SG_OK;
}

static sg_status choose_and_train(const sg_options *o, const sg_source *all, sg_stop_fn *stop, void *arg, sg_model **out)
{
    sg_source rows = *all;
    sg_roles roles = {0};
    sg_subset *usable = NULL;
    sg_options *quiet = NULL;
    bool few = false;
    sg_status st = refuse(o);
    if (st == SG_OK) st = sg_checked_rows(o, false, NULL, &rows, &roles, &usable);
    sg_roles_release(&roles);
    if (st == SG_OK) st = sg_options_clone(o, &quiet); /* has no listener */
    if (st == SG_OK && rows.rows < FEWEST) few = true;
    else if (st == SG_OK) st = search(quiet, &rows, stop, arg, &few, out);
    if (few) {
        sg_notice(o, "%zu rows are too few, or too much alike, to choose by: ridge regression, one rule without conditions", rows.rows);
        st = train_line(quiet, &rows, out);
    }
    sg_options_free(quiet);
    sg_subset_free(usable);
    return st;
}

static sg_status train_once(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_stop_fn *stop, void *arg,
                            sg_model **out)
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

sg_status sg_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_stop_fn *stop, void *arg,
                   sg_model **out)
{
    if (!sg_options_search(o)) return train_once(o, rows, valid, stop, arg, out);
    if (valid)
        return sg_fail(SG_EINVAL, "the preset %s validates inside of the training rows: leave --valid out, or give another "
                                  "--preset", sg_options_text(o, "preset"));
    return choose_and_train(o, rows, stop, arg, out);
}
