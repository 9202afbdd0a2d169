/* search_frontier.c: lists the systems that a search may choose, and chooses one by error and reading cost. */
#include "auto/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The error of a balanced choice may exceed the smallest error by this factor, but by at most one standard error. Ridge
 * regression hardly overfits, so an ensemble must be clearly better. Both constants are ratios of squared errors. */
static const double BALANCED_TOLERANCE = 1.02 * 1.02, RIDGE_IMPROVEMENT = 0.98;

/* --- errors --- */

/* Sets the error of out-of-fold predictions at an evaluation point, and its standard error over the rows. */
static void set_error(const sg_search_data *data, const sg_candidate *c, size_t eval, sg_system *out)
{
    double sum = 0, squares = 0, weight = 0, outputs = (double)data->outputs;
    for (size_t i = 0; i < data->rows; i++) {
        sum += sg_search_data_row_error(data, i, sg_candidate_prediction(c, data, eval, i)) / outputs;
        weight += data->row_weight[i];
    }
    out->error = sum / weight;
    for (size_t i = 0; i < data->rows; i++) {
        double e = sg_search_data_row_error(data, i, sg_candidate_prediction(c, data, eval, i)) / outputs;
        double d = e - data->row_weight[i] * out->error;
        squares += d * d;
    }
    out->standard_error = sqrt(squares) / weight;
}

/* --- systems --- */

/* Returns the model whose size is that of the final one: of all rows if there is one, or else of the first fold. */
static const sg_model *typical_model(const sg_candidate *c)
{
    const sg_candidate *source = c->structure ? c->structure : c;
    return source->all_rows_model ? source->all_rows_model : c->fold_model[0];
}

static const char *curve_name(const sg_candidate *c)
{
    return typical_model(c)->additive->pairs ? "curves and pairs" : "curves";
}

void sg_system_format_name(const sg_candidate *c, char *out, size_t size)
{
    size_t rules = sg_model_rules(typical_model(c));
    if (c->kind == SG_CANDIDATE_ADDITIVE) snprintf(out, size, "%s", curve_name(c));
    else if (c->base) snprintf(out, size, "%s and %zu rules", curve_name(c->base), rules);
    else snprintf(out, size, "%zu rules", rules);
}

/* Appends a candidate if it was evaluated on all folds and, for rules, its best evaluation point is not the start. */
static void add_candidate(const sg_search *s, const sg_candidate *c, bool is_distilled, sg_system_list *out)
{
    bool is_additive = c->kind == SG_CANDIDATE_ADDITIVE;
    if (!isfinite(c->error) || c->folds < s->data.folds || !c->fold_model[0]) return;
    if (!is_additive && c->best_eval == 0) return; /* the same as ridge regression, but with more rules */
    sg_system *system = &out->system[out->systems++];
    *system = (sg_system){.candidate = c, .is_distilled = is_distilled};
    for (const sg_candidate *part = c; part; part = part->base) {
        system->rules += sg_model_rules(typical_model(part));
        system->cost += sg_model_reading_cost(typical_model(part));
    }
    sg_system_format_name(c, system->name, sizeof system->name);
    set_error(&s->data, c, c->best_eval, system);
    if (c == &s->finalist[s->best_rules]) system->error = sg_search_best_rules_error(s);
}

/* Every training of rules starts from ridge regression. */
static void add_ridge(const sg_search *s, sg_system_list *out)
{
    const sg_candidate *c = &s->finalist[isfinite(s->finalist[0].error) ? 0 : s->best_rules];
    if (!isfinite(c->error) || !isfinite(c->valid_curve[0])) return;
    sg_system *system = &out->system[out->systems++];
    *system = (sg_system){.name = "ridge regression", .rules = 1, .cost = s->data.features + 1};
    set_error(&s->data, c, 0, system);
}

static bool is_readable(const sg_system *s) { return !s->candidate || s->candidate->kind == SG_CANDIDATE_ADDITIVE; }

static int compare_costs(const void *a, const void *b)
{
    const sg_system *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->error < y->error ? -1 : x->error > y->error;
}

/* Sorts the systems by cost, and removes those that do not improve on a cheaper one. */
static void remove_dominated(sg_system_list *list)
{
    size_t n = 0;
    double least = INFINITY;
    qsort(list->system, list->systems, sizeof *list->system, compare_costs);
    for (size_t i = 0; i < list->systems; i++) {
        if (!(list->system[i].error < least)) continue;
        least = list->system[i].error;
        list->system[n++] = list->system[i];
    }
    list->systems = n;
}

/* The last system of the list has the smallest error. */
static size_t choose_system(const sg_system_list *list, sg_search_aim aim)
{
    size_t best = list->systems - 1, i = 0;
    while (aim == SG_AIM_READABLE && best > 0 && !is_readable(&list->system[best])) best--;
    if (aim == SG_AIM_ACCURATE) return best;
    const sg_system *b = &list->system[best];
    double most = fmin(b->error * BALANCED_TOLERANCE, b->error + b->standard_error);
    while (list->system[i].error > most || (aim == SG_AIM_READABLE && !is_readable(&list->system[i]))) i++;
    return i;
}

void sg_search_list_systems(const sg_search *s, sg_system_list *out)
{
    *out = (sg_system_list){0};
    add_ridge(s, out);
    if (s->curves != SIZE_MAX) add_candidate(s, &s->finalist[s->curves], false, out);
    if (s->pairs != SIZE_MAX) add_candidate(s, &s->finalist[s->pairs], false, out);
    add_candidate(s, &s->finalist[s->best_rules], false, out);
    for (size_t i = 0; i < s->students; i++) add_candidate(s, &s->student[i], true, out);
    remove_dominated(out);
    if (out->systems) out->chosen = choose_system(out, s->space.config.aim);
}

sg_decision sg_search_decide(sg_search *s, sg_system_list *out)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    *out = (sg_system_list){0};
    if (sg_search_progress_stopped(&s->progress)) return SG_DECISION_STOPPED;
    if (s->plan.ensemble_seeds && isfinite(s->ensemble_error))
        return best->best_eval == 0 && !(s->ensemble_error < RIDGE_IMPROVEMENT * best->error) ? SG_DECISION_RIDGE
                                                                                              : SG_DECISION_ENSEMBLE;
    sg_search_list_systems(s, out);
    const sg_system *chosen = &out->system[out->chosen];
    if (out->systems == 0 || !chosen->candidate) return SG_DECISION_RIDGE;
    if (chosen->is_distilled) return SG_DECISION_DISTILLED;
    return chosen->candidate->kind == SG_CANDIDATE_ADDITIVE ? SG_DECISION_CURVES : SG_DECISION_BEST_RULES;
}
