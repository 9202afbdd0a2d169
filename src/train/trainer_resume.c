/* trainer_resume.c: saves the state of a training to a checkpoint and resumes from it. */
#include "train/checkpoint.h"
#include "train/trainer.h"

enum { PARTS = 16 };

/* Lists the state that the next step depends on, besides data and options. */
static size_t list_state(sg_trainer *t, sg_checkpoint_part part[PARTS])
{
    sg_optimiser *s = &t->optimiser;
    sg_validation *v = &t->validation;
    size_t n = 0, theta = t->model->parameters * sizeof(double), moments = s->n * sizeof(double);
    part[n++] = (sg_checkpoint_part){&t->k, sizeof t->k};
    part[n++] = (sg_checkpoint_part){&t->curve.points, sizeof t->curve.points};
    part[n++] = (sg_checkpoint_part){t->curve.point, sizeof t->curve.point};
    part[n++] = (sg_checkpoint_part){t->model->theta, theta};
    part[n++] = (sg_checkpoint_part){&s->k, sizeof s->k};
    part[n++] = (sg_checkpoint_part){&s->rate, sizeof s->rate};
    part[n++] = (sg_checkpoint_part){s->loss, sizeof s->loss};
    part[n++] = (sg_checkpoint_part){&s->raised, sizeof s->raised};
    part[n++] = (sg_checkpoint_part){&s->lowered, sizeof s->lowered};
    if (s->m) part[n++] = (sg_checkpoint_part){s->m, moments};
    if (s->v) part[n++] = (sg_checkpoint_part){s->v, moments};
    if (t->average.theta) part[n++] = (sg_checkpoint_part){t->average.theta, theta};
    if (!v->active) return n;
    part[n++] = (sg_checkpoint_part){&v->last_iteration, sizeof v->last_iteration};
    part[n++] = (sg_checkpoint_part){&v->best_iteration, sizeof v->best_iteration};
    part[n++] = (sg_checkpoint_part){&v->best_rmse, sizeof v->best_rmse};
    part[n++] = (sg_checkpoint_part){v->theta, theta};
    return n;
}

/* A forged checkpoint may give a bad model, but not one that cannot be read. */
static bool is_valid_state(const sg_trainer *t)
{
    const sg_validation *v = &t->validation;
    if (t->k > t->iterations || v->last_iteration > t->k || v->best_iteration > v->last_iteration ||
        t->curve.points > SG_LEARNING_CURVE_POINTS)
        return false;
    for (size_t i = 0; i < t->curve.points; i++)
        if (t->curve.point[i].iteration > t->k) return false;
    if (t->average.theta && !sg_trainer_theta_is_valid(t, t->average.theta)) return false;
    return sg_trainer_theta_is_valid(t, t->model->theta) &&
           (!v->best_iteration || sg_trainer_theta_is_valid(t, v->theta));
}

sg_status sg_trainer_save(sg_trainer *t, const char *path)
{
    sg_checkpoint_part part[PARTS];
    if (t->is_continued)
        return sg_fail(SG_EINVAL, "can't write %s: a model that is trained further has no checkpoints; save the model",
                       path);
    if (!t->step_complete)
        return sg_fail(SG_EINVAL, "can't write %s: the training failed, there is nothing to go on from", path);
    return sg_checkpoint_write(path, t->model, part, list_state(t, part));
}

sg_status sg_trainer_resume(const char *path, const sg_options *o, const sg_source *train, const sg_source *valid,
                            sg_trainer **out)
{
    sg_trainer *t;
    sg_checkpoint_part part[PARTS];
    bool found;
    sg_status st = sg_trainer_new(o, train, valid, &t);
    if (st != SG_OK) return st;
    st = sg_checkpoint_read_bcast(train->comm, path, t->model, part, list_state(t, part), &found);
    if (st == SG_OK && found && !is_valid_state(t))
        st = sg_fail(SG_EDATA, "%s: these numbers can't come from a training", path);
    if (st == SG_OK && found) st = sg_refit_run(t);
    if (st == SG_OK) *out = t;
    else sg_trainer_free(t);
    return st;
}
