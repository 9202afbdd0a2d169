/* train_or_search.c: sg_train, which trains with the given hyperparameters or searches for them, and the steps after
 * training. */
#include "auto/search/search.h"
#include "auto/search/search_options.h"
#include "train/additive/additive_train.h"
#include "train/trainer.h"

#include <stdatomic.h>

static sg_status train_once(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                            void *arg, sg_model **out)
{
    sg_trainer *t;
    sg_progress p = {.more = 1};
    sg_status st = sg_trainer_new(o, rows, valid, &t);
    if (st != SG_OK) return st;
    while (st == SG_OK && p.more) {
        st = sg_trainer_step(t, &p);
        if (st == SG_OK && stop && stop(arg, p.iteration, p.iterations)) break;
    }
    if (st == SG_OK) st = sg_trainer_model(t, out);
    sg_trainer_free(t);
    return st;
}

/* Trains curves and pairs instead of running a search if the user gives an option that applies only to curves and
 * pairs. */
static sg_status train_curves(const sg_options *o, const char *given, const sg_source *rows, sg_cancel_fn *stop,
                              void *arg, sg_model **out)
{
    sg_options *curves = NULL;
    sg_notice(o, "%s applies to curves and pairs only, so these are trained without a search (--preset additive-pairs)",
              given);
    sg_status st = sg_options_clone(o, &curves);
    if (st == SG_OK) st = sg_options_set(curves, "preset", "additive-pairs");
    if (st == SG_OK) st = sg_additive_train(curves, rows, NULL, stop, arg, out);
    sg_options_free(curves);
    return st;
}

sg_status sg_train_uncalibrated(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                                void *arg, sg_model **out)
{
    sg_additive_config additive = sg_train_config_parse(o).additive;
    if (additive.is_additive) return sg_additive_train(o, rows, valid, stop, arg, out);
    if (!sg_options_is_search(o)) return train_once(o, rows, valid, stop, arg, out);
    sg_status st = sg_search_check_options(o, valid != NULL);
    if (st == SG_OK && additive.given) return train_curves(o, additive.given, rows, stop, arg, out);
    return st == SG_OK ? sg_search_and_train(o, rows, stop, arg, out) : st;
}

/* Remembers whether training was cancelled. If so, the model is not calibrated, because the folds would be trained
 * longer than the model. */
typedef struct cancel_state {
    sg_cancel_fn *stop;
    void *arg;
    atomic_int stopped;
} cancel_state;

static int check_cancelled(void *arg, size_t done, size_t planned)
{
    cancel_state *c = arg;
    if (c->stop && c->stop(c->arg, done, planned)) atomic_store(&c->stopped, 1);
    return atomic_load(&c->stopped);
}

sg_status sg_model_finish(sg_model *m, const sg_options *o, const sg_source *rows, const sg_source *valid,
                          int cancelled, sg_cancel_fn *cancel, void *arg)
{
    sg_status st = sg_model_fit_support(m, rows);
    return st == SG_OK && !cancelled ? sg_model_calibrate_folds(m, o, rows, valid, cancel, arg) : st;
}

sg_status sg_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop, void *arg,
                   sg_model **out)
{
    sg_model *m;
    cancel_state cancel = {.stop = stop, .arg = arg};
    sg_status st = sg_train_uncalibrated(o, rows, valid, stop ? check_cancelled : NULL, &cancel, &m);
    if (st != SG_OK) return st;
    st = sg_model_finish(m, o, rows, valid, atomic_load(&cancel.stopped), stop, arg);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
