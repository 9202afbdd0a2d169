/* fast_parameters.h: loads parameters into the workspace and unloads gradients from it. */
#pragma once

#include "kernel/fast/fast_binary_grid_train.h"
#include "kernel/fast/fast_grid_predict.h"
#include "kernel/fast/fast_sparse_rules.h"

#include <math.h>
#include <string.h>

/* Computes 1 / sigma of each MF, or copies a. */
static void load_steepness(workspace *ws)
{
    const sg_block *b = ws->b;
    const double *width = b->mf + b->mfs;
    bool inverse = b->kind == &sg_mf_gauss;
    for (size_t i = 0; i < b->mfs; i++) ws->steep[i] = inverse ? 1 / width[i] : width[i];
}

/* Loads `count` consecutive MFs. */
static void load_mfs(const double *centre, const double *steep, double scale, size_t count, real *restrict c,
                     real *restrict k)
{
    for (size_t i = 0; i < count; i++) c[i] = to_real(centre[i]);
    for (size_t i = 0; i < count; i++) k[i] = to_real(scale * steep[i]);
}

/* Loads the MFs of the conditions of rule p. */
static void load_rule(const workspace *ws, size_t p, double scale)
{
    const sg_block *b = ws->b;
    real *c = ws->c + p * ws->padded_inputs, *k = ws->k + p * ws->padded_inputs;
    for (size_t m = 0; m < b->inputs; m++) {
        int32_t mf = b->mf_of[p * b->inputs + m];
        c[m] = mf < 0 ? 0 : to_real(b->mf[mf]);
        k[m] = mf < 0 ? 0 : to_real(scale * ws->steep[mf]);
    }
}

/* Loads c and k such that ((x - c) k)^2 is minus the base-2 log of the membership, times firing_scale. */
static void load_conditions(workspace *ws)
{
    const sg_block *b = ws->b;
    const double scale = sqrt(0.5 * log2_of_e * b->firing_scale);
    load_steepness(ws);
    if (ws->is_grid) load_mfs(b->mf, ws->steep, scale, b->mfs, ws->c, ws->k);
    for (size_t p = 0; !ws->is_grid && p < b->rules; p++) {
        size_t at = p * b->inputs, to = p * ws->padded_inputs;
        if (ws->owns_mfs) load_mfs(b->mf + at, ws->steep + at, scale, b->inputs, ws->c + to, ws->k + to);
        else load_rule(ws, p, scale);
    }
}

/* Loads the low-rank coefficients, which are 0 for inputs without a condition. */
static void load_low_rank(workspace *ws)
{
    const sg_block *b = ws->b;
    const double *from = b->low_rank;
    real *to = ws->low_rank;
    ws->low_rank_scale = to_real(sqrt(0.5 * log2_of_e * b->firing_scale));
    for (size_t p = 0; p < b->rules; p++)
        for (size_t k = 0; k < b->rank; k++, from += b->inputs, to += b->inputs)
            for (size_t m = 0; m < b->inputs; m++) to[m] = b->mf_of[p * b->inputs + m] < 0 ? 0 : to_real(from[m]);
}

/* The loops are separate so that the case of one output is vectorised. */
static void load_coefficients(const double *from, size_t count, size_t stride, real scale, real *restrict to)
{
    if (stride == 1)
        for (size_t i = 0; i < count; i++) to[i] = scale * to_real(from[i]);
    else
        for (size_t i = 0; i < count; i++) to[i] = scale * to_real(from[i * stride]);
}

static void fast_load_theta(void *self)
{
    workspace *ws = self;
    size_t outputs = ws->b->outputs, count = ws->b->rules * (ws->b->terms + 1);
    if (ws->gauss) load_conditions(ws);
    if (ws->is_leaves) load_leaves(ws);
    if (ws->b->rank) load_low_rank(ws);
    if (ws->is_binary_grid) {
        load_binary_grid(ws);
        return;
    }
    ws->bcast_valid = false;
    ws->has_ratios = ws->is_grid && !ws->training && has_ratios(ws);
    const real scale = ws->has_ratios ? RATIO_SCALE : 1;
    for (size_t o = 0; o < outputs; o++)
        load_coefficients(ws->b->conseq + o, count, outputs, scale, ws->coef + o * count);
}

/* --- Gradients --- */

/* Turns the sums of log_grad * (x - c) and log_grad * (x - c)^2 into derivatives with respect to centre and width. With
 * s = 1 / sigma or a, these are s^2 times the first, and s^3 or -s times the second. */
static void unload_mfs(const workspace *ws, double *restrict centre, double *restrict width)
{
    const real *first = ws->moment1, *second = ws->moment2;
    const double h = ws->b->firing_scale, *s = ws->steep;
    for (size_t i = 0; i < ws->b->mfs; i++) centre[i] += h * s[i] * s[i] * (double)first[i];
    if (ws->b->kind == &sg_mf_gauss)
        for (size_t i = 0; i < ws->b->mfs; i++) width[i] += h * s[i] * s[i] * s[i] * (double)second[i];
    else
        for (size_t i = 0; i < ws->b->mfs; i++) width[i] += -(h * s[i]) * (double)second[i];
}

/* Like unload_mfs, for MFs that rules share: adds the derivatives of each condition to those of its MF. */
static void unload_shared_mfs(const workspace *ws, double *centre, double *width)
{
    const sg_block *b = ws->b;
    for (size_t i = 0; i < b->rules * b->inputs; i++) {
        int32_t mf = b->mf_of[i];
        if (mf < 0) continue;
        double s = ws->steep[mf], hs = b->firing_scale * s;
        centre[mf] += hs * s * (double)ws->moment1[i];
        width[mf] += b->kind == &sg_mf_gauss ? hs * s * s * (double)ws->moment2[i] : -hs * (double)ws->moment2[i];
    }
}

/* Adds the derivatives with respect to the low-rank vectors u_k, -h log_grad (u_k . d) d, and with respect to the
 * centres, h log_grad (u_k . d) u_k. */
static void unload_low_rank(const workspace *ws, double *grad_low_rank, double *centre)
{
    const sg_block *b = ws->b;
    const double h = b->firing_scale, *u = b->low_rank;
    const real *from = ws->low_rank_grad, *center_grad = ws->low_rank_center_grad;
    for (size_t p = 0; p < b->rules; p++)
        for (size_t k = 0; k < b->rank;
             k++, u += b->inputs, grad_low_rank += b->inputs, from += b->inputs, center_grad += b->inputs)
            for (size_t m = 0; m < b->inputs; m++) {
                int32_t mf = b->mf_of[p * b->inputs + m];
                if (mf < 0) continue;
                grad_low_rank[m] -= h * (double)from[m];
                centre[mf] += h * (double)center_grad[m] * u[m];
            }
    memset(ws->low_rank_grad, 0, (size_t)(from - ws->low_rank_grad) * sizeof *from);
    memset(ws->low_rank_center_grad, 0, (size_t)(center_grad - ws->low_rank_center_grad) * sizeof *center_grad);
}

static void unload_conditions(workspace *ws, double *grad)
{
    const sg_block *b = ws->b;
    size_t count = ws->is_grid ? b->mfs : b->rules * b->inputs;
    if (ws->gauss && (ws->is_grid || ws->owns_mfs)) unload_mfs(ws, grad, grad + b->mfs);
    else if (ws->gauss) unload_shared_mfs(ws, grad, grad + b->mfs);
    for (size_t i = 0; !ws->gauss && i < b->kind->arity * b->mfs; i++) {
        grad[i] += ws->partial[i];
        ws->partial[i] = 0;
    }
    memset(ws->moment1, 0, count * sizeof *ws->moment1);
    memset(ws->moment2, 0, count * sizeof *ws->moment2);
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
    workspace *ws = self;
    size_t outputs = ws->b->outputs, count = ws->b->rules * (ws->b->terms + 1);
    double *to = grad + (ws->b->conseq - ws->b->mf);
    unload_conditions(ws, grad);
    if (ws->b->rank) unload_low_rank(ws, grad + (ws->b->low_rank - ws->b->mf), grad);
    for (size_t o = 0; o < outputs; o++) unload_coefs(ws->coef_grad + o * count, count, outputs, to + o);
    memset(ws->coef_grad, 0, outputs * count * sizeof *ws->coef_grad);
}
