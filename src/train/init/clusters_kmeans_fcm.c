/* clusters_kmeans_fcm.c: k-means clustering (k-means++ initialisation and Lloyd's iterations) and fuzzy c-means
 * clustering with exponent 2 (Bezdek, 1981). */
#include "base/memory.h"
#include "base/random/random.h"
#include "train/init/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- k-means --- */

enum { ITERATIONS = 30 };

typedef struct kmeans_state {
    sg_clusters *c;
    double *nearest; /* (rows): squared distance to the nearest centre */
    size_t *cluster; /* (rows): index of the nearest centre */
    double *sum;     /* (k, width) */
    size_t *members; /* (k) */
} kmeans_state;

static double distance2(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* Assigns rows to centre k if it is nearer than their current centre. */
static void assign_if_nearer(kmeans_state *m, size_t k)
{
    const sg_clusters *c = m->c;
    for (size_t i = 0; i < c->rows; i++) {
        double d = distance2(sg_clusters_row(c, i), c->centre + k * c->width, c->width);
        if (k > 0 && d >= m->nearest[i]) continue;
        m->nearest[i] = d;
        m->cluster[i] = k;
    }
}

/* k-means++: draws each new centre from the rows, with probability proportional to the squared distance m->nearest. */
static void init_plus_plus(kmeans_state *m, uint64_t seed)
{
    const sg_clusters *c = m->c;
    sg_random_stream random = sg_random_stream_at(seed, SG_RANDOM_CLUSTER, 0, 0);
    size_t pick = (size_t)sg_random_stream_below(&random, c->rows);
    for (size_t k = 0; k < c->k; k++) {
        memcpy(c->centre + k * c->width, sg_clusters_row(c, pick), c->width * sizeof *c->x);
        assign_if_nearer(m, k);
        double total = 0;
        for (size_t i = 0; i < c->rows; i++) total += m->nearest[i];
        double left = sg_random_stream_uniform(&random) * total;
        for (pick = 0; pick + 1 < c->rows && left >= m->nearest[pick]; pick++) left -= m->nearest[pick];
    }
}

/* Moves each centre to the mean of its rows. A centre without rows stays where it is. */
static void move_centres(kmeans_state *m)
{
    const sg_clusters *c = m->c;
    memset(m->sum, 0, c->k * c->width * sizeof *m->sum);
    memset(m->members, 0, c->k * sizeof *m->members);
    for (size_t i = 0; i < c->rows; i++) {
        double *sum = m->sum + m->cluster[i] * c->width;
        for (size_t k = 0; k < c->width; k++) sum[k] += sg_clusters_row(c, i)[k];
        m->members[m->cluster[i]]++;
    }
    for (size_t k = 0; k < c->k; k++)
        for (size_t i = 0; m->members[k] && i < c->width; i++)
            c->centre[k * c->width + i] = m->sum[k * c->width + i] / (double)m->members[k];
}

sg_status sg_clusters_kmeans(sg_clusters *c, uint64_t seed)
{
    kmeans_state m = {.c = c,
                      .nearest = sg_calloc(c->rows, sizeof *m.nearest),
                      .cluster = sg_calloc(c->rows, sizeof *m.cluster),
                      .sum = sg_calloc(c->k, c->width * sizeof *m.sum),
                      .members = sg_calloc(c->k, sizeof *m.members)};
    bool ok = m.nearest && m.cluster && m.sum && m.members;
    if (ok) init_plus_plus(&m, seed);
    for (int round = 0; ok && round < ITERATIONS; round++) {
        move_centres(&m);
        for (size_t k = 0; k < c->k; k++) assign_if_nearer(&m, k);
    }
    sg_free_all(m.nearest, m.cluster, m.sum, m.members);
    return ok ? SG_OK : sg_fail_out_of_memory("clusters");
}

/* --- fuzzy c-means --- */

enum { MAX_ITERATIONS = 100 };
static const double tolerance = 1e-6; /* stop once all squared moves are at most this, in standard deviations */

typedef struct memberships {
    sg_clusters *c;
    double *u;                     /* (k): memberships of one row */
    double *weight, *sum, *square; /* (k), (k, width), (k, inputs): sums over rows */
    double *target_sum;            /* (k, targets) */
    double min_distance;           /* squared; smaller squared distances are raised to it */
} memberships;

/* Returns the standard deviation of column i if it is an input, and otherwise 1. */
static double scale_of(const sg_clusters *c, size_t i) { return i < c->inputs ? c->sigma[i] : 1; }

static double min_distance_of(const sg_clusters *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->width; i++) sum += scale_of(c, i) * scale_of(c, i);
    return fmax(1e-30 * sum, 1e-300);
}

/* Computes the memberships u of row x, proportional to 1 / distance^2. A row at a centre belongs to it alone. */
static void compute_memberships(const memberships *m, const double *x)
{
    const sg_clusters *c = m->c;
    double total = 0;
    for (size_t k = 0; k < c->k; k++) {
        double d = 0;
        for (size_t i = 0; i < c->width; i++) {
            double off = x[i] - c->centre[k * c->width + i];
            d += off * off;
        }
        m->u[k] = 1 / fmax(d, m->min_distance);
        total += m->u[k];
    }
    for (size_t k = 0; k < c->k; k++) m->u[k] /= total;
}

/* Moves each centre to the mean of all rows, weighted by squared memberships. Returns the largest squared move. */
static double move_fuzzy_centres(const memberships *m)
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
            double unit = scale_of(c, i), off = unit > 0 ? (to - *centre) / unit : 0;
            moved += off * off;
            *centre = to;
        }
        farthest = fmax(farthest, moved);
    }
    return farthest;
}

/* Sets the standard deviations of the inputs and the means of the targets in each cluster, weighted by memberships. */
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
                double off = x[i] - c->centre[k * c->width + i];
                m->sum[k * c->width + i] += m->u[k] * off;
                m->square[k * c->inputs + i] += m->u[k] * off * off;
            }
            for (size_t t = 0; t < c->targets; t++) m->target_sum[k * c->targets + t] += m->u[k] * x[c->width + t];
        }
    }
    for (size_t k = 0; k < c->k; k++) {
        double w = fmax(m->weight[k], 1e-30);
        for (size_t i = 0; i < c->inputs; i++) {
            double off = m->sum[k * c->width + i] / w, variance = m->square[k * c->inputs + i] / w - off * off;
            double *sigma = &c->sigma[k * c->inputs + i];
            if (*sigma > 0 && variance > 1e-8 * *sigma * *sigma) *sigma = sqrt(variance);
        }
        for (size_t t = 0; t < c->targets; t++)
            c->target_mean[k * c->targets + t] = m->target_sum[k * c->targets + t] / w;
    }
}

sg_status sg_clusters_fcm(sg_clusters *c, uint64_t seed)
{
    double *memory = sg_calloc(c->k, (2 + c->width + c->inputs + c->targets) * sizeof *memory);
    if (!memory) return sg_fail_out_of_memory("clusters");
    memberships m = {.c = c, .u = memory, .weight = memory + c->k, .min_distance = min_distance_of(c)};
    m.sum = m.weight + c->k;
    m.square = m.sum + c->k * c->width;
    m.target_sum = m.square + c->k * c->inputs;
    sg_status st = sg_clusters_kmeans(c, seed);
    if (st == SG_OK) {
        for (int round = 0; round < MAX_ITERATIONS && move_fuzzy_centres(&m) > tolerance; round++) {}
        fit_sigmas(&m);
        c->has_target_means = true;
    }
    free(memory);
    return st;
}
