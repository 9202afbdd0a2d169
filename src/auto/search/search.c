/* search.c: see search.h. */
#include "auto/search/search.h"

#include "auto/ensemble/synthetic_rows.h"
#include "base/memory.h"
#include "base/number/portable_math.h"
#include "base/text.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENSEMBLE_BUDGET_FACTOR = 4, TEACHER_MEMBERS = 3, LARGE_ROWS = 5000, MIN_DISTINCT = 16 };
static const double MIN_IMPROVEMENT = 0.98, MIN_T = 2;         /* squared error, t */
static const double MAX_MEMORY = 256e6, MAX_FILE_BYTES = 64e6; /* bytes */
static const double DEFAULT_BUDGET = 120e9, MAX_COST = 1e18;   /* nanoseconds: without a budget; that can be counted */
static const double MAX_GRID_RULES = 1e6;
enum { MIN_EVAL_POINTS = 5 };

static const sg_tree_config gbdt_config[SG_GBDT_CONFIGS] = {
    {.trees = 300, .max_leaves = 64, .min_leaf_rows = 8, .learning_rate = 0.08, .softness = 0.1, .l2 = 1},
    {.trees = 400, .max_leaves = 32, .min_leaf_rows = 8, .learning_rate = 0.1, .softness = 0.2, .l2 = 1},
    {.trees = 400, .max_leaves = 16, .min_leaf_rows = 8, .learning_rate = 0.1, .softness = 0.4, .l2 = 0.3},
};

/* For few rows, and for many. */
static const sg_tree_config tree_ensemble_config[2][SG_TREE_ENSEMBLE_CONFIGS] = {
    {{.kind = SG_TREES_EXTRA,
      .fit_raw_targets = true,
      .trees = 50,
      .max_leaves = 256,
      .min_leaf_rows = 1,
      .learning_rate = 1. / 50,
      .softness = 0.3},
     {.kind = SG_TREES_GBDT,
      .trees = 500,
      .max_leaves = 32,
      .min_leaf_rows = 2,
      .learning_rate = 0.05,
      .softness = 0.3,
      .l2 = 1},
     {.kind = SG_TREES_EXTRA,
      .trees = 50,
      .max_leaves = 256,
      .min_leaf_rows = 1,
      .learning_rate = 1. / 50,
      .softness = 0.3}},
    {{.kind = SG_TREES_BAGGED,
      .fit_raw_targets = true,
      .trees = 40,
      .max_leaves = 1536,
      .min_leaf_rows = 2,
      .learning_rate = 1. / 40,
      .softness = 0.3,
      .column_fraction = 0.5},
     {.kind = SG_TREES_GBDT,
      .trees = 400,
      .max_leaves = 64,
      .min_leaf_rows = 2,
      .learning_rate = 0.08,
      .softness = 0.3,
      .l2 = 1},
     {.kind = SG_TREES_EXTRA,
      .trees = 30,
      .max_leaves = 1024,
      .min_leaf_rows = 1,
      .learning_rate = 1. / 30,
      .softness = 0.3}},
};

/* --- plans --- */

/* By how many rows there are: up to 1,500, 5,000, 20,000, more. And, less and less, for a budget. */
static const sg_search_plan plans[] = {
    {.screen_candidates = 16,
     .screen_folds = 2,
     .finalists = 4,
     .folds = 5,
     .screen_steps = 1000,
     .final_steps = 3000,
     .eval_points = 20,
     .gbdt_configs = 3,
     .teacher_seeds = 2,
     .distill_steps = 10000,
     .ensemble_seeds = 4,
     .tree_ensemble_configs = 3},
    {.screen_candidates = 16,
     .screen_folds = 2,
     .finalists = 4,
     .folds = 3,
     .screen_steps = 1000,
     .final_steps = 3000,
     .eval_points = 20,
     .gbdt_configs = 3,
     .teacher_seeds = 2,
     .distill_steps = 10000,
     .ensemble_seeds = 4,
     .tree_ensemble_configs = 3},
    {.screen_candidates = 12,
     .screen_folds = 2,
     .finalists = 3,
     .folds = 3,
     .screen_steps = 2000,
     .final_steps = 6000,
     .eval_points = 20,
     .gbdt_configs = 2,
     .teacher_seeds = 1,
     .distill_steps = 12000,
     .ensemble_seeds = 4,
     .tree_ensemble_configs = 3},
    {.screen_candidates = 8,
     .screen_folds = 1,
     .finalists = 1,
     .folds = 2,
     .screen_steps = 2000,
     .final_steps = 12000,
     .eval_points = 20,
     .gbdt_configs = 1,
     .teacher_seeds = 1,
     .distill_steps = 20000,
     .ensemble_seeds = 4,
     .tree_ensemble_configs = 3},
    {.screen_candidates = 12,
     .screen_folds = 1,
     .finalists = 2,
     .folds = 3,
     .screen_steps = 500,
     .final_steps = 3000,
     .eval_points = 20,
     .gbdt_configs = 1,
     .teacher_seeds = 1,
     .distill_steps = 6000,
     .ensemble_seeds = 4,
     .tree_ensemble_configs = 2},
    {.screen_candidates = 6,
     .screen_folds = 1,
     .finalists = 1,
     .folds = 2,
     .screen_steps = 500,
     .final_steps = 2000,
     .eval_points = 10,
     .gbdt_configs = 1,
     .teacher_seeds = 1,
     .distill_steps = 3000,
     .ensemble_seeds = 2,
     .tree_ensemble_configs = 1},
    {.screen_candidates = 3,
     .screen_folds = 1,
     .finalists = 1,
     .folds = 2,
     .screen_steps = 300,
     .final_steps = 1000,
     .eval_points = 10,
     .teacher_seeds = 1,
     .ensemble_seeds = 2},
};

static const sg_tree_config *tree_ensemble_configs_for(const sg_search *s)
{
    return tree_ensemble_config[s->space.is_large];
}

static size_t default_plan(size_t rows) { return rows > 20000 ? 3 : rows > LARGE_ROWS ? 2 : rows > 1500; }

size_t sg_search_distill_rules(const sg_search *s)
{
    size_t budget = sg_options_integer(s->user, "rules");
    return budget ? budget : SG_SEARCH_MAX_RULES;
}

/* Of the largest system that is tried. */
static size_t max_rules(const sg_search *s)
{
    size_t rules = s->space.rules[s->space.level_count[0] - 1];
    if (!sg_options_equals(s->user, "structure", "grid")) return rules;
    double grid = 1;
    for (size_t i = 0; i < s->data.features && grid < MAX_GRID_RULES; i++)
        grid *= (double)sg_options_integer(s->user, "mfs");
    return (size_t)grid;
}

/* All work that is planned, in nanoseconds. */
static double search_cost(const sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    const sg_search_data *g = &s->data;
    size_t batch = sg_options_is_set(s->user, "batch") ? sg_options_integer(s->user, "batch")
                   : s->space.is_large                 ? 256
                                                       : 64;
    size_t rules = max_rules(s),
           made = p->screen_folds * sg_synthetic_count(g->rows, false) + sg_synthetic_count(g->rows, true);
    if (batch == 0 || batch > g->rows) batch = g->rows;
    double screen = (double)sg_train_step_cost(batch, rules / 2 + 1, g->features, g->outputs), trees = 0, answers = 0;
    double step = (double)sg_train_step_cost(batch, rules, g->features, g->outputs);
    double student = (double)sg_train_step_cost(256, sg_search_distill_rules(s), g->features, g->outputs);
    size_t tried = p->finalists + 3 + (g->rows > LARGE_ROWS),
           seeds = p->ensemble_seeds ? p->ensemble_seeds : p->teacher_seeds;
    size_t again = p->distill_steps || p->ensemble_seeds ? TEACHER_MEMBERS * seeds : 1;
    for (size_t i = 0; i < p->gbdt_configs; i++) {
        trees += (double)sg_tree_config_train_cost(&gbdt_config[i], g->rows, g->features);
        if (p->distill_steps) answers += (double)sg_tree_config_predict_cost(&gbdt_config[i], made);
    }
    for (size_t i = 0; i < p->tree_ensemble_configs; i++)
        trees += (double)sg_tree_config_train_cost(&tree_ensemble_configs_for(s)[i], g->rows, g->features);
    if (p->distill_steps) answers += (double)sg_synthetic_cost(g->rows, g->inputs, made);
    return (double)(p->screen_candidates * p->screen_folds) * (double)p->screen_steps * screen +
           (double)(tried * p->folds + again) * (double)p->final_steps * step + trees * (double)(p->folds + 1) +
           answers + (double)p->distill_steps * student * (double)(p->screen_folds + 1);
}

/* Bytes of the models of parts, at every look, that teachers are made of. */
static double fold_model_bytes(const sg_search *s)
{
    double parameters = 3 * (double)max_rules(s) * (double)s->data.features * (double)s->data.outputs;
    return 8 * parameters * (double)((s->plan.eval_points + 1) * s->plan.folds * (s->plan.finalists + 4));
}

/* Synthetic rows of many inputs leave the plane in which few rows lie. */
static bool can_distill(const sg_search *s)
{
    bool wanted = sg_options_equals(s->user, "student", "yes") && sg_options_equals(s->user, "structure", "cluster");
    return wanted && s->data.has_all_rows && (double)s->data.features < (double)s->data.rows / 2 &&
           fold_model_bytes(s) < MAX_MEMORY;
}

/* Trees beside rules that own their MFs, where none has more rules than the user allows, and all see the same
 * components, if any, and numbers that are floats. */
static bool can_combine_trees(const sg_search *s)
{
    bool alike = sg_options_integer(s->user, "pca") == 0 || !*sg_options_text(s->user, "effects");
    return sg_options_equals(s->user, "structure", "cluster") && !sg_options_is_set(s->user, "rules") &&
           s->data.has_all_rows && alike && !sg_options_equals(s->user, "scale", "none");
}

/* Bytes of the plan's trees in a model file, nearly. */
static double model_file_bytes(const sg_search *s)
{
    double leaves = 0;
    for (size_t i = 0; i < s->plan.gbdt_configs; i++)
        leaves += (double)gbdt_config[i].trees * fmin((double)gbdt_config[i].max_leaves, (double)s->data.rows / 8);
    for (size_t i = 0; i < s->plan.tree_ensemble_configs; i++)
        leaves += (double)tree_ensemble_configs_for(s)[i].trees *
                  fmin((double)tree_ensemble_configs_for(s)[i].max_leaves, (double)s->data.rows);
    return 50 * leaves * (double)s->data.features;
}

/* Bytes of what all candidates say of the targets, at every look. */
static double prediction_bytes(const sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    size_t first = p->screen_candidates * (p->eval_points / 2 + 1),
           then = (p->finalists + p->gbdt_configs + p->tree_ensemble_configs + 4) * (p->eval_points + 1);
    return 8 * (double)(first + then) * (double)s->data.rows * (double)s->data.outputs;
}

/* The usual one, or the first that the budget, or patience, is enough for, or the least. */
static sg_search_plan choose_plan(sg_search *s)
{
    size_t rows = s->data.rows, n = sizeof plans / sizeof *plans;
    double budget = 1e9 * sg_options_real(s->user, "budget"), most = budget > 0 ? budget : DEFAULT_BUDGET;
    bool ensemble = sg_options_equals(s->user, "preset", "auto-ensemble");
    for (size_t i = default_plan(rows); i < n; i++) {
        s->plan = plans[i];
        if (ensemble) s->plan.distill_steps = 0;
        else s->plan.ensemble_seeds = s->plan.tree_ensemble_configs = 0;
        while (s->plan.eval_points > MIN_EVAL_POINTS && fmax(prediction_bytes(s), fold_model_bytes(s)) > MAX_MEMORY)
            s->plan.eval_points /= 2;
        if (s->data.outputs > SG_TREES_MAX_OUTPUTS) s->plan.gbdt_configs = s->plan.tree_ensemble_configs = 0;
        if (ensemble ? !can_combine_trees(s) : !can_distill(s))
            s->plan.distill_steps = s->plan.gbdt_configs = s->plan.tree_ensemble_configs = 0;
        s->plan.duplicate_rules = ensemble && can_combine_trees(s);
        while (s->plan.tree_ensemble_configs && model_file_bytes(s) > MAX_FILE_BYTES) s->plan.tree_ensemble_configs--;
        while (ensemble && s->plan.gbdt_configs && model_file_bytes(s) > MAX_FILE_BYTES) s->plan.gbdt_configs--;
        if (sg_options_is_set(s->user, "iters")) {
            s->plan.final_steps = s->plan.screen_steps = sg_options_integer(s->user, "iters");
            if (s->plan.distill_steps) s->plan.distill_steps = s->plan.final_steps;
        }
        if (search_cost(s) <= most * (budget == 0 && ensemble ? ENSEMBLE_BUDGET_FACTOR : 1)) break;
    }
    return s->plan;
}

sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_cancel_fn *stop, void *arg)
{
    *s = (sg_search){.user = user, .seed = (uint64_t)sg_options_real(user, "seed"), .duplicate_rules_error = INFINITY};
    s->progress.stop = stop;
    s->progress.arg = arg;
    sg_status st = sg_search_data_init(&s->data, user, rows);
    if (st != SG_OK) return st;
    s->space = sg_search_space_init(user, s->data.rows);
    s->plan = choose_plan(s);
    s->progress.planned = (size_t)fmin(search_cost(s), MAX_COST);
    st = sg_thread_pool_new(sg_options_integer(user, "threads"), &s->pool);
    if (st != SG_OK) sg_search_release(s);
    return st;
}

void sg_search_release(sg_search *s)
{
    for (size_t i = 0; s->screened && i < s->plan.screen_candidates; i++) sg_candidate_release(&s->screened[i]);
    for (size_t i = 0; i < s->finalists; i++) sg_candidate_release(&s->finalist[i]);
    free(s->screened);
    sg_search_data_release(&s->data);
    sg_thread_pool_free(s->pool);
    *s = (sg_search){0};
}

/* --- the settings --- */

static sg_status screen(sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    sg_hyperparams *setting = sg_calloc(p->screen_candidates, sizeof *setting);
    s->screened = sg_calloc(p->screen_candidates, sizeof *s->screened);
    sg_status st = setting && s->screened ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a search");
    if (st == SG_OK) sg_hyperparams_design(&s->space, s->seed, p->screen_candidates, setting);
    for (size_t i = 0; st == SG_OK && i < p->screen_candidates; i++)
        st = sg_candidate_init(&s->screened[i], &s->space, &setting[i]);
    sg_trial_batch r = {.data = &s->data,
                        .candidate = s->screened,
                        .count = p->screen_candidates,
                        .folds = p->screen_folds,
                        .max_steps = p->screen_steps,
                        .eval_points = p->eval_points / 2,
                        .progress = &s->progress};
    if (st == SG_OK) st = sg_trial_batch_run(&r, s->pool);
    free(setting);
    return st;
}

/* Of each factor the level with the smallest mean of log errors. */
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

static sg_status add_finalist(sg_search *s, const sg_hyperparams *setting)
{
    for (size_t i = 0; i < s->finalists; i++)
        if (sg_hyperparams_equal(&s->finalist[i].hyperparams, setting)) return SG_OK;
    return sg_candidate_init(&s->finalist[s->finalists++], &s->space, setting);
}

static sg_status choose_finalists(sg_search *s)
{
    sg_hyperparams best = best_main_effects(s), usual = sg_hyperparams_default(&s->space);
    sg_status st = SG_OK;
    qsort(s->screened, s->plan.screen_candidates, sizeof *s->screened, compare_errors);
    for (size_t i = 0; st == SG_OK && i < s->plan.finalists && i < s->plan.screen_candidates; i++)
        st = add_finalist(s, &s->screened[i].hyperparams);
    if (st == SG_OK) st = add_finalist(s, &best);
    if (st == SG_OK) st = add_finalist(s, &usual);
    return st;
}

/* Trains the finalists from `first` on, on all parts. */
static sg_status run_finals(sg_search *s, size_t first)
{
    sg_trial_batch r = {.data = &s->data,
                        .candidate = s->finalist + first,
                        .count = s->finalists - first,
                        .folds = s->plan.folds,
                        .max_steps = s->plan.final_steps,
                        .eval_points = s->plan.eval_points,
                        .keep_models = s->plan.distill_steps > 0,
                        .progress = &s->progress};
    return sg_trial_batch_run(&r, s->pool);
}

static sg_status add_tree_candidates(sg_search *s)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < s->plan.gbdt_configs; i++) {
        st = sg_candidate_init_trees(&s->finalist[s->finalists], s->user, &gbdt_config[i]);
        s->finalists += st == SG_OK;
    }
    for (size_t i = 0; st == SG_OK && i < s->plan.tree_ensemble_configs; i++) {
        st = sg_candidate_init_trees(&s->finalist[s->finalists], s->user, &tree_ensemble_configs_for(s)[i]);
        s->finalists += st == SG_OK;
    }
    return st;
}

/* --- parts of a model that most do without --- */

/* Student's t of the differences of two candidates' squared errors, row by row. */
static double paired_t(const sg_search_data *g, const sg_candidate *a, const sg_candidate *b)
{
    double sum = 0, squares = 0, n = (double)g->rows;
    for (size_t i = 0; i < g->rows; i++) {
        double d = sg_search_data_row_error(g, i, a->oof_predictions + (a->best_eval * g->rows + i) * g->outputs) -
                   sg_search_data_row_error(g, i, b->oof_predictions + (b->best_eval * g->rows + i) * g->outputs);
        sum += d;
        squares += d * d;
    }
    double variance = squares / n - (sum / n) * (sum / n);
    return variance > 0 ? sum / n / sqrt(variance / n) : 0;
}

/* The best one with one more option; it becomes the best where it errs less by a hundredth at least, and not by chance.
 */
static sg_status try_option(sg_search *s, const char *option, const char *value)
{
    sg_candidate *best = &s->finalist[s->best_rules], *c = &s->finalist[s->finalists];
    if (sg_options_is_set(s->user, option) || best->best_eval == 0 || sg_search_progress_stopped(&s->progress))
        return SG_OK;
    sg_status st = sg_candidate_clone(best, c);
    if (st != SG_OK) return st;
    s->finalists++;
    c->extra_options[0] = best->extra_options[0];
    c->extra_options[best->extra_options[0] != NULL] = option;
    st = sg_options_set(c->options, option, value);
    if (st == SG_OK) st = run_finals(s, s->finalists - 1);
    if (st == SG_OK && c->error < MIN_IMPROVEMENT * best->error && paired_t(&s->data, best, c) > MIN_T)
        s->best_rules = s->finalists - 1;
    return st;
}

/* Numbers that come again and again, as if each were a name. */
static bool has_repeated_values(const sg_search_data *g, size_t input, double *room)
{
    size_t n = 0, values = 1, column = g->roles.input[input];
    if (g->is_category[input] || strchr(g->table.rows.names[column], ',')) return false;
    for (size_t i = 0; i < g->rows; i++) {
        double x = g->table.values[i * g->table.rows.columns + column];
        if (!isnan(x)) room[n++] = x;
    }
    sg_sort_doubles(room, n);
    for (size_t i = 1; i < n; i++) values += room[i] != room[i - 1];
    return values > MIN_DISTINCT && values <= n / 4;
}

static sg_status try_effects(sg_search *s)
{
    const sg_search_data *g = &s->data;
    sg_text names = {0};
    double *room = sg_calloc(g->rows, sizeof *room);
    sg_status st = SG_OK;
    if (!room) return sg_fail(SG_ENOMEM, "out of memory for a search");
    bool apart = s->plan.ensemble_seeds &&
                 sg_options_integer(s->user, "pca") > 0; /* components with and without effects are not the same */
    for (size_t i = 0; i < g->inputs && g->outputs == 1 && !g->table.schema.comm && !apart; i++)
        if (has_repeated_values(g, i, room))
            sg_text_append_format(&names, "%s%s", names.length ? "," : "", g->table.rows.names[g->roles.input[i]]);
    free(room);
    if (names.length && !names.failed) st = try_option(s, "effects", names.bytes);
    sg_text_release(&names);
    return st;
}

/* --- all of it --- */

/* Stopped before the finals came to anything: what the first round found is what is known. */
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
    sg_status st = screen(s);
    if (st == SG_OK) st = choose_finalists(s);
    if (st == SG_OK) st = run_finals(s, 0);
    for (size_t i = 1; i < s->finalists; i++)
        if (s->finalist[i].error < s->finalist[s->best_rules].error) s->best_rules = i;
    if (st == SG_OK) st = try_effects(s);
    if (st == SG_OK && s->data.rows > LARGE_ROWS && sg_search_space_allows_low_rank(&s->space))
        st = try_option(s, "low-rank", "2");
    size_t rules = s->finalists;
    if (st == SG_OK) st = add_tree_candidates(s);
    if (st == SG_OK) st = run_finals(s, rules);
    if (st != SG_OK) return st;
    use_screening_result(s);
    return (s->plan.ensemble_seeds ? sg_ensemble_select_bagged : sg_ensemble_select)(
        &s->data, s->finalist, s->finalists, s->ensemble_weight, &s->ensemble_error);
}
