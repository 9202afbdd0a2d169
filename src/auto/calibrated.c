/* calibrated.c: see calibrated.h. When to stop was chosen on the rows left out, so each part's errors are taken at the
 * look that is best on the other parts. */
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

/* Who speaks, and how much that counts. */
typedef struct voice {
    const sg_candidate *candidate;
    double weight;
} voice;

/* What a part's rows hear of a voice, added up. Rows of no part have no weight. */
static void hear_part(const voice *v, const sg_ground *g, size_t part, size_t look, double *row)
{
    const sg_part *p = &g->part[part];
    for (size_t i = 0; i < p->valid.rows; i++) {
        const double *y = v->candidate->y + (look * g->rows + p->row[i]) * g->outputs;
        double *to = row + p->row[i] * (g->outputs + 1);
        to[g->outputs] = g->weight[p->row[i]];
        for (size_t o = 0; o < g->outputs; o++) to[o] += v->weight * y[o];
    }
}

static sg_status hear(const voice *v, const sg_ground *g, double *row)
{
    const sg_candidate *c = v->candidate;
    size_t looks = c->looks + 1;
    double *sum = sg_alloc(c->parts * looks, sizeof *sum);
    if (!sum) return sg_fail(SG_ENOMEM, "out of memory for intervals");
    for (size_t j = 0; j < c->parts; j++)
        for (size_t k = 0; k < looks; k++) sum[j * looks + k] = sum_of(c, g, j, k);
    for (size_t j = 0; j < c->parts; j++) hear_part(v, g, j, look_without(c, j, sum), row);
    free(sum);
    return SG_OK;
}

/* From predictions. What is no number (a training that diverged) does not count. */
static void to_errors(const sg_ground *g, double *row)
{
    for (size_t i = 0; i < g->rows; i++, row += g->outputs + 1)
        for (size_t o = 0; o < g->outputs; o++) {
            row[o] = fabs(row[o] - g->y[i * g->outputs + o]);
            if (!isfinite(row[o])) row[g->outputs] = 0;
        }
}

/* Those of what was chosen; 0 where nobody has predicted anything. */
static size_t voices_of(const sg_tale *t, voice out[SG_CANDIDATES])
{
    const sg_search *s = t->search;
    const sg_candidate *one = t->verdict == SG_TAUGHT ? t->student : &s->final[s->best];
    size_t n = 0;
    for (size_t i = 0; t->verdict == SG_TOGETHER && i < s->finals; i++)
        if (s->weight[i] > 0) out[n++] = (voice){&s->final[i], s->weight[i]};
    if (n) return n;
    out[0] = (voice){one, 1};
    return isfinite(one->error) && one->y ? 1 : 0;
}

sg_status sg_search_calibrate(const sg_tale *t, sg_model *m)
{
    const sg_ground *g = &t->search->ground;
    voice v[SG_CANDIDATES];
    size_t n = voices_of(t, v);
    if (n == 0) return SG_OK;
    double *row = sg_alloc(g->rows, (g->outputs + 1) * sizeof *row);
    sg_status st = row ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for intervals");
    for (size_t i = 0; st == SG_OK && i < n; i++) st = hear(&v[i], g, row);
    if (st == SG_OK) to_errors(g, row);
    if (st == SG_OK) st = sg_sure_fit(&m->sure, row, g->rows, g->outputs);
    free(row);
    return st == SG_EDATA ? SG_OK : st; /* no errors: no intervals */
}

/* Ridge regression as a preset that trains once: the start of a training that goes nowhere. */
static sg_status line_trained_once(const sg_options *o, sg_options **out)
{
    static const char *const same[] = {"mf", "target", "loss", "pca", "start", "clip"};
    static const char *const other[][2] = {
        {"preset", "mbgd-rda"}, {"iters", "1"}, {"rate", "1e-12"}, {"intervals", "5"}};
    sg_status st = sg_line_options(o, out);
    for (size_t i = 0; st == SG_OK && i < sizeof same / sizeof *same; i++)
        st = sg_options_set(*out, same[i], sg_options_text(o, same[i]));
    for (size_t i = 0; st == SG_OK && i < sizeof other / sizeof *other; i++)
        st = sg_options_set(*out, other[i][0], other[i][1]);
    return st;
}

sg_status sg_few_calibrate(const sg_options *o, const sg_source *rows, sg_model *m)
{
    sg_options *line = NULL;
    sg_status st = line_trained_once(o, &line);
    if (st == SG_OK) st = sg_model_calibrate_folds(m, line, rows, NULL, NULL, NULL);
    sg_options_free(line);
    return st == SG_EDATA ? SG_OK : st;
}
