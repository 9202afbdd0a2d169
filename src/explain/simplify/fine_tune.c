/* fine_tune.c: distils a model into one with fewer conditions and rules. The small model is fitted to the predictions
 * of the original, which have less noise than the targets: a fit to the targets would overfit once more. These
 * predictions are also known between the rows. */
#include "explain/simplify/fine_tune.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "train/optim/optimiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256, MIXED_EVERY = 4, MIN_STEPS = 40 };
static const double rate = 0.01;
static const double max_mixture = 0.3; /* largest weight of the second row in a mixture                          */
static const double widening = 0.1;    /* decrease of inverse widths in a step, relative to the rate             */
static const double max_work = 6e7;    /* of all steps: rows times coefficients of the model; less than a second */

typedef struct tuner {
    const sg_refit_data *f;
    const sg_tuning *how;
    const sg_block *original;
    sg_block *b;
    size_t *row; /* (rows): indices of the rows to fit */
    size_t rows;
    double *buffer, *grad, *out_grad;
    double *a, *z, *target; /* a row or mixture */
    double floor;           /* no MF becomes narrower than this */
    sg_block_workspace work, original_work;
    sg_optimiser optimiser;
} tuner;

static void release_tuner(tuner *t)
{
    sg_block_workspace_release(&t->work);
    sg_block_workspace_release(&t->original_work);
    sg_optimiser_release(&t->optimiser);
    free(t->row);
    free(t->buffer);
}

static double narrowest_width(const sg_block *b)
{
    double least = INFINITY, p[SG_MF_MAX_PARAMETERS];
    for (size_t i = 0; i < b->mfs; i++) {
        sg_mf_get(b, i, p);
        least = fmin(least, b->kind->width(p));
    }
    return least;
}

static sg_status init_tuner(tuner *t, const sg_refit_data *f, sg_model *m, const sg_tuning *how)
{
    sg_block *b = &m->block[0];
    *t = (tuner){.f = f, .how = how, .original = &f->model->block[0], .b = b, .floor = narrowest_width(b)};
    t->optimiser = (sg_optimiser){
        .kind = sg_optim_find("adam"), .rate = rate, .power = 1, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};
    const sg_double_array arrays[] = {{&t->grad, m->parameters},
                                      {&t->out_grad, b->outputs},
                                      {&t->a, b->inputs},
                                      {&t->z, b->terms},
                                      {&t->target, b->outputs}};
    t->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    t->row = sg_calloc(f->rows, sizeof *t->row);
    bool ok = t->buffer && t->row && sg_block_workspace_init(&t->work, b) &&
              sg_block_workspace_init(&t->original_work, t->original);
    for (size_t i = 0; ok && i < f->rows; i++)
        if (how->all_rows || !f->is_probe[i]) t->row[t->rows++] = i;
    return ok ? sg_optimiser_init(&t->optimiser, m->parameters) : sg_fail_out_of_memory("simplification");
}

/* --- rows --- */

/* Moves the given part of the way from p to q. A missing value of q is ignored. */
static void mix(double *to, const double *p, const double *q, size_t n, double part)
{
    for (size_t i = 0; i < n; i++) {
        double x = p[i] + part * (q[i] - p[i]);
        to[i] = isnan(x) ? p[i] : x;
    }
}

/* Sets t->a, t->z and t->target to a mixture of rows p and q. */
static void set_mixture(tuner *t, size_t p, size_t q, double part)
{
    const sg_block *b = t->original;
    mix(t->a, t->f->a + p * b->inputs, t->f->a + q * b->inputs, b->inputs, part);
    mix(t->z, t->f->z + p * b->terms, t->f->z + q * b->terms, b->terms, part);
    sg_forward(b, t->a, t->z, NULL, &t->original_work);
    for (size_t o = 0; o < b->outputs; o++) t->target[o] = b->weight * t->original_work.y[o];
}

static void set_row(tuner *t, size_t p)
{
    const sg_block *b = t->original;
    memcpy(t->a, t->f->a + p * b->inputs, b->inputs * sizeof *t->a);
    memcpy(t->z, t->f->z + p * b->terms, b->terms * sizeof *t->z);
    memcpy(t->target, t->f->original + p * b->outputs, b->outputs * sizeof *t->target);
}

static size_t draw_row(const tuner *t, sg_random_stream *random)
{
    return t->row[sg_random_stream_below(random, t->rows)];
}

/* --- steps --- */

static void add_gradient(tuner *t)
{
    const sg_block *b = t->b;
    sg_forward(b, t->a, t->z, NULL, &t->work);
    for (size_t o = 0; o < b->outputs; o++)
        t->out_grad[o] = b->weight * (b->weight * t->work.y[o] - t->target[o]) / BATCH;
    sg_backward(b, t->a, t->z, NULL, &t->work, t->out_grad, t->grad);
}

/* The proximal step of the L1 penalty on inverse widths. */
static void widen_mfs(sg_block *b, double by)
{
    for (size_t k = 0; k < b->kind->arity; k++)
        for (size_t i = 0; b->kind->parameter_role[k] == 'i' && i < b->mfs; i++)
            b->mf[k * b->mfs + i] = fmax(0, fabs(b->mf[k * b->mfs + i]) - by);
}

static void make_step(tuner *t, sg_model *m, size_t k, double rate_factor)
{
    sg_random_stream random = sg_random_stream_at(t->how->seed, SG_RANDOM_BATCH, k, 0);
    memset(t->grad, 0, m->parameters * sizeof *t->grad);
    for (size_t i = 0; i < BATCH; i++) {
        size_t p = draw_row(t, &random);
        if (i % MIXED_EVERY) set_row(t, p);
        else set_mixture(t, p, draw_row(t, &random), max_mixture * sg_random_stream_uniform(&random));
        add_gradient(t);
    }
    t->optimiser.rate_factor = rate_factor;
    sg_optimiser_step(&t->optimiser, 0, m->theta, t->grad);
    if (t->how->widens) widen_mfs(t->b, widening * rate * rate_factor);
    t->b->kind->project(t->b->mfs, t->b->mf, t->floor);
}

static size_t limit_steps(const sg_block *b, size_t steps)
{
    double row = (double)b->rules * (double)(b->inputs + b->terms), most = max_work / (BATCH * row);
    return most < MIN_STEPS ? MIN_STEPS : most < (double)steps ? (size_t)most : steps;
}

static bool is_valid(const sg_model *m)
{
    const sg_block *b = &m->block[0];
    for (size_t i = 0; i < m->parameters; i++)
        if (!(fabs(m->theta[i]) < SG_MODEL_MAX_ABS)) return false;
    return b->kind->validate(b->mfs, b->mf) == NULL;
}

sg_status sg_refit_data_fine_tune(const sg_refit_data *f, sg_model *m, const sg_tuning *how)
{
    tuner t;
    double *before = sg_calloc(m->parameters, sizeof *before);
    sg_status st = init_tuner(&t, f, m, how);
    if (!before && st == SG_OK) st = sg_fail_out_of_memory("simplification");
    if (st == SG_OK) {
        size_t steps = limit_steps(t.b, how->steps);
        const sg_rate_schedule schedule = {.iterations = (double)steps, .cosine = true};
        memcpy(before, m->theta, m->parameters * sizeof *before);
        for (size_t k = 1; k <= steps; k++) make_step(&t, m, k, sg_rate_schedule_factor(&schedule, k));
        if (!is_valid(m)) memcpy(m->theta, before, m->parameters * sizeof *before);
    }
    free(before);
    release_tuner(&t);
    return st;
}
