/* search_record.c: writes the candidates of a search, their errors and the decision into the training record. */
#include "auto/search/search.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const decision_text[] = {
    [SG_DECISION_RIDGE] = "ridge regression: no rules did better on held-out rows",
    [SG_DECISION_BEST_RULES] = "the best rules, retrained on all rows",
    [SG_DECISION_CURVES] = "curves, fitted to all rows",
    [SG_DECISION_DISTILLED] = "a student distilled from the ensemble, retrained on all rows",
    [SG_DECISION_ENSEMBLE] = "the ensemble, retrained on all rows",
    [SG_DECISION_STOPPED] = "the best model found before the search was stopped",
};

double sg_search_error_to_rmse(const sg_search *s, double error)
{
    return sqrt(s->data.outputs == 1 ? error * s->data.variance[0] : error);
}

const char *sg_search_metric_name(const sg_search *s) { return s->data.outputs == 1 ? "RMSE" : "relative error"; }

/* Adds an error to the record. c: the candidate to describe, or NULL. */
static bool record_error(const sg_search *s, sg_record *r, const char *name, const char *what, const sg_candidate *c,
                         double error)
{
    char text[320], details[200] = "";
    if (c && c->kind == SG_CANDIDATE_TREES)
        snprintf(details, sizeof details, ", %zu trees with at most %zu leaves", sg_candidate_best_steps(c),
                 c->tree_config->max_leaves);
    else if (c && c->kind == SG_CANDIDATE_RULES && c->eval_points) {
        int n = snprintf(details, sizeof details, ", %zu of %zu steps: ", sg_candidate_best_steps(c), c->max_steps);
        for (size_t i = 0; i < 2 && c->extra_options[i]; i++)
            n += snprintf(details + n, sizeof details - (size_t)n, "--%s, ", c->extra_options[i]);
        sg_hyperparams_format(&s->space, &c->hyperparams, details + n, sizeof details - (size_t)n);
    }
    snprintf(text, sizeof text, "%s: %s %.5g%s", what, sg_search_metric_name(s), sg_search_error_to_rmse(s, error),
             details);
    return sg_record_add(r, name, text, false);
}

static int compare_errors(const void *a, const void *b)
{
    const sg_candidate *x = *(const sg_candidate *const *)a, *y = *(const sg_candidate *const *)b;
    if (x->error != y->error) return x->error < y->error ? -1 : 1;
    return x < y ? -1 : x > y;
}

const sg_candidate *sg_search_report_candidate(const sg_search_report *report)
{
    const sg_system_list *list = &report->systems;
    const sg_candidate *best = &report->search->finalist[report->search->best_rules];
    return list->systems && list->system[list->chosen].candidate ? list->system[list->chosen].candidate : best;
}

/* Returns the out-of-fold error of the chosen model. */
static double chosen_error(const sg_search_report *report)
{
    const sg_search *s = report->search;
    const sg_candidate *c = sg_search_report_candidate(report);
    if (report->decision == SG_DECISION_ENSEMBLE) return s->ensemble_error;
    if (report->decision == SG_DECISION_RIDGE && report->systems.systems)
        return report->systems.system[report->systems.chosen].error;
    bool is_best_rules = c == &s->finalist[s->best_rules];
    return is_best_rules && report->decision != SG_DECISION_STOPPED ? sg_search_best_rules_error(s) : c->error;
}

/* Curves have a valid_rmse of their own, which is replaced. */
static bool set_number(sg_record *r, const char *name, double x)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    sg_number_format_shortest(x, number);
    for (size_t i = 0; i < r->entries; i++)
        if (strcmp(r->entry[i].name, name) == 0) return sg_record_set(r, name, number);
    return sg_record_add(r, name, number, true);
}

/* Returns the standard error of an RMSE, given that of the squared error. */
static double rmse_standard_error(const sg_search *s, const sg_system *system)
{
    return sg_search_error_to_rmse(s, system->error) * system->standard_error / (2 * system->error);
}

static bool record_valid_rmse(const sg_search_report *report, sg_record *r)
{
    const sg_search *s = report->search;
    double error = chosen_error(report);
    if (s->data.outputs > 1 || !isfinite(error)) return true;
    bool ok = set_number(r, "valid_rmse", sg_search_error_to_rmse(s, error));
    if (!report->systems.systems) return ok;
    return ok && set_number(r, "valid_rmse_standard_error",
                            rmse_standard_error(s, &report->systems.system[report->systems.chosen]));
}

/* Returns the error of ridge regression. All rules start from ridge regression, so any rules that were trained have
 * this error at their first evaluation point. */
static double ridge_error(const sg_search *s)
{
    return s->finalist[isfinite(s->finalist[0].error) ? 0 : s->best_rules].valid_curve[0];
}

static bool record_candidates(const sg_search *s, sg_record *r)
{
    const sg_candidate *c[SG_MAX_CANDIDATES];
    char name[32];
    bool ok = true;
    for (size_t i = 0; i < s->finalists; i++) c[i] = &s->finalist[i];
    qsort(c, s->finalists, sizeof *c, compare_errors);
    if (isfinite(s->finalist[s->best_rules].error))
        ok = record_error(s, r, "tried_ridge", "ridge regression", NULL, ridge_error(s));
    for (size_t i = 0; ok && i < s->finalists; i++) {
        if (!isfinite(c[i]->error)) continue;
        bool insignificant = c[i]->error < s->finalist[s->best_rules].error;
        const char *what = insignificant ? "rules, not significantly better" : "rules";
        if (c[i]->kind == SG_CANDIDATE_TREES) what = sg_tree_config_name(c[i]->tree_config);
        if (c[i]->kind == SG_CANDIDATE_ADDITIVE)
            what = (size_t)(c[i] - s->finalist) == s->curves ? "curves" : "curves and pairs";
        snprintf(name, sizeof name, "tried_%zu", i + 1);
        ok = record_error(s, r, name, what, c[i], c[i]->error);
    }
    return ok;
}

/* Records the error with clamped inputs, unless no held-out input was clamped. */
static bool record_clamp(const sg_search_report *report, sg_record *r)
{
    const sg_clamp_choice *clamp = &report->search->clamp;
    if (clamp->clamped_error == clamp->unclamped_error) return true;
    return record_error(report->search, r, "tried_limit",
                        clamp->chosen ? "the best rules with --limit range, chosen"
                                      : "the best rules with --limit range, not chosen",
                        NULL, clamp->clamped_error);
}

static bool record_students(const sg_search *s, sg_record *r)
{
    char name[48], what[96] = "student: ";
    bool ok = true;
    for (size_t i = 0; ok && i < s->students; i++) {
        const sg_candidate *c = &s->student[i];
        size_t n = strlen("student: ");
        if (!isfinite(c->error)) continue;
        sg_system_format_name(c, what + n, sizeof what - n);
        snprintf(name, sizeof name, "tried_student_%zu", i + 1);
        ok = record_error(s, r, name, what, NULL, c->error);
    }
    return ok;
}

/* Stores in the model the systems that were compared. */
static bool record_frontier(const sg_search_report *report, sg_model *m)
{
    const sg_search *s = report->search;
    bool ok = true;
    for (size_t i = 0; ok && i < report->systems.systems; i++) {
        const sg_system *from = &report->systems.system[i];
        bool chosen = i == report->systems.chosen;
        sg_frontier_point p = {.name = from->name,
                               .options = "",
                               .error = sg_search_error_to_rmse(s, from->error),
                               .standard_error = rmse_standard_error(s, from),
                               .cost = chosen ? sg_model_reading_cost(m) : from->cost,
                               .rules = chosen ? sg_model_rules(m) : from->rules,
                               .chosen = chosen};
        ok = sg_frontier_add(&m->frontier, &p);
    }
    return ok;
}

static bool record_duplicate_rules(const sg_search *s, sg_record *r)
{
    static const char privacy[] = "the model has a rule for each distinct training row, so it reveals the inputs of "
                                  "all training rows; share it only as you would share the data";
    if (!isfinite(s->duplicate_rules_error)) return true;
    return record_error(s, r, "tried_recall", "the ensemble with rules for duplicate rows, chosen", NULL,
                        s->duplicate_rules_error) &&
           sg_record_add(r, "note_recall", privacy, false);
}

/* Warns about effects that the search chose itself. */
static bool record_effects_warning(const sg_search_report *report, sg_record *r)
{
    const sg_search *s = report->search;
    bool is_ensemble = report->decision == SG_DECISION_ENSEMBLE;
    size_t source = s->best_rules;
    for (size_t i = 0; is_ensemble && i < s->finalists; i++)
        if (s->ensemble_weight[i] > 0 && *sg_candidate_effects(&s->finalist[i])) source = i;
    const char *effects = sg_candidate_effects(&s->finalist[source]);
    if (is_ensemble && !(s->ensemble_weight[source] > 0)) return true;
    if (report->decision == SG_DECISION_DISTILLED || !*effects || s->space.config.sets_effects) return true;
    sg_text text = {0};
    sg_text_append_format(&text,
                          "the effects of %s were validated on values that also occur in the training rows, and help "
                          "only for such values; for new values, train with --effects \"\"",
                          effects);
    bool ok = !text.failed && sg_record_add(r, "note_effects", text.bytes, false);
    sg_text_release(&text);
    return ok;
}

sg_status sg_search_report_write(const sg_search_report *report, sg_model *m)
{
    const sg_search *s = report->search;
    sg_record *r = &m->record;
    bool ok = record_valid_rmse(report, r) && record_candidates(s, r) && record_clamp(report, r);
    if (ok && isfinite(s->ensemble_error))
        ok = record_error(s, r, "tried_together", "the ensemble of these candidates", NULL, s->ensemble_error);
    ok = ok && record_duplicate_rules(s, r) && record_students(s, r) && record_frontier(report, m) &&
         sg_record_add(r, "chosen", decision_text[report->decision], false) && record_effects_warning(report, r);
    if (!ok) return sg_fail_out_of_memory("the training record");
    if (report->decision == SG_DECISION_STOPPED) return SG_OK;
    sg_status st = sg_search_report_warn_unstable(report, r);
    return st == SG_OK ? sg_search_report_warn_worst_rows(report, r) : st;
}
