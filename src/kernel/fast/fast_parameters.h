/* fast_parameters.h: loads parameters into the workspace and adds gradients from it. */
#ifndef SG_KERNEL_FAST_FAST_PARAMETERS_H
#define SG_KERNEL_FAST_FAST_PARAMETERS_H

#include "kernel/fast/fast_grid2_train.h"
#include "kernel/fast/fast_grid_predict.h"
#include "kernel/fast/fast_tree_leaves.h"

#include <math.h>
#include <string.h>

/* Computes 1 / sigma of each MF, or copies a. */
static void load_steepness(workspace *r)
{
    const sg_block *b = r->b;
    const double *width = b->mf + b->mfs;
    bool inverse = b->kind == &sg_mf_gauss;
    for (size_t i = 0; i < b->mfs; i++) r->steep[i] = inverse ? 1 / width[i] : width[i];
}

/* Loads `count` consecutive MFs. */
static void load_mfs(const double *centre, const double *steep, double scale, size_t count, real *restrict c,
                     real *restrict k)
{
    for (size_t i = 0; i < count; i++) c[i] = to_real(centre[i]);
    for (size_t i = 0; i < count; i++) k[i] = to_real(scale * steep[i]);
}

/* Loads the MFs of the conditions of rule p. */
static void load_rule(const workspace *r, size_t p, double scale)
{
    const sg_block *b = r->b;
    real *c = r->c + p * r->padded_inputs, *k = r->k + p * r->padded_inputs;
    for (size_t m = 0; m < b->inputs; m++) {
        int32_t mf = b->mf_of[p * b->inputs + m];
        c[m] = mf < 0 ? 0 : to_real(b->mf[mf]);
        k[m] = mf < 0 ? 0 : to_real(scale * r->steep[mf]);
    }
}

/* ((x - c) k)^2 is minus the base-2 log of the membership, times firing_scale. */
static void load_conditions(workspace *r)
{
    const sg_block *b = r->b;
    const double scale = sqrt(0.5 * log2_of_e * b->firing_scale);
    load_steepness(r);
    if (r->is_grid) load_mfs(b->mf, r->steep, scale, b->mfs, r->c, r->k);
    for (size_t p = 0; !r->is_grid && p < b->rules; p++) {
        size_t at = p * b->inputs, to = p * r->padded_inputs;
        if (r->owns_mfs) load_mfs(b->mf + at, r->steep + at, scale, b->inputs, r->c + to, r->k + to);
        else load_rule(r, p, scale);
    }
}

/* Inputs without a condition have no low-rank coefficient. */
static void load_low_rank(workspace *r)
{
    const sg_block *b = r->b;
    const double *from = b->low_rank;
    real *to = r->low_rank;
    r->low_rank_scale = to_real(sqrt(0.5 * log2_of_e * b->firing_scale));
    for (size_t p = 0; p < b->rules; p++)
        for (size_t k = 0; k < b->rank; k++, from += b->inputs, to += b->inputs)
            for (size_t m = 0; m < b->inputs; m++) to[m] = b->mf_of[p * b->inputs + m] < 0 ? 0 : to_real(from[m]);
}

/* Separate loops, so that the case of one output is vectorised. */
static void load_coefficients(const double *from, size_t count, size_t stride, real scale, real *restrict to)
{
    if (stride == 1)
        for (size_t i = 0; i < count; i++) to[i] = scale * to_real(from[i]);
    else
        for (size_t i = 0; i < count; i++) to[i] = scale * to_real(from[i * stride]);
}

static void fast_load_theta(void *self)
{
    workspace *r = self;
    size_t outputs = r->b->outputs, count = r->b->rules * (r->b->terms + 1);
    if (r->gauss) load_conditions(r);
    if (r->is_leaves) load_leaves(r);
    if (r->b->rank) load_low_rank(r);
    if (r->is_grid2) {
        load_grid2(r);
        return;
    }
    r->bcast_valid = false;
    r->has_ratios = r->is_grid && !r->training && has_ratios(r);
    const real scale = r->has_ratios ? RATIO_SCALE : 1;
    for (size_t o = 0; o < outputs; o++)
        load_coefficients(r->b->conseq + o, count, outputs, scale, r->coef + o * count);
}

/* --- Gradients --- */

/* Turns the sums of log_grad * (x - c) and log_grad * (x - c)^2 into derivatives with respect to centre and width. With
 * s = 1 / sigma or a: s^2 times the first, and s^3 or -s times the second. */
static void unload_mfs(const workspace *r, double *restrict centre, double *restrict width)
{
    const real *first = r->moment1, *second = r->moment2;
    const double h = r->b->firing_scale, *s = r->steep;
    for (size_t i = 0; i < r->b->mfs; i++) centre[i] += h * s[i] * s[i] * (double)first[i];
    if (r->b->kind == &sg_mf_gauss)
        for (size_t i = 0; i < r->b->mfs; i++) width[i] += h * s[i] * s[i] * s[i] * (double)second[i];
    else
        for (size_t i = 0; i < r->b->mfs; i++) width[i] += -(h * s[i]) * (double)second[i];
}

/* The same for MFs that rules share: adds each condition to its MF. */
static void unload_shared_mfs(const workspace *r, double *centre, double *width)
{
    const sg_block *b = r->b;
    for (size_t i = 0; i < b->rules * b->inputs; i++) {
        int32_t mf = b->mf_of[i];
        if (mf < 0) continue;
        double s = r->steep[mf], hs = b->firing_scale * s;
        centre[mf] += hs * s * (double)r->moment1[i];
        width[mf] += b->kind == &sg_mf_gauss ? hs * s * s * (double)r->moment2[i] : -hs * (double)r->moment2[i];
    }
}

/* Derivatives with respect to the low-rank vectors u_k, -h log_grad (u_k . d) d, and the centres, h log_grad (u_k . d)
 * u_k. */
static void unload_low_rank(const workspace *r, double *tilt, double *centre)
{
    const sg_block *b = r->b;
    const double h = b->firing_scale, *u = b->low_rank;
    const real *slope = r->low_rank_grad, *pull = r->low_rank_center_grad;
    for (size_t p = 0; p < b->rules; p++)
        for (size_t k = 0; k < b->rank; k++, u += b->inputs, tilt += b->inputs, slope += b->inputs, pull += b->inputs)
            for (size_t m = 0; m < b->inputs; m++) {
                int32_t mf = b->mf_of[p * b->inputs + m];
                if (mf < 0) continue;
                tilt[m] -= h * (double)slope[m];
                centre[mf] += h * (double)pull[m] * u[m];
            }
    memset(r->low_rank_grad, 0, (size_t)(slope - r->low_rank_grad) * sizeof *slope);
    memset(r->low_rank_center_grad, 0, (size_t)(pull - r->low_rank_center_grad) * sizeof *pull);
}

static void unload_conditions(workspace *r, double *grad)
{
    const sg_block *b = r->b;
    size_t count = r->is_grid ? b->mfs : b->rules * b->inputs;
    if (r->gauss && (r->is_grid || r->owns_mfs)) unload_mfs(r, grad, grad + b->mfs);
    else if (r->gauss) unload_shared_mfs(r, grad, grad + b->mfs);
    for (size_t i = 0; !r->gauss && i < b->kind->arity * b->mfs; i++) {
        grad[i] += r->partial[i];
        r->partial[i] = 0;
    }
    memset(r->moment1, 0, count * sizeof *r->moment1);
    memset(r->moment2, 0, count * sizeof *r->moment2);
}

static void unload_coefs(const real *from, size_t count, size_t stride, double *restrict to)
{
    if (stride == 1)
        for (size_t i = 0; i < count; i++) to[i] += (double)from[i];
    else
        for (size_t i = 0; i < count; i++) to[i * stride] += (double)from[i];
}

static void fast_add_gradient(void *self, double *grad)
{
    workspace *r = self;
    size_t outputs = r->b->outputs, count = r->b->rules * (r->b->terms + 1);
    double *to = grad + (r->b->conseq - r->b->mf);
    unload_conditions(r, grad);
    if (r->b->rank) unload_low_rank(r, grad + (r->b->low_rank - r->b->mf), grad);
    for (size_t o = 0; o < outputs; o++) unload_coefs(r->coef_grad + o * count, count, outputs, to + o);
    memset(r->coef_grad, 0, outputs * count * sizeof *r->coef_grad);
}

#endif
