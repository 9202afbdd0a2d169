/* fast_parameters.h: parameters into the room, gradients out of it. */
#ifndef SG_KERNEL_FAST_PARAMETERS_H
#define SG_KERNEL_FAST_PARAMETERS_H

#include "kernel/fast_boxes.h"
#include "kernel/fast_contract.h"
#include "kernel/fast_pairs.h"

#include <math.h>
#include <string.h>

/* 1 / sigma of each MF, or a itself. */
static void take_widths(room *r)
{
    const sg_block *b = r->b;
    const double *width = b->mf + b->mfs;
    bool inverse = b->kind == &sg_mf_gauss;
    for (size_t i = 0; i < b->mfs; i++) r->steep[i] = inverse ? 1 / width[i] : width[i];
}

/* `count` MFs that follow each other. */
static void load_mfs(const double *centre, const double *steep, double scale, size_t count, real *restrict c,
                     real *restrict k)
{
    for (size_t i = 0; i < count; i++) c[i] = to_real(centre[i]);
    for (size_t i = 0; i < count; i++) k[i] = to_real(scale * steep[i]);
}

/* The MFs that rule p asks for. */
static void load_rule(const room *r, size_t p, double scale)
{
    const sg_block *b = r->b;
    real *c = r->c + p * r->wide, *k = r->k + p * r->wide;
    for (size_t m = 0; m < b->inputs; m++) {
        int32_t mf = b->mf_of[p * b->inputs + m];
        c[m] = mf < 0 ? 0 : to_real(b->mf[mf]);
        k[m] = mf < 0 ? 0 : to_real(scale * r->steep[mf]);
    }
}

/* ((x - c) k)^2 = -h log2 of the membership. */
static void load_conditions(room *r)
{
    const sg_block *b = r->b;
    const double scale = sqrt(0.5 * log2_of_e * b->h);
    take_widths(r);
    if (r->is_grid) load_mfs(b->mf, r->steep, scale, b->mfs, r->c, r->k);
    for (size_t p = 0; !r->is_grid && p < b->rules; p++) {
        size_t at = p * b->inputs, to = p * r->wide;
        if (r->owns) load_mfs(b->mf + at, r->steep + at, scale, b->inputs, r->c + to, r->k + to);
        else load_rule(r, p, scale);
    }
}

/* A rule leans only on inputs that it asks for. */
static void load_tilts(room *r)
{
    const sg_block *b = r->b;
    const double *from = b->tilt;
    real *to = r->tilt;
    r->tilt_scale = to_real(sqrt(0.5 * log2_of_e * b->h));
    for (size_t p = 0; p < b->rules; p++)
        for (size_t k = 0; k < b->rank; k++, from += b->inputs, to += b->inputs)
            for (size_t m = 0; m < b->inputs; m++) to[m] = b->mf_of[p * b->inputs + m] < 0 ? 0 : to_real(from[m]);
}

/* A function for one output is a plain loop, for which there are vectors. */
static void load_coefficients(const double *from, size_t count, size_t stride, real scale, real *restrict to)
{
    if (stride == 1)
        for (size_t i = 0; i < count; i++) to[i] = scale * to_real(from[i]);
    else
        for (size_t i = 0; i < count; i++) to[i] = scale * to_real(from[i * stride]);
}

static void fast_load(void *self)
{
    room *r = self;
    size_t outputs = r->b->outputs, count = r->b->rules * (r->b->terms + 1);
    if (r->gauss) load_conditions(r);
    if (r->is_boxes) load_boxes(r);
    if (r->b->rank) load_tilts(r);
    if (r->is_pairs) {
        load_pairs(r);
        return;
    }
    r->is_spread = false;
    r->has_ratios = r->is_grid && !r->training && has_ratios(r);
    const real scale = r->has_ratios ? RATIO_SCALE : 1;
    for (size_t o = 0; o < outputs; o++)
        load_coefficients(r->b->conseq + o, count, outputs, scale, r->coef + o * count);
}

/* --- gradients --- */

/* The sums of pull * (x - c) and pull * (x - c)^2 become derivatives by c and the width: with s = 1 /
 * sigma or a, s^2 first and s^3 second, or -s second. */
static void unload_mfs(const room *r, double *restrict centre, double *restrict width)
{
    const real *first = r->first, *second = r->second;
    const double h = r->b->h, *s = r->steep;
    for (size_t i = 0; i < r->b->mfs; i++) centre[i] += h * s[i] * s[i] * (double)first[i];
    if (r->b->kind == &sg_mf_gauss)
        for (size_t i = 0; i < r->b->mfs; i++) width[i] += h * s[i] * s[i] * s[i] * (double)second[i];
    else
        for (size_t i = 0; i < r->b->mfs; i++) width[i] += -(h * s[i]) * (double)second[i];
}

/* Rules' conditions one after the other, each to its MF. */
static void unload_shared(const room *r, double *centre, double *width)
{
    const sg_block *b = r->b;
    for (size_t i = 0; i < b->rules * b->inputs; i++) {
        int32_t mf = b->mf_of[i];
        if (mf < 0) continue;
        double s = r->steep[mf], hs = b->h * s;
        centre[mf] += hs * s * (double)r->first[i];
        width[mf] += b->kind == &sg_mf_gauss ? hs * s * s * (double)r->second[i] : -hs * (double)r->second[i];
    }
}

/* The derivatives by a rule's tilt and centres: -h pull * along * (x - c), h pull * along * tilt. */
static void unload_tilts(const room *r, double *tilt, double *centre)
{
    const sg_block *b = r->b;
    const double h = b->h, *u = b->tilt;
    const real *slope = r->tilt_slope, *pull = r->centre_pull;
    for (size_t p = 0; p < b->rules; p++)
        for (size_t k = 0; k < b->rank; k++, u += b->inputs, tilt += b->inputs, slope += b->inputs, pull += b->inputs)
            for (size_t m = 0; m < b->inputs; m++) {
                int32_t mf = b->mf_of[p * b->inputs + m];
                if (mf < 0) continue;
                tilt[m] -= h * (double)slope[m];
                centre[mf] += h * (double)pull[m] * u[m];
            }
    memset(r->tilt_slope, 0, (size_t)(slope - r->tilt_slope) * sizeof *slope);
    memset(r->centre_pull, 0, (size_t)(pull - r->centre_pull) * sizeof *pull);
}

static void unload_conditions(room *r, double *grad)
{
    const sg_block *b = r->b;
    size_t count = r->is_grid ? b->mfs : b->rules * b->inputs;
    if (r->gauss && (r->is_grid || r->owns)) unload_mfs(r, grad, grad + b->mfs);
    else if (r->gauss) unload_shared(r, grad, grad + b->mfs);
    for (size_t i = 0; !r->gauss && i < b->kind->arity * b->mfs; i++) {
        grad[i] += r->partial[i];
        r->partial[i] = 0;
    }
    memset(r->first, 0, count * sizeof *r->first);
    memset(r->second, 0, count * sizeof *r->second);
}

static void unload_slopes(const real *from, size_t count, size_t stride, double *restrict to)
{
    if (stride == 1)
        for (size_t i = 0; i < count; i++) to[i] += (double)from[i];
    else
        for (size_t i = 0; i < count; i++) to[i * stride] += (double)from[i];
}

static void fast_unload(void *self, double *grad)
{
    room *r = self;
    size_t outputs = r->b->outputs, count = r->b->rules * (r->b->terms + 1);
    double *to = grad + (r->b->conseq - r->b->mf);
    unload_conditions(r, grad);
    if (r->b->rank) unload_tilts(r, grad + (r->b->tilt - r->b->mf), grad);
    for (size_t o = 0; o < outputs; o++) unload_slopes(r->slope + o * count, count, outputs, to + o);
    memset(r->slope, 0, outputs * count * sizeof *r->slope);
}

#endif
