/* simplify.c: fewer rules and conditions for little accuracy.
 *
 * First membership functions that are alike become one, and conditions that say nothing are left out, a little or
 * boldly. Then, a few at a time, the rules go whose absence changes predictions least, down to one; after each cut
 * consequents are found anew, near where they were. All that comes of it is judged on rows of which nothing was found.
 */
#include "base/memory.h"
#include "explain/fitted.h"
#include "explain/prune.h"
#include "train/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 20000, LEAST_ROWS = 1000, MOST_UNKNOWNS = 1500 };
static const double most_work = 2e9; /* of one Gram matrix: seconds */

/* How boldly conditions are pruned: alike, least of sg_prune_terms. */
static const double bold[][2] = {{2, 2}, {0.9, 0.9}, {0.8, 0.75}, {0.65, 0.5}, {0.5, 0.5}};
enum { BOLD = sizeof bold / sizeof *bold };

/* A simpler model. */
typedef struct variant {
    sg_model *model;
    double pull; /* that its consequents were found with; 0: they are those of the original */
    sg_simpler is;
    bool beaten;
} variant;

typedef struct search {
    const sg_model *model;
    const sg_simplify *how;
    sg_fitted rows;
    sg_span span;
    variant *variant;
    size_t count, room;
} search;

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for simpler models"); }

/* --- rows --- */

static size_t rows_for(const sg_model *m)
{
    const sg_block *b = &m->block[0];
    double n = fmin((double)MOST_UNKNOWNS, (double)b->rules * (double)(b->terms + 1)), rows = most_work / (n * n);
    return rows > MOST_ROWS ? MOST_ROWS : rows < LEAST_ROWS ? LEAST_ROWS : (size_t)rows;
}

static sg_status find_span(search *s)
{
    size_t inputs = s->model->block[0].inputs;
    s->span.low = sg_alloc(inputs, sizeof *s->span.low);
    s->span.high = sg_alloc(inputs, sizeof *s->span.high);
    if (!s->span.low || !s->span.high) return no_memory();
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

static void release(search *s)
{
    for (size_t i = 0; i < s->count; i++) sg_model_free(s->variant[i].model);
    free(s->variant);
    free(s->span.low);
    free(s->span.high);
    sg_fitted_release(&s->rows);
}

/* --- variants --- */

/* Takes the model over, also on failure. */
static sg_status add(search *s, sg_model *m, double pull, double rmse)
{
    const sg_block *b = &m->block[0];
    if (!sg_grow(&s->variant, &s->room, s->count + 1, sizeof *s->variant)) {
        sg_model_free(m);
        return no_memory();
    }
    s->variant[s->count++] =
        (variant){.model = m, .pull = pull, .is = {b->rules, sg_conditions_of(b), b->mfs, rmse, 0}};
    return SG_OK;
}

static sg_status add_original(search *s)
{
    sg_model *m;
    double rmse;
    sg_status st = sg_model_copy(s->model, &m);
    if (st != SG_OK) return st;
    st = sg_fitted_judge(&s->rows, m, &rmse);
    if (st == SG_OK) return add(s, m, 0, rmse);
    sg_model_free(m);
    return st;
}

/* Marks as many rules to be kept, those that matter most. */
static void choose(const double *importance, size_t rules, size_t count, bool *keep)
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
static sg_status cut(const search *s, sg_model **m, size_t count)
{
    size_t rules = (*m)->block[0].rules;
    double *importance = sg_alloc(rules, sizeof *importance);
    bool *keep = sg_alloc(rules, sizeof *keep);
    sg_model *fewer = NULL;
    sg_status st = importance && keep ? sg_fitted_importance(&s->rows, *m, importance) : no_memory();
    if (st == SG_OK) {
        choose(importance, rules, count, keep);
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
static sg_status refit(search *s, sg_model *m)
{
    sg_model *copy;
    double pull = 0, rmse;
    sg_status st = sg_fitted_refit(&s->rows, m, &pull, &rmse);
    if (st == SG_OK) st = sg_model_copy(m, &copy);
    return st == SG_OK ? add(s, copy, pull, rmse) : st;
}

/* The next number of rules: an eighth fewer, and the one that is asked for among them. */
static size_t fewer_than(size_t rules, size_t asked)
{
    size_t next = rules - (rules + 7) / 8;
    return asked < rules && asked > next ? asked : next;
}

static sg_status try_boldness(search *s, const double how[2])
{
    sg_model *m = NULL;
    size_t most = MOST_UNKNOWNS / (s->model->block[0].terms + 1);
    sg_status st = sg_prune_terms(s->model, &s->span, how[0], how[1], &m);
    if (most == 0) most = 1;
    if (st == SG_OK && m->block[0].rules > most) st = cut(s, &m, most);
    while (st == SG_OK) {
        st = refit(s, m);
        size_t rules = m->block[0].rules;
        if (st != SG_OK || rules == 1) break;
        st = cut(s, &m, fewer_than(rules, s->how->max_rules));
    }
    sg_model_free(m);
    return st;
}

/* --- choosing --- */

/* The largest first; of as many rules the best first. */
static int by_size(const void *a, const void *b)
{
    const sg_simpler *x = &((const variant *)a)->is, *y = &((const variant *)b)->is;
    if (x->rules != y->rules) return x->rules < y->rules ? 1 : -1;
    if (x->rmse != y->rmse) return x->rmse < y->rmse ? -1 : 1;
    return x->conditions < y->conditions ? -1 : x->conditions > y->conditions;
}

/* What a reader has to take in, beside the rules. */
static size_t size_of(const sg_simpler *v) { return v->conditions + v->mfs; }

/* Of [first, last), which have as many rules, the smallest of those that err by no more than `most`; the first where
 * there is none. */
static size_t smallest(const search *s, size_t first, size_t last, double most)
{
    size_t best = first;
    for (size_t i = first; i < last; i++)
        if (s->variant[i].is.rmse <= most && size_of(&s->variant[i].is) < size_of(&s->variant[best].is)) best = i;
    return best;
}

/* One is left, the smallest of the good ones; the first is the best. */
static void keep_one(search *s, size_t first, size_t last)
{
    size_t best = smallest(s, first, last, 1.01 * s->variant[first].is.rmse);
    for (size_t i = first; i < last; i++) s->variant[i].beaten = i != best;
}

static bool is_simpler(const sg_simpler *a, const sg_simpler *than)
{
    return a->rules < than->rules || a->conditions < than->conditions || a->mfs < than->mfs;
}

/* All but the original, which stays the first: one for each number of rules, unless fewer do as well. */
static void find_frontier(search *s)
{
    double least = INFINITY;
    const sg_simpler *before = &s->variant[0].is;
    qsort(s->variant + 1, s->count - 1, sizeof *s->variant, by_size);
    for (size_t first = 1, last; first < s->count; first = last) {
        for (last = first + 1; last < s->count && s->variant[last].is.rules == s->variant[first].is.rules;) last++;
        keep_one(s, first, last);
    }
    for (size_t i = s->count; i-- > 1;) {
        if (s->variant[i].beaten) continue;
        s->variant[i].beaten = !(s->variant[i].is.rmse < least) ||
                               (!is_simpler(&s->variant[i].is, before) && !(s->variant[i].is.rmse < before->rmse));
        least = fmin(least, s->variant[i].is.rmse);
    }
}

static bool is_allowed(const search *s, size_t i)
{
    size_t most = s->how->max_rules;
    return !s->variant[i].beaten && (most == 0 || s->variant[i].is.rules <= most);
}

/* The smallest within the tolerance; where there is none the best that is allowed. */
static size_t find_chosen(const search *s)
{
    double most = s->variant[0].is.rmse * (1 + s->how->tolerance);
    size_t best = 0;
    for (size_t i = s->count; i-- > 0;)
        if (is_allowed(s, i) && s->variant[i].is.rmse <= most) return i;
    for (size_t i = 1; i < s->count; i++)
        if (is_allowed(s, i) && (best == 0 || s->variant[i].is.rmse < s->variant[best].is.rmse)) best = i;
    return best;
}

/* The same with the fewest conditions and MFs that the tolerance allows, in its place on the frontier. */
static size_t make_smallest(search *s, size_t chosen)
{
    const double most = s->variant[0].is.rmse * (1 + s->how->tolerance);
    size_t first = chosen, last = chosen + 1, rules = s->variant[chosen].is.rules;
    if (chosen == 0 || s->variant[chosen].is.rmse > most) return chosen;
    while (first > 1 && s->variant[first - 1].is.rules == rules) first--;
    while (last < s->count && s->variant[last].is.rules == rules) last++;
    size_t best = smallest(s, first, last, most);
    s->variant[chosen].beaten = true;
    s->variant[best].beaten = false;
    return best;
}

/* --- the answer --- */

static sg_status record(const search *s, const variant *v, sg_model *m)
{
    char text[160];
    snprintf(text, sizeof text, "from %zu rules, %zu conditions and RMSE %.6g to %zu, %zu and %.6g, on %zu of %zu rows",
             s->variant[0].is.rules, s->variant[0].is.conditions, s->variant[0].is.rmse, v->is.rules, v->is.conditions,
             v->is.rmse, s->rows.judged, s->rows.rows);
    return sg_record_set(&m->record, "simplified", text) ? SG_OK : no_memory();
}

/* Its consequents are found once more, on all rows. */
static sg_status finish(search *s, variant *v, const sg_source *rows, sg_model **out)
{
    sg_profile profile = {0};
    sg_status st = v->pull > 0 ? sg_fitted_refit(&s->rows, v->model, &v->pull, NULL) : SG_OK;
    if (st == SG_OK) st = sg_profile_find(&profile, rows, v->model);
    if (st == SG_OK) st = sg_profile_tell(&profile, v->model);
    sg_profile_release(&profile);
    if (st == SG_OK && v->pull > 0) {
        sg_sure_forget(&v->model->sure); /* it errs by more, and its rules fire elsewhere */
        st = sg_model_cover(v->model, rows);
        if (st == SG_OK) st = record(s, v, v->model);
    }
    if (st != SG_OK) return st;
    *out = v->model;
    v->model = NULL;
    return SG_OK;
}

static sg_status check_arguments(const sg_model *m, const sg_source *rows, const sg_simplify *how)
{
    if (m->blocks != 1)
        return sg_fail(SG_EINVAL,
                       "a model of %zu blocks of rules can't be simplified, one block can: train with --preset auto, "
                       "or one that trains "
                       "once",
                       m->blocks);
    if (rows->team) return sg_fail(SG_EINVAL, "a model is simplified by one process alone");
    return how->tolerance >= 0 && isfinite(how->tolerance) ? SG_OK
                                                           : sg_fail(SG_EINVAL, "expected a tolerance of at least 0");
}

sg_status sg_model_simplify(const sg_model *m, const sg_source *rows, const sg_simplify *how, sg_model **out)
{
    search s = {.model = m, .how = how};
    sg_status st = check_arguments(m, rows, how);
    if (st == SG_OK) st = sg_fitted_init(&s.rows, m, rows, how->seed, rows_for(m));
    if (st != SG_OK) return st;
    st = find_span(&s);
    if (st == SG_OK) st = add_original(&s);
    for (size_t i = 0; st == SG_OK && i < (m->block[0].rank || !m->block[0].mfs ? 1 : BOLD); i++)
        st = try_boldness(&s, bold[i]);
    if (st == SG_OK) {
        find_frontier(&s);
        size_t chosen = make_smallest(&s, find_chosen(&s));
        s.variant[chosen].is.chosen = 1;
        for (size_t i = 0; how->take && i < s.count; i++)
            if (!s.variant[i].beaten) how->take(how->arg, &s.variant[i].is);
        st = finish(&s, &s.variant[chosen], rows, out);
    }
    release(&s);
    return st;
}
