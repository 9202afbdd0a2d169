/* warn_unreliable_error.c: warns if the errors that a search reports may not hold on new rows. Uses out-of-fold
 * predictions only, and trains nothing. */
#include "auto/search/search.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/collectives.h"
#include "train/fit/even_sample.h"

#include <math.h>
#include <stdlib.h>

static const double RELATIVE_TOLERANCE = 0.05; /* relative to an RMSE */
static const double MAX_FOLD_RATIO = 1.5;      /* ratio of the largest to the smallest RMSE of a fold */
enum { WORST_ROWS = 5 };
static const double MIN_ERROR_SHARE = 0.25, MIN_SHARE_RATIO = 10; /* share of error; its ratio to the share of rows */

static sg_status add_note(sg_record *r, const char *name, sg_text *text)
{
    bool ok = !text->failed && (!text->length || sg_record_add(r, name, text->bytes, false));
    sg_text_release(text);
    return ok ? SG_OK : sg_fail_out_of_memory("the training record");
}

/* --- folds --- */

/* Warns if the standard error of the mean RMSE of the folds is large. With few folds this is common by chance, so their
 * range must be large too. */
static void warn_fold_spread(const sg_search *s, const sg_candidate *best, sg_text *text)
{
    double n = (double)best->folds, low = INFINITY, high = 0, sum = 0, squares = 0;
    for (size_t j = 0; j < best->folds; j++) {
        double e = sg_search_error_to_rmse(s, sg_candidate_fold_error(best, &s->data, j, j + 1, best->best_eval));
        low = fmin(low, e);
        high = fmax(high, e);
        sum += e;
        squares += e * e;
    }
    double variance = (squares - sum * sum / n) / (n - 1);
    if (n < 2 || !(sqrt(variance / n) > RELATIVE_TOLERANCE * sum / n) || !(high > MAX_FOLD_RATIO * low)) return;
    sg_text_append_format(text, "%s ranges from %.3g to %.3g over the %zu folds and may vary as much on new rows",
                          sg_search_metric_name(s), low, high, best->folds);
}

/* --- selection bias --- */

/* The squared errors of a selection, on the folds that it is based on (inner) and on the held-out fold (outer). */
typedef struct selection_error {
    double inner, outer;
} selection_error;

/* Updates the best selection of each held-out fold with a candidate. table: scratch (folds, eval_points + 1). */
static void select_candidate(const sg_candidate *c, const sg_search_data *data, double *table, double *weight,
                             selection_error *best)
{
    size_t evals = c->eval_points + 1;
    sg_candidate_error_table(c, data, table, weight);
    for (size_t j = 0; j < c->folds; j++) {
        size_t k = sg_candidate_best_eval_excluding(c, j, table);
        selection_error now = {.outer = table[j * evals + k]};
        for (size_t i = 0; i < c->folds; i++) now.inner += i == j ? 0 : table[i * evals + k];
        if (now.inner < best[j].inner) best[j] = now;
    }
}

/* Computes the error of the rules by nested cross-validation: no fold takes part in the selection that it evaluates. */
static sg_status nested_cv_error(const sg_search *s, size_t folds, double *out)
{
    size_t evals = s->finalist[s->best_rules].eval_points + 1;
    double squares = 0, all = 0, *table = sg_calloc(folds, evals * sizeof *table),
           *weight = sg_calloc(folds, sizeof *weight);
    selection_error *best = sg_calloc(folds, sizeof *best);
    bool ok = table && weight && best;
    for (size_t j = 0; best && j < folds; j++) best[j] = (selection_error){INFINITY, INFINITY};
    for (size_t i = 0; ok && i < s->finalists; i++) {
        const sg_candidate *c = &s->finalist[i];
        if (c->kind == SG_CANDIDATE_RULES && c->folds == folds && isfinite(c->error))
            select_candidate(c, &s->data, table, weight, best);
    }
    for (size_t j = 0; ok && j < folds; j++) {
        squares += best[j].outer;
        all += weight[j];
    }
    *out = squares / (all * (double)s->data.outputs);
    sg_status st = ok ? SG_OK : sg_fail_out_of_memory("the training record");
    free(table);
    free(weight);
    free(best);
    return st;
}

static sg_status warn_selection_bias(const sg_search *s, sg_text *text)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    double error, reported = sg_search_error_to_rmse(s, best->error);
    sg_status st = best->folds < 2 ? SG_OK : nested_cv_error(s, best->folds, &error);
    if (st != SG_OK || best->folds < 2) return st;
    double nested = sg_search_error_to_rmse(s, error);
    if (nested > (1 + RELATIVE_TOLERANCE) * reported)
        sg_text_append_format(
            text,
            "%sthe error of the selected rules is too optimistic; nested cross-validation gives %s %.3g, not %.3g",
            text->length ? "; " : "", sg_search_metric_name(s), nested, reported);
    return SG_OK;
}

sg_status sg_search_report_warn_unstable(const sg_search_report *report, sg_record *r)
{
    const sg_search *s = report->search;
    const sg_candidate *chosen = sg_search_report_candidate(report);
    sg_text text = {0}, note = {0};
    if (!isfinite(chosen->error)) return SG_OK;
    warn_fold_spread(s, chosen, &text);
    sg_status st = chosen == &s->finalist[s->best_rules] ? warn_selection_bias(s, &text) : SG_OK;
    if (text.length) sg_text_append_format(&note, "unstable: %s", text.bytes);
    note.failed |= text.failed;
    sg_text_release(&text);
    sg_status added = add_note(r, "note_unstable", &note);
    return st == SG_OK ? added : st;
}

/* --- worst rows --- */

typedef struct row_error {
    size_t row;
    double error;
} row_error;

/* Finds the rows with the largest errors, in descending order. Returns the sum of all errors. */
static double find_worst_rows(const sg_search *s, const sg_candidate *best, row_error worst[WORST_ROWS])
{
    double all = 0;
    for (size_t i = 0; i < s->data.rows; i++) {
        double e = sg_search_data_row_error(&s->data, i, sg_candidate_prediction(best, &s->data, best->best_eval, i));
        size_t k = WORST_ROWS;
        all += e;
        while (k && e > worst[k - 1].error) k--;
        for (size_t j = WORST_ROWS - 1; j > k; j--) worst[j] = worst[j - 1];
        if (k < WORST_ROWS) worst[k] = (row_error){i, e};
    }
    return all;
}

/* Finds the row numbers of the worst rows in the user's data, counting from 1. Each rank contributes the numbers of its
 * own rows. */
static sg_status find_row_numbers(const sg_search_report *report, const row_error *worst, size_t number[WORST_ROWS])
{
    const sg_source *source = &report->search->data.table.schema;
    size_t begin, end, ranks = sg_comm_ranks(source->comm), own[WORST_ROWS] = {0};
    sg_source_local_range(source, &begin, &end);
    for (size_t i = 0; i < WORST_ROWS; i++) {
        size_t row = sg_even_sample_row(source, report->search->data.rows, worst[i].row);
        if (row >= begin && row < end) own[i] = (report->usable ? sg_subset_base_row(report->usable, row) : row) + 1;
    }
    size_t *all = sg_calloc(ranks, sizeof own);
    sg_status st =
        all ? sg_comm_allgather(source->comm, own, sizeof own, all) : sg_fail_out_of_memory("the training record");
    for (size_t i = 0; st == SG_OK && i < ranks * WORST_ROWS; i++)
        if (all[i]) number[i % WORST_ROWS] = all[i];
    free(all);
    return st;
}

sg_status sg_search_report_warn_worst_rows(const sg_search_report *report, sg_record *r)
{
    const sg_search *s = report->search;
    double error_share = 0, row_share = WORST_ROWS / (double)s->data.rows;
    row_error worst[WORST_ROWS] = {0};
    size_t number[WORST_ROWS] = {0};
    sg_text text = {0};
    const sg_candidate *chosen = sg_search_report_candidate(report);
    if (!isfinite(chosen->error) || chosen->folds < s->data.folds) return SG_OK;
    double all = find_worst_rows(s, chosen, worst);
    for (size_t i = 0; i < WORST_ROWS; i++) error_share += worst[i].error / all;
    if (!(error_share > fmax(MIN_ERROR_SHARE, MIN_SHARE_RATIO * row_share))) return SG_OK;
    sg_status st = find_row_numbers(report, worst, number);
    if (st != SG_OK) return st;
    sg_text_append_format(&text, "%d of %zu rows account for %.0f %% of the squared error on held-out rows", WORST_ROWS,
                          s->data.rows, 100 * error_share);
    for (size_t i = 0; i < WORST_ROWS; i++) sg_text_append_format(&text, "%s%zu", i ? ", " : ": rows ", number[i]);
    sg_text_append(&text, "; check whether they are correct");
    return add_note(r, "note_worst_rows", &text);
}
