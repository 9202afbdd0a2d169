/* search_report.c: see search_report.h. The table; the notes are in search_warnings.c. */
#include "auto/search/search_report.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const decision_text[] = {
    [SG_DECISION_RIDGE] = "ridge regression: no rules did better on rows that they were not trained on",
    [SG_DECISION_BEST_RULES] = "the best rules, trained again on all rows",
    [SG_DECISION_DISTILLED] = "a student of all of these together, trained again on all rows",
    [SG_DECISION_ENSEMBLE] = "all of these together, trained again on all rows",
    [SG_DECISION_STOPPED] = "the best that was known when it was stopped",
};

double sg_search_error_to_rmse(const sg_search *s, double error)
{
    return sqrt(s->data.outputs == 1 ? error * s->data.variance[0] : error);
}

static bool record_error(const sg_search *s, sg_record *r, const char *name, const char *what, const sg_candidate *c,
                         double error)
{
    char text[320], setting[200] = "";
    if (c && c->tree_config)
        snprintf(setting, sizeof setting, ", %zu trees of %zu leaves", sg_candidate_best_steps(c),
                 c->tree_config->max_leaves);
    else if (c && c->eval_points) {
        int n = snprintf(setting, sizeof setting, ", %zu of %zu steps: ", sg_candidate_best_steps(c), c->max_steps);
        for (size_t i = 0; i < 2 && c->extra_options[i]; i++)
            n += snprintf(setting + n, sizeof setting - (size_t)n, "--%s, ", c->extra_options[i]);
        sg_hyperparams_format(&s->space, &c->hyperparams, setting + n, sizeof setting - (size_t)n);
    }
    snprintf(text, sizeof text, "%s: %s %.5g%s", what, s->data.outputs == 1 ? "RMSE" : "relative error",
             sg_search_error_to_rmse(s, error), setting);
    return sg_record_add(r, name, text, false);
}

static int compare_errors(const void *a, const void *b)
{
    const sg_candidate *x = *(const sg_candidate *const *)a, *y = *(const sg_candidate *const *)b;
    if (x->error != y->error) return x->error < y->error ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The setting that says how ridge regression does: any that ran. */
static const sg_candidate *ridge_candidate(const sg_search *s)
{
    return isfinite(s->finalist[0].error) ? &s->finalist[0] : &s->finalist[s->best_rules];
}

/* The error of what was chosen on rows that it was not trained on, as the table has it. Of several targets it is no
 * RMSE. */
static bool record_valid_rmse(const sg_search_report *t, sg_record *r)
{
    const sg_search *s = t->search;
    char number[SG_NUMBER_BUFFER_SIZE];
    const sg_candidate *best = &s->finalist[s->best_rules];
    bool limited = t->decision == SG_DECISION_BEST_RULES && t->clamp->chosen && best->eval_theta;
    double error = t->decision == SG_DECISION_DISTILLED ? t->distilled->error
                   : limited                            ? t->clamp->clamped_error
                                                        : best->error;
    if (t->decision == SG_DECISION_ENSEMBLE) error = s->ensemble_error;
    if (s->data.outputs > 1 || !isfinite(error)) return true;
    return sg_record_add(r, "valid_rmse", sg_number_format_shortest(sg_search_error_to_rmse(s, error), number), true);
}

static bool record_candidates(const sg_search *s, sg_record *r)
{
    const sg_candidate *c[SG_MAX_CANDIDATES];
    char name[32];
    bool ok = true;
    for (size_t i = 0; i < s->finalists; i++) c[i] = &s->finalist[i];
    qsort(c, s->finalists, sizeof *c, compare_errors);
    if (isfinite(s->finalist[s->best_rules].error))
        ok = record_error(s, r, "tried_ridge", "ridge regression", NULL, ridge_candidate(s)->valid_curve[0]);
    for (size_t i = 0; ok && i < s->finalists; i++) {
        if (!isfinite(c[i]->error)) continue;
        snprintf(name, sizeof name, "tried_%zu", i + 1);
        bool doubted = !c[i]->tree_config && c[i]->error < s->finalist[s->best_rules].error;
        ok = record_error(s, r, name,
                          c[i]->tree_config ? sg_tree_config_name(c[i]->tree_config)
                          : doubted         ? "rules, perhaps by luck"
                                            : "rules",
                          c[i], c[i]->error);
    }
    return ok;
}

/* Where rows left out lie beyond the others: else there is nothing to tell. */
static bool record_clamp(const sg_search_report *t, sg_record *r)
{
    const sg_clamp_choice *o = t->clamp;
    if (o->clamped_error == o->unclamped_error) return true;
    return record_error(t->search, r, "tried_limit",
                        o->chosen ? "the best rules with --limit range, which is kept"
                                  : "the best rules with --limit range, which is worse",
                        NULL, o->clamped_error);
}

static bool record_distilled(const sg_search_report *t, sg_record *r)
{
    const sg_search *s = t->search;
    if (!isfinite(t->distilled->error)) return true;
    double same = sg_candidate_error(&s->finalist[s->best_rules], &s->data, s->plan.screen_folds);
    return record_error(s, r, "tried_student", "a student of that, on some of the parts", NULL, t->distilled->error) &&
           record_error(s, r, "tried_same", "the best rules, on the same parts", NULL, same);
}

/* Rows that come again; only what is handed out together knows them. */
static bool record_duplicate_rules(const sg_search *s, sg_record *r)
{
    static const char held[] = "rows whose inputs come again are known by heart, so the model holds the inputs of all "
                               "its training rows, a rule "
                               "for each: hand it out as you would hand out these";
    if (!isfinite(s->duplicate_rules_error)) return true;
    return record_error(s, r, "tried_recall", "with what is known of rows whose inputs come again, which is kept", NULL,
                        s->duplicate_rules_error) &&
           sg_record_add(r, "note_recall", held, false);
}

/* Tables of effects that nobody asked for. */
static bool record_effects_warning(const sg_search_report *t, sg_record *r)
{
    const sg_search *s = t->search;
    size_t source = s->best_rules;
    for (size_t i = 0; t->decision == SG_DECISION_ENSEMBLE && i < s->finalists; i++)
        if (s->ensemble_weight[i] > 0 && *sg_options_text(s->finalist[i].options, "effects")) source = i;
    const char *of = sg_options_text(s->finalist[source].options, "effects");
    if (t->decision == SG_DECISION_ENSEMBLE && !(s->ensemble_weight[source] > 0)) return true;
    if (t->decision == SG_DECISION_DISTILLED || !*of || sg_options_is_set(s->user, "effects")) return true;
    sg_text text = {0};
    sg_text_append_format(
        &text,
        "the effects of %s were tried on values that the training rows hold, too, and help with such alone: for others "
        "train with --effects \"\"",
        of);
    bool ok = !text.failed && sg_record_add(r, "note_effects", text.bytes, false);
    sg_text_release(&text);
    return ok;
}

sg_status sg_search_report_write(const sg_search_report *t, sg_model *m)
{
    const sg_search *s = t->search;
    sg_record *r = &m->record;
    bool ok = record_valid_rmse(t, r) && record_candidates(s, r) && record_clamp(t, r);
    if (ok && isfinite(s->ensemble_error))
        ok = record_error(s, r, "tried_together", "all of these together", NULL, s->ensemble_error);
    ok = ok && record_duplicate_rules(s, r) && record_distilled(t, r) &&
         sg_record_add(r, "chosen", decision_text[t->decision], false) && record_effects_warning(t, r);
    if (!ok) return sg_fail(SG_ENOMEM, "out of memory for the training record");
    if (t->decision == SG_DECISION_STOPPED) return SG_OK;
    sg_status st = sg_search_report_warn_unstable(t, r);
    return st == SG_OK ? sg_search_report_warn_worst_rows(t, r) : st;
}
