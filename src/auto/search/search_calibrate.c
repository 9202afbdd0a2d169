/* search_calibrate.c: calibrates the prediction intervals of a search's result with out-of-fold residuals. */
#include "auto/search/search.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct weighted_candidate {
    const sg_candidate *candidate;
    double weight;
} weighted_candidate;

/* Adds weighted predictions of a fold to out (rows, outputs + 1), whose last column is the row weight (0: the row is in
 * no fold). */
static void add_fold_predictions(const weighted_candidate *c, const sg_search_data *data, size_t fold, size_t eval,
                                 double *out)
{
    for (size_t i = 0; i < data->fold[fold].valid.rows; i++) {
        size_t row = data->fold[fold].valid_row[i];
        const double *y = sg_candidate_prediction(c->candidate, data, eval, row);
        double *to = out + row * (data->outputs + 1);
        to[data->outputs] = data->row_weight[row];
        for (size_t o = 0; o < data->outputs; o++) to[o] += c->weight * y[o];
    }
}

static sg_status add_oof_predictions(const weighted_candidate *weighted, const sg_search_data *data, double *out)
{
    const sg_candidate *c = weighted->candidate;
    double *error = sg_calloc(c->folds * (c->eval_points + 2), sizeof *error);
    if (!error) return sg_fail_out_of_memory("intervals");
    sg_candidate_error_table(c, data, error, error + c->folds * (c->eval_points + 1));
    for (size_t j = 0; j < c->folds; j++)
        add_fold_predictions(weighted, data, j, sg_candidate_best_eval_excluding(c, j, error), out);
    free(error);
    return SG_OK;
}

/* Replaces predictions with absolute residuals. Rows with a prediction that is not finite (divergence) get weight 0. */
static void predictions_to_residuals(const sg_search_data *data, double *row)
{
    for (size_t i = 0; i < data->rows; i++, row += data->outputs + 1)
        for (size_t o = 0; o < data->outputs; o++) {
            row[o] = fabs(row[o] - data->targets[i * data->outputs + o]);
            if (!isfinite(row[o])) row[data->outputs] = 0;
        }
}

/* Writes the candidates that make up the chosen model to out. Returns their number, or 0 if there are no out-of-fold
 * predictions. */
static size_t find_chosen_candidates(const sg_search_report *report, weighted_candidate out[SG_MAX_CANDIDATES])
{
    const sg_search *s = report->search;
    const sg_candidate *single = sg_search_report_candidate(report);
    size_t n = 0;
    for (size_t i = 0; report->decision == SG_DECISION_ENSEMBLE && i < s->finalists; i++)
        if (s->ensemble_weight[i] > 0) out[n++] = (weighted_candidate){&s->finalist[i], s->ensemble_weight[i]};
    if (n || !isfinite(single->error) || !single->oof_predictions) return n;
    out[0] = (weighted_candidate){single, 1};
    return 1;
}

sg_status sg_search_calibrate(const sg_search_report *report, sg_model *m)
{
    const sg_search_data *data = &report->search->data;
    weighted_candidate chosen[SG_MAX_CANDIDATES];
    size_t n = find_chosen_candidates(report, chosen);
    if (n == 0) return SG_OK;
    double *row = sg_calloc(data->rows, (data->outputs + 1) * sizeof *row);
    sg_status st = row ? SG_OK : sg_fail_out_of_memory("intervals");
    for (size_t i = 0; st == SG_OK && i < n; i++) st = add_oof_predictions(&chosen[i], data, row);
    if (st == SG_OK) {
        predictions_to_residuals(data, row);
        st = sg_calibration_fit(&m->calibration, row, data->rows, data->outputs);
    }
    free(row);
    return st == SG_EDATA ? SG_OK : st;
}
