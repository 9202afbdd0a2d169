/* trial.c: trains one model step by step, and predicts the validation rows at each evaluation point. */
#include "auto/search/trial.h"

#include "auto/search/apply_pipeline.h"
#include "auto/search/search_config.h"
#include "base/memory.h"
#include "train/trainer.h"

#include <math.h>
#include <string.h>

enum { ASSUMED_RULES = 32 }; /* of a grid */

static sg_status evaluate_now(sg_trial *t, const sg_trainer *trainer, size_t i)
{
    sg_model *m;
    sg_status st = sg_trainer_copy_model(trainer, &m);
    if (st != SG_OK) return st;
    st = sg_apply_model(m, t->valid, t->predictions + i * t->valid->rows * t->outputs);
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

static size_t trial_step_cost(const sg_trial *t)
{
    sg_search_config c = sg_search_config_parse(t->options);
    size_t batch = c.batch == 0 || c.batch > t->train->rows ? t->train->rows : c.batch;
    return sg_train_step_cost(batch, c.rules ? c.rules : ASSUMED_RULES, t->features, t->outputs);
}

static sg_status run_steps(sg_trial *t, sg_trainer *trainer, sg_search_progress *progress)
{
    sg_progress p;
    size_t cost = trial_step_cost(t), evaluated = 0;
    sg_status st = t->valid ? evaluate_now(t, trainer, 0) : SG_OK;
    for (size_t k = 1; st == SG_OK && k <= t->steps; k++) {
        st = sg_trainer_step(trainer, &p);
        bool is_running = sg_search_progress_add(progress, cost);
        while (st == SG_OK && t->valid && evaluated < t->eval_points &&
               k >= t->max_steps * (evaluated + 1) / t->eval_points)
            st = evaluate_now(t, trainer, ++evaluated);
        if (!is_running) break;
    }
    return st;
}

static sg_status train_and_evaluate(sg_trial *t, const sg_options *o, sg_search_progress *progress)
{
    sg_trainer *trainer;
    sg_status st = sg_trainer_new(o, t->train, NULL, &trainer);
    if (st != SG_OK) return st;
    st = run_steps(t, trainer, progress);
    t->diverged = st == SG_EDIVERGED;
    if (st == SG_OK || st == SG_EDIVERGED) st = sg_trainer_copy_model(trainer, &t->model);
    sg_trainer_free(trainer);
    return st;
}

sg_status sg_trial_run(sg_trial *t, sg_search_progress *progress)
{
    sg_options *o = NULL;
    for (size_t i = 0; t->valid && i < (t->eval_points + 1) * t->valid->rows * t->outputs; i++) t->predictions[i] = NAN;
    if (t->valid && sg_search_progress_stopped(progress)) return SG_OK;
    sg_status st = sg_trial_options(t->options, t->max_steps, &o);
    if (st == SG_OK) st = train_and_evaluate(t, o, progress);
    sg_options_free(o);
    return st == SG_EDIVERGED || (t->valid && (st == SG_EDATA || st == SG_EINVAL)) ? SG_OK : st;
}

sg_status sg_train_initial(const sg_options *o, const sg_source *rows, sg_model **out)
{
    sg_trainer *trainer;
    sg_status st = sg_trainer_new(o, rows, NULL, &trainer);
    if (st != SG_OK) return st;
    st = sg_trainer_copy_model(trainer, out);
    sg_trainer_free(trainer);
    return st;
}
