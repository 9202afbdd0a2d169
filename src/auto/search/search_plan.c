/* search_plan.c: decides how much a search tries, within limits of time, memory and model file size. */
#include "auto/search/search.h"
#include "train/additive/additive_train.h"

#include <math.h>

enum { ENSEMBLE_BUDGET_FACTOR = 4, TEACHER_MEMBERS = 3, MIN_EVAL_POINTS = 5, STUDENT_BATCH = 256 };
static const double MAX_MEMORY = 256e6, MAX_FILE_BYTES = 64e6; /* bytes */
static const double DEFAULT_BUDGET = 120e9;                    /* nanoseconds */
static const double MAX_GRID_RULES = 1e6;
/* The cost of all students, relative to that of the one with the most rules. */
static const double STUDENTS_COST = 2.5;

/* clang-format off */
static const sg_search_plan plans[] = {
    /* screening          finals       eval   tree      teacher  student  ensemble
     * cand. folds steps  n  f  steps  points configs   seeds    steps    seeds */
    {  12,   2,     700,  2, 5,  2000, 10,    1, 3,     1,        4000,   4}, /* up to 1,500 rows */
    {  12,   2,     700,  2, 3,  2500, 10,    1, 3,     1,        4000,   4}, /* up to 5,000 */
    {   8,   1,    1500,  2, 3,  4000, 10,    1, 3,     1,        5000,   4}, /* up to 20,000 */
    {   4,   1,    1500,  1, 2,  6000, 10,    1, 3,     1,       10000,   4}, /* more rows */
    {  12,   1,     500,  2, 3,  3000, 20,    1, 2,     1,        6000,   4}, /* for decreasing budgets */
    {   6,   1,     500,  1, 2,  2000, 10,    1, 1,     1,        3000,   2},
    {   3,   1,     300,  1, 2,  1000, 10,    0, 0,     1,           0,   2},
};

/* An ensemble has no students to train, and gains from more members. For few to many rows, as above. */
static const sg_search_plan ensemble_plans[] = {
    {  16,   2,    1000,  4, 5,  3000, 20,    3, 3,     2,           0,   4},
    {  16,   2,    1000,  4, 3,  3000, 20,    3, 3,     2,           0,   4},
    {  12,   2,    2000,  3, 3,  6000, 20,    2, 3,     1,           0,   4},
    {   8,   1,    2000,  1, 2, 12000, 20,    1, 3,     1,           0,   4},
};
enum { ENSEMBLE_PLANS = sizeof ensemble_plans / sizeof *ensemble_plans };

static const sg_tree_config gbdt_config[SG_GBDT_CONFIGS] = {
    /* kind               raw    trees  leaves min rate     soft l2   columns */
    {SG_TREES_GBDT_LINEAR, false, 250,   32,   8, 0.1,      0.2, 1,   0},
    {SG_TREES_GBDT_LINEAR, false, 300,   64,   8, 0.08,     0.1, 1,   0},
    {SG_TREES_GBDT_LINEAR, false, 400,   16,   8, 0.1,      0.4, 0.3, 0},
};

/* Configurations for few rows, and for many rows. */
static const sg_tree_config tree_ensemble_config[2][SG_TREE_ENSEMBLE_CONFIGS] = {
    {{SG_TREES_EXTRA,      true,   50,  256,   1, 1. / 50,  0.3, 0,   0},
     {SG_TREES_GBDT,       false, 500,   32,   2, 0.05,     0.3, 1,   0},
     {SG_TREES_EXTRA,      false,  50,  256,   1, 1. / 50,  0.3, 0,   0}},
    {{SG_TREES_BAGGED,     true,   40, 1536,   2, 1. / 40,  0.3, 0,   0.5},
     {SG_TREES_GBDT,       false, 400,   64,   2, 0.08,     0.3, 1,   0},
     {SG_TREES_EXTRA,      false,  30, 1024,   1, 1. / 30,  0.3, 0,   0}},
};
/* clang-format on */

static size_t default_plan(size_t rows) { return rows > 20000 ? 3 : rows > 5000 ? 2 : rows > 1500; }

const sg_tree_config *sg_search_tree_config(const sg_search *s, size_t i)
{
    size_t n = s->plan.gbdt_configs;
    return i < n ? &gbdt_config[i] : &tree_ensemble_config[s->space.is_large][i - n];
}

static size_t tree_configs(const sg_search *s) { return s->plan.gbdt_configs + s->plan.tree_ensemble_configs; }

/* Returns the number of rules of the largest candidate. */
static size_t max_rules(const sg_search *s)
{
    if (!s->space.config.is_grid) return s->space.rules[s->space.level_count[0] - 1];
    double rules = 1;
    for (size_t i = 0; i < s->data.features && rules < MAX_GRID_RULES; i++) rules *= (double)s->space.config.mfs;
    return (size_t)rules;
}

/* --- estimates --- */

static double step_cost(const sg_search *s, size_t batch, size_t rules)
{
    return (double)sg_train_step_cost(batch, rules, s->data.features, s->data.outputs);
}

double sg_search_cost(const sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    const sg_search_data *data = &s->data;
    size_t batch = s->space.config.sets_batch ? s->space.config.batch : s->space.is_large ? 256 : 64;
    if (batch == 0 || batch > data->rows) batch = data->rows;
    size_t rules = max_rules(s), finals = p->finalists + 3 + (data->rows > SG_LOW_RANK_MIN_ROWS);
    size_t synthetic = p->folds * sg_synthetic_count(data->rows, false) + sg_synthetic_count(data->rows, true);
    size_t seeds = p->ensemble_seeds ? p->ensemble_seeds : p->teacher_seeds;
    size_t refits = p->distill_steps || p->ensemble_seeds ? TEACHER_MEMBERS * seeds : 1;
    double trees = 0, labels = 0, curves = 0;
    for (size_t i = 0; i < tree_configs(s); i++) {
        const sg_tree_config *c = sg_search_tree_config(s, i);
        trees += (double)sg_tree_config_train_cost(c, data->rows, data->features);
        if (p->distill_steps && i < p->gbdt_configs) labels += (double)sg_tree_config_predict_cost(c, synthetic);
    }
    if (s->space.config.allows_curves)
        curves = (double)(p->folds + 1) * (double)sg_additive_train_cost(data->rows, data->inputs);
    if (p->distill_steps) labels += (double)sg_synthetic_cost(data->rows, data->inputs, synthetic);
    double screening = (double)(p->screen_candidates * p->screen_folds) * (double)p->screen_steps;
    return screening * step_cost(s, batch, rules / 2 + 1) +
           (double)(finals * p->folds + refits) * (double)p->final_steps * step_cost(s, batch, rules) +
           trees * (double)(p->folds + 1) + labels +
           STUDENTS_COST * (double)p->distill_steps * step_cost(s, STUDENT_BATCH, sg_student_rules(&s->space)) *
               (double)(p->folds + 1) +
           curves;
}

/* Returns the bytes of the parameters that are kept for teachers, at all evaluation points of all folds. */
static double fold_model_bytes(const sg_search *s)
{
    double parameters = 3 * (double)max_rules(s) * (double)s->data.features * (double)s->data.outputs;
    return 8 * parameters * (double)((s->plan.eval_points + 1) * s->plan.folds * (s->plan.finalists + 4));
}

/* Returns the bytes of the out-of-fold predictions of all candidates. */
static double prediction_bytes(const sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    size_t first = p->screen_candidates * (p->eval_points / 2 + 1),
           then = (p->finalists + tree_configs(s) + 6) * (p->eval_points + 1),
           students = SG_MAX_STUDENTS * (SG_STUDENT_EVAL_POINTS + 1);
    return 8 * (double)(first + then + students) * (double)s->data.rows * (double)s->data.outputs;
}

/* Returns the approximate bytes of the plan's trees in a model file. */
static double model_file_bytes(const sg_search *s)
{
    double leaves = 0;
    for (size_t i = 0; i < tree_configs(s); i++) {
        const sg_tree_config *c = sg_search_tree_config(s, i);
        double rows_per_leaf = i < s->plan.gbdt_configs ? 8 : 1;
        leaves += (double)c->trees * fmin((double)c->max_leaves, (double)s->data.rows / rows_per_leaf);
    }
    return 50 * leaves * (double)s->data.features;
}

/* --- the choice --- */

/* Returns whether to distil. With many inputs and few rows, synthetic rows leave the subspace of the real ones. */
static bool can_distill(const sg_search *s)
{
    return s->space.config.allows_student && s->space.config.is_cluster && s->data.has_all_rows &&
           (double)s->data.features < (double)s->data.rows / 2 && fold_model_bytes(s) < MAX_MEMORY;
}

bool sg_search_can_combine_trees(const sg_search *s)
{
    const sg_search_config *c = &s->space.config;
    return c->is_cluster && !c->sets_rules && s->data.has_all_rows && (!c->uses_pca || !*c->effects) && !c->is_unscaled;
}

/* Removes the parts of the plan that the options, the memory or the file size do not allow. */
static void restrict_plan(sg_search *s)
{
    sg_search_plan *p = &s->plan;
    const sg_search_config *c = &s->space.config;
    if (c->is_ensemble) p->distill_steps = 0;
    else p->ensemble_seeds = p->tree_ensemble_configs = 0;
    while (p->eval_points > MIN_EVAL_POINTS && fmax(prediction_bytes(s), fold_model_bytes(s)) > MAX_MEMORY)
        p->eval_points /= 2;
    if (s->data.outputs > SG_TREES_MAX_OUTPUTS) p->gbdt_configs = p->tree_ensemble_configs = 0;
    if (c->is_ensemble ? !sg_search_can_combine_trees(s) : !can_distill(s))
        p->distill_steps = p->gbdt_configs = p->tree_ensemble_configs = 0;
    while (p->tree_ensemble_configs && model_file_bytes(s) > MAX_FILE_BYTES) p->tree_ensemble_configs--;
    while (c->is_ensemble && p->gbdt_configs && model_file_bytes(s) > MAX_FILE_BYTES) p->gbdt_configs--;
    if (!c->sets_iters) return;
    p->final_steps = p->screen_steps = c->iters;
    if (p->distill_steps) p->distill_steps = c->iters;
}

void sg_search_choose_plan(sg_search *s)
{
    const sg_search_config *c = &s->space.config;
    double budget = c->budget > 0 ? 1e9 * c->budget : DEFAULT_BUDGET * (c->is_ensemble ? ENSEMBLE_BUDGET_FACTOR : 1);
    for (size_t i = default_plan(s->data.rows); i < sizeof plans / sizeof *plans; i++) {
        s->plan = c->is_ensemble && i < ENSEMBLE_PLANS ? ensemble_plans[i] : plans[i];
        restrict_plan(s);
        if (sg_search_cost(s) <= budget) break;
    }
}
