/* trainer_state.c: stopping a training and going on. */
#include "train/checkpoint.h"
#include "train/trainer.h"

enum { PIECES = 16 };

/* All that the next step depends on, besides data and options. */
static size_t state_of(sg_trainer *t, sg_piece piece[PIECES])
{
    sg_optimiser *s = &t->optimiser;
    sg_validation *v = &t->validation;
    size_t n = 0, theta = t->model->parameters * sizeof(double), moments = s->n * sizeof(double);
    piece[n++] = (sg_piece){&t->k, sizeof t->k};
    piece[n++] = (sg_piece){&t->curve.points, sizeof t->curve.points};
    piece[n++] = (sg_piece){t->curve.point, sizeof t->curve.point};
    piece[n++] = (sg_piece){t->model->theta, theta};
    piece[n++] = (sg_piece){&s->k, sizeof s->k};
    piece[n++] = (sg_piece){&s->rate, sizeof s->rate};
    piece[n++] = (sg_piece){s->loss, sizeof s->loss};
    piece[n++] = (sg_piece){&s->raised, sizeof s->raised};
    piece[n++] = (sg_piece){&s->lowered, sizeof s->lowered};
    if (s->m) piece[n++] = (sg_piece){s->m, moments};
    if (s->v) piece[n++] = (sg_piece){s->v, moments};
    if (t->average.theta) piece[n++] = (sg_piece){t->average.theta, theta};
    if (!v->active) return n;
    piece[n++] = (sg_piece){&v->looked, sizeof v->looked};
    piece[n++] = (sg_piece){&v->best, sizeof v->best};
    piece[n++] = (sg_piece){&v->best_rmse, sizeof v->best_rmse};
    piece[n++] = (sg_piece){v->theta, theta};
    return n;
}

/* A forged state may train badly, but gives no model that can't be read. */
static bool is_possible(const sg_trainer *t)
{
    const sg_validation *v = &t->validation;
    if (t->k > t->iterations || v->looked > t->k || v->best > v->looked || t->curve.points > SG_CURVE_POINTS)
        return false;
    for (size_t i = 0; i < t->curve.points; i++)
        if (t->curve.point[i].iteration > t->k) return false;
    if (t->average.theta && !sg_trainer_sound(t, t->average.theta)) return false;
    return sg_trainer_sound(t, t->model->theta) && (!v->best || sg_trainer_sound(t, v->theta));
}

sg_status sg_trainer_save(sg_trainer *t, const char *path)
{
    sg_piece piece[PIECES];
    if (t->further)
        return sg_fail(SG_EINVAL, "can't write %s: a model that is trained further has no checkpoints; save the model",
                       path);
    if (!t->whole)
        return sg_fail(SG_EINVAL, "can't write %s: the training failed, there is nothing to go on from", path);
    return sg_checkpoint_write(path, t->model, piece, state_of(t, piece));
}

sg_status sg_trainer_resume(const char *path, const sg_options *o, const sg_source *train, const sg_source *valid,
                            sg_trainer **out)
{
    sg_trainer *t;
    sg_piece piece[PIECES];
    bool found;
    sg_status st = sg_trainer_new(o, train, valid, &t);
    if (st != SG_OK) return st;
    st = sg_checkpoint_read_all(train->team, path, t->model, piece, state_of(t, piece), &found);
    if (st == SG_OK && found && !is_possible(t))
        st = sg_fail(SG_EDATA, "%s: these numbers can't come from a training", path);
    if (st == SG_OK && found) st = sg_refit_run(t);
    if (st == SG_OK) *out = t;
    else sg_trainer_free(t);
    return st;
}
