/* search.c: runs the rounds of a search: screening, finals, optional model parts, curves, trees and ensemble selection.
 */
#include "auto/search/search.h"

#include "base/memory.h"
#include "base/number/portable_math.h"
#include "base/text.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_DISTINCT = 16 };
static const double MIN_IMPROVEMENT = 0.98, MIN_T = 2; /* ratio of squared errors; Student's t */
static const double MAX_COST = 1e18;                   /* fits into a counter */

static size_t count_numeric_inputs(const sg_search_data *data)
{
    size_t n = 0;
    for (size_t i = 0; i < data->inputs; i++) n += !data->is_category[i];
    return n;
}

sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_cancel_fn *stop, void *arg)
{
    *s = (sg_search){.user = user, .duplicate_rules_error = INFINITY, .curves = SIZE_MAX, .pairs = SIZE_MAX};
    s->progress.stop = stop;
    s->progress.arg = arg;
    sg_status st = sg_search_data_init(&s->data, user, rows);
    if (st != SG_OK) return st;
    s->space = sg_search_space_init(user, s->data.rows, count_numeric_inputs(&s->data));
    sg_search_choose_plan(s);
    s->progress.planned = (size_t)fmin(sg_search_cost(s), MAX_COST);
    st = sg_thread_pool_new(s->space.config.threads, &s->pool);
    if (st != SG_OK) sg_search_release(s);
    return st;
}

void sg_search_release(sg_search *s)
{
    for (size_t i = 0; s->screened && i < s->plan.screen_candidates; i++) sg_candidate_release(&s->screened[i]);
    for (size_t i = 0; i < s->finalists; i++) sg_candidate_release(&s->finalist[i]);
    for (size_t i = 0; i < s->students; i++) sg_candidate_release(&s->student[i]);
    free(s->screened);
    sg_search_data_release(&s->data);
    sg_thread_pool_free(s->pool);
    *s = (sg_search){0};
}

/* --- rounds --- */

static sg_status run_trials(sg_search *s, sg_trial_batch batch)
{
    batch.data = &s->data;
    batch.progress = &s->progress;
    return sg_trial_batch_run(&batch, s->pool);
}

static sg_status screen_candidates(sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    sg_hyperparams *h = sg_calloc(p->screen_candidates, sizeof *h);
    s->screened = sg_calloc(p->screen_candidates, sizeof *s->screened);
    sg_status st = h && s->screened ? SG_OK : sg_fail_out_of_memory("a search");
    if (st == SG_OK) sg_hyperparams_design(&s->space, s->space.config.seed, p->screen_candidates, h);
    for (size_t i = 0; st == SG_OK && i < p->screen_candidates; i++)
        st = sg_candidate_init(&s->screened[i], &s->space, &h[i]);
    free(h);
    return st == SG_OK ? run_trials(s, (sg_trial_batch){.candidate = s->screened,
                                                        .count = p->screen_candidates,
                                                        .folds = p->screen_folds,
                                                        .max_steps = p->screen_steps,
                                                        .eval_points = p->eval_points / 2})
                       : st;
}

/* Returns, for each factor, the level with the smallest mean log error. */
static sg_hyperparams best_main_effects(const sg_search *s)
{
    sg_hyperparams best = sg_hyperparams_default(&s->space);
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++) {
        double least = INFINITY;
        for (size_t l = 0; l < s->space.level_count[f]; l++) {
            double sum = 0, n = 0;
            for (size_t i = 0; i < s->plan.screen_candidates; i++) {
                if (s->screened[i].hyperparams.level[f] != l) continue;
                sum += isfinite(s->screened[i].error) ? sg_log(s->screened[i].error) : 2;
                n++;
            }
            if (n > 0 && sum / n < least) {
                least = sum / n;
                best.level[f] = (unsigned char)l;
            }
        }
    }
    return best;
}

static int compare_errors(const void *a, const void *b)
{
    const sg_candidate *x = a, *y = b;
    if (x->error != y->error) return x->error < y->error ? -1 : 1;
    return memcmp(&x->hyperparams, &y->hyperparams, sizeof x->hyperparams);
}

static sg_status add_finalist(sg_search *s, sg_hyperparams h)
{
    for (size_t i = 0; i < s->finalists; i++)
        if (memcmp(&s->finalist[i].hyperparams, &h, sizeof h) == 0) return SG_OK;
    return sg_candidate_init(&s->finalist[s->finalists++], &s->space, &h);
}

static sg_status choose_finalists(sg_search *s)
{
    sg_hyperparams best = best_main_effects(s);
    sg_status st = SG_OK;
    qsort(s->screened, s->plan.screen_candidates, sizeof *s->screened, compare_errors);
    for (size_t i = 0; st == SG_OK && i < s->plan.finalists && i < s->plan.screen_candidates; i++)
        st = add_finalist(s, s->screened[i].hyperparams);
    if (st == SG_OK) st = add_finalist(s, best);
    if (st == SG_OK) st = add_finalist(s, sg_hyperparams_default(&s->space));
    return st;
}

/* Cross-validates the finalists, starting with number `first`, on all folds. */
static sg_status run_finals(sg_search *s, size_t first)
{
    return run_trials(s, (sg_trial_batch){.candidate = s->finalist + first,
                                          .count = s->finalists - first,
                                          .folds = s->plan.folds,
                                          .max_steps = s->plan.final_steps,
                                          .eval_points = s->plan.eval_points,
                                          .keep_theta = s->plan.distill_steps > 0});
}

/* Cross-validates curves with or without pairs as another finalist, and trains them on all rows: only their structure
 * tells how much there is to read. */
static sg_status try_curves(sg_search *s, bool has_pairs, size_t *index)
{
    sg_candidate *c = &s->finalist[s->finalists];
    if (!s->space.config.allows_curves || (has_pairs && !s->space.pairs) || sg_search_progress_stopped(&s->progress))
        return SG_OK;
    *index = s->finalists++;
    *c = (sg_candidate){.kind = SG_CANDIDATE_ADDITIVE, .error = INFINITY};
    sg_status st = sg_curve_options(&s->space, has_pairs, false, &c->options);
    if (st == SG_OK) st = run_trials(s, (sg_trial_batch){.candidate = c, .count = 1, .folds = s->plan.folds});
    if (st != SG_OK || !isfinite(c->error)) return st;
    st = sg_candidate_refit(c, &s->data, &s->data.table.rows, 0, &s->progress, &c->all_rows_model);
    if (st != SG_EDATA && st != SG_EDIVERGED) return st;
    c->error = INFINITY;
    return SG_OK;
}

static sg_status add_tree_candidates(sg_search *s)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < s->plan.gbdt_configs + s->plan.tree_ensemble_configs; i++) {
        sg_candidate *c = &s->finalist[s->finalists++];
        *c = (sg_candidate){.kind = SG_CANDIDATE_TREES, .tree_config = sg_search_tree_config(s, i), .error = INFINITY};
        st = sg_options_clone(s->user, &c->options);
    }
    return st;
}

/* --- optional parts of a model --- */

/* Returns Student's t of the paired differences between the squared errors of two candidates. */
static double paired_t(const sg_search_data *data, const sg_candidate *a, const sg_candidate *b)
{
    double sum = 0, squares = 0, n = (double)data->rows;
    for (size_t i = 0; i < data->rows; i++) {
        double d = sg_search_data_row_error(data, i, sg_candidate_prediction(a, data, a->best_eval, i)) -
                   sg_search_data_row_error(data, i, sg_candidate_prediction(b, data, b->best_eval, i));
        sum += d;
        squares += d * d;
    }
    double variance = squares / n - (sum / n) * (sum / n);
    return variance > 0 ? sum / n / sqrt(variance / n) : 0;
}

/* Adds a finalist: the best rules with one more option. It becomes the best rules if its error is smaller by a clear
 * and statistically significant margin. */
static sg_status try_option(sg_search *s, const char *option, const char *value)
{
    sg_candidate *best = &s->finalist[s->best_rules], *c = &s->finalist[s->finalists];
    if (best->best_eval == 0 || sg_search_progress_stopped(&s->progress)) return SG_OK;
    *c =
        (sg_candidate){.hyperparams = best->hyperparams, .extra_options[0] = best->extra_options[0], .error = INFINITY};
    c->extra_options[best->extra_options[0] != NULL] = option;
    s->finalists++;
    sg_status st = sg_options_clone(best->options, &c->options);
    if (st == SG_OK) st = sg_options_set(c->options, option, value);
    if (st == SG_OK) st = run_finals(s, s->finalists - 1);
    if (st == SG_OK && c->error < MIN_IMPROVEMENT * best->error && paired_t(&s->data, best, c) > MIN_T)
        s->best_rules = s->finalists - 1;
    return st;
}

/* Returns whether a numeric input has so few distinct values that each of them may have an effect of its own. */
static bool has_repeated_values(const sg_search_data *data, size_t input, double *scratch)
{
    size_t n = 0, values = 1, column = data->roles.input[input];
    if (data->is_category[input] || strchr(data->table.rows.names[column], ',')) return false;
    for (size_t i = 0; i < data->rows; i++) {
        double x = data->table.values[i * data->table.rows.columns + column];
        if (!isnan(x)) scratch[n++] = x;
    }
    sg_sort_doubles(scratch, n);
    for (size_t i = 1; i < n; i++) values += scratch[i] != scratch[i - 1];
    return values > MIN_DISTINCT && values <= n / 4;
}

/* Members of an ensemble share their principal components, but effects would change these. */
static bool can_try_effects(const sg_search *s)
{
    return s->data.outputs == 1 && !s->data.table.schema.comm && !s->space.config.sets_effects &&
           !(s->plan.ensemble_seeds && s->space.config.uses_pca);
}

static sg_status try_effects(sg_search *s)
{
    const sg_search_data *data = &s->data;
    sg_text names = {0};
    sg_status st = SG_OK;
    if (!can_try_effects(s)) return SG_OK;
    double *scratch = sg_calloc(data->rows, sizeof *scratch);
    if (!scratch) return sg_fail_out_of_memory("a search");
    for (size_t i = 0; i < data->inputs; i++)
        if (has_repeated_values(data, i, scratch))
            sg_text_append_format(&names, "%s%s", names.length ? "," : "",
                                  data->table.rows.names[data->roles.input[i]]);
    free(scratch);
    if (names.length && !names.failed) st = try_option(s, sg_option_effects, names.bytes);
    sg_text_release(&names);
    return st;
}

/* --- the search --- */

/* If the search was cancelled before any final finished, the best screened candidate replaces the first finalist. */
static void use_screening_result(sg_search *s)
{
    sg_candidate empty = s->finalist[0];
    if (isfinite(s->finalist[s->best_rules].error) || !isfinite(s->screened[0].error)) return;
    s->finalist[0] = s->screened[0];
    s->screened[0] = empty;
    s->best_rules = 0;
}

sg_status sg_search_run(sg_search *s)
{
    sg_status st = screen_candidates(s);
    if (st == SG_OK) st = choose_finalists(s);
    if (st == SG_OK) st = run_finals(s, 0);
    for (size_t i = 1; i < s->finalists; i++)
        if (s->finalist[i].error < s->finalist[s->best_rules].error) s->best_rules = i;
    if (st == SG_OK) st = try_effects(s);
    if (st == SG_OK && s->data.rows > SG_LOW_RANK_MIN_ROWS && s->space.config.allows_low_rank)
        st = try_option(s, sg_option_low_rank, "2");
    if (st == SG_OK && !s->plan.ensemble_seeds) st = try_curves(s, false, &s->curves);
    if (st == SG_OK) st = try_curves(s, true, &s->pairs);
    size_t others = s->finalists;
    if (st == SG_OK) st = add_tree_candidates(s);
    if (st == SG_OK) st = run_finals(s, others);
    if (st != SG_OK) return st;
    use_screening_result(s);
    return sg_ensemble_select(&s->data, s->finalist, s->finalists, s->plan.ensemble_seeds > 0, s->ensemble_weight,
                              &s->ensemble_error);
}
