/* clusters_kmeans.c: k-means clustering: k-means++ initialisation and Lloyd's iterations. */
#include "train/init/clusters.h"

#include "base/memory.h"
#include "base/random/random.h"

#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 30 };

typedef struct kmeans_state {
    sg_clusters *c;
    double *nearest; /* (rows): squared distance to the nearest centre */
    size_t *cluster; /* (rows): number of the nearest centre */
    double *sum;     /* (k, width) */
    size_t *members; /* (k) */
} kmeans_state;

static double distance2(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* Assigns rows to centre k if it is nearer than their own. */
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

/* k-means++: each further centre is a row, drawn with probability proportional to its squared distance. */
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

/* Moves centres to the means of their rows. A centre without rows stays. */
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
    free(m.nearest);
    free(m.cluster);
    free(m.sum);
    free(m.members);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for clusters");
}
