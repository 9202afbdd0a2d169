/* trial.c: see trial.h. */
#include "auto/trial.h"

#include "base/memory.h"
#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where predictions of a whole source go. */
typedef struct sheet {
    double *y;
    size_t outputs;
} sheet;

static sg_status take(void *arg, size_t first, size_t rows, const double *y)
{
    const sheet *s = arg;
    memcpy(s->y + first * s->outputs, y, rows * s->outputs * sizeof *y);
    return SG_OK;
}

static sg_status look(sg_trial *t, const sg_trainer *trainer, size_t i)
{
    sg_model *m;
    size_t cells = t->valid->rows * t->outputs;
    sheet s = {t->y + i * cells, t->outputs};
    sg_status st = sg_trainer_copy(trainer, &m);
    if (st != SG_OK) return st;
    st = sg_model_predict_source(m, t->valid, 1, take, &s);
    if (st == SG_OK && t->theta) {
        t->theta[i] = sg_alloc(m->parameters, sizeof **t->theta);
        if (t->theta[i]) memcpy(t->theta[i], m->theta, m->parameters * sizeof *m->theta);
        else st = sg_fail(SG_ENOMEM, "out of memory for a search");
    }
    sg_model_free(m);
    return st;
}

size_t sg_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs)
{
    double cost = (double)batch * (double)rules * (0.5 * (double)inputs + 0.25 * (double)(inputs * outputs) + 1.5);
    return 2000 + (size_t)cost;
}

/* Of the trial's options. */
static size_t cost_of(const sg_trial *t)
{
    size_t batch = sg_options_size(t->options, "batch"), rules = sg_options_size(t->options, "rules");
    if (batch == 0 || batch > t->train->rows) batch = t->train->rows;
    return sg_step_cost(batch, rules ? rules : 32, t->features, t->outputs);
}

static sg_status steps(sg_trial *t, sg_trainer *trainer, sg_watch *w)
{
    sg_progress p;
    size_t cost = cost_of(t), seen = 0;
    sg_status st = t->valid ? look(t, trainer, 0) : SG_OK;
    for (size_t k = 1; st == SG_OK && k <= t->stop; k++) {
        st = sg_trainer_step(trainer, &p);
        bool on = sg_watch_on(w, cost);
        while (st == SG_OK && t->valid && seen < t->looks && k >= t->length * (seen + 1) / t->looks)
            st = look(t, trainer, ++seen);
        if (!on) break;
    }
    return st;
}

static sg_status train(sg_trial *t, const sg_options *o, sg_watch *w)
{
    sg_trainer *trainer;
    sg_status st = sg_trainer_new(o, t->train, NULL, &trainer);
    if (st != SG_OK) return st;
    st = steps(t, trainer, w);
    t->diverged = st == SG_EDIVERGED;
    if (st == SG_OK || st == SG_EDIVERGED) st = sg_trainer_copy(trainer, &t->model);
    sg_trainer_free(trainer);
    return st;
}

sg_status sg_trial_run(sg_trial *t, sg_watch *w)
{
    char iters[32];
    sg_options *o = NULL;
    for (size_t i = 0; t->valid && i < (t->looks + 1) * t->valid->rows * t->outputs; i++) t->y[i] = NAN;
    if (t->valid && sg_watch_stopped(w)) return SG_OK;
    snprintf(iters, sizeof iters, "%zu", t->length ? t->length : 1);
    sg_status st = sg_options_clone(t->options, &o);
    if (st == SG_OK) st = sg_options_set(o, "iters", iters);
    if (st == SG_OK) st = train(t, o, w);
    sg_options_free(o);
    if (st == SG_EDIVERGED || (t->valid && (st == SG_EDATA || st == SG_EINVAL)))
        return SG_OK; /* a setting that won't do */
    return st;
}

sg_status sg_line_options(const sg_options *o, sg_options **out)
{
    static const char *const option[][2] = {
        {"structure", "linear"}, {"rules", "0"}, {"low-rank", "0"}, {"threads", "1"}};
    sg_status st = sg_options_clone(o, out);
    for (size_t i = 0; st == SG_OK && i < sizeof option / sizeof *option; i++)
        st = sg_options_set(*out, option[i][0], option[i][1]);
    if (st == SG_OK && sg_options_is(o, "scale", "quantile")) st = sg_options_set(*out, "scale", "zscore");
    return st;
}
