/* calibrated.c: see calibrated.h. When to stop was chosen on the rows left out, so each part's errors are taken at the look
 * that is best on the other parts. */
#include "auto/calibrated.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Sums of squared errors of a part at a look. */
static double sum_of(const sg_candidate *c, const sg_ground *g, size_t part, size_t look)
{
    const sg_part *p = &g->part[part];
    double sum = 0;
    for (size_t i = 0; i < p->valid.rows; i++)
        sum += sg_ground_error(g, p->row[i], c->y + (look * g->rows + p->row[i]) * g->outputs);
    return sum;
}

/* The look that is best without the part; of one part alone, its best. */
static size_t look_without(const sg_candidate *c, size_t part, const double *sum)
{
    size_t looks = c->looks + 1, best = c->best;
    double least = INFINITY;
    for (size_t k = 0; c->parts > 1 && k < looks; k++) {
        double e = 0;
        for (size_t j = 0; j < c->parts; j++) e += j == part ? 0 : sum[j * looks + k];
        if (!(e < least)) continue;
        least = e;
        best = k;
    }
    return best;
}

/* Rows of no part have no weight. */
static void take_part(const sg_candidate *c, const sg_ground *g, size_t part, size_t look, double *row)
{
    const sg_part *p = &g->part[part];
    for (size_t i = 0; i < p->valid.rows; i++) {
        const double *y = c->y + (look * g->rows + p->row[i]) * g->outputs, *t = g->y + p->row[i] * g->outputs;
        double *to = row + p->row[i] * (g->outputs + 1);
        to[g->outputs] = g->weight[p->row[i]];
        for (size_t o = 0; o < g->outputs; o++) {
            to[o] = fabs(y[o] - t[o]);
            if (!isfinite(to[o])) to[g->outputs] = 0;
        }
    }
}

static sg_status calibrate(const sg_candidate *c, const sg_ground *g, sg_model *m)
{
    size_t looks = c->looks + 1;
    double *row = sg_alloc(g->rows, (g->outputs + 1) * sizeof *row), *sum = sg_alloc(c->parts * looks, sizeof *sum);
    sg_status st = row && sum ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for intervals");
    for (size_t j = 0; st == SG_OK && j < c->parts; j++)
        for (size_t k = 0; k < looks; k++) sum[j * looks + k] = sum_of(c, g, j, k);
    for (size_t j = 0; st == SG_OK && j < c->parts; j++) take_part(c, g, j, look_without(c, j, sum), row);
    if (st == SG_OK) st = sg_sure_fit(&m->sure, row, g->rows, g->outputs);
    free(row);
    free(sum);
    return st == SG_EDATA ? SG_OK : st;
}

sg_status sg_search_calibrate(const sg_tale *t, sg_model *m)
{
    const sg_search *s = t->search;
    const sg_candidate *c = t->verdict == SG_TAUGHT ? t->student : &s->final[s->best];
    return isfinite(c->error) && c->y ? calibrate(c, &s->ground, m) : SG_OK;
}
