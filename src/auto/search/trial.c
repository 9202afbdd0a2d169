/* trial.c: see trial.h. */
#include "auto/search/trial.h"

#include "base/memory.h"
#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where predictions of a whole source go. */
typedef struct prediction_buffer {
    double *y;
    size_t outputs;
} prediction_buffer;

static sg_status store_predictions(void *arg, size_t first, size_t rows, const double *y)
{
    const prediction_buffer *s = arg;
    memcpy(s->y + first * s->outputs, y, rows * s->outputs * sizeof *y);
    return SG_OK;
}

static sg_status evaluate_now(sg_trial *t, const sg_trainer *trainer, size_t i)
{
    sg_model *m;
    size_t cells = t->valid->rows * t->outputs;
    prediction_buffer s = {t->predictions + i * cells, t->outputs};
    sg_status st = sg_trainer_copy_model(trainer, &m);
    if (st != SG_OK) return st;
    st = sg_model_predict_source(m, t->valid, 1, store_predictions, &s);
    if (st == SG_OK && t->eval_theta) {
        t->eval_theta[i] = sg_calloc(m->parameters, sizeof **t->eval_theta);
        if (t->eval_theta[i]) memcpy(t->eval_theta[i], m->theta, m->parameters * sizeof *m->theta);
        else st = sg_fail(SG_ENOMEM, "out of memory for a search");
    }
    sg_model_free(m);
    return st;
}

size_t sg_train_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs)
{
    double cost = (double)batch * (double)rules * (0.5 * (double)inputs + 0.25 * (double)(inputs * outputs) + 1.5);
    return 2000 + (size_t)cost;
}

/* Of the trial's options. */
static size_t trial_step_cost(const sg_trial *t)
{
    size_t batch = sg_options_integer(t->options, "batch"), rules = sg_options_integer(t->options, "rules");
    if (batch == 0 || batch > t->train->rows) batch = t->train->rows;
    return sg_train_step_cost(batch, rules ? rules : 32, t->features, t->outputs);
}

static sg_status run_steps(sg_trial *t, sg_trainer *trainer, sg_search_progress *w)
{
    sg_progress p;
    size_t cost = trial_step_cost(t), evaluated = 0;
    sg_status st = t->valid ? evaluate_now(t, trainer, 0) : SG_OK;
    for (size_t k = 1; st == SG_OK && k <= t->steps; k++) {
        st = sg_trainer_step(trainer, &p);
        bool on = sg_search_progress_add(w, cost);
        while (st == SG_OK && t->valid && evaluated < t->eval_points &&
               k >= t->max_steps * (evaluated + 1) / t->eval_points)
            st = evaluate_now(t, trainer, ++evaluated);
        if (!on) break;
    }
    return st;
}

static sg_status train_and_evaluate(sg_trial *t, const sg_options *o, sg_search_progress *w)
{
    sg_trainer *trainer;
    sg_status st = sg_trainer_new(o, t->train, NULL, &trainer);
    if (st != SG_OK) return st;
    st = run_steps(t, trainer, w);
    t->diverged = st == SG_EDIVERGED;
    if (st == SG_OK || st == SG_EDIVERGED) st = sg_trainer_copy_model(trainer, &t->model);
    sg_trainer_free(trainer);
    return st;
}

sg_status sg_trial_run(sg_trial *t, sg_search_progress *w)
{
    char iters[32];
    sg_options *o = NULL;
    for (size_t i = 0; t->valid && i < (t->eval_points + 1) * t->valid->rows * t->outputs; i++) t->predictions[i] = NAN;
    if (t->valid && sg_search_progress_stopped(w)) return SG_OK;
    snprintf(iters, sizeof iters, "%zu", t->max_steps ? t->max_steps : 1);
    sg_status st = sg_options_clone(t->options, &o);
    if (st == SG_OK) st = sg_options_set(o, "iters", iters);
    if (st == SG_OK) st = train_and_evaluate(t, o, w);
    sg_options_free(o);
    if (st == SG_EDIVERGED || (t->valid && (st == SG_EDATA || st == SG_EINVAL)))
        return SG_OK; /* a setting that won't do */
    return st;
}

sg_status sg_ridge_options(const sg_options *o, sg_options **out)
{
    static const char *const option[][2] = {
        {"structure", "linear"}, {"rules", "0"}, {"low-rank", "0"}, {"threads", "1"}};
    sg_status st = sg_options_clone(o, out);
    for (size_t i = 0; st == SG_OK && i < sizeof option / sizeof *option; i++)
        st = sg_options_set(*out, option[i][0], option[i][1]);
    if (st == SG_OK && sg_options_equals(o, "scale", "quantile")) st = sg_options_set(*out, "scale", "zscore");
    return st;
}
