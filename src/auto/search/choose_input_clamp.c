/* choose_input_clamp.c: compares the best rules with and without clamped inputs on held-out rows.
 *
 * Clamping does not change training rows, so the parameters of each fold are the same with and without it. Only the
 * model around them differs. */
#include "auto/search/search.h"
#include "auto/search/search_data.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ties are common, since few held-out rows are outside the range. Clamping wins ties, as it limits distant inputs. */
static const double TIE_TOLERANCE = 1.004; /* ratio of squared errors */

typedef struct clamp_test {
    sg_search *search;
    const sg_candidate *best;
    sg_options *options;                  /* options of the best rules, with clamping               */
    size_t eval;                          /* the evaluation point at which θ is taken       */
    double *unclamped, *clamped, *weight; /* (folds): sums of squared errors and of weights */
} clamp_test;

/* Returns θ of a fold, or NULL for its initial parameters. */
static const double *fold_theta(const clamp_test *test, size_t fold)
{
    const sg_candidate *best = test->best;
    if (test->eval == 0) return NULL;
    return best->eval_theta ? best->eval_theta[fold * (best->eval_points + 1) + test->eval]
                            : best->fold_model[fold]->theta;
}

static sg_status make_clamped_model(const clamp_test *test, size_t fold, sg_model **out)
{
    const double *theta = fold_theta(test, fold);
    sg_status st = sg_train_initial(test->options, &test->search->data.fold[fold].train, out);
    if (st == SG_OK && theta) memcpy((*out)->theta, theta, (*out)->parameters * sizeof *theta);
    return st;
}

static sg_status compare_clamp_on_fold(void *arg, size_t k, size_t worker)
{
    const clamp_test *test = arg;
    const sg_search_data *data = &test->search->data;
    const sg_cv_fold *fold = &data->fold[k];
    sg_model *m = NULL;
    double *y = sg_calloc(fold->valid.rows, data->outputs * sizeof *y);
    (void)worker;
    sg_status st = y ? make_clamped_model(test, k, &m) : sg_fail_out_of_memory("a search");
    if (st == SG_OK) st = sg_apply_model(m, &fold->valid, y);
    if (st == SG_OK) {
        sg_search_data_clip(data, y, fold->valid.rows);
        test->unclamped[k] = sg_candidate_squared_error(test->best, data, k, k + 1, test->eval, &test->weight[k]);
        for (size_t i = 0; i < fold->valid.rows; i++)
            test->clamped[k] += sg_search_data_row_error(data, fold->valid_row[i], y + i * data->outputs);
    }
    sg_model_free(m);
    free(y);
    return st;
}

static sg_status test_all_folds(clamp_test *test, sg_clamp_choice *out)
{
    sg_search *s = test->search;
    double weight = 0;
    sg_status st = sg_thread_pool_run_long(s->pool, test->best->folds, compare_clamp_on_fold, test);
    for (size_t i = 0; st == SG_OK && i < test->best->folds; i++) {
        out->unclamped_error += test->unclamped[i];
        out->clamped_error += test->clamped[i];
        weight += test->weight[i] * (double)s->data.outputs;
    }
    out->unclamped_error /= weight;
    out->clamped_error /= weight;
    return st;
}

sg_status sg_search_choose_clamp(sg_search *s, sg_options *user)
{
    sg_clamp_choice *out = &s->clamp;
    const sg_candidate *best = &s->finalist[s->best_rules];
    *out = (sg_clamp_choice){0};
    if (s->space.config.sets_limit || sg_search_progress_stopped(&s->progress) || !isfinite(best->error)) return SG_OK;
    clamp_test test = {.search = s,
                       .best = best,
                       .eval = best->eval_theta || best->best_eval == 0 ? best->best_eval : best->eval_points,
                       .unclamped = sg_calloc(3 * best->folds, sizeof(double))};
    if (!test.unclamped) return sg_fail_out_of_memory("a search");
    test.clamped = test.unclamped + best->folds;
    test.weight = test.clamped + best->folds;
    sg_status st = sg_options_clone(best->options, &test.options);
    if (st == SG_OK) st = sg_options_set_clamp(test.options);
    if (st == SG_OK) st = test_all_folds(&test, out);
    out->chosen = st == SG_OK && out->clamped_error <= TIE_TOLERANCE * out->unclamped_error;
    for (size_t i = 0; out->chosen && st == SG_OK && i < s->finalists; i++)
        st = sg_options_set_clamp(s->finalist[i].options);
    if (out->chosen && st == SG_OK) st = sg_options_set_clamp(user);
    sg_options_free(test.options);
    free(test.unclamped);
    return st;
}

double sg_search_best_rules_error(const sg_search *s)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    return s->clamp.chosen && best->eval_theta ? s->clamp.clamped_error : best->error;
}
