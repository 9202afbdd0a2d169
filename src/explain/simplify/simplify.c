/* simplify.c: searches for a model with fewer rules and conditions at little loss of accuracy.
 *
 * At several levels of aggressiveness, similar membership functions are merged, and conditions that always hold are
 * removed. Then the rules whose removal changes predictions least are removed, a few at a time, down to one rule. After
 * each step the consequents are refitted. All candidates are scored on held-out rows. */
#include "base/memory.h"
#include "explain/simplify/prune_and_merge.h"
#include "explain/simplify/refit_and_score.h"
#include "explain/simplify/simplify_additive.h"
#include "train/fit/rule_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000, MIN_ROWS = 1000, MAX_UNKNOWNS = 1500 };
static const double max_work = 2e9; /* multiplications for one Gram matrix, which take a few seconds */

/* min_overlap and min_membership of sg_prune_mfs; 2 prunes nothing. */
static const double prune_levels[][2] = {{2, 2}, {0.9, 0.9}, {0.8, 0.75}, {0.65, 0.5}, {0.5, 0.5}};
enum { PRUNE_LEVELS = sizeof prune_levels / sizeof *prune_levels };

/* A candidate model. */
typedef struct simplified {
    sg_model *model;
    double penalty; /* ridge penalty of its consequents; 0 for the original */
    sg_simplify_point point;
    bool dominated;
} simplified;

typedef struct simplify_search {
    const sg_model *model;
    const sg_simplify_options *options;
    sg_refit_data rows;
    sg_input_range range;
    simplified *candidate;
    size_t count, room;
} simplify_search;

/* --- rows --- */

static size_t choose_row_count(const sg_model *m)
{
    const sg_block *b = &m->block[0];
    double n = fmin((double)MAX_UNKNOWNS, (double)b->rules * (double)(b->terms + 1)), rows = max_work / (n * n);
    return rows > MAX_ROWS ? MAX_ROWS : rows < MIN_ROWS ? MIN_ROWS : (size_t)rows;
}

static sg_status find_input_ranges(simplify_search *s)
{
    size_t inputs = s->model->block[0].inputs;
    s->range.low = sg_calloc(inputs, sizeof *s->range.low);
    s->range.high = sg_calloc(inputs, sizeof *s->range.high);
    if (!s->range.low || !s->range.high) return sg_fail_out_of_memory("simplified models");
    for (size_t i = 0; i < inputs; i++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t r = 0; r < s->rows.rows; r++) {
            double x = s->rows.a[r * inputs + i]; /* NaN if missing */
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        s->range.low[i] = low <= high ? low : 0;
        s->range.high[i] = low <= high ? high : 0;
    }
    return SG_OK;
}

static void release_search(simplify_search *s)
{
    for (size_t i = 0; i < s->count; i++) sg_model_free(s->candidate[i].model);
    sg_free_all(s->candidate, s->range.low, s->range.high);
    sg_refit_data_release(&s->rows);
}

/* --- candidates --- */

/* Takes ownership of the model, even on failure. */
static sg_status add_candidate(simplify_search *s, sg_model *m, double penalty, double rmse)
{
    const sg_block *b = &m->block[0];
    if (!sg_array_reserve(&s->candidate, &s->room, s->count + 1, sizeof *s->candidate)) {
        sg_model_free(m);
        return sg_fail_out_of_memory("simplified models");
    }
    s->candidate[s->count++] =
        (simplified){.model = m, .penalty = penalty, .point = {b->rules, sg_block_conditions(b), b->mfs, rmse, 0}};
    return SG_OK;
}

static sg_status add_original(simplify_search *s)
{
    sg_model *m;
    double rmse;
    sg_status st = sg_model_copy(s->model, &m);
    if (st != SG_OK) return st;
    st = sg_refit_data_holdout_rmse(&s->rows, m, &rmse);
    if (st == SG_OK) return add_candidate(s, m, 0, rmse);
    sg_model_free(m);
    return st;
}

/* Marks the `count` most important rules. */
static void select_rules(const double *importance, size_t rules, size_t count, bool *keep)
{
    memset(keep, 0, rules * sizeof *keep);
    for (size_t n = 0; n < count; n++) {
        size_t best = rules;
        for (size_t r = 0; r < rules; r++)
            if (!keep[r] && (best == rules || importance[r] > importance[best])) best = r;
        keep[best] = true;
    }
}

/* Replaces *m with a copy that has only the `count` most important rules. */
static sg_status prune_to_count(const simplify_search *s, sg_model **m, size_t count)
{
    size_t rules = (*m)->block[0].rules;
    double *importance = sg_calloc(rules, sizeof *importance);
    bool *keep = sg_calloc(rules, sizeof *keep);
    sg_model *fewer = NULL;
    sg_status st = importance && keep ? sg_refit_data_rule_importance(&s->rows, *m, importance)
                                      : sg_fail_out_of_memory("simplified models");
    if (st == SG_OK) {
        select_rules(importance, rules, count, keep);
        st = sg_prune_rules(*m, keep, &fewer);
    }
    free(importance);
    free(keep);
    if (st != SG_OK) return st;
    sg_model_free(*m);
    *m = fewer;
    return SG_OK;
}

/* Refits m, with which the next step starts, and adds a copy of it as a candidate. */
static sg_status refit_candidate(simplify_search *s, sg_model *m)
{
    sg_model *copy;
    double penalty = 0, rmse;
    sg_status st = sg_refit_data_fit_consequents(&s->rows, m, &penalty, &rmse);
    if (st == SG_OK) st = sg_model_copy(m, &copy);
    return st == SG_OK ? add_candidate(s, copy, penalty, rmse) : st;
}

/* Returns the next number of rules: an eighth fewer, but without skipping the requested number. */
static size_t next_rule_count(size_t rules, size_t requested)
{
    size_t next = rules - (rules + 7) / 8;
    return requested < rules && requested > next ? requested : next;
}

static sg_status try_prune_level(simplify_search *s, const double level[2])
{
    sg_model *m = NULL;
    size_t most = MAX_UNKNOWNS / (s->model->block[0].terms + 1);
    sg_status st = sg_prune_mfs(s->model, &s->range, level[0], level[1], &m);
    if (most == 0) most = 1;
    if (st == SG_OK && m->block[0].rules > most) st = prune_to_count(s, &m, most);
    while (st == SG_OK) {
        st = refit_candidate(s, m);
        size_t rules = m->block[0].rules;
        if (st != SG_OK || rules == 1) break;
        st = prune_to_count(s, &m, next_rule_count(rules, s->options->max_rules));
    }
    sg_model_free(m);
    return st;
}

/* --- selection --- */

/* Orders candidates by decreasing number of rules, then by increasing RMSE, then by increasing number of conditions. */
static int compare_size(const void *a, const void *b)
{
    const sg_simplify_point *x = &((const simplified *)a)->point, *y = &((const simplified *)b)->point;
    if (x->rules != y->rules) return x->rules < y->rules ? 1 : -1;
    if (x->rmse != y->rmse) return x->rmse < y->rmse ? -1 : 1;
    return x->conditions < y->conditions ? -1 : x->conditions > y->conditions;
}

static size_t candidate_size(const sg_simplify_point *p) { return p->conditions + p->mfs; }

/* Returns the candidate of [first, last) with the fewest conditions and MFs, among `first` and those with an RMSE of at
 * most `most`. */
static size_t find_smallest(const simplify_search *s, size_t first, size_t last, double most)
{
    size_t best = first;
    for (size_t i = first; i < last; i++)
        if (s->candidate[i].point.rmse <= most &&
            candidate_size(&s->candidate[i].point) < candidate_size(&s->candidate[best].point))
            best = i;
    return best;
}

/* Marks candidates of [first, last), which have equally many rules, except the smallest within 1 % of the best RMSE. */
static void mark_dominated(simplify_search *s, size_t first, size_t last)
{
    size_t best = find_smallest(s, first, last, 1.01 * s->candidate[first].point.rmse);
    for (size_t i = first; i < last; i++) s->candidate[i].dominated = i != best;
}

static bool is_simpler(const sg_simplify_point *a, const sg_simplify_point *than)
{
    return a->rules < than->rules || a->conditions < than->conditions || a->mfs < than->mfs;
}

/* Marks dominated candidates. At most one per number of rules remains: it is more accurate than those with fewer rules,
 * and simpler or more accurate than the original, which always remains. */
static void find_frontier(simplify_search *s)
{
    double least = INFINITY;
    const sg_simplify_point *original = &s->candidate[0].point;
    qsort(s->candidate + 1, s->count - 1, sizeof *s->candidate, compare_size);
    for (size_t first = 1, last; first < s->count; first = last) {
        for (last = first + 1; last < s->count && s->candidate[last].point.rules == s->candidate[first].point.rules;)
            last++;
        mark_dominated(s, first, last);
    }
    for (size_t i = s->count; i-- > 1;) {
        if (s->candidate[i].dominated) continue;
        s->candidate[i].dominated =
            !(s->candidate[i].point.rmse < least) ||
            (!is_simpler(&s->candidate[i].point, original) && !(s->candidate[i].point.rmse < original->rmse));
        least = fmin(least, s->candidate[i].point.rmse);
    }
}

static bool is_eligible(const simplify_search *s, size_t i)
{
    size_t most = s->options->max_rules;
    return !s->candidate[i].dominated && (most == 0 || s->candidate[i].point.rules <= most);
}

/* Returns the eligible candidate with the fewest rules within the tolerance, or else the most accurate eligible one. */
static size_t find_chosen(const simplify_search *s)
{
    double most = s->candidate[0].point.rmse * (1 + s->options->tolerance);
    size_t best = 0;
    for (size_t i = s->count; i-- > 0;)
        if (is_eligible(s, i) && s->candidate[i].point.rmse <= most) return i;
    for (size_t i = 1; i < s->count; i++)
        if (is_eligible(s, i) && (best == 0 || s->candidate[i].point.rmse < s->candidate[best].point.rmse)) best = i;
    return best;
}

/* Returns the candidate within the tolerance with as many rules as the chosen one and the fewest conditions and MFs,
 * and marks it, instead of the chosen one, as not dominated. */
static size_t choose_smallest(simplify_search *s, size_t chosen)
{
    const double most = s->candidate[0].point.rmse * (1 + s->options->tolerance);
    size_t first = chosen, last = chosen + 1, rules = s->candidate[chosen].point.rules;
    if (chosen == 0 || s->candidate[chosen].point.rmse > most) return chosen;
    while (first > 1 && s->candidate[first - 1].point.rules == rules) first--;
    while (last < s->count && s->candidate[last].point.rules == rules) last++;
    size_t best = find_smallest(s, first, last, most);
    s->candidate[chosen].dominated = true;
    s->candidate[best].dominated = false;
    return best;
}

/* --- result --- */

static sg_status write_record(const simplify_search *s, const simplified *c, sg_model *m)
{
    char text[160];
    snprintf(text, sizeof text,
             "from %zu rules, %zu conditions and an RMSE of %.6g to %zu, %zu and %.6g, on %zu held-out rows of %zu",
             s->candidate[0].point.rules, s->candidate[0].point.conditions, s->candidate[0].point.rmse, c->point.rules,
             c->point.conditions, c->point.rmse, s->rows.holdout_rows, s->rows.rows);
    return sg_record_set(&m->record, "simplified", text) ? SG_OK : sg_fail_out_of_memory("simplified models");
}

/* Refits the chosen candidate on all rows and updates its statistics. */
static sg_status finish_model(simplify_search *s, simplified *c, const sg_source *rows, sg_model **out)
{
    sg_row_sample profile = {0};
    sg_status st = c->penalty > 0 ? sg_refit_data_fit_consequents(&s->rows, c->model, &c->penalty, NULL) : SG_OK;
    if (st == SG_OK) st = sg_rule_stats_sample_raw(&profile, rows, c->model);
    if (st == SG_OK) st = sg_rule_stats_store(&profile, c->model);
    sg_row_sample_release(&profile);
    if (st == SG_OK && c->penalty > 0) {
        sg_calibration_clear_errors(&c->model->calibration); /* errors and firing levels have changed */
        st = sg_model_fit_support(c->model, rows);
        if (st == SG_OK) st = write_record(s, c, c->model);
    }
    if (st != SG_OK) return st;
    *out = c->model;
    c->model = NULL;
    return SG_OK;
}

static sg_status check_arguments(const sg_model *m, const sg_source *rows, const sg_simplify_options *options)
{
    if (m->blocks != 1 && !m->additive)
        return sg_fail(SG_EINVAL,
                       "only a model with a single rule base can be simplified; this one is an ensemble of %zu",
                       m->blocks);
    if (rows->comm) return sg_fail(SG_EINVAL, "simplification does not support distributed rows");
    return options->tolerance >= 0 && isfinite(options->tolerance)
               ? SG_OK
               : sg_fail(SG_EINVAL, "the tolerance must be finite and at least 0");
}

sg_status sg_model_simplify(const sg_model *m, const sg_source *rows, const sg_simplify_options *options,
                            sg_model **out)
{
    simplify_search s = {.model = m, .options = options};
    sg_status st = check_arguments(m, rows, options);
    if (st == SG_OK && m->additive) return sg_simplify_additive(m, rows, options, out);
    if (st == SG_OK) st = sg_refit_data_init(&s.rows, m, rows, options->seed, choose_row_count(m));
    if (st != SG_OK) return st;
    st = find_input_ranges(&s);
    if (st == SG_OK) st = add_original(&s);
    for (size_t i = 0; st == SG_OK && i < (m->block[0].rank || !m->block[0].mfs ? 1 : PRUNE_LEVELS); i++)
        st = try_prune_level(&s, prune_levels[i]);
    if (st == SG_OK) {
        find_frontier(&s);
        size_t chosen = choose_smallest(&s, find_chosen(&s));
        s.candidate[chosen].point.chosen = 1;
        for (size_t i = 0; options->on_point && i < s.count; i++)
            if (!s.candidate[i].dominated) options->on_point(options->arg, &s.candidate[i].point);
        st = finish_model(&s, &s.candidate[chosen], rows, out);
    }
    release_search(&s);
    return st;
}
