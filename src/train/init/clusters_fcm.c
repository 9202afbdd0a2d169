/* clusters_fcm.c: see clusters.h. */
#include "train/init/clusters.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 100 };
static const double tolerance = 1e-6; /* no centre moves farther than this, squared, in deviations of the inputs */

typedef struct memberships {
    sg_clusters *c;
    double *u;                     /* (k): of one row                        */
    double *weight, *sum, *square; /* (k), (k, width), (k, inputs): over rows */
    double *level;                 /* (k, targets)                           */
    double nothing;                /* a squared distance that is one of 0    */
} memberships;

/* Deviation i of what distances are made of; that of targets is about 1. */
static double scale_of(const sg_clusters *c, size_t i) { return i < c->inputs ? c->sigma[i] : 1; }

static double min_distance_of(const sg_clusters *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->width; i++) sum += scale_of(c, i) * scale_of(c, i);
    return fmax(1e-30 * sum, 1e-300);
}

/* u is as 1 / distance^2; a row that lies on a centre belongs to it alone. */
static void compute_memberships(const memberships *m, const double *x)
{
    const sg_clusters *c = m->c;
    double total = 0;
    for (size_t k = 0; k < c->k; k++) {
        double d = 0;
        for (size_t i = 0; i < c->width; i++) {
            double far = x[i] - c->centre[k * c->width + i];
            d += far * far;
        }
        m->u[k] = 1 / fmax(d, m->nothing);
        total += m->u[k];
    }
    for (size_t k = 0; k < c->k; k++) m->u[k] /= total;
}

/* Centres to the means of all rows by the squares of their memberships; returns how far the farthest went. */
static double move_centres(const memberships *m)
{
    const sg_clusters *c = m->c;
    double farthest = 0;
    memset(m->weight, 0, c->k * sizeof *m->weight);
    memset(m->sum, 0, c->k * c->width * sizeof *m->sum);
    for (size_t n = 0; n < c->rows; n++) {
        const double *x = sg_clusters_row(c, n);
        compute_memberships(m, x);
        for (size_t k = 0; k < c->k; k++) {
            double u2 = m->u[k] * m->u[k];
            m->weight[k] += u2;
            for (size_t i = 0; i < c->width; i++) m->sum[k * c->width + i] += u2 * x[i];
        }
    }
    for (size_t k = 0; k < c->k; k++) {
        double moved = 0;
        for (size_t i = 0; m->weight[k] > 0 && i < c->width; i++) {
            double *centre = &c->centre[k * c->width + i], to = m->sum[k * c->width + i] / m->weight[k];
            double unit = scale_of(c, i), far = unit > 0 ? (to - *centre) / unit : 0;
            moved += far * far;
            *centre = to;
        }
        farthest = fmax(farthest, moved);
    }
    return farthest;
}

/* Means and deviations of inputs, and means of targets, by the memberships. */
static void fit_sigmas(const memberships *m)
{
    const sg_clusters *c = m->c;
    memset(m->weight, 0, c->k * sizeof *m->weight);
    memset(m->sum, 0, c->k * c->width * sizeof *m->sum);
    for (size_t n = 0; n < c->rows; n++) {
        const double *x = sg_clusters_row(c, n);
        compute_memberships(m, x);
        for (size_t k = 0; k < c->k; k++) {
            m->weight[k] += m->u[k];
            for (size_t i = 0; i < c->inputs; i++) {
                double far = x[i] - c->centre[k * c->width + i];
                m->sum[k * c->width + i] += m->u[k] * far;
                m->square[k * c->inputs + i] += m->u[k] * far * far;
            }
            for (size_t t = 0; t < c->targets; t++) m->level[k * c->targets + t] += m->u[k] * x[c->width + t];
        }
    }
    for (size_t k = 0; k < c->k; k++) {
        double w = fmax(m->weight[k], 1e-30);
        for (size_t i = 0; i < c->inputs; i++) {
            double far = m->sum[k * c->width + i] / w, variance = m->square[k * c->inputs + i] / w - far * far;
            double *spread = &c->sigma[k * c->inputs + i];
            if (*spread > 0 && variance > 1e-8 * *spread * *spread) *spread = sqrt(variance);
        }
        for (size_t t = 0; t < c->targets; t++) c->target_mean[k * c->targets + t] = m->level[k * c->targets + t] / w;
    }
}

sg_status sg_clusters_fcm(sg_clusters *c, uint64_t seed)
{
    memberships m = {.c = c,
                     .u = sg_calloc(c->k, sizeof *m.u),
                     .weight = sg_calloc(c->k, sizeof *m.weight),
                     .sum = sg_calloc(c->k, c->width * sizeof *m.sum),
                     .square = sg_calloc(c->k, c->inputs * sizeof *m.square),
                     .level = sg_calloc(c->k, c->targets * sizeof *m.level),
                     .nothing = min_distance_of(c)};
    bool there = m.u && m.weight && m.sum && m.square && m.level;
    sg_status st = there ? sg_clusters_kmeans(c, seed) : sg_fail(SG_ENOMEM, "out of memory for clusters");
    if (st == SG_OK) {
        for (int round = 0; round < MAX_ITERATIONS && move_centres(&m) > tolerance; round++) {}
        fit_sigmas(&m);
        c->has_target_means = true;
    }
    free(m.u);
    free(m.weight);
    free(m.sum);
    free(m.square);
    free(m.level);
    return st;
}
