/* simplify.c: searches for a model with fewer rules and conditions at little loss of accuracy.
 *
 * Two methods make candidates. The first removes the conditions and rules that matter least, a few at a time, and tunes
 * all parameters until the model predicts like the original again. The second merges similar membership functions at
 * several levels of aggressiveness, removes conditions that always hold, then rules down to a single one, and refits
 * the consequents after each step. The second method is better if the original model is far from its optimum. All
 * candidates are scored on held-out rows. */
#include "base/memory.h"
#include "explain/simplify/cut_weakest.h"
#include "explain/simplify/fine_tune.h"
#include "explain/simplify/prune_and_merge.h"
#include "explain/simplify/refit_and_score.h"
#include "explain/simplify/simplify_additive.h"
#include "train/fit/rule_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000, MIN_ROWS = 1000, MAX_UNKNOWNS = 1500, TUNING_STEPS = 600 };
static const double max_work = 2e9;       /* multiplications for one Gram matrix, which take a few seconds */
static const double cut_share = 0.05;     /* share of the reading cost that is removed at once */
static const double report_spacing = 0.9; /* largest ratio of the sizes of successive reported candidates */
static const double hopeless =
    0.12; /* nothing more is removed once the RMSE has grown by this share plus twice the tolerance */

/* min_overlap and min_membership of sg_prune_mfs; 2 prunes nothing. */
static const double prune_levels[][2] = {{2, 2}, {0.9, 0.9}, {0.8, 0.75}, {0.65, 0.5}, {0.5, 0.5}};
enum { PRUNE_LEVELS = sizeof prune_levels / sizeof *prune_levels };

/* A candidate model. */
typedef struct simplified {
    sg_model *model;
    double penalty; /* ridge penalty of its consequents; 0 if they are not refitted */
    double size;    /* how much there is to read */
    sg_simplify_point point;
    bool dominated;
} simplified;

typedef struct simplify_search {
    const sg_model *model;
    const sg_simplify_options *options;
    sg_refit_data rows;
    sg_input_range range;
    double optimism; /* by how much the original's squared error is too small; 0 unless trained on the rows */
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
    free(s->candidate);
    free(s->range.low);
    free(s->range.high);
    sg_refit_data_release(&s->rows);
}

/* --- candidates --- */

/* Computes the RMSE that is expected of a candidate on new rows: the smaller of two estimates. The first is measured on
 * the held-out rows. If the original model was trained on them, its error there is too small, and a simpler model
 * cannot reproduce what the original memorised. The second estimate does not suffer from this: it treats the change of
 * the predictions as an error that is independent of the error of the original. */
static sg_status expected_rmse(const simplify_search *s, const sg_model *m, double measured, double *rmse)
{
    double distance;
    sg_status st = sg_refit_data_probe_distance(&s->rows, m, &distance);
    if (st != SG_OK) return st;
    *rmse = sqrt(measured * measured + s->optimism);
    if (s->count)
        *rmse = fmin(*rmse, sqrt(s->candidate[0].point.rmse * s->candidate[0].point.rmse + distance * distance));
    return SG_OK;
}

/* measured: the RMSE on the held-out rows. Takes ownership of the model, even on failure. */
static sg_status add_candidate(simplify_search *s, sg_model *m, double penalty, double measured)
{
    const sg_block *b = &m->block[0];
    double rmse;
    sg_status st = expected_rmse(s, m, measured, &rmse);
    if (st == SG_OK && !sg_array_reserve(&s->candidate, &s->room, s->count + 1, sizeof *s->candidate))
        st = sg_fail_out_of_memory("simplified models");
    if (st != SG_OK) {
        sg_model_free(m);
        return st;
    }
    s->candidate[s->count++] = (simplified){.model = m,
                                            .penalty = penalty,
                                            .size = sg_block_size(b),
                                            .point = {b->rules, sg_block_conditions(b), b->mfs, rmse, 0}};
    return SG_OK;
}

static sg_status add_original(simplify_search *s)
{
    sg_model *m;
    double rmse;
    sg_status st = sg_model_copy(s->model, &m);
    if (st != SG_OK) return st;
    st = sg_refit_data_holdout_rmse(&s->rows, m, &rmse);
    if (st == SG_OK) {
        s->optimism = fmax(0, sg_calibration_mean_square(&m->calibration) - rmse * rmse);
        return add_candidate(s, m, 0, rmse);
    }
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

/* Refits m, from which the next step starts, and adds a copy of it as a candidate. */
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

/* Adds a copy of m as a candidate, tuned without the L1 penalty. */
static sg_status add_tuned(simplify_search *s, const sg_model *m)
{
    const sg_tuning how = {.steps = TUNING_STEPS, .seed = s->options->seed};
    sg_model *copy;
    double rmse;
    sg_status st = sg_model_copy(m, &copy);
    if (st != SG_OK) return st;
    st = sg_refit_data_fine_tune(&s->rows, copy, &how);
    if (st == SG_OK) st = sg_refit_data_holdout_rmse(&s->rows, copy, &rmse);
    if (st == SG_OK) return add_candidate(s, copy, 0, rmse);
    sg_model_free(copy);
    return st;
}

/* Removes the weakest conditions and rules, a few at a time, and tunes what remains until it predicts like the original
 * again. */
static sg_status try_selection(simplify_search *s)
{
    sg_model *m;
    const double limit = s->candidate[0].point.rmse * (1 + hopeless + 2 * s->options->tolerance);
    size_t most = s->options->max_rules ? s->options->max_rules : s->model->block[0].rules;
    sg_status st = sg_model_copy(s->model, &m);
    for (uint64_t round = 1; st == SG_OK && m->block[0].rules > 1; round++) {
        const sg_tuning how = {.steps = TUNING_STEPS, .widens = true, .seed = s->options->seed + round};
        sg_model *fewer = NULL;
        st = sg_cut_weakest(&s->rows, m, cut_share, &fewer);
        if (st != SG_OK) break;
        sg_model_free(m);
        m = fewer;
        st = sg_refit_data_fine_tune(&s->rows, m, &how);
        if (st == SG_OK) st = add_tuned(s, m);
        if (st == SG_OK && m->block[0].rules <= most && s->candidate[s->count - 1].point.rmse > limit) break;
    }
    sg_model_free(m);
    return st;
}

/* --- selection --- */

/* Orders candidates by decreasing size, then by increasing RMSE. */
static int compare_size(const void *a, const void *b)
{
    const simplified *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    if (x->point.rmse != y->point.rmse) return x->point.rmse < y->point.rmse ? -1 : 1;
    return x->point.rules < y->point.rules ? -1 : x->point.rules > y->point.rules;
}

/* Marks dominated candidates: those that are neither smaller nor more accurate than the original, which always remains,
 * and those that are not more accurate than all smaller candidates. */
static void find_frontier(simplify_search *s)
{
    const simplified *original = &s->candidate[0];
    double least = INFINITY;
    qsort(s->candidate + 1, s->count - 1, sizeof *s->candidate, compare_size);
    for (size_t i = s->count; i-- > 1;) {
        simplified *c = &s->candidate[i];
        c->dominated =
            !(c->point.rmse < least) || (!(c->size < original->size) && !(c->point.rmse < original->point.rmse));
        least = fmin(least, c->point.rmse);
    }
}

static bool is_eligible(const simplify_search *s, size_t i)
{
    size_t most = s->options->max_rules;
    return !s->candidate[i].dominated && (most == 0 || s->candidate[i].point.rules <= most);
}

/* Returns the smallest eligible candidate within the tolerance, or else the most accurate eligible one. Without a limit
 * on the rules, the original is eligible. A limit may leave only dominated candidates. */
static size_t find_chosen(const simplify_search *s)
{
    const size_t limit = s->options->max_rules;
    double most = s->candidate[0].point.rmse * (1 + s->options->tolerance);
    size_t best = s->count;
    for (size_t i = s->count; i-- > 0;)
        if (is_eligible(s, i) && s->candidate[i].point.rmse <= most) return i;
    for (size_t i = 0; i < s->count; i++)
        if ((limit == 0 || s->candidate[i].point.rules <= limit) &&
            (best == s->count || s->candidate[i].point.rmse < s->candidate[best].point.rmse))
            best = i;
    return best < s->count ? best : 0;
}

/* Reports the original, the chosen candidate and, of the others that are not dominated, those that are sufficiently
 * smaller than the last one reported. */
static void report_points(simplify_search *s, size_t chosen)
{
    double last = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        const simplified *c = &s->candidate[i];
        bool apart = !c->dominated && c->size <= report_spacing * last;
        if (i != 0 && i != chosen && !apart) continue;
        s->options->on_point(s->options->arg, &c->point);
        last = c->size;
    }
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

/* Refits or tunes the chosen candidate on all rows and updates its statistics. */
static sg_status finish_model(simplify_search *s, simplified *c, const sg_source *rows, sg_model **out)
{
    sg_row_sample profile = {0};
    const bool is_original = c == s->candidate;
    const sg_tuning how = {.steps = TUNING_STEPS, .all_rows = true, .seed = s->options->seed};
    sg_status st = SG_OK;
    if (c->penalty > 0) st = sg_refit_data_fit_consequents(&s->rows, c->model, &c->penalty, NULL);
    else if (!is_original) st = sg_refit_data_fine_tune(&s->rows, c->model, &how);
    if (st == SG_OK) st = sg_rule_stats_sample_raw(&profile, rows, c->model);
    if (st == SG_OK) st = sg_rule_stats_store(&profile, c->model);
    sg_row_sample_release(&profile);
    if (st == SG_OK && !is_original) {
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
        return sg_fail(SG_EINVAL, "only a model with a single rule base can be simplified; this model has %zu",
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
    if (st == SG_OK && !m->block[0].rank && m->block[0].mfs) st = try_selection(&s);
    if (st == SG_OK) {
        find_frontier(&s);
        size_t chosen = find_chosen(&s);
        s.candidate[chosen].point.chosen = 1;
        if (options->on_point) report_points(&s, chosen);
        st = finish_model(&s, &s.candidate[chosen], rows, out);
    }
    release_search(&s);
    return st;
}
