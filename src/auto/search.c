/* search.c: see search.h. */
#include "auto/search.h"

#include "auto/synthetic.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/text.h"
#include "prep/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGER = 4, TAUGHT_BY = 3, MANY_ROWS = 5000, FEW_VALUES = 16 };
static const double LESS = 0.98, SURE = 2;                  /* squared error, t */
static const double MOST_KEPT = 256e6, MOST_WRITTEN = 64e6; /* bytes */
static const double PATIENCE = 120e9, LONGEST = 1e18;       /* nanoseconds: without a budget; that can be counted */
static const double MOST_GRID = 1e6;
enum { FEWEST_LOOKS = 5 };

static const sg_boost_plan forest[SG_FORESTS] = {
    {.stages = 300, .leaves = 64, .least = 8, .rate = 0.08, .width = 0.1, .l2 = 1},
    {.stages = 400, .leaves = 32, .least = 8, .rate = 0.1, .width = 0.2, .l2 = 1},
    {.stages = 400, .leaves = 16, .least = 8, .rate = 0.1, .width = 0.4, .l2 = 0.3},
};

/* For few rows, and for many. */
static const sg_boost_plan wood[2][SG_WOODS] = {
    {{.kind = SG_SCATTERED, .plain = true, .stages = 50, .leaves = 256, .least = 1, .rate = 1. / 50, .width = 0.3},
     {.kind = SG_STEPPED, .stages = 500, .leaves = 32, .least = 2, .rate = 0.05, .width = 0.3, .l2 = 1},
     {.kind = SG_SCATTERED, .stages = 50, .leaves = 256, .least = 1, .rate = 1. / 50, .width = 0.3}},
    {{.kind = SG_BAGGED,
      .plain = true,
      .stages = 40,
      .leaves = 1536,
      .least = 2,
      .rate = 1. / 40,
      .width = 0.3,
      .columns = 0.5},
     {.kind = SG_STEPPED, .stages = 400, .leaves = 64, .least = 2, .rate = 0.08, .width = 0.3, .l2 = 1},
     {.kind = SG_SCATTERED, .stages = 30, .leaves = 1024, .least = 1, .rate = 1. / 30, .width = 0.3}},
};

/* --- plans --- */

/* By how many rows there are: up to 1,500, 5,000, 20,000, more. And, less and less, for a budget. */
static const sg_plan efforts[] = {
    {.settings = 16,
     .screened = 2,
     .finalists = 4,
     .folds = 5,
     .screen = 1000,
     .length = 3000,
     .looks = 20,
     .forests = 3,
     .seeds = 2,
     .student = 10000,
     .ensemble = 4,
     .woods = 3},
    {.settings = 16,
     .screened = 2,
     .finalists = 4,
     .folds = 3,
     .screen = 1000,
     .length = 3000,
     .looks = 20,
     .forests = 3,
     .seeds = 2,
     .student = 10000,
     .ensemble = 4,
     .woods = 3},
    {.settings = 12,
     .screened = 2,
     .finalists = 3,
     .folds = 3,
     .screen = 2000,
     .length = 6000,
     .looks = 20,
     .forests = 2,
     .seeds = 1,
     .student = 12000,
     .ensemble = 4,
     .woods = 3},
    {.settings = 8,
     .screened = 1,
     .finalists = 1,
     .folds = 2,
     .screen = 2000,
     .length = 12000,
     .looks = 20,
     .forests = 1,
     .seeds = 1,
     .student = 20000,
     .ensemble = 4,
     .woods = 3},
    {.settings = 12,
     .screened = 1,
     .finalists = 2,
     .folds = 3,
     .screen = 500,
     .length = 3000,
     .looks = 20,
     .forests = 1,
     .seeds = 1,
     .student = 6000,
     .ensemble = 4,
     .woods = 2},
    {.settings = 6,
     .screened = 1,
     .finalists = 1,
     .folds = 2,
     .screen = 500,
     .length = 2000,
     .looks = 10,
     .forests = 1,
     .seeds = 1,
     .student = 3000,
     .ensemble = 2,
     .woods = 1},
    {.settings = 3,
     .screened = 1,
     .finalists = 1,
     .folds = 2,
     .screen = 300,
     .length = 1000,
     .looks = 10,
     .seeds = 1,
     .ensemble = 2},
};

static const sg_boost_plan *wood_of(const sg_search *s) { return wood[s->choices.many]; }

static size_t usual_effort(size_t rows) { return rows > 20000 ? 3 : rows > MANY_ROWS ? 2 : rows > 1500; }

size_t sg_search_student(const sg_search *s)
{
    size_t budget = sg_options_size(s->user, "rules");
    return budget ? budget : SG_MOST_RULES;
}

/* Of the largest system that is tried. */
static size_t most_rules(const sg_search *s)
{
    size_t rules = s->choices.rules[s->choices.levels[0] - 1];
    if (!sg_options_is(s->user, "structure", "grid")) return rules;
    double grid = 1;
    for (size_t i = 0; i < s->ground.features && grid < MOST_GRID; i++) grid *= (double)sg_options_size(s->user, "mfs");
    return (size_t)grid;
}

/* All work that is planned, in nanoseconds. */
static double cost_of(const sg_search *s)
{
    const sg_plan *p = &s->plan;
    const sg_ground *g = &s->ground;
    size_t batch = sg_options_given(s->user, "batch") ? sg_options_size(s->user, "batch") : s->choices.many ? 256 : 64;
    size_t rules = most_rules(s),
           made = p->screened * sg_synthetic_count(g->rows, false) + sg_synthetic_count(g->rows, true);
    if (batch == 0 || batch > g->rows) batch = g->rows;
    double screen = (double)sg_step_cost(batch, rules / 2 + 1, g->features, g->outputs), trees = 0, answers = 0;
    double step = (double)sg_step_cost(batch, rules, g->features, g->outputs);
    double student = (double)sg_step_cost(256, sg_search_student(s), g->features, g->outputs);
    size_t tried = p->finalists + 3 + (g->rows > MANY_ROWS), seeds = p->ensemble ? p->ensemble : p->seeds;
    size_t again = p->student || p->ensemble ? TAUGHT_BY * seeds : 1;
    for (size_t i = 0; i < p->forests; i++) {
        trees += (double)sg_boost_cost(&forest[i], g->rows, g->features);
        if (p->student) answers += (double)sg_boost_answer_cost(&forest[i], made);
    }
    for (size_t i = 0; i < p->woods; i++) trees += (double)sg_boost_cost(&wood_of(s)[i], g->rows, g->features);
    if (p->student) answers += (double)sg_synthetic_cost(g->rows, g->inputs, made);
    return (double)(p->settings * p->screened) * (double)p->screen * screen +
           (double)(tried * p->folds + again) * (double)p->length * step + trees * (double)(p->folds + 1) + answers +
           (double)p->student * student * (double)(p->screened + 1);
}

/* Bytes of the models of parts, at every look, that teachers are made of. */
static double kept(const sg_search *s)
{
    double parameters = 3 * (double)most_rules(s) * (double)s->ground.features * (double)s->ground.outputs;
    return 8 * parameters * (double)((s->plan.looks + 1) * s->plan.folds * (s->plan.finalists + 4));
}

/* Synthetic rows of many inputs leave the plane in which few rows lie. */
static bool can_teach(const sg_search *s)
{
    bool wanted = sg_options_is(s->user, "student", "yes") && sg_options_is(s->user, "structure", "cluster");
    return wanted && s->ground.whole && (double)s->ground.features < (double)s->ground.rows / 2 && kept(s) < MOST_KEPT;
}

/* Trees beside rules that own their MFs, where none has more rules than the user allows, and all see the same
 * components, if any, and numbers that are floats. */
static bool can_mix(const sg_search *s)
{
    bool alike = sg_options_size(s->user, "pca") == 0 || !*sg_options_text(s->user, "effects");
    return sg_options_is(s->user, "structure", "cluster") && !sg_options_given(s->user, "rules") && s->ground.whole &&
           alike && !sg_options_is(s->user, "scale", "none");
}

/* Bytes of the plan's trees in a model file, nearly. */
static double written(const sg_search *s)
{
    double leaves = 0;
    for (size_t i = 0; i < s->plan.forests; i++)
        leaves += (double)forest[i].stages * fmin((double)forest[i].leaves, (double)s->ground.rows / 8);
    for (size_t i = 0; i < s->plan.woods; i++)
        leaves += (double)wood_of(s)[i].stages * fmin((double)wood_of(s)[i].leaves, (double)s->ground.rows);
    return 50 * leaves * (double)s->ground.features;
}

/* Bytes of what all candidates say of the targets, at every look. */
static double said(const sg_search *s)
{
    const sg_plan *p = &s->plan;
    size_t first = p->settings * (p->looks / 2 + 1), then = (p->finalists + p->forests + p->woods + 4) * (p->looks + 1);
    return 8 * (double)(first + then) * (double)s->ground.rows * (double)s->ground.outputs;
}

/* The usual one, or the first that the budget, or patience, is enough for, or the least. */
static sg_plan plan_for(sg_search *s)
{
    size_t rows = s->ground.rows, n = sizeof efforts / sizeof *efforts;
    double budget = 1e9 * sg_options_number(s->user, "budget"), most = budget > 0 ? budget : PATIENCE;
    bool ensemble = sg_options_is(s->user, "preset", "auto-ensemble");
    for (size_t i = usual_effort(rows); i < n; i++) {
        s->plan = efforts[i];
        if (ensemble) s->plan.student = 0;
        else s->plan.ensemble = s->plan.woods = 0;
        while (s->plan.looks > FEWEST_LOOKS && fmax(said(s), kept(s)) > MOST_KEPT) s->plan.looks /= 2;
        if (s->ground.outputs > SG_BOOST_TARGETS) s->plan.forests = s->plan.woods = 0;
        if (ensemble ? !can_mix(s) : !can_teach(s)) s->plan.student = s->plan.forests = s->plan.woods = 0;
        s->plan.recall = ensemble && can_mix(s);
        while (s->plan.woods && written(s) > MOST_WRITTEN) s->plan.woods--;
        while (ensemble && s->plan.forests && written(s) > MOST_WRITTEN) s->plan.forests--;
        if (sg_options_given(s->user, "iters")) {
            s->plan.length = s->plan.screen = sg_options_size(s->user, "iters");
            if (s->plan.student) s->plan.student = s->plan.length;
        }
        if (cost_of(s) <= most * (budget == 0 && ensemble ? LONGER : 1)) break;
    }
    return s->plan;
}

sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_stop_fn *stop, void *arg)
{
    *s = (sg_search){.user = user, .seed = (uint64_t)sg_options_number(user, "seed"), .recalled = INFINITY};
    s->watch.stop = stop;
    s->watch.arg = arg;
    sg_status st = sg_ground_init(&s->ground, user, rows);
    if (st != SG_OK) return st;
    s->choices = sg_choices_of(user, s->ground.rows);
    s->plan = plan_for(s);
    s->watch.planned = (size_t)fmin(cost_of(s), LONGEST);
    st = sg_pool_new(sg_options_size(user, "threads"), &s->pool);
    if (st != SG_OK) sg_search_release(s);
    return st;
}

void sg_search_release(sg_search *s)
{
    for (size_t i = 0; s->first && i < s->plan.settings; i++) sg_candidate_release(&s->first[i]);
    for (size_t i = 0; i < s->finals; i++) sg_candidate_release(&s->final[i]);
    free(s->first);
    sg_ground_release(&s->ground);
    sg_pool_free(s->pool);
    *s = (sg_search){0};
}

/* --- the settings --- */

static sg_status screen(sg_search *s)
{
    const sg_plan *p = &s->plan;
    sg_setting *setting = sg_alloc(p->settings, sizeof *setting);
    s->first = sg_alloc(p->settings, sizeof *s->first);
    sg_status st = setting && s->first ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a search");
    if (st == SG_OK) sg_setting_design(&s->choices, s->seed, p->settings, setting);
    for (size_t i = 0; st == SG_OK && i < p->settings; i++)
        st = sg_candidate_init(&s->first[i], &s->choices, &setting[i]);
    sg_round r = {.ground = &s->ground,
                  .candidate = s->first,
                  .count = p->settings,
                  .parts = p->screened,
                  .length = p->screen,
                  .looks = p->looks / 2,
                  .watch = &s->watch};
    if (st == SG_OK) st = sg_round_run(&r, s->pool);
    free(setting);
    return st;
}

/* Of each factor the level with the smallest mean of log errors. */
static sg_setting main_effects(const sg_search *s)
{
    sg_setting best = sg_setting_usual(&s->choices);
    for (size_t f = 0; f < SG_FACTORS; f++) {
        double least = INFINITY;
        for (size_t l = 0; l < s->choices.levels[f]; l++) {
            double sum = 0, n = 0;
            for (size_t i = 0; i < s->plan.settings; i++) {
                if (s->first[i].setting.level[f] != l) continue;
                sum += isfinite(s->first[i].error) ? sg_log(s->first[i].error) : 2;
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

static int by_error(const void *a, const void *b)
{
    const sg_candidate *x = a, *y = b;
    if (x->error != y->error) return x->error < y->error ? -1 : 1;
    return memcmp(&x->setting, &y->setting, sizeof x->setting);
}

static sg_status add_finalist(sg_search *s, const sg_setting *setting)
{
    for (size_t i = 0; i < s->finals; i++)
        if (sg_setting_same(&s->final[i].setting, setting)) return SG_OK;
    return sg_candidate_init(&s->final[s->finals++], &s->choices, setting);
}

static sg_status choose_finalists(sg_search *s)
{
    sg_setting best = main_effects(s), usual = sg_setting_usual(&s->choices);
    sg_status st = SG_OK;
    qsort(s->first, s->plan.settings, sizeof *s->first, by_error);
    for (size_t i = 0; st == SG_OK && i < s->plan.finalists && i < s->plan.settings; i++)
        st = add_finalist(s, &s->first[i].setting);
    if (st == SG_OK) st = add_finalist(s, &best);
    if (st == SG_OK) st = add_finalist(s, &usual);
    return st;
}

/* Trains the finalists from `first` on, on all parts. */
static sg_status run_finals(sg_search *s, size_t first)
{
    sg_round r = {.ground = &s->ground,
                  .candidate = s->final + first,
                  .count = s->finals - first,
                  .parts = s->plan.folds,
                  .length = s->plan.length,
                  .looks = s->plan.looks,
                  .keep = s->plan.student > 0,
                  .watch = &s->watch};
    return sg_round_run(&r, s->pool);
}

static sg_status add_forests(sg_search *s)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < s->plan.forests; i++) {
        st = sg_candidate_trees(&s->final[s->finals], s->user, &forest[i]);
        s->finals += st == SG_OK;
    }
    for (size_t i = 0; st == SG_OK && i < s->plan.woods; i++) {
        st = sg_candidate_trees(&s->final[s->finals], s->user, &wood_of(s)[i]);
        s->finals += st == SG_OK;
    }
    return st;
}

/* --- parts of a model that most do without --- */

/* Student's t of the differences of two candidates' squared errors, row by row. */
static double t_of(const sg_ground *g, const sg_candidate *a, const sg_candidate *b)
{
    double sum = 0, squares = 0, n = (double)g->rows;
    for (size_t i = 0; i < g->rows; i++) {
        double d = sg_ground_error(g, i, a->y + (a->best * g->rows + i) * g->outputs) -
                   sg_ground_error(g, i, b->y + (b->best * g->rows + i) * g->outputs);
        sum += d;
        squares += d * d;
    }
    double variance = squares / n - (sum / n) * (sum / n);
    return variance > 0 ? sum / n / sqrt(variance / n) : 0;
}

/* The best one with one more option; it becomes the best where it errs less by a hundredth at least, and not by chance.
 */
static sg_status try_part(sg_search *s, const char *option, const char *value)
{
    sg_candidate *best = &s->final[s->best], *c = &s->final[s->finals];
    if (sg_options_given(s->user, option) || best->best == 0 || sg_watch_stopped(&s->watch)) return SG_OK;
    sg_status st = sg_candidate_with(best, c);
    if (st != SG_OK) return st;
    s->finals++;
    c->besides[0] = best->besides[0];
    c->besides[best->besides[0] != NULL] = option;
    st = sg_options_set(c->options, option, value);
    if (st == SG_OK) st = run_finals(s, s->finals - 1);
    if (st == SG_OK && c->error < LESS * best->error && t_of(&s->ground, best, c) > SURE) s->best = s->finals - 1;
    return st;
}

/* Numbers that come again and again, as if each were a name. */
static bool comes_again(const sg_ground *g, size_t input, double *room)
{
    size_t n = 0, values = 1, column = g->roles.input[input];
    if (g->category[input] || strchr(g->desk.rows.names[column], ',')) return false;
    for (size_t i = 0; i < g->rows; i++) {
        double x = g->desk.value[i * g->desk.rows.columns + column];
        if (!isnan(x)) room[n++] = x;
    }
    sg_sort_numbers(room, n);
    for (size_t i = 1; i < n; i++) values += room[i] != room[i - 1];
    return values > FEW_VALUES && values <= n / 4;
}

static sg_status try_effects(sg_search *s)
{
    const sg_ground *g = &s->ground;
    sg_text names = {0};
    double *room = sg_alloc(g->rows, sizeof *room);
    sg_status st = SG_OK;
    if (!room) return sg_fail(SG_ENOMEM, "out of memory for a search");
    bool apart = s->plan.ensemble &&
                 sg_options_size(s->user, "pca") > 0; /* components with and without effects are not the same */
    for (size_t i = 0; i < g->inputs && g->outputs == 1 && !g->desk.of.team && !apart; i++)
        if (comes_again(g, i, room))
            sg_text_format(&names, "%s%s", names.length ? "," : "", g->desk.rows.names[g->roles.input[i]]);
    free(room);
    if (names.length && !names.failed) st = try_part(s, "effects", names.bytes);
    sg_text_release(&names);
    return st;
}

/* --- all of it --- */

/* Stopped before the finals came to anything: what the first round found is what is known. */
static void fall_back(sg_search *s)
{
    sg_candidate empty = s->final[0];
    if (isfinite(s->final[s->best].error) || !isfinite(s->first[0].error)) return;
    s->final[0] = s->first[0];
    s->first[0] = empty;
    s->best = 0;
}

sg_status sg_search_run(sg_search *s)
{
    sg_status st = screen(s);
    if (st == SG_OK) st = choose_finalists(s);
    if (st == SG_OK) st = run_finals(s, 0);
    for (size_t i = 1; i < s->finals; i++)
        if (s->final[i].error < s->final[s->best].error) s->best = i;
    if (st == SG_OK) st = try_effects(s);
    if (st == SG_OK && s->ground.rows > MANY_ROWS && sg_choices_lean(&s->choices)) st = try_part(s, "low-rank", "2");
    size_t rules = s->finals;
    if (st == SG_OK) st = add_forests(s);
    if (st == SG_OK) st = run_finals(s, rules);
    if (st != SG_OK) return st;
    fall_back(s);
    return (s->plan.ensemble ? sg_committee_blend : sg_committee_choose)(&s->ground, s->final, s->finals, s->weight,
                                                                         &s->together);
}
