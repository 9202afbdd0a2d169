/* structure_cluster.c: rules that own their MFs, one rule a cluster of the training rows.
 *
 * k-means (k-means++ start, Lloyd's iterations) on a sample of the transformed inputs; centres
 * are the clusters', widths the inputs' standard deviations. */
#include "train/structure.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"
#include "train/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 16, SAMPLE = 20000, ROUNDS = 30 };

typedef struct clusters {
    size_t rows, inputs, k;
    double *x;       /* (rows, inputs)                          */
    double *centre;  /* (k, inputs)                             */
    double *nearest; /* (rows): squared distance to its centre  */
    size_t *of;      /* (rows): number of its centre            */
    double *sum;     /* (k, inputs)                             */
    size_t *members; /* (k)                                     */
} clusters;

static void release(clusters *c)
{
    free(c->x);
    free(c->centre);
    free(c->nearest);
    free(c->of);
    free(c->sum);
    free(c->members);
}

static bool make_room(clusters *c)
{
    c->x = sg_alloc(c->rows, c->inputs * sizeof(double));
    c->centre = sg_alloc(c->k, c->inputs * sizeof(double));
    c->nearest = sg_alloc(c->rows, sizeof(double));
    c->of = sg_alloc(c->rows, sizeof(size_t));
    c->sum = sg_alloc(c->k, c->inputs * sizeof(double));
    c->members = sg_alloc(c->k, sizeof(size_t));
    return c->x && c->centre && c->nearest && c->of && c->sum && c->members;
}

/* Row i of the sample: every row, or SAMPLE of them spread evenly over the source. */
static size_t row_of(const sg_source *s, const clusters *c, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)c->rows));
}

/* Those of the sample that are here: [*first, *last). */
static sg_status take_here(const sg_source *s, const sg_prepared *p, clusters *c, size_t *first, size_t *last)
{
    sg_rows rows;
    size_t begin, end;
    sg_source_range(s, &begin, &end);
    sg_status st = sg_rows_init(&rows, s, &p->columns, p->model, p->weight_scale);
    if (st != SG_OK) return st;
    for (*first = 0; *first < c->rows && row_of(s, c, *first) < begin;) ++*first;
    for (*last = *first; st == SG_OK && *last < c->rows && row_of(s, c, *last) < end; ++*last) {
        st = sg_rows_load(&rows, row_of(s, c, *last), 1);
        if (st == SG_OK) memcpy(c->x + *last * c->inputs, rows.filled, c->inputs * sizeof *c->x);
    }
    sg_rows_release(&rows);
    return st;
}

/* Members of a team tell each other what they have. */
static sg_status take_sample(const sg_source *s, const sg_prepared *p, clusters *c)
{
    size_t range[2] = {0, 0}, theirs[2];
    sg_status st = sg_team_agree(s->team, take_here(s, p, c, &range[0], &range[1]));
    for (size_t i = 0; st == SG_OK && i < sg_team_ranks(s->team); i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_team_share(s->team, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_team_share(s->team, i, c->x + theirs[0] * c->inputs, (theirs[1] - theirs[0]) * c->inputs * sizeof *c->x);
    }
    return st;
}

static double distance2(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* Rows whose nearest centre is the new one, k, move to it. */
static void offer(clusters *c, size_t k)
{
    for (size_t i = 0; i < c->rows; i++) {
        double d = distance2(c->x + i * c->inputs, c->centre + k * c->inputs, c->inputs);
        if (k > 0 && d >= c->nearest[i]) continue;
        c->nearest[i] = d;
        c->of[i] = k;
    }
}

/* k-means++: each further centre is a row, with probability as its squared distance. */
static void start(clusters *c, uint64_t seed)
{
    sg_stream random = sg_stream_at(seed, SG_RANDOM_CLUSTER, 0, 0);
    size_t pick = (size_t)sg_stream_below(&random, c->rows);
    for (size_t k = 0; k < c->k; k++) {
        memcpy(c->centre + k * c->inputs, c->x + pick * c->inputs, c->inputs * sizeof *c->x);
        offer(c, k);
        double total = 0;
        for (size_t i = 0; i < c->rows; i++) total += c->nearest[i];
        double left = sg_stream_unit(&random) * total;
        for (pick = 0; pick + 1 < c->rows && left >= c->nearest[pick]; pick++) left -= c->nearest[pick];
    }
}

/* Centres to the means of their rows; one that has none stays. */
static void move_centres(clusters *c)
{
    memset(c->sum, 0, c->k * c->inputs * sizeof *c->sum);
    memset(c->members, 0, c->k * sizeof *c->members);
    for (size_t i = 0; i < c->rows; i++) {
        double *sum = c->sum + c->of[i] * c->inputs;
        for (size_t m = 0; m < c->inputs; m++) sum[m] += c->x[i * c->inputs + m];
        c->members[c->of[i]]++;
    }
    for (size_t k = 0; k < c->k; k++)
        for (size_t m = 0; c->members[k] && m < c->inputs; m++)
            c->centre[k * c->inputs + m] = c->sum[k * c->inputs + m] / (double)c->members[k];
}

static void place_rules(const clusters *c, const sg_moments *seen, sg_block *b)
{
    double p[SG_MF_PARAMETERS];
    for (size_t r = 0; r < c->k; r++)
        for (size_t m = 0; m < c->inputs; m++) {
            size_t i = r * c->inputs + m;
            double deviation = sg_moments_deviation(seen, m);
            b->kind->start(c->centre[i], deviation, 2 * deviation, p);
            sg_mf_put(b, i, p);
            b->input_of[i] = (uint32_t)m;
            b->mf_of[i] = (int32_t)i;
        }
}

static sg_status build(const sg_options *o, const sg_source *s, sg_prepared *p)
{
    clusters c = {.rows = s->rows < SAMPLE ? s->rows : SAMPLE, .inputs = p->model->a.out,
                  .k = sg_options_size(o, "rules")};
    if (c.k == 0) c.k = USUAL;
    if (c.k > c.rows)
        return sg_fail(SG_EDATA, "%s: %zu clusters need at least as many rows; %zu are looked at",
                       sg_source_name(s), c.k, c.rows);
    sg_status st = sg_structure_room(o, p->model, "", c.k * c.inputs, (double)c.k);
    if (st != SG_OK) return st;
    st = make_room(&c) ? take_sample(s, p, &c) : sg_fail(SG_ENOMEM, "out of memory for clusters");
    if (st == SG_OK) {
        start(&c, (uint64_t)sg_options_number(o, "seed"));
        for (int round = 0; round < ROUNDS; round++) {
            move_centres(&c);
            for (size_t k = 0; k < c.k; k++) offer(&c, k);
        }
        place_rules(&c, &p->seen, &p->model->block[0]);
    }
    release(&c);
    return st;
}

const sg_structure sg_structure_cluster = {"cluster", build};
