/* search_warnings.c: see search_report.h. How far a search can be trusted: all from predictions of rows left out that
 * it has already. */
#include "auto/search/search_report.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/comm.h"
#include "data/source/source.h"

#include <math.h>
#include <stdlib.h>

static const double RELATIVE_TOLERANCE = 0.05; /* of an RMSE                               */
static const double MAX_FOLD_RATIO =
    1.5; /* the largest over the smallest: of few parts a mean is hardly ever known to MUCH */
enum { WORST_ROWS = 5 };
static const double MIN_ERROR_SHARE = 0.25, MIN_SHARE_RATIO = 10; /* of the error; of what the rows are of all */

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the training record"); }

static const char *metric_name(const sg_search *s) { return s->data.outputs == 1 ? "RMSE" : "relative error"; }

static sg_status add_note(sg_record *r, const char *name, sg_text *text)
{
    bool ok = !text->failed && (!text->length || sg_record_add(r, name, text->bytes, false));
    sg_text_release(text);
    return ok ? SG_OK : out_of_memory();
}

/* --- parts --- */

static double fold_weight(const sg_search_data *g, size_t part)
{
    double weight = 0;
    for (size_t i = 0; i < g->fold[part].valid.rows; i++) weight += g->row_weight[g->fold[part].valid_row[i]];
    return weight;
}

/* The best rules' errors differ from part to part: so that their mean is not known to a twentieth, and by much? */
static void warn_fold_spread(const sg_search *s, sg_text *text)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
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
    sg_text_append_format(text,
                          "%s is %.3g to %.3g on the %zu parts that were left out, one after the other: on other rows "
                          "it may differ as much",
                          metric_name(s), low, high, best->folds);
}

/* --- luck --- */

typedef struct selection_error {
    double elsewhere, here; /* weighted errors on the other parts, and on this one */
} selection_error;

/* The look of a candidate that does best where it may look. */
static selection_error choose_eval_point(const sg_search *s, const sg_candidate *c, const double *weight, size_t but)
{
    selection_error best = {INFINITY, INFINITY};
    for (size_t look = 0; look <= c->eval_points; look++) {
        selection_error o = {0};
        for (size_t j = 0; j < c->folds; j++) {
            double e = weight[j] * sg_candidate_fold_error(c, &s->data, j, j + 1, look);
            if (j == but) o.here = e;
            else o.elsewhere += e;
        }
        if (o.elsewhere < best.elsewhere) best = o;
    }
    return best;
}

/* The error of rules that are chosen without a look at the part that they are judged on. */
static double nested_cv_error(const sg_search *s, const double *weight, size_t parts)
{
    double sum = 0, all = 0;
    for (size_t j = 0; j < parts; j++) {
        selection_error best = {INFINITY, INFINITY};
        for (size_t i = 0; i < s->finalists; i++) {
            if (s->finalist[i].tree_config || s->finalist[i].folds != parts || !isfinite(s->finalist[i].error))
                continue;
            selection_error o = choose_eval_point(s, &s->finalist[i], weight, j);
            if (o.elsewhere < best.elsewhere) best = o;
        }
        sum += best.here;
        all += weight[j];
    }
    return sum / all;
}

static sg_status warn_selection_bias(const sg_search *s, sg_text *text)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    double *weight = sg_calloc(best->folds, sizeof *weight);
    if (!weight) return out_of_memory();
    for (size_t j = 0; j < best->folds; j++) weight[j] = fold_weight(&s->data, j);
    double chosen = sg_search_error_to_rmse(s, nested_cv_error(s, weight, best->folds)),
           shown = sg_search_error_to_rmse(s, best->error);
    free(weight);
    if (best->folds < 2 || !(chosen > (1 + RELATIVE_TOLERANCE) * shown)) return SG_OK;
    sg_text_append_format(text,
                          "%sthe choice of rules is luck in part: chosen without a look at the part that they are "
                          "judged on, they have %s %.3g, "
                          "not %.3g",
                          text->length ? "; " : "", metric_name(s), chosen, shown);
    return SG_OK;
}

sg_status sg_search_report_warn_unstable(const sg_search_report *t, sg_record *r)
{
    const sg_search *s = t->search;
    sg_text text = {0}, note = {0};
    if (!isfinite(s->finalist[s->best_rules].error)) return SG_OK;
    warn_fold_spread(s, &text);
    sg_status st = warn_selection_bias(s, &text);
    if (text.length) sg_text_append_format(&note, "unstable: %s", text.bytes);
    note.failed |= text.failed;
    sg_text_release(&text);
    sg_status added = add_note(r, "note_unstable", &note);
    return st == SG_OK ? added : st;
}

/* --- rows --- */

typedef struct row_error {
    size_t row;
    double error;
} row_error;

/* The largest errors, the largest first; the sum of all. */
static double find_worst_rows(const sg_search *s, row_error worst[WORST_ROWS])
{
    const sg_search_data *g = &s->data;
    const sg_candidate *best = &s->finalist[s->best_rules];
    double all = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double e = sg_search_data_row_error(g, i, best->oof_predictions + (best->best_eval * g->rows + i) * g->outputs);
        size_t k = WORST_ROWS;
        all += e;
        while (k && e > worst[k - 1].error) k--;
        for (size_t j = WORST_ROWS - 1; j > k; j--) worst[j] = worst[j - 1];
        if (k < WORST_ROWS) worst[k] = (row_error){i, e};
    }
    return all;
}

/* As the user counts them, from 1. Members of a team know their own rows' numbers alone, and tell the others. */
static sg_status find_row_numbers(const sg_search_report *t, const row_error *worst, size_t number[WORST_ROWS])
{
    const sg_source *of = &t->search->data.table.schema;
    size_t begin, end, ranks = sg_comm_ranks(of->comm), own[WORST_ROWS] = {0};
    sg_source_local_range(of, &begin, &end);
    for (size_t i = 0; i < WORST_ROWS; i++) {
        size_t row = sg_search_data_source_row(&t->search->data, worst[i].row);
        if (row >= begin && row < end) own[i] = (t->usable ? sg_subset_base_row(t->usable, row) : row) + 1;
    }
    size_t *all = sg_calloc(ranks, sizeof own);
    sg_status st = all ? sg_comm_allgather(of->comm, own, sizeof own, all) : out_of_memory();
    for (size_t i = 0; st == SG_OK && i < ranks * WORST_ROWS; i++)
        if (all[i]) number[i % WORST_ROWS] = all[i];
    free(all);
    return st;
}

sg_status sg_search_report_warn_worst_rows(const sg_search_report *t, sg_record *r)
{
    const sg_search *s = t->search;
    double of_error = 0, of_rows = WORST_ROWS / (double)s->data.rows;
    row_error worst[WORST_ROWS] = {0};
    size_t number[WORST_ROWS] = {0};
    sg_text text = {0};
    if (!isfinite(s->finalist[s->best_rules].error) || s->finalist[s->best_rules].folds < s->data.folds) return SG_OK;
    double all = find_worst_rows(s, worst);
    for (size_t i = 0; i < WORST_ROWS; i++) of_error += worst[i].error / all;
    if (!(of_error > fmax(MIN_ERROR_SHARE, MIN_SHARE_RATIO * of_rows))) return SG_OK;
    sg_status st = find_row_numbers(t, worst, number);
    if (st != SG_OK) return st;
    sg_text_append_format(&text, "%d of %zu rows make up %.0f %% of the squared error on rows left out", WORST_ROWS,
                          s->data.rows, 100 * of_error);
    for (size_t i = 0; i < WORST_ROWS; i++) sg_text_append_format(&text, "%s%zu", i ? ", " : ": rows ", number[i]);
    sg_text_append(&text, "; look whether they are right");
    return add_note(r, "note_worst_rows", &text);
}
