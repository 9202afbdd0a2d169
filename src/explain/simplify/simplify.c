/* simplify.c: fewer rules and conditions for little accuracy.
 *
 * First membership functions that are alike become one, and conditions that say nothing are left out, a little or
 * boldly. Then, a few at a time, the rules go whose absence changes predictions least, down to one; after each cut
 * consequents are found anew, near where they were. All that comes of it is judged on rows of which nothing was found.
 */
#include "base/memory.h"
#include "explain/simplify/prune.h"
#include "explain/simplify/refit_data.h"
#include "train/fit/rule_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000, MIN_ROWS = 1000, MAX_UNKNOWNS = 1500 };
static const double max_work = 2e9; /* of one Gram matrix: seconds */

/* How boldly conditions are pruned: alike, least of sg_prune_mfs. */
static const double prune_levels[][2] = {{2, 2}, {0.9, 0.9}, {0.8, 0.75}, {0.65, 0.5}, {0.5, 0.5}};
enum { PRUNE_LEVELS = sizeof prune_levels / sizeof *prune_levels };

/* A simpler model. */
typedef struct variant {
    sg_model *model;
    double penalty; /* that its consequents were found with; 0: they are those of the original */
    sg_simplify_point point;
    bool dominated;
} variant;

typedef struct simplify_search {
    const sg_model *model;
    const sg_simplify_options *how;
    sg_refit_data rows;
    sg_input_range span;
    variant *variant;
    size_t count, room;
} simplify_search;

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for simpler models"); }

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
    s->span.low = sg_calloc(inputs, sizeof *s->span.low);
    s->span.high = sg_calloc(inputs, sizeof *s->span.high);
    if (!s->span.low || !s->span.high) return out_of_memory();
    for (size_t i = 0; i < inputs; i++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t r = 0; r < s->rows.rows; r++) {
            double x = s->rows.a[r * inputs + i]; /* NaN where it is missing */
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        s->span.low[i] = low <= high ? low : 0;
        s->span.high[i] = low <= high ? high : 0;
    }
    return SG_OK;
}

static void release_search(simplify_search *s)
{
    for (size_t i = 0; i < s->count; i++) sg_model_free(s->variant[i].model);
    free(s->variant);
    free(s->span.low);
    free(s->span.high);
    sg_refit_data_release(&s->rows);
}

/* --- variants --- */

/* Takes the model over, also on failure. */
static sg_status add_variant(simplify_search *s, sg_model *m, double pull, double rmse)
{
    const sg_block *b = &m->block[0];
    if (!sg_array_reserve(&s->variant, &s->room, s->count + 1, sizeof *s->variant)) {
        sg_model_free(m);
        return out_of_memory();
    }
    s->variant[s->count++] =
        (variant){.model = m, .penalty = pull, .point = {b->rules, sg_block_conditions(b), b->mfs, rmse, 0}};
    return SG_OK;
}

static sg_status add_original(simplify_search *s)
{
    sg_model *m;
    double rmse;
    sg_status st = sg_model_copy(s->model, &m);
    if (st != SG_OK) return st;
    st = sg_refit_data_holdout_rmse(&s->rows, m, &rmse);
    if (st == SG_OK) return add_variant(s, m, 0, rmse);
    sg_model_free(m);
    return st;
}

/* Marks as many rules to be kept, those that matter most. */
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

/* *m with `count` rules, in its place. */
static sg_status prune_to_count(const simplify_search *s, sg_model **m, size_t count)
{
    size_t rules = (*m)->block[0].rules;
    double *importance = sg_calloc(rules, sizeof *importance);
    bool *keep = sg_calloc(rules, sizeof *keep);
    sg_model *fewer = NULL;
    sg_status st = importance && keep ? sg_refit_data_rule_importance(&s->rows, *m, importance) : out_of_memory();
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

/* A copy of it becomes a variant; its consequents are the start of what follows. */
static sg_status refit_variant(simplify_search *s, sg_model *m)
{
    sg_model *copy;
    double pull = 0, rmse;
    sg_status st = sg_refit_data_fit_consequents(&s->rows, m, &pull, &rmse);
    if (st == SG_OK) st = sg_model_copy(m, &copy);
    return st == SG_OK ? add_variant(s, copy, pull, rmse) : st;
}

/* The next number of rules: an eighth fewer, and the one that is asked for among them. */
static size_t next_rule_count(size_t rules, size_t asked)
{
    size_t next = rules - (rules + 7) / 8;
    return asked < rules && asked > next ? asked : next;
}

static sg_status try_prune_level(simplify_search *s, const double how[2])
{
    sg_model *m = NULL;
    size_t most = MAX_UNKNOWNS / (s->model->block[0].terms + 1);
    sg_status st = sg_prune_mfs(s->model, &s->span, how[0], how[1], &m);
    if (most == 0) most = 1;
    if (st == SG_OK && m->block[0].rules > most) st = prune_to_count(s, &m, most);
    while (st == SG_OK) {
        st = refit_variant(s, m);
        size_t rules = m->block[0].rules;
        if (st != SG_OK || rules == 1) break;
        st = prune_to_count(s, &m, next_rule_count(rules, s->how->max_rules));
    }
    sg_model_free(m);
    return st;
}

/* --- choosing --- */

/* The largest first; of as many rules the best first. */
static int compare_size(const void *a, const void *b)
{
    const sg_simplify_point *x = &((const variant *)a)->point, *y = &((const variant *)b)->point;
    if (x->rules != y->rules) return x->rules < y->rules ? 1 : -1;
    if (x->rmse != y->rmse) return x->rmse < y->rmse ? -1 : 1;
    return x->conditions < y->conditions ? -1 : x->conditions > y->conditions;
}

/* What a reader has to take in, beside the rules. */
static size_t variant_size(const sg_simplify_point *v) { return v->conditions + v->mfs; }

/* Of [first, last), which have as many rules, the smallest of those that err by no more than `most`; the first where
 * there is none. */
static size_t find_smallest(const simplify_search *s, size_t first, size_t last, double most)
{
    size_t best = first;
    for (size_t i = first; i < last; i++)
        if (s->variant[i].point.rmse <= most &&
            variant_size(&s->variant[i].point) < variant_size(&s->variant[best].point))
            best = i;
    return best;
}

/* One is left, the smallest of the good ones; the first is the best. */
static void keep_smallest(simplify_search *s, size_t first, size_t last)
{
    size_t best = find_smallest(s, first, last, 1.01 * s->variant[first].point.rmse);
    for (size_t i = first; i < last; i++) s->variant[i].dominated = i != best;
}

static bool is_simpler(const sg_simplify_point *a, const sg_simplify_point *than)
{
    return a->rules < than->rules || a->conditions < than->conditions || a->mfs < than->mfs;
}

/* All but the original, which stays the first: one for each number of rules, unless fewer do as well. */
static void find_frontier(simplify_search *s)
{
    double least = INFINITY;
    const sg_simplify_point *before = &s->variant[0].point;
    qsort(s->variant + 1, s->count - 1, sizeof *s->variant, compare_size);
    for (size_t first = 1, last; first < s->count; first = last) {
        for (last = first + 1; last < s->count && s->variant[last].point.rules == s->variant[first].point.rules;)
            last++;
        keep_smallest(s, first, last);
    }
    for (size_t i = s->count; i-- > 1;) {
        if (s->variant[i].dominated) continue;
        s->variant[i].dominated = !(s->variant[i].point.rmse < least) || (!is_simpler(&s->variant[i].point, before) &&
                                                                          !(s->variant[i].point.rmse < before->rmse));
        least = fmin(least, s->variant[i].point.rmse);
    }
}

static bool is_eligible(const simplify_search *s, size_t i)
{
    size_t most = s->how->max_rules;
    return !s->variant[i].dominated && (most == 0 || s->variant[i].point.rules <= most);
}

/* The smallest within the tolerance; where there is none the best that is allowed. */
static size_t find_chosen(const simplify_search *s)
{
    double most = s->variant[0].point.rmse * (1 + s->how->tolerance);
    size_t best = 0;
    for (size_t i = s->count; i-- > 0;)
        if (is_eligible(s, i) && s->variant[i].point.rmse <= most) return i;
    for (size_t i = 1; i < s->count; i++)
        if (is_eligible(s, i) && (best == 0 || s->variant[i].point.rmse < s->variant[best].point.rmse)) best = i;
    return best;
}

/* The same with the fewest conditions and MFs that the tolerance allows, in its place on the frontier. */
static size_t make_smallest(simplify_search *s, size_t chosen)
{
    const double most = s->variant[0].point.rmse * (1 + s->how->tolerance);
    size_t first = chosen, last = chosen + 1, rules = s->variant[chosen].point.rules;
    if (chosen == 0 || s->variant[chosen].point.rmse > most) return chosen;
    while (first > 1 && s->variant[first - 1].point.rules == rules) first--;
    while (last < s->count && s->variant[last].point.rules == rules) last++;
    size_t best = find_smallest(s, first, last, most);
    s->variant[chosen].dominated = true;
    s->variant[best].dominated = false;
    return best;
}

/* --- the answer --- */

static sg_status write_record(const simplify_search *s, const variant *v, sg_model *m)
{
    char text[160];
    snprintf(text, sizeof text, "from %zu rules, %zu conditions and RMSE %.6g to %zu, %zu and %.6g, on %zu of %zu rows",
             s->variant[0].point.rules, s->variant[0].point.conditions, s->variant[0].point.rmse, v->point.rules,
             v->point.conditions, v->point.rmse, s->rows.holdout_rows, s->rows.rows);
    return sg_record_set(&m->record, "simplified", text) ? SG_OK : out_of_memory();
}

/* Its consequents are found once more, on all rows. */
static sg_status finish_model(simplify_search *s, variant *v, const sg_source *rows, sg_model **out)
{
    sg_rule_stats profile = {0};
    sg_status st = v->penalty > 0 ? sg_refit_data_fit_consequents(&s->rows, v->model, &v->penalty, NULL) : SG_OK;
    if (st == SG_OK) st = sg_rule_stats_sample_raw(&profile, rows, v->model);
    if (st == SG_OK) st = sg_rule_stats_store(&profile, v->model);
    sg_rule_stats_release(&profile);
    if (st == SG_OK && v->penalty > 0) {
        sg_calibration_clear_errors(&v->model->calibration); /* it errs by more, and its rules fire elsewhere */
        st = sg_model_fit_support(v->model, rows);
        if (st == SG_OK) st = write_record(s, v, v->model);
    }
    if (st != SG_OK) return st;
    *out = v->model;
    v->model = NULL;
    return SG_OK;
}

static sg_status check_arguments(const sg_model *m, const sg_source *rows, const sg_simplify_options *how)
{
    if (m->blocks != 1)
        return sg_fail(SG_EINVAL,
                       "a model of %zu blocks of rules can't be simplified, one block can: train with --preset auto, "
                       "or one that trains "
                       "once",
                       m->blocks);
    if (rows->comm) return sg_fail(SG_EINVAL, "a model is simplified by one process alone");
    return how->tolerance >= 0 && isfinite(how->tolerance) ? SG_OK
                                                           : sg_fail(SG_EINVAL, "expected a tolerance of at least 0");
}

sg_status sg_model_simplify(const sg_model *m, const sg_source *rows, const sg_simplify_options *how, sg_model **out)
{
    simplify_search s = {.model = m, .how = how};
    sg_status st = check_arguments(m, rows, how);
    if (st == SG_OK) st = sg_refit_data_init(&s.rows, m, rows, how->seed, choose_row_count(m));
    if (st != SG_OK) return st;
    st = find_input_ranges(&s);
    if (st == SG_OK) st = add_original(&s);
    for (size_t i = 0; st == SG_OK && i < (m->block[0].rank || !m->block[0].mfs ? 1 : PRUNE_LEVELS); i++)
        st = try_prune_level(&s, prune_levels[i]);
    if (st == SG_OK) {
        find_frontier(&s);
        size_t chosen = make_smallest(&s, find_chosen(&s));
        s.variant[chosen].point.chosen = 1;
        for (size_t i = 0; how->on_point && i < s.count; i++)
            if (!s.variant[i].dominated) how->on_point(how->arg, &s.variant[i].point);
        st = finish_model(&s, &s.variant[chosen], rows, out);
    }
    release_search(&s);
    return st;
}
