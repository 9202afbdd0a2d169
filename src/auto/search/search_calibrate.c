/* search_calibrate.c: see search_calibrate.h. When to stop was chosen on the rows left out, so each part's errors are
 * taken at the look that is best on the other parts. */
#include "auto/search/search_calibrate.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Sums of squared errors of a part at a look. */
static double fold_squared_error(const sg_candidate *c, const sg_search_data *g, size_t part, size_t look)
{
    const sg_cv_fold *p = &g->fold[part];
    double sum = 0;
    for (size_t i = 0; i < p->valid.rows; i++)
        sum += sg_search_data_row_error(g, p->valid_row[i],
                                        c->oof_predictions + (look * g->rows + p->valid_row[i]) * g->outputs);
    return sum;
}

/* The look that is best without the part; of one part alone, its best. */
static size_t best_eval_excluding(const sg_candidate *c, size_t part, const double *sum)
{
    size_t looks = c->eval_points + 1, best = c->best_eval;
    double least = INFINITY;
    for (size_t k = 0; c->folds > 1 && k < looks; k++) {
        double e = 0;
        for (size_t j = 0; j < c->folds; j++) e += j == part ? 0 : sum[j * looks + k];
        if (!(e < least)) continue;
        least = e;
        best = k;
    }
    return best;
}

/* Who speaks, and how much that counts. */
typedef struct weighted_candidate {
    const sg_candidate *candidate;
    double weight;
} weighted_candidate;

/* What a part's rows hear of a voice, added up. Rows of no part have no weight. */
static void add_fold_predictions(const weighted_candidate *v, const sg_search_data *g, size_t part, size_t look,
                                 double *row)
{
    const sg_cv_fold *p = &g->fold[part];
    for (size_t i = 0; i < p->valid.rows; i++) {
        const double *y = v->candidate->oof_predictions + (look * g->rows + p->valid_row[i]) * g->outputs;
        double *to = row + p->valid_row[i] * (g->outputs + 1);
        to[g->outputs] = g->row_weight[p->valid_row[i]];
        for (size_t o = 0; o < g->outputs; o++) to[o] += v->weight * y[o];
    }
}

static sg_status add_oof_predictions(const weighted_candidate *v, const sg_search_data *g, double *row)
{
    const sg_candidate *c = v->candidate;
    size_t looks = c->eval_points + 1;
    double *sum = sg_calloc(c->folds * looks, sizeof *sum);
    if (!sum) return sg_fail(SG_ENOMEM, "out of memory for intervals");
    for (size_t j = 0; j < c->folds; j++)
        for (size_t k = 0; k < looks; k++) sum[j * looks + k] = fold_squared_error(c, g, j, k);
    for (size_t j = 0; j < c->folds; j++) add_fold_predictions(v, g, j, best_eval_excluding(c, j, sum), row);
    free(sum);
    return SG_OK;
}

/* From predictions. What is no number (a training that diverged) does not count. */
static void predictions_to_errors(const sg_search_data *g, double *row)
{
    for (size_t i = 0; i < g->rows; i++, row += g->outputs + 1)
        for (size_t o = 0; o < g->outputs; o++) {
            row[o] = fabs(row[o] - g->targets[i * g->outputs + o]);
            if (!isfinite(row[o])) row[g->outputs] = 0;
        }
}

/* Those of what was chosen; 0 where nobody has predicted anything. */
static size_t find_chosen_candidates(const sg_search_report *t, weighted_candidate out[SG_MAX_CANDIDATES])
{
    const sg_search *s = t->search;
    const sg_candidate *one = t->decision == SG_DECISION_DISTILLED ? t->distilled : &s->finalist[s->best_rules];
    size_t n = 0;
    for (size_t i = 0; t->decision == SG_DECISION_ENSEMBLE && i < s->finalists; i++)
        if (s->ensemble_weight[i] > 0) out[n++] = (weighted_candidate){&s->finalist[i], s->ensemble_weight[i]};
    if (n) return n;
    out[0] = (weighted_candidate){one, 1};
    return isfinite(one->error) && one->oof_predictions ? 1 : 0;
}

sg_status sg_search_calibrate(const sg_search_report *t, sg_model *m)
{
    const sg_search_data *g = &t->search->data;
    weighted_candidate v[SG_MAX_CANDIDATES];
    size_t n = find_chosen_candidates(t, v);
    if (n == 0) return SG_OK;
    double *row = sg_calloc(g->rows, (g->outputs + 1) * sizeof *row);
    sg_status st = row ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for intervals");
    for (size_t i = 0; st == SG_OK && i < n; i++) st = add_oof_predictions(&v[i], g, row);
    if (st == SG_OK) predictions_to_errors(g, row);
    if (st == SG_OK) st = sg_calibration_fit(&m->calibration, row, g->rows, g->outputs);
    free(row);
    return st == SG_EDATA ? SG_OK : st; /* no errors: no intervals */
}

/* Ridge regression as a preset that trains once: the start of a training that goes nowhere. */
static sg_status make_ridge_options(const sg_options *o, sg_options **out)
{
    static const char *const same[] = {"mf", "target", "loss", "pca", "start", "clip"};
    static const char *const other[][2] = {
        {"preset", "mbgd-rda"}, {"iters", "1"}, {"rate", "1e-12"}, {"intervals", "5"}};
    sg_status st = sg_ridge_options(o, out);
    for (size_t i = 0; st == SG_OK && i < sizeof same / sizeof *same; i++)
        st = sg_options_set(*out, same[i], sg_options_text(o, same[i]));
    for (size_t i = 0; st == SG_OK && i < sizeof other / sizeof *other; i++)
        st = sg_options_set(*out, other[i][0], other[i][1]);
    return st;
}

sg_status sg_ridge_calibrate(const sg_options *o, const sg_source *rows, sg_model *m)
{
    sg_options *line = NULL;
    sg_status st = make_ridge_options(o, &line);
    if (st == SG_OK) st = sg_model_calibrate_folds(m, line, rows, NULL, NULL, NULL);
    sg_options_free(line);
    return st == SG_EDATA ? SG_OK : st;
}
