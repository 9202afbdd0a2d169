/* choose_clamp.c: see choose_clamp.h. --limit range changes no row that is trained on, so what the parts trained
 * without it is what they would have trained with it: only the model around these parameters is another. */
#include "auto/search/choose_clamp.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Few rows that are left out lie outside, so a tie is the rule, and the limit protects from those that lie far. */
static const double TIE_TOLERANCE = 1.004; /* squared error */

typedef struct clamp_test {
    sg_search *search;
    sg_options *options;              /* with the limit     */
    size_t look;                      /* whose parameters these are */
    double *as_is, *limited, *weight; /* (parts): sums */
} clamp_test;

/* Those that the part has at the look: of the start they are the model's own. */
static const double *eval_parameters(const clamp_test *a, size_t part)
{
    const sg_candidate *best = &a->search->finalist[a->search->best_rules];
    if (a->look == 0) return NULL;
    return best->eval_theta ? best->eval_theta[part * (best->eval_points + 1) + a->look]
                            : best->fold_model[part]->theta;
}

static sg_status make_clamped_model(const clamp_test *a, size_t part, sg_model **out)
{
    const sg_candidate *best = &a->search->finalist[a->search->best_rules];
    const double *theta = eval_parameters(a, part);
    sg_trial t = {.options = a->options,
                  .train = &a->search->data.fold[part].train,
                  .max_steps = best->max_steps,
                  .eval_points = 1,
                  .outputs = a->search->data.outputs};
    sg_status st = sg_trial_run(&t, &a->search->progress);
    if (st == SG_OK && !t.model)
        st = sg_fail(SG_EDATA, "%s: the training that was chosen failed", sg_source_name(t.train));
    if (st != SG_OK) return st;
    if (theta) memcpy(t.model->theta, theta, t.model->parameters * sizeof *theta);
    *out = t.model;
    return SG_OK;
}

static void add_fold_errors(const clamp_test *a, size_t part, const double *y)
{
    const sg_search_data *g = &a->search->data;
    const sg_candidate *best = &a->search->finalist[a->search->best_rules];
    const sg_cv_fold *p = &g->fold[part];
    for (size_t i = 0; i < p->valid.rows; i++) {
        a->as_is[part] += sg_search_data_row_error(
            g, p->valid_row[i], best->oof_predictions + (a->look * g->rows + p->valid_row[i]) * g->outputs);
        a->limited[part] += sg_search_data_row_error(g, p->valid_row[i], y + i * g->outputs);
        a->weight[part] += g->row_weight[p->valid_row[i]];
    }
}

static sg_status test_fold(void *arg, size_t part, size_t worker)
{
    const clamp_test *a = arg;
    const sg_search_data *g = &a->search->data;
    const sg_cv_fold *p = &g->fold[part];
    sg_ensemble alone = {0};
    sg_ensemble_member m = {.weight = 1};
    double *y = sg_calloc(p->valid.rows, g->outputs * sizeof *y);
    (void)worker;
    sg_status st = y ? make_clamped_model(a, part, &m.model) : sg_fail(SG_ENOMEM, "out of memory for a search");
    if (st == SG_OK) st = sg_ensemble_add(&alone, &m);
    if (st == SG_OK) st = sg_ensemble_predict(&alone, g, &p->valid, y);
    if (st == SG_OK) add_fold_errors(a, part, y);
    sg_ensemble_release(&alone);
    free(y);
    return st;
}

static sg_status test_all_folds(clamp_test *a, sg_clamp_choice *out)
{
    sg_search *s = a->search;
    double weight = 0;
    sg_status st = sg_thread_pool_run_long(s->pool, s->finalist[s->best_rules].folds, test_fold, a);
    for (size_t i = 0; st == SG_OK && i < s->finalist[s->best_rules].folds; i++) {
        out->unclamped_error += a->as_is[i];
        out->clamped_error += a->limited[i];
        weight += a->weight[i] * (double)s->data.outputs;
    }
    out->unclamped_error /= weight;
    out->clamped_error /= weight;
    return st;
}

sg_status sg_clamp_choose(sg_search *s, sg_options *user, sg_clamp_choice *out)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    size_t parts = best->folds;
    *out = (sg_clamp_choice){0};
    if (sg_options_is_set(user, "limit") || sg_search_progress_stopped(&s->progress) || !isfinite(best->error))
        return SG_OK;
    clamp_test a = {.search = s,
                    .look = best->eval_theta || best->best_eval == 0 ? best->best_eval : best->eval_points,
                    .as_is = sg_calloc(3 * parts, sizeof(double))};
    if (!a.as_is) return sg_fail(SG_ENOMEM, "out of memory for a search");
    a.limited = a.as_is + parts;
    a.weight = a.limited + parts;
    sg_status st = sg_options_clone(best->options, &a.options);
    if (st == SG_OK) st = sg_options_set(a.options, "limit", "range");
    if (st == SG_OK) st = test_all_folds(&a, out);
    out->chosen = st == SG_OK && out->clamped_error <= TIE_TOLERANCE * out->unclamped_error;
    for (size_t i = 0; out->chosen && st == SG_OK && i < s->finalists; i++)
        st = sg_options_set(s->finalist[i].options, "limit", "range");
    if (out->chosen && st == SG_OK) st = sg_options_set(user, "limit", "range");
    sg_options_free(a.options);
    free(a.as_is);
    return st;
}
